"""A round that is sent, once or many times, or brought by somebody else: written once.

Who may write it, what is stored already, which of two versions stands, and what is answered for
good. Addresses, headers and sentences are left to the API and the pages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import InvalidRecord
from tournaments.exceptions import OperationRefused
from tournaments.models import Phone, Round, Sitting, Tournament
from tournaments.queries import round_validation
from tournaments.queries.equal_scores import scores_equally
from tournaments.queries.round_documents import round_as_json, round_in_force
from tournaments.queries.sheets import Sheet, is_same_round, sheet_of, table_may_correct
from tournaments.services import decisions, disputes, idempotency, json_texts, phones, rounds
from tournaments.services.idempotency import Answer
from tournaments.services.phones import Writer

Facts = Callable[[Round | None], Any]  # an object, where whoever sent it knows what a round is


class OnlyDeskCorrects(OperationRefused):
    """Raised when a table would correct a round that is no longer, or never was, its own."""

    code = "not_yours"
    sentence = _(
        "The next round is recorded, or the desk recorded this one: only the desk can correct it."
    )


class Submission(NamedTuple):
    """One request to put down a round: where, the version seen, why, under which key if any.

    `for_table`: whether somebody else brings what the table itself says. `set_aside`: as
    `rounds.record_round` has it.
    """

    number: int
    seen: int
    reason: str
    key: str = ""
    for_table: bool = False
    set_aside: bool = False


def submit_round(
    writer: Writer,
    sitting: Sitting,
    writing: Submission,
    body: dict[str, Any],
    facts: Facts,
    *,
    to: str,
) -> Answer:
    """Store facts once, however often this body is sent to this address, whoever brings it.

    `facts` makes them of the round as it is stored. The answer is the round as it stands; or with
    409 both versions, `stored` and `yours`, and what a table says otherwise is kept for the desk.
    The same body is answered the same, until the desk has decided: `decisions`.

    Raises what `rounds.record_round` does but `StaleRound`; `idempotency.KeyReused`,
    `phones.NotTheWriter`, `closing.EventOver` and `OnlyDeskCorrects`.
    """

    def act() -> Answer:
        return _record(writer, sitting, writing, facts)

    tournament = sitting.session.tournament
    asked = _request_identity(sitting, writing, body, to)
    _check_without_lock(writer, sitting, writing, asked, facts)
    answer = idempotency.run_once(tournament, writing.key, asked, act)
    return decisions.since(sitting, writing.number, answer)


def stored_answer(
    sitting: Sitting, writing: Submission, body: dict[str, Any], *, to: str
) -> Answer | None:
    """Return what this very body was answered when it was stored at this address, if it was.

    For a phone that is its table's no longer and never heard the answer: nothing is written.
    """
    asked = _request_identity(sitting, writing, body, to)
    try:
        answer = idempotency.stored_answer(sitting.session.tournament, writing.key, asked)
    except idempotency.KeyReused:
        return None
    return decisions.since(sitting, writing.number, answer) if answer else None


def _request_identity(
    sitting: Sitting, writing: Submission, body: dict[str, Any], to: str
) -> dict[str, Any]:
    """Return what makes a request the same request."""
    # Named by numbers that people see: it stays the same when the event has moved.
    place = f"{sitting.session.number}/{sitting.number}/{to.partition('/rounds/')[2]}"
    return {"to": place, "seen": writing.seen, "body": body}


def submit_form(
    writer: Writer, sitting: Sitting, writing: Submission, facts: dict[str, Any]
) -> Answer:
    """Store the facts of a form, which has no key: sent again, they are known by themselves.

    Answers and raises what `submit_round` does.
    """
    with transaction.atomic():
        return _record(writer, sitting, writing, lambda _stored: facts)


def _record(writer: Writer, sitting: Sitting, writing: Submission, facts: Facts) -> Answer:
    """Record facts within one transaction: that of their receipt, if they have a key."""
    sheet, number = rounds.lock_and_read_sheet(sitting), writing.number
    stored = _stored_round(sheet, number)
    phone = phones.current_writer(sitting, writer)
    wanted = facts(stored)
    if not (isinstance(wanted, dict) and json_texts.is_storable(wanted)):
        round_validation.check_round(sheet, number, wanted)  # no round is like that: this says why
    if stored is not None and _is_already_stored(sheet, stored, writing, wanted):
        return Answer(200, round_in_force(sheet, number))
    if phone is not None:
        _check_phone(writer, sheet, writing, phone)
    try:
        after = rounds.record_on_sheet(
            sheet,
            number,
            wanted,
            seen=writing.seen,
            by=writer.actor,
            reason=writing.reason,
            set_aside=writing.set_aside,
        )
    except rounds.RoundConflict as stale:  # before anything was written
        return _answer_conflict(sheet, writing, wanted, stale.stored, writer)
    played = after.rounds[number - 1]  # which nobody can have accepted yet
    status = 201 if played.row.version == 1 else 200
    return Answer(status, round_as_json(played, is_accepted=False))


def _check_without_lock(
    writer: Writer, sitting: Sitting, writing: Submission, asked: dict[str, Any], facts: Facts
) -> None:
    """Raise `InvalidRecord` for facts that are no round of this game, while nobody waits for us.

    However long it takes to find all their problems, no other write is held up by it. What was
    stored under this key is answered whatever it would be today, and who may not write at all is
    told that first.
    """
    tournament, number = sitting.session.tournament, writing.number
    row = sitting.rounds.filter(number=number).order_by("version").last()
    wanted = facts(None if row is None or row.is_set_aside else row)
    players = [seat.entry.key for seat in sitting.seats.select_related("entry")]
    try:
        round_validation.check_facts(tournament.rules, players, number, wanted)
    except InvalidRecord:
        if idempotency.stored_answer(tournament, writing.key, asked) is not None:
            return
        sheet = sheet_of(sitting)
        phone = phones.current_writer(sitting, writer)
        if phone is not None:
            _check_phone(writer, sheet, writing, phone)
        round_validation.check_takes_rounds(sheet)
        round_validation.check_round(sheet, number, wanted)  # all the problems of the record
        raise


def _stored_round(sheet: Sheet, number: int) -> Round | None:
    return sheet.rows[number - 1] if 1 <= number <= len(sheet.rows) else None


def _is_already_stored(
    sheet: Sheet, stored: Round, writing: Submission, wanted: dict[str, Any]
) -> bool:
    """Return whether these very facts are in force, or were stored as what follows the one seen."""
    if is_same_round(sheet, stored.number, stored.facts, wanted):
        return stored.version != writing.seen or not writing.reason
    row = Round.objects.filter(
        sitting=stored.sitting_id, number=stored.number, version=writing.seen + 1
    ).first()
    return row is not None and is_same_round(sheet, row.number, row.facts, wanted)


def _check_phone(writer: Writer, sheet: Sheet, writing: Submission, phone: Phone) -> None:
    """Refuse a phone that another has taken over from, and corrections that are the desk's."""
    phones.check_writer(phone)
    if not 1 <= writing.number <= len(sheet.rows):
        return
    row = sheet.rows[writing.number - 1]
    counts = row.version == writing.seen and sheet.score.rounds[writing.number - 1].complete
    if counts and not (writer.may_correct or table_may_correct(sheet, row)):
        raise rounds.NeedsDesk if round_validation.is_accepted(row) else OnlyDeskCorrects


def _answer_conflict(
    sheet: Sheet,
    writing: Submission,
    wanted: dict[str, Any],
    stored: Round | None,
    writer: Writer,
) -> Answer:
    """Answer both versions. What a phone of the table says otherwise is kept for the desk.

    Where the desk has enough of it to decide, the same request may come again later. What scores
    the same is noted, and nobody has to decide.

    Raises `InvalidRecord` for what is no round at all: it would be kept and shown for good.
    """
    by, phone = writer.actor, writer.phone
    is_the_tables = phone is not None or writing.for_table
    is_stored = is_the_tables and stored is not None and writing.seen < stored.version
    both: dict[str, Any] = {
        "stored": round_in_force(sheet, writing.number) if stored else None,
        "yours": {"number": writing.number, "seen": writing.seen, "facts": wanted},
    }
    if is_stored and stored is not None:
        round_validation.check_facts(sheet.rules, sheet.players, writing.number, wanted)
        about = sheet.sitting, writing.number, wanted, stored
        if scores_equally(sheet, writing.number, wanted):
            at = disputes.record_settled_dispute(*about, by=by, phone=phone)
            both |= {"settled_at": timezone.localtime(at).isoformat(), "scores_alike": True}
        elif sheet.sitting.session.tournament.kind == Tournament.Kind.TABLE:
            is_stored = False  # there is no desk to decide: the table corrects the round by itself
        else:
            is_stored = disputes.open_dispute(*about, by=by, phone=phone) is not None
    return Answer(409, both, is_stored=is_stored)
