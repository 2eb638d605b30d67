"""What a table says besides facts: it accepts a round, contradicts one, and calls the desk."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.turns import take_turn_at
from tournaments.facts import closing
from tournaments.facts.not_done import NotDone
from tournaments.facts.sheets import sheet_of
from tournaments.models import (
    Acceptance,
    Act,
    Call,
    Disagreement,
    Round,
    Sitting,
    TableSession,
    Tournament,
)
from tournaments.phones import joining

MOST_WAITING = 5  # calls of one table that nobody has answered
MOST_OPEN = 5  # versions of one round that one phone says, none of them settled


class NothingToAccept(NotDone):
    """Raised when a round cannot be accepted: not recorded, not complete, or changed since."""

    code = "nothing_to_accept"
    sentence = _("There is no such round to accept as it was shown. Look again.")


class AnotherPhone(NotDone):
    """Raised when the writer's own phone would accept what another phone has to."""

    code = "another_phone"
    sentence = _("The other side accepts on a phone of its own.")


class NoSuchCall(Exception):
    """Raised when a table would take back a call that it has not made."""


class CallsWaiting(NotDone):
    """Raised when a table calls once more while the desk has answered none of its calls."""

    code = "calls_waiting"
    sentence = _("The desk has several calls from this table already. Wait, or go there.")


@transaction.atomic
def accept(
    sitting: Sitting, number: int, version: int, *, by: Actor, phone: TableSession | None = None
) -> Acceptance:
    """Keep that the other side agrees to a round as it stands. Agreeing twice is agreeing once.

    Raises `NothingToAccept`, `AnotherPhone` where a second phone has to, `joining.NotTheWriter`,
    `joining.PhoneEnded` and `closing.EventOver`. Without a phone somebody of the staff agrees.
    """
    current = take_turn_at(sitting)
    closing.check_table_may_write(current.session.tournament, by)
    alive = joining.current_phone(current, phone)
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
    kind = Act.Kind.ROUND_ACCEPTED
    audit.append(tournament, kind, by, subject=subject, new=row.facts, at=acceptance.at)
    return acceptance


def _check_accepting(tournament: Tournament, phone: TableSession | None) -> None:
    """Raise unless rounds are accepted in this tournament, and this phone accepts for its side."""
    match tournament.accepting:
        case Tournament.Accepting.OFF:
            raise NothingToAccept
        case Tournament.Accepting.SAME if phone is not None and not phone.is_writer:
            raise joining.NotTheWriter
        case Tournament.Accepting.SECOND if phone is not None and phone.is_writer:
            raise AnotherPhone


@transaction.atomic
def dispute(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    stored: Round,
    *,
    by: Actor,
    phone: TableSession | None = None,
) -> Disagreement | None:
    """Keep facts that differ from the stored ones for the desk to decide; the same ones once.

    None where a phone has `MOST_OPEN` others waiting there: the first are kept, since each stays on
    record for good, and the phone keeps this one until it comes again.
    """
    take_turn_at(sitting)
    open_ones = list(Disagreement.objects.filter(sitting=sitting, number=number, settled_at=None))
    known = next((each for each in open_ones if each.facts == dict(facts)), None)
    if known is not None:
        return known
    if phone is not None and sum(each.phone_id == phone.pk for each in open_ones) >= MOST_OPEN:
        return None
    disagreement = Disagreement.objects.create(
        sitting=sitting, number=number, facts=dict(facts), phone=phone
    )
    audit.append(
        sitting.session.tournament,
        Act.Kind.ROUND_DISPUTED,
        by,
        subject=audit.at_table(sitting, number, stored.version),
        old=stored.facts,
        new=dict(facts),
        at=disagreement.at,
    )
    return disagreement


@transaction.atomic
def note(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    stored: Round,
    *,
    by: Actor,
    phone: TableSession | None = None,
) -> datetime:
    """Keep facts that differ from the stored ones and score the same; return when they were noted.

    The first stand, and nobody has to decide. Each is noted once, and `MOST_OPEN` of one phone.
    """
    take_turn_at(sitting)
    of_round = list(Disagreement.objects.filter(sitting=sitting, number=number))
    known = next((each for each in of_round if each.facts == dict(facts) and each.settled_at), None)
    if known is not None and known.settled_at is not None:
        return known.settled_at
    if phone is not None and sum(each.phone_id == phone.pk for each in of_round) >= MOST_OPEN:
        return timezone.now()
    noted = dispute(sitting, number, facts, stored, by=by, phone=phone)
    if noted is None:
        return timezone.now()
    noted.settled_at = timezone.now()
    noted.save(update_fields=["settled_at"])
    audit.append(
        sitting.session.tournament,
        Act.Kind.DISPUTE_SETTLED,
        by,
        subject=audit.at_table(sitting) | {"round": number},
        old={"stored": stored.facts, "other": noted.facts},
        new=stored.facts,
        reason=gettext("Both score the same: the first stands."),
        at=noted.settled_at,
    )
    return noted.settled_at


@transaction.atomic
def call(
    sitting: Sitting, kind: str, words: str, *, by: Actor, phone: TableSession | None = None
) -> Call:
    """Ask the desk to come, or to put something right. The same call waits once.

    Raises `joining.PhoneEnded`, `closing.EventOver`, and `CallsWaiting`: each call stays in the
    trail for good.
    """
    current = take_turn_at(sitting)
    closing.check_table_may_write(current.session.tournament, by)
    joining.current_phone(current, phone)
    waiting = list(Call.objects.filter(sitting=current, answered_at=None))
    for known in waiting:
        if (known.kind, known.words) == (kind, words):
            return known
    if len(waiting) >= MOST_WAITING:
        raise CallsWaiting
    made = Call.objects.create(sitting=current, kind=kind, words=words)
    tournament, subject = current.session.tournament, audit.at_table(current)
    told = {"kind": kind, "words": words}
    audit.append(tournament, Act.Kind.DESK_CALLED, by, subject=subject, new=told, at=made.at)
    return made


@transaction.atomic
def take_back(sitting: Sitting, pk: int, *, by: Actor, phone: TableSession | None = None) -> None:
    """Take back a call. One that is answered or taken back already stays so.

    Raises `NoSuchCall`, `joining.PhoneEnded` and `closing.EventOver`.
    """
    current = take_turn_at(sitting)
    closing.check_table_may_write(current.session.tournament, by)
    joining.current_phone(current, phone)
    made = Call.objects.filter(sitting=current, pk=pk).first()
    if made is None:
        raise NoSuchCall
    if made.answered_at is not None:
        return
    made.answered_at = timezone.now()
    made.save(update_fields=["answered_at"])
    audit.append(
        current.session.tournament,
        Act.Kind.CALL_TAKEN_BACK,
        by,
        subject=audit.at_table(current),
        new={"kind": made.kind, "words": made.words},
        at=made.answered_at,
    )
