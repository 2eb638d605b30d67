"""Submitting a round from a phone, a form or a handover: stored once, however often it is sent.

Checks the writer, recognises repeated requests, and answers conflicts with both versions. The API
and the pages turn the `Answer` into a response.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import InvalidRecord
from tournaments.exceptions import OperationRefused
from tournaments.models import Disagreement, Phone, Round, Sitting, Tournament
from tournaments.queries import round_validation
from tournaments.queries.round_documents import round_as_json, round_in_force
from tournaments.queries.sheets import Sheet, is_same_round, sheet_of, table_may_correct
from tournaments.queries.what_if import scores_equally
from tournaments.services import disputes, idempotency, json_texts, phones, rounds
from tournaments.services.idempotency import Answer
from tournaments.services.phones import Writer

Facts = Callable[[Round | None], Any]  # the stored round to the submitted facts, perhaps invalid


class OnlyDeskCorrects(OperationRefused):
    """A table tried to correct a round that is not its last, or that the desk recorded."""

    code = "not_yours"
    sentence = _(
        "The next round is recorded, or the desk recorded this one: only the desk can correct it."
    )


class Submission(NamedTuple):
    """A request to record a round. `seen` and `set_aside` as in `rounds.record_round`.

    `key` is the idempotency key, empty for a form. `for_table` is true if the desk hands in what a
    table wrote.
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
    submission: Submission,
    body: dict[str, Any],
    facts: Facts,
    *,
    to: str,
) -> Answer:
    """Store facts once per idempotency key, and return the round in force.

    `facts` computes them from the stored round. On a conflict the answer is a 409 with both
    versions, `stored` and `yours`, and those of a table are stored as a dispute. The same request
    gets the same answer, until the desk has decided the dispute.

    Raises what `rounds.record_round` raises except `RoundConflict`; `idempotency.KeyReused`,
    `phones.NotTheWriter`, `closing.EventOver` and `OnlyDeskCorrects`.
    """

    def record() -> Answer:
        return _record(writer, sitting, submission, facts)

    tournament = sitting.session.tournament
    identity = _request_identity(sitting, submission, body, to)
    _check_without_lock(writer, sitting, submission, identity, facts)
    answer = idempotency.run_once(tournament, submission.key, identity, record)
    return _answer_after_decision(sitting, submission.number, answer)


def stored_answer(
    sitting: Sitting, submission: Submission, body: dict[str, Any], *, to: str
) -> Answer | None:
    """Return the stored answer to the same request, or None. Writes nothing.

    For a phone that has ended before it received the answer.
    """
    identity = _request_identity(sitting, submission, body, to)
    try:
        answer = idempotency.stored_answer(sitting.session.tournament, submission.key, identity)
    except idempotency.KeyReused:
        return None
    return _answer_after_decision(sitting, submission.number, answer) if answer else None


def _answer_after_decision(sitting: Sitting, number: int, answer: Answer) -> Answer:
    """Return a stored answer, or the current one if it is a 409 that the desk has decided since.

    Returns 200 if the facts sent are in force now; else 409 with the round stored now and, as
    `settled_at`, when the dispute was settled. Receipts never change, so this is looked up.
    """
    if answer.status != 409 or not answer.is_stored:
        return answer
    facts = answer.body["yours"]["facts"]
    sheet = sheet_of(sitting)
    stored = round_in_force(sheet, number) if number <= len(sheet.rounds) else None
    if stored is not None and is_same_round(sheet, number, stored["facts"], facts):
        return Answer(200, stored)
    disputed = Disagreement.objects.filter(sitting=sitting, number=number)
    times = [each.settled_at for each in disputed if each.facts == facts]
    settled = [time for time in times if time is not None]
    if not settled or len(settled) < len(times):
        return answer
    at = timezone.localtime(max(settled)).isoformat()
    return Answer(409, {**answer.body, "stored": stored, "settled_at": at})


def _request_identity(
    sitting: Sitting, submission: Submission, body: dict[str, Any], to: str
) -> dict[str, Any]:
    """Return the parts of a request that are compared with those of an earlier one."""
    # The address is given by numbers, not primary keys, to stay valid in another database.
    place = f"{sitting.session.number}/{sitting.number}/{to.partition('/rounds/')[2]}"
    return {"to": place, "seen": submission.seen, "body": body}


def submit_form(
    writer: Writer, sitting: Sitting, submission: Submission, facts: dict[str, Any]
) -> Answer:
    """Store the facts of a form, which has no idempotency key: a repeat is found by its facts.

    Returns and raises what `submit_round` does.
    """
    with transaction.atomic():
        return _record(writer, sitting, submission, lambda _stored: facts)


def _record(writer: Writer, sitting: Sitting, submission: Submission, facts: Facts) -> Answer:
    """Take the lock and record facts. Call it inside the transaction that stores the receipt."""
    sheet, number = rounds.lock_and_read_sheet(sitting), submission.number
    stored = _stored_round(sheet, number)
    phone = phones.current_writer(sitting, writer)
    wanted = facts(stored)
    if not (isinstance(wanted, dict) and json_texts.is_storable(wanted)):
        round_validation.check_round(sheet, number, wanted)  # raises, with all the problems
    if stored is not None and _is_already_stored(sheet, stored, submission, wanted):
        return Answer(200, round_in_force(sheet, number))
    if phone is not None:
        _check_phone(writer, sheet, submission, phone)
    try:
        after = rounds.record_on_sheet(
            sheet,
            number,
            wanted,
            seen=submission.seen,
            by=writer.actor,
            reason=submission.reason,
            set_aside=submission.set_aside,
        )
    except rounds.RoundConflict as conflict:  # raised before anything was written
        return _answer_conflict(sheet, submission, wanted, conflict.stored, writer)
    played = after.rounds[number - 1]  # a new version, not accepted yet
    status = 201 if played.row.version == 1 else 200
    return Answer(status, round_as_json(played, is_accepted=False))


def _check_without_lock(
    writer: Writer, sitting: Sitting, submission: Submission, identity: dict[str, Any], facts: Facts
) -> None:
    """Raise `InvalidRecord` for invalid facts before the lock is taken.

    Finding all problems may take long and must not block other writes. A request with a receipt
    passes, and errors about the writer are raised first.
    """
    tournament, number = sitting.session.tournament, submission.number
    row = sitting.rounds.filter(number=number).order_by("version").last()
    wanted = facts(None if row is None or row.is_set_aside else row)
    players = [seat.entry.key for seat in sitting.seats.select_related("entry")]
    try:
        round_validation.check_facts(tournament.rules, players, number, wanted)
    except InvalidRecord:
        if idempotency.stored_answer(tournament, submission.key, identity) is not None:
            return
        sheet = sheet_of(sitting)
        phone = phones.current_writer(sitting, writer)
        if phone is not None:
            _check_phone(writer, sheet, submission, phone)
        round_validation.check_takes_rounds(sheet)
        round_validation.check_round(sheet, number, wanted)  # all the problems of the record
        raise


def _stored_round(sheet: Sheet, number: int) -> Round | None:
    return sheet.rows[number - 1] if 1 <= number <= len(sheet.rows) else None


def _is_already_stored(
    sheet: Sheet, stored: Round, submission: Submission, wanted: dict[str, Any]
) -> bool:
    """Return whether these facts are in force, or were stored as the version after `seen`."""
    if is_same_round(sheet, stored.number, stored.facts, wanted):
        return stored.version != submission.seen or not submission.reason
    row = Round.objects.filter(
        sitting=stored.sitting_id, number=stored.number, version=submission.seen + 1
    ).first()
    return row is not None and is_same_round(sheet, row.number, row.facts, wanted)


def _check_phone(writer: Writer, sheet: Sheet, submission: Submission, phone: Phone) -> None:
    """Raise unless the phone is the writer and may correct this round.

    Raises `NotTheWriter`, `NeedsDesk` and `OnlyDeskCorrects`.
    """
    phones.check_writer(phone)
    if not 1 <= submission.number <= len(sheet.rows):
        return
    row = sheet.rows[submission.number - 1]
    counts = row.version == submission.seen and sheet.score.rounds[submission.number - 1].complete
    if counts and not (writer.may_correct or table_may_correct(sheet, row)):
        raise rounds.NeedsDesk if round_validation.is_accepted(row) else OnlyDeskCorrects


def _answer_conflict(
    sheet: Sheet,
    submission: Submission,
    wanted: dict[str, Any],
    stored: Round | None,
    writer: Writer,
) -> Answer:
    """Return a 409 with both versions, and store a dispute if the table sent its own version.

    A version that scores the same is stored as settled. If the phone has too many open disputes, no
    receipt is written and the phone retries. Raises `InvalidRecord`, because a dispute is stored
    for ever.
    """
    by, phone = writer.actor, writer.phone
    is_from_table = phone is not None or submission.for_table
    is_stored = is_from_table and stored is not None and submission.seen < stored.version
    both: dict[str, Any] = {
        "stored": round_in_force(sheet, submission.number) if stored else None,
        "yours": {"number": submission.number, "seen": submission.seen, "facts": wanted},
    }
    if is_stored and stored is not None:
        round_validation.check_facts(sheet.rules, sheet.players, submission.number, wanted)
        about = sheet.sitting, submission.number, wanted, stored
        if scores_equally(sheet, submission.number, wanted):
            at = disputes.record_settled_dispute(*about, by=by, phone=phone)
            both |= {"settled_at": timezone.localtime(at).isoformat(), "scores_alike": True}
        elif sheet.sitting.session.tournament.kind == Tournament.Kind.TABLE:
            is_stored = False  # a club table has no desk: it corrects the round itself
        else:
            is_stored = disputes.open_dispute(*about, by=by, phone=phone) is not None
    return Answer(409, both, is_stored=is_stored)
