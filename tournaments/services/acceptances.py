"""A table accepts a round as it stands: the other side agrees to it."""

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
    """Raised when a round cannot be accepted: not recorded, not complete, or changed since."""

    code = "nothing_to_accept"
    sentence = _("There is no such round to accept as it was shown. Look again.")


class AnotherPhone(OperationRefused):
    """Raised when the writer's own phone would accept what another phone has to."""

    code = "another_phone"
    sentence = _("The other side accepts on a phone of its own.")


@transaction.atomic
def accept(
    sitting: Sitting, number: int, version: int, *, by: Actor, phone: Phone | None = None
) -> Acceptance:
    """Keep that the other side agrees to a round as it stands. Agreeing twice is agreeing once.

    Raises `NothingToAccept`, `AnotherPhone` where a second phone has to, `phones.NotTheWriter`,
    `phones.PhoneEnded` and `closing.EventOver`. Without a phone somebody of the staff agrees.
    """
    current = lock_sitting(sitting)
    closing.check_table_may_write(current.session.tournament, by)
    alive = phones.current_phone(current, phone)
    sheet = sheet_of(current)
    tournament = sheet.sitting.session.tournament
    if not 1 <= number <= len(sheet.rows):
        raise NothingToAccept
    row, score = sheet.rows[number - 1], sheet.score.rounds[number - 1]
    if row.version != version or not score.complete:
        raise NothingToAccept
    known = Acceptance.objects.filter(round=row).first()
    if known is not None:
        return known
    _check_accepting(tournament, alive)
    acceptance = Acceptance.objects.create(round=row, phone=phone)
    subject = audit.at_table(current, number, version)
    kind = AuditEntry.Kind.ROUND_ACCEPTED
    audit.append(tournament, kind, by, subject=subject, new=row.facts, at=acceptance.at)
    return acceptance


def _check_accepting(tournament: Tournament, phone: Phone | None) -> None:
    """Raise unless rounds are accepted in this tournament, and this phone accepts for its side."""
    match tournament.accepting:
        case Tournament.Accepting.OFF:
            raise NothingToAccept
        case Tournament.Accepting.SAME if phone is not None and not phone.is_writer:
            raise phones.NotTheWriter
        case Tournament.Accepting.SECOND if phone is not None and phone.is_writer:
            raise AnotherPhone
