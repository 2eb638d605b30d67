"""What a table says besides facts: it accepts a round, contradicts one, and calls the desk."""

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

MOST_WAITING = 5  # calls of one table that nobody has answered


class NoSuchCall(Exception):
    """Raised when a table would take back a call that it has not made."""


class CallsWaiting(OperationRefused):
    """Raised when a table calls once more while the desk has answered none of its calls."""

    code = "calls_waiting"
    sentence = _("The desk has several calls from this table already. Wait, or go there.")


@transaction.atomic
def call(sitting: Sitting, kind: str, words: str, *, by: Actor, phone: Phone | None = None) -> Call:
    """Ask the desk to come, or to put something right. The same call waits once.

    Raises `phones.PhoneEnded`, `closing.EventOver`, and `CallsWaiting`: each call stays in the
    trail for good.
    """
    current = lock_sitting(sitting)
    closing.check_table_may_write(current.session.tournament, by)
    phones.current_phone(current, phone)
    waiting = list(Call.objects.filter(sitting=current, answered_at=None))
    for known in waiting:
        if (known.kind, known.words) == (kind, words):
            return known
    if len(waiting) >= MOST_WAITING:
        raise CallsWaiting
    made = Call.objects.create(sitting=current, kind=kind, words=words)
    tournament, subject = current.session.tournament, audit.at_table(current)
    told = {"kind": kind, "words": words}
    audit.append(tournament, AuditEntry.Kind.DESK_CALLED, by, subject=subject, new=told, at=made.at)
    return made


@transaction.atomic
def take_back(sitting: Sitting, pk: int, *, by: Actor, phone: Phone | None = None) -> None:
    """Take back a call. One that is answered or taken back already stays so.

    Raises `NoSuchCall`, `phones.PhoneEnded` and `closing.EventOver`.
    """
    current = lock_sitting(sitting)
    closing.check_table_may_write(current.session.tournament, by)
    phones.current_phone(current, phone)
    made = Call.objects.filter(sitting=current, pk=pk).first()
    if made is None:
        raise NoSuchCall
    if made.answered_at is not None:
        return
    made.answered_at = timezone.now()
    made.save(update_fields=["answered_at"])
    audit.append(
        current.session.tournament,
        AuditEntry.Kind.CALL_TAKEN_BACK,
        by,
        subject=audit.at_table(current),
        new={"kind": made.kind, "words": made.words},
        at=made.answered_at,
    )


@transaction.atomic
def answer_call(call: Call, *, by: Actor) -> None:
    """Say that a call is answered. Answering twice is answering once."""
    lock_sitting(call.sitting)
    current = Call.objects.get(pk=call.pk)
    if current.answered_at is not None:
        return
    current.answered_at = timezone.now()
    current.save(update_fields=["answered_at"])
    audit.append(
        call.sitting.session.tournament,
        AuditEntry.Kind.CALL_ANSWERED,
        by,
        subject=audit.at_table(call.sitting),
        new={"kind": call.kind, "words": call.words},
        at=current.answered_at,
    )
