"""Accepting a round: the other side of a table agrees to one version of it (承認)."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_sitting
from tournaments.exceptions import OperationRefused
from tournaments.models import (
    Acceptance,
    AuditEntry,
    Phone,
    Sitting,
    Tournament,
)
from tournaments.queries.sheets import sheet_of
from tournaments.services import closing, phones


class NothingToAccept(OperationRefused):
    """The round is not recorded, not complete, or has changed since it was shown."""

    code = "nothing_to_accept"
    at = "version"
    sentence = _(
        "Not accepted: this round has changed since it was shown. Check it again, then accept it."
    )


class SecondPhoneNeeded(OperationRefused):
    """The writer's phone tried to accept where a second phone has to."""

    code = "another_phone"
    status = 403
    sentence = _("Not accepted: the other side accepts on a phone of its own. Use that phone.")


@transaction.atomic
def accept_round(
    sitting: Sitting, number: int, version: int, *, by: Actor, phone: Phone | None = None
) -> Acceptance:
    """Store that the other side accepts `version` of round `number`. Idempotent.

    `phone` is None if the staff accepts in the other side's name. Raises `NothingToAccept`,
    `SecondPhoneNeeded`, `phones.NotTheWriter`, `phones.PhoneEnded` and `closing.EventOver`.
    """
    current = lock_sitting(sitting)
    closing.check_table_may_write(current.session.tournament, by)
    active = phones.refresh_phone(current, phone)
    sheet = sheet_of(current)
    tournament = sheet.sitting.session.tournament
    if not 1 <= number <= len(sheet.rows):
        raise NothingToAccept
    stored, score = sheet.rows[number - 1], sheet.score.rounds[number - 1]
    if stored.version != version or not score.complete:
        raise NothingToAccept
    existing = Acceptance.objects.filter(round=stored).first()
    if existing is not None:
        return existing
    _check_phone_may_accept(tournament, active)
    acceptance = Acceptance.objects.create(round=stored, phone=phone)
    subject = audit.table_subject(current, number, version)
    kind = AuditEntry.Kind.ROUND_ACCEPTED
    audit.append_entry(tournament, kind, by, subject=subject, new=stored.facts, at=acceptance.at)
    return acceptance


def _check_phone_may_accept(tournament: Tournament, phone: Phone | None) -> None:
    """Raise unless rounds are accepted in this tournament and this phone may accept them.

    The setting `Accepting.SAME` wants the writer's phone, else `phones.NotTheWriter` is raised;
    `SECOND` wants another phone, else `SecondPhoneNeeded`; `OFF` always raises `NothingToAccept`.
    The staff (`phone` is None) may accept with both.
    """
    match tournament.accepting:
        case Tournament.Accepting.OFF:
            raise NothingToAccept
        case Tournament.Accepting.SAME if phone is not None and not phone.is_writer:
            raise phones.NotTheWriter
        case Tournament.Accepting.SECOND if phone is not None and phone.is_writer:
            raise SecondPhoneNeeded
