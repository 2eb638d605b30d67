"""Writes at tables: rounds, totals, calls, disputes, phones, links, cards."""

from __future__ import annotations

from typing import Any

from tests import cast
from tests.cast import SOMEBODY
from tests.tournaments.audit.examples.registry import Write, example
from tournaments.backups.rounds import HeldRound
from tournaments.models import Sitting, Tournament
from tournaments.paper_entry.typed_sheets import TypedLine
from tournaments.queries.sheets import sheet_of
from tournaments.services import (
    acceptances,
    calls,
    disputes,
    idempotency,
    left_behind,
    phones,
    rounds,
    submissions,
    table_cards,
    table_links,
)
from tournaments.services.totals import TotalsSubmission, enter_totals, submit_totals


def other_facts(sitting: Sitting) -> dict[str, Any]:
    return cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}


@example("services.rounds.record_round")
def first_round(sitting: Sitting) -> Write:
    return lambda: cast.record(sitting)


@example("services.rounds.record_round: correction")
def correction(sitting: Sitting) -> Write:
    cast.record(sitting)
    return lambda: cast.record(sitting, other_facts(sitting), seen=1, reason="数えちがい")


@example("services.idempotency.run_once")
def idempotent_write(sitting: Sitting) -> Write:
    def write(_locked: Tournament) -> idempotency.Answer:
        return idempotency.Answer(201, {"version": cast.record(sitting).version})

    return lambda: idempotency.run_once(sitting.session.tournament, "key", {}, write)


@example("services.submissions.submit_form")
def posted_form(sitting: Sitting) -> Write:
    writer = phones.Writer(SOMEBODY, phone=None, may_correct=True)
    submission = submissions.Submission(1, cast.plain_round(sitting), seen_version=0)
    return lambda: submissions.submit_form(writer, sheet_of(sitting), submission)


@example("services.calls.answer_call")
def answered_call(sitting: Sitting) -> Write:
    call = cast.make_call(sitting)
    return lambda: calls.answer_call(call, by=SOMEBODY)


@example("services.disputes.keep_stored_facts")
def rejected_dispute(sitting: Sitting) -> Write:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: disputes.keep_stored_facts(other, seen_version=1, by=SOMEBODY)


@example("services.disputes.take_disputed_facts")
def accepted_dispute(sitting: Sitting) -> Write:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: disputes.take_disputed_facts(
        other, seen_version=1, by=SOMEBODY, reason="数えちがい"
    )


@example("services.rounds.record_lines")
def paper_sheet(sitting: Sitting) -> Write:
    facts = cast.plain_round(sitting)
    lines = [TypedLine(number, "", facts, None) for number in (1, 2, 3)]
    return lambda: rounds.record_lines(sitting, lines, seen_version=0, by=SOMEBODY)


@example("services.rounds.record_lines: totals on paper overruled")
def paper_overruled(sitting: Sitting) -> Write:
    lines = [TypedLine(1, "", cast.plain_round(sitting), None)]
    return lambda: rounds.record_lines(
        sitting, lines, seen_version=0, by=SOMEBODY, on_paper={"1": 12}
    )


@example("services.totals.enter_totals")
def totals(sitting: Sitting) -> Write:
    points = dict.fromkeys(cast.keys(sitting), 0)
    enter_totals(sitting, points, seen_version=0, by=SOMEBODY)
    right = points | {"1": 7}
    return lambda: enter_totals(sitting, right, seen_version=1, by=SOMEBODY, reason="写し間違い")


@example("services.totals.submit_totals")
def sent_totals(sitting: Sitting) -> Write:
    points = dict.fromkeys(cast.keys(sitting), 0)
    submission = TotalsSubmission(points, seen_version=0, reason="", key="key", body={})
    return lambda: submit_totals(sitting, submission, by=SOMEBODY)


@example("services.phones.admit_phone")
def admitted_phone(sitting: Sitting) -> Write:
    secret = phones.new_secret()
    return lambda: phones.admit_phone(sitting, secret)


@example("services.phones.take_over")
def new_writer(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    mine = phones.join(sitting.token).phone
    return lambda: phones.take_over(mine)


@example("services.table_links.revoke_link")
def revoked_link(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    return lambda: table_links.revoke_link(sitting, by=SOMEBODY)


@example("services.table_links.end_phones")
def ended_phones(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    return lambda: table_links.end_phones(sitting.session.tournament, by=SOMEBODY)


@example("services.table_links.make_link")
def new_link(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    return lambda: table_links.make_link(sitting, by=SOMEBODY)


@example("services.table_links.make_pin")
def pin(sitting: Sitting) -> Write:
    return lambda: table_links.make_pin(sitting, by=SOMEBODY)


@example("services.table_cards.issue_cards")
def cards(sitting: Sitting) -> Write:
    phones.join(sitting.token)

    def issue() -> None:
        drawn = table_cards.prepare_cards([Sitting.objects.get(pk=sitting.pk)], new_links=True)
        table_cards.issue_cards(sitting.session, drawn, by=SOMEBODY)

    return issue


@example("services.acceptances.accept_round")
def accepted_round(sitting: Sitting) -> Write:
    Tournament.objects.update(accepting=Tournament.Accepting.SAME)
    cast.record(sitting)
    return lambda: acceptances.accept_round(sitting, 1, 1, by=SOMEBODY)


@example("services.left_behind.take_over")
def rounds_left_behind(sitting: Sitting) -> Write:
    held = [HeldRound(sitting.key, "", 1, cast.plain_round(sitting))]
    return lambda: left_behind.take_over(held, by=SOMEBODY)


@example("services.disputes.open_dispute")
def opened_dispute(sitting: Sitting) -> Write:
    row = cast.record(sitting)
    return lambda: disputes.open_dispute(sitting, 1, other_facts(sitting), row, by=SOMEBODY)


@example("services.disputes.record_settled_dispute")
def settled_dispute(sitting: Sitting) -> Write:
    row = cast.record(sitting)
    return lambda: disputes.record_settled_dispute(
        sitting, 1, other_facts(sitting), row, by=SOMEBODY
    )


@example("services.calls.take_back_call")
def taken_back_call(sitting: Sitting) -> Write:
    made = calls.call_desk(sitting, "director", "札", by=SOMEBODY)
    return lambda: calls.take_back_call(sitting, made.pk, by=SOMEBODY)


@example("services.calls.call_desk")
def open_call(sitting: Sitting) -> Write:
    return lambda: calls.call_desk(sitting, "director", "札", by=SOMEBODY)
