"""Submitting a round from a phone, a form or a handover: stored once, however often it is sent.

Checks the writer, recognises repeated requests, and answers conflicts with both versions. The API
and the pages turn the `Answer` into a response.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring import InvalidRecord
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import Disagreement, Phone, Round, Sitting, Tournament
from tournaments.queries import round_validation
from tournaments.queries.events import NotThere
from tournaments.queries.round_documents import round_as_json, round_in_force
from tournaments.queries.round_validation import table_may_correct
from tournaments.queries.sheets import Sheet, is_same_round, sheet_at, sheet_of
from tournaments.queries.what_if import scores_equally
from tournaments.services import disputes, epochs, idempotency, phones, rounds
from tournaments.services.idempotency import Answer
from tournaments.services.phones import Writer


class OnlyDeskCorrects(OperationRefused):
    """A table tried to correct a round that is not its last, or that the desk recorded."""

    code = "not_yours"
    status = 403
    sentence = _(
        "The next round has been recorded, or the desk recorded this one: only the desk can "
        "correct it. Call the desk."
    )


class DealNotNext(round_validation.NotNext):
    """The deal before this one is not recorded."""


class Submission(NamedTuple):
    """A round, or one of its deals, to record, and the request that sends it.

    `seen_version`, `reason`, `set_aside` and `written_by_table` are as in `rounds.record_on_sheet`;
    a conflict about what a table wrote becomes a dispute of that table. If `deal` is not 0, `facts`
    are those of the deal with this number, and `round_facts` are facts of its round. `players` are
    those whom the sender knew at the table, in seat order; none if they were not sent. `sent_again`
    are rounds that were stored before the database went on from an earlier state.

    `key` is the idempotency key, empty for a form. `body` is that of the request; a later request
    with this key has to have the same.
    """

    number: int
    facts: Any
    seen_version: int
    reason: str = ""
    set_aside: bool = False
    deal: int = 0
    round_facts: Mapping[str, Any] | None = None
    written_by_table: bool = False
    players: Sequence[str] = ()
    sent_again: bool = False
    key: str = ""
    body: Mapping[str, Any] | None = None

    def facts_after(self, stored: Round | None) -> Any:
        """Return the facts of the whole round after this submission.

        `stored` is the version in force, to which a single deal is added. Raises `DealNotNext`.
        """
        if not self.deal:
            return self.facts
        facts = stored.facts if stored else {}
        return with_deal(facts, self.deal, self.facts, round_facts=self.round_facts)


def with_deal(
    facts: Mapping[str, Any], deal_number: int, deal: Any, *, round_facts: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return a round's facts with one deal replaced or appended, updated by `round_facts`.

    Raises `DealNotNext` if the deal before this one is not recorded.

    >>> with_deal({"deals": [1]}, 2, {"kankei": 9}, round_facts=None)
    {'deals': [1, {'kankei': 9}]}
    """
    deals = list(facts.get("deals", []))
    if deal_number > len(deals) + 1:
        raise DealNotNext
    deals[deal_number - 1 : deal_number] = [deal]
    return {**facts, **(round_facts or {}), "deals": deals}


def submit_round(writer: Writer, sitting: Sitting, submission: Submission) -> Answer:
    """Store a round once per idempotency key, and return an answer with the round in force.

    On a conflict the answer is a 409 with both versions, `stored` and `yours`; a conflict with a
    table's version is also stored as a dispute. The same request gets the same answer, until the
    desk has decided the dispute.

    A phone that has ended can write nothing, but gets the stored answer to an earlier request.

    Raises what `rounds.record_round` raises except `RoundConflict`; `idempotency.KeyReused`,
    `phones.NotTheWriter`, `closing.EventOver`, `OnlyDeskCorrects` and `DealNotNext`.
    """
    if writer.ended:
        return _stored_answer(writer, sitting, submission)
    identity, tournament = _request_identity(sitting, submission), sitting.session.tournament
    sheet = sheet_at(sitting)
    try:
        _check_facts_before_lock(writer, sheet, submission)
    except (InvalidRecord, OperationRefused, NotThere):
        # A repeated request gets its answer, though it could not be stored any more.
        if idempotency.stored_answer(tournament, submission.key, identity) is None:
            raise
    record = partial(_record_round, writer, sheet, submission)
    answer = idempotency.run_once(tournament, submission.key, identity, record)
    return _answer_after_decision(sitting, submission.number, answer)


@transaction.atomic
def submit_form(writer: Writer, sheet: Sheet, submission: Submission) -> Answer:
    """Store a round sent by a form, and return an answer as `submit_round` does.

    `sheet` is the one that the form was checked against. A form has no idempotency key: no receipt
    is stored, and a repeated form is recognised by its facts.

    Raises what `submit_round` raises except `idempotency.KeyReused`.
    """
    current = lock_tournament(sheet.sitting.session.tournament)
    return _record_round(writer, sheet, submission, current)


def _stored_answer(writer: Writer, sitting: Sitting, submission: Submission) -> Answer:
    """Raises `PhoneEnded` if there is no stored answer."""
    identity = _request_identity(sitting, submission)
    try:
        answer = idempotency.stored_answer(sitting.session.tournament, submission.key, identity)
    except idempotency.KeyReused:
        answer = None
    if answer is None:
        raise phones.PhoneEnded(writer.ended)
    return _answer_after_decision(sitting, submission.number, answer)


def _answer_after_decision(sitting: Sitting, number: int, answer: Answer) -> Answer:
    """Return a stored answer; a 409 is updated if the desk has decided the dispute since.

    The updated answer is 200 if the facts that were sent are in force now, else 409 with the round
    in force and the time when the dispute was settled, `settled_at`. Receipts are immutable, so the
    decision is read from the database each time.
    """
    if answer.status != 409 or not answer.is_stored:
        return answer
    facts = answer.body["yours"]["facts"]
    sheet = sheet_of(sitting)
    stored = round_in_force(sheet, number) if number <= len(sheet.rounds) else None
    if stored is not None and is_same_round(sheet, number, stored["facts"], facts):
        return Answer(status=200, body=stored)
    disputed = Disagreement.objects.filter(sitting=sitting, number=number)
    times = [each.settled_at for each in disputed if each.facts == facts]
    settled = [time for time in times if time is not None]
    if not settled or len(settled) < len(times):
        return answer
    at = timezone.localtime(max(settled)).isoformat()
    return Answer(status=409, body={**answer.body, "stored": stored, "settled_at": at})


def _request_identity(sitting: Sitting, submission: Submission) -> dict[str, Any]:
    """Return the parts of a request that have to be equal in a repeat under the same key."""
    # The table is named by numbers, not primary keys, to stay valid in another database.
    address = f"{sitting.session.number}/{sitting.number}/{submission.number}"
    if submission.deal:
        address += f"/deals/{submission.deal}"
    return {"to": address, "seen": submission.seen_version, "body": submission.body}


def _record_round(
    writer: Writer, sheet: Sheet, submission: Submission, current: Tournament
) -> Answer:
    """Record a round and return the answer. Call it under the lock.

    `current` is the locked tournament. `sheet` was read before the lock was taken; it is read again
    if an audit entry was appended since.
    """
    number, sitting = submission.number, sheet.sitting
    phone = phones.refresh_writer(sitting, writer, current)
    if not sheet.is_current(current):
        sheet = sheet_of(sitting)
    stored = sheet.row(number)
    submission = submission._replace(facts=submission.facts_after(stored))
    if stored is not None and _is_already_stored(sheet, stored, submission):
        return Answer(status=200, body=round_in_force(sheet, number))
    if phone is not None:
        _check_phone_may_write(writer, sheet, submission, phone)
    if stored is None and _are_others_seated(sheet, submission):
        return _answer_after_change(sheet, submission, writer)
    try:
        after = rounds.record_on_sheet(
            sheet,
            number,
            submission.facts,
            seen_version=submission.seen_version,
            by=writer.actor,
            reason=submission.reason,
            set_aside=submission.set_aside,
            written_by_table=submission.written_by_table,
        )
    except rounds.RoundConflict as conflict:  # raised before anything was written
        return _answer_conflict(sheet, submission, conflict.stored, writer)
    except rounds.AfterChange:
        return _answer_after_change(sheet, submission, writer)
    played = after.rounds[number - 1]  # a new version, not accepted yet
    status = 201 if played.row.version == 1 else 200
    return Answer(status=status, body=round_as_json(played, is_accepted=False))


def _are_others_seated(sheet: Sheet, submission: Submission) -> bool:
    """Return whether the sender knew other players at the table than those of the sheet.

    False at a club table, which has no desk to decide; its players do not change.
    """
    if sheet.sitting.session.tournament.kind == Tournament.Kind.TABLE or not submission.players:
        return False
    return not sheet.is_played_by(submission.players)


def _check_facts_as_sent(sheet: Sheet, submission: Submission, facts: Any) -> None:
    """Raise `InvalidRecord` for facts that are invalid for the players whom the sender knew.

    Raises `AfterChange` if these cannot have sat at one table.
    """
    players = sheet.players
    if sheet.row(submission.number) is None and _are_others_seated(sheet, submission):
        players = tuple(submission.players)
        tournament = sheet.sitting.session.tournament
        known = {entry.key for entry in tournament.entries.all()}
        if len(players) not in tournament.table_sizes or len(known & {*players}) < len(players):
            raise rounds.AfterChange
    round_validation.check_facts(sheet.rules, players, submission.number, facts)


def _answer_after_change(sheet: Sheet, submission: Submission, writer: Writer) -> Answer:
    """Store a round of players who have left the table as a dispute, and return a 409.

    Raises `InvalidRecord`, as `_answer_conflict`, and `AfterChange` if the phone has too many
    disputes.
    """
    number, facts = submission.number, submission.facts
    _check_facts_as_sent(sheet, submission, facts)
    about = sheet.sitting, number, facts, None
    players = submission.players if _are_others_seated(sheet, submission) else ()
    by, phone = writer.actor, writer.phone
    if disputes.open_dispute(*about, by=by, phone=phone, players=players) is None:
        raise rounds.AfterChange
    yours = {"number": number, "seen": submission.seen_version, "facts": facts}
    return Answer(status=409, body={"stored": None, "yours": yours})


def _check_facts_before_lock(writer: Writer, sheet: Sheet, submission: Submission) -> None:
    """Raise `InvalidRecord` for invalid facts before the lock is taken.

    Finding all problems may take long and must not block other writes. Errors about the writer and
    about the order of rounds take precedence over `InvalidRecord`.
    """
    number = submission.number
    facts = submission.facts_after(sheet.row(number))
    try:
        _check_facts_as_sent(sheet, submission, facts)
    except InvalidRecord:
        phone = phones.refresh_writer(sheet.sitting, writer)
        if phone is not None:
            _check_phone_may_write(writer, sheet, submission, phone)
        round_validation.check_takes_rounds(sheet)
        # Raises all problems of the record, not only those of this round.
        round_validation.check_round(sheet, number, facts)
        raise


def _is_already_stored(sheet: Sheet, stored: Round, submission: Submission) -> bool:
    """Return whether a submission repeats one that is stored, so that nothing is written.

    Either its facts are in force, or they were stored as the version after `seen_version`. A
    submission of the facts in force is no repeat if the writer was shown this version and gives a
    reason.
    """
    if is_same_round(sheet, stored.number, stored.facts, submission.facts):
        return stored.version != submission.seen_version or not submission.reason
    if submission.seen_version >= stored.version:
        return False  # there is no version after the newest
    row = Round.objects.filter(
        sitting=stored.sitting_id, number=stored.number, version=submission.seen_version + 1
    ).first()
    return row is not None and is_same_round(sheet, row.number, row.facts, submission.facts)


def _check_phone_may_write(
    writer: Writer, sheet: Sheet, submission: Submission, phone: Phone
) -> None:
    """Raise `NotTheWriter` unless the phone is the writer of its table.

    If the submission would correct a complete round that the table may not correct, raises
    `NeedsDesk` if the round is accepted, else `OnlyDeskCorrects`.

    A phone that sends again was the writer then, and the next round was not recorded yet.
    """
    sent_again = submission.sent_again and epochs.cached_epoch().is_sent_again
    if not sent_again:
        phones.check_writer(phone)
    row = sheet.row(submission.number)
    if row is None:
        return
    would_correct = (
        row.version == submission.seen_version and sheet.score.rounds[row.number - 1].complete
    )
    if would_correct and not (writer.may_correct or table_may_correct(sheet, row)):
        if round_validation.is_accepted(row):
            raise rounds.NeedsDesk
        if not sent_again:
            raise OnlyDeskCorrects


def _answer_conflict(
    sheet: Sheet, submission: Submission, stored: Round | None, writer: Writer
) -> Answer:
    """Return a 409 with both versions; a version that a table sent is stored as a dispute.

    It is stored only if the round in force is newer than the version that the writer was shown. If
    both versions score the same, the dispute is stored as settled. If no dispute is stored, for
    example because the phone has too many open ones, `is_stored` is false: no receipt is written,
    and a retry is processed again. Raises `InvalidRecord`: a dispute is stored for ever, so its
    facts have to be valid.
    """
    by, phone, facts = writer.actor, writer.phone, submission.facts
    is_from_table = phone is not None or submission.written_by_table
    is_stored = is_from_table and stored is not None and submission.seen_version < stored.version
    versions: dict[str, Any] = {
        "stored": round_in_force(sheet, submission.number) if stored else None,
        "yours": {"number": submission.number, "seen": submission.seen_version, "facts": facts},
    }
    if is_stored and stored is not None:
        round_validation.check_facts(sheet.rules, sheet.players, submission.number, facts)
        about = sheet.sitting, submission.number, facts, stored
        if scores_equally(sheet, submission.number, facts):
            at = disputes.record_settled_dispute(*about, by=by, phone=phone)
            versions |= {"settled_at": timezone.localtime(at).isoformat(), "scores_alike": True}
        elif sheet.sitting.session.tournament.kind == Tournament.Kind.TABLE:
            is_stored = False  # a club table has no desk: it corrects the round itself
        else:
            is_stored = disputes.open_dispute(*about, by=by, phone=phone) is not None
    return Answer(status=409, body=versions, is_stored=is_stored)
