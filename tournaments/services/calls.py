"""Calls: a table asks the desk to come, or to correct a round (呼び出し)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_sitting
from tournaments.exceptions import OperationRefused
from tournaments.models import (
    AuditEntry,
    Call,
    Phone,
    Sitting,
)
from tournaments.services import closing, phones

MOST_WAITING = 5  # unanswered calls of one table


class NoSuchCall(Exception):
    """The call does not exist, or is another table's."""


class CallsWaiting(OperationRefused):
    """The table has `MOST_WAITING` unanswered calls already."""

    code = "calls_waiting"
    sentence = _(
        "The desk already has several calls from this table. Please wait, or go to the desk."
    )


@transaction.atomic
def call_desk(
    sitting: Sitting, kind: str, words: str, *, by: Actor, phone: Phone | None = None
) -> Call:
    """Store a call, or return the table's unanswered call with the same kind and words.

    `phone` is None if the staff calls. Raises `phones.PhoneEnded`, `closing.EventOver`, and
    `CallsWaiting`: calls are limited, because each stays in the audit trail for ever.
    """
    current = lock_sitting(sitting)
    closing.check_table_may_write(current.session.tournament, by)
    phones.refresh_phone(current, phone)
    waiting = list(Call.objects.filter(sitting=current, answered_at=None))
    for existing in waiting:
        if (existing.kind, existing.words) == (kind, words):
            return existing
    if len(waiting) >= MOST_WAITING:
        raise CallsWaiting
    call = Call.objects.create(sitting=current, kind=kind, words=words)
    tournament, subject = current.session.tournament, audit.table_subject(current)
    new = {"kind": kind, "words": words}
    audit.append_entry(
        tournament, AuditEntry.Kind.DESK_CALLED, by, subject=subject, new=new, at=call.at
    )
    return call


@transaction.atomic
def take_back_call(sitting: Sitting, pk: int, *, by: Actor, phone: Phone | None = None) -> None:
    """Withdraw a call, given by its primary key. Idempotent; an answered call stays answered.

    Raises `NoSuchCall`, `phones.PhoneEnded` and `closing.EventOver`.
    """
    current = lock_sitting(sitting)
    closing.check_table_may_write(current.session.tournament, by)
    phones.refresh_phone(current, phone)
    call = Call.objects.filter(sitting=current, pk=pk).first()
    if call is None:
        raise NoSuchCall
    if call.answered_at is not None:
        return
    call.answered_at = timezone.now()
    call.save(update_fields=["answered_at"])
    audit.append_entry(
        current.session.tournament,
        AuditEntry.Kind.CALL_TAKEN_BACK,
        by,
        subject=audit.table_subject(current),
        new={"kind": call.kind, "words": call.words},
        at=call.answered_at,
    )


@transaction.atomic
def answer_call(call: Call, *, by: Actor) -> None:
    """Idempotent."""
    lock_sitting(call.sitting)
    current = Call.objects.get(pk=call.pk)
    if current.answered_at is not None:
        return
    current.answered_at = timezone.now()
    current.save(update_fields=["answered_at"])
    audit.append_entry(
        call.sitting.session.tournament,
        AuditEntry.Kind.CALL_ANSWERED,
        by,
        subject=audit.table_subject(call.sitting),
        new={"kind": call.kind, "words": call.words},
        at=current.answered_at,
    )
