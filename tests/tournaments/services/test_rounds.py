"""Recording and correcting rounds: versions, conflicts, validation, frozen rules, races."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

import scoring
from tests.cast import (
    SOMEBODY,
    keys,
    make_entries,
    make_sitting,
    make_tournament,
    make_user,
    plain_round,
    record,
)
from tests.races import race
from tournaments import verification
from tournaments.audit import Actor
from tournaments.models import Round, Sitting, Tournament
from tournaments.queries import round_validation
from tournaments.queries.round_validation import NotNext
from tournaments.queries.sheets import sheet_of
from tournaments.services import rounds, seating, staff, tournaments
from tournaments.services.publications import publish
from tournaments.services.rounds import ReasonNeeded, RoundConflict
from tournaments.services.tournaments import RulesFrozen

WON = {"kankei": 9, "mukankei": 4}
LOST = {"kankei": 5, "mukankei": 9}


def played(sitting: Sitting, *deals: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a round's facts: the last seat deals, the first and third are kankei."""
    return plain_round(sitting) | {"deals": list(deals)} | more


@pytest.fixture
def sitting(db: None) -> Sitting:
    return make_sitting()


# Versions


def test_round_is_stored_with_its_author(sitting: Sitting) -> None:
    writer = make_user("kiroku")
    row = record(sitting, played(sitting, LOST), by=Actor(writer, "kiroku"))
    stored = Round.objects.get()
    assert stored == row
    assert (stored.number, stored.version, stored.reason) == (1, 1, "")
    assert stored.facts == played(sitting, LOST)
    assert stored.who == "kiroku"
    assert stored.recorded_at is not None


def test_author_needs_no_account(sitting: Sitting) -> None:
    assert record(sitting).who == "somebody"


def test_continuing_a_round_needs_no_reason(sitting: Sitting) -> None:
    record(sitting, played(sitting, WON))
    record(sitting, played(sitting, WON, WON), seen=1)
    row = record(sitting, played(sitting, WON, WON, LOST), seen=2)
    assert (row.version, Round.objects.count()) == (3, 3)
    assert sheet_of(sitting).rows == (row,)


def test_cutting_a_round_off_needs_no_reason(sitting: Sitting) -> None:
    record(sitting, played(sitting, WON))
    assert record(sitting, played(sitting, WON, cut_off=True), seen=1).version == 2


CORRECTIONS: dict[str, Callable[[Sitting], dict[str, Any]]] = {
    "another count": lambda sitting: played(sitting, WON | {"kankei": 10}, LOST),
    "a deal less": lambda sitting: played(sitting, LOST),
    "the same again": lambda sitting: played(sitting, WON, LOST),
    "other kankei": lambda sitting: played(sitting, WON, LOST, kankei=keys(sitting)[1:3]),
    "another dealer": lambda sitting: played(sitting, WON, LOST, dealer=keys(sitting)[1]),
    "a trump": lambda sitting: played(sitting, WON, LOST, trump="spades"),
}


@pytest.mark.parametrize("correction", CORRECTIONS.values(), ids=CORRECTIONS)
def test_correction_needs_a_reason(
    sitting: Sitting, correction: Callable[[Sitting], dict[str, Any]]
) -> None:
    first = record(sitting, played(sitting, WON, LOST))
    with pytest.raises(ReasonNeeded):
        record(sitting, correction(sitting), seen=1)
    assert list(Round.objects.all()) == [first]
    row = record(sitting, correction(sitting), seen=1, reason="数えちがい")
    assert (row.version, row.reason, row.facts) == (2, "数えちがい", correction(sitting))
    assert list(Round.objects.all()) == [first, row]


def test_continuing_a_round_cut_off_needs_a_reason(sitting: Sitting) -> None:
    record(sitting, played(sitting, WON, cut_off=True))
    with pytest.raises(ReasonNeeded):
        record(sitting, played(sitting, WON, LOST), seen=1)


def test_earlier_rounds_can_be_corrected(sitting: Sitting) -> None:
    for number in range(1, 6):
        record(sitting, played(sitting, WON, LOST), number=number)
    for number in (3, 1, 5):
        record(sitting, played(sitting, LOST), number=number, seen=1, reason="用紙と照合")
    sheet = sheet_of(sitting)
    assert [row.version for row in sheet.rows] == [2, 1, 2, 1, 2]
    assert [len(facts.deals) for facts in sheet.record.rounds] == [1, 2, 1, 2, 1]
    assert Round.objects.count() == 8


# What is refused


@pytest.mark.parametrize("number", [-1, 0, 2, 99])
def test_first_round_has_number_1(sitting: Sitting, number: int) -> None:
    with pytest.raises(NotNext):
        record(sitting, number=number)
    assert not Round.objects.exists()


@pytest.mark.parametrize("number", [-1, 0, 3])
def test_rounds_are_recorded_in_order(sitting: Sitting, number: int) -> None:
    record(sitting)
    with pytest.raises(NotNext):
        record(sitting, number=number, seen=1, reason="?")
    assert Round.objects.count() == 1


@pytest.mark.parametrize("seen", [0, 1, 3, -1])
def test_conflict_returns_the_version_in_force(sitting: Sitting, seen: int) -> None:
    record(sitting, played(sitting, WON))
    latest = record(sitting, played(sitting, WON, LOST), seen=1)
    with pytest.raises(RoundConflict) as stale:
        record(sitting, played(sitting, LOST), seen=seen, reason="数えちがい")
    assert stale.value.stored == latest
    assert Round.objects.count() == 2


def test_conflict_on_a_missing_round_returns_none(sitting: Sitting) -> None:
    with pytest.raises(RoundConflict) as stale:
        record(sitting, seen=1)
    assert stale.value.stored is None


def test_invalid_round_is_refused_with_every_problem(sitting: Sitting) -> None:
    record(sitting)
    facts = played(sitting, {"kankei": 17, "mukankei": 0}, kankei=["1", "nobody"], unknown=1)
    with pytest.raises(scoring.InvalidRecord) as invalid:
        record(sitting, facts, number=2)
    assert {problem.code for problem in invalid.value.problems} == {
        *("range", "unknown_player", "unknown_key"),
    }
    assert all(problem.at.startswith("rounds[1]") for problem in invalid.value.problems)
    assert Round.objects.count() == 1


def test_next_round_is_refused_while_one_is_unfinished(sitting: Sitting) -> None:
    record(sitting, played(sitting, WON))
    with pytest.raises(scoring.InvalidRecord) as invalid:
        record(sitting, number=2)
    assert [problem.code for problem in invalid.value.problems] == ["unfinished_round"]


def test_correction_cannot_leave_an_earlier_round_unfinished(sitting: Sitting) -> None:
    record(sitting)
    record(sitting, number=2)
    with pytest.raises(scoring.InvalidRecord):
        record(sitting, played(sitting, WON), seen=1, reason="?")
    assert [row.version for row in sheet_of(sitting).rows] == [1, 1]


@pytest.mark.parametrize("rule_set", [rule_set.slug for rule_set in scoring.RULE_SETS])
@pytest.mark.django_db
def test_rounds_of_every_game_are_recorded_and_corrected(rule_set: str) -> None:
    sitting = make_sitting(make_tournament(rule_set))
    facts = plain_round(sitting)
    record(sitting, facts)
    with pytest.raises(scoring.InvalidRecord):
        record(sitting, {"unknown": 1}, seen=1, reason="?")
    record(sitting, facts, seen=1, reason="用紙と照合")
    assert [row.facts for row in Round.objects.all()] == [facts, facts]


@pytest.mark.django_db
def test_rules_of_the_tournament_decide_what_is_legal() -> None:
    sitting = make_sitting(make_tournament("yoninkan"))
    with pytest.raises(scoring.InvalidRecord, match="cut_off"):
        record(sitting, played(sitting, WON, cut_off=True))


# Rules are frozen by the first round


def test_rules_can_change_before_the_first_round(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    wanted = scoring.choose(
        scoring.get_rule_set("goninkan-classic"),
        {"skunk_kept_with_juroku": True, "last_round_spades": True},
        {"skunk": 2, "juroku": 8},
    )
    tournaments.change_rules(tournament, wanted, seen_version=0, by=SOMEBODY)
    stored = Tournament.objects.get()
    assert stored.rules.fingerprint == wanted.fingerprint
    assert (stored.options, stored.points) == ({"skunk_kept_with_juroku": True}, {"skunk": 2})


def test_rules_are_frozen_by_the_first_round(sitting: Sitting) -> None:
    record(sitting)
    tournament = Tournament.objects.get()
    before = tournament.rules.fingerprint
    wanted = scoring.choose(tournament.rules.rule_set, {}, {"skunk": 2})
    with pytest.raises(RulesFrozen):
        tournaments.change_rules(tournament, wanted, seen_version=0, by=SOMEBODY)
    assert Tournament.objects.get().rules.fingerprint == before


# Races


@pytest.mark.parametrize("seen", [0, 1])
def test_exactly_one_of_20_concurrent_writers_wins(shared_database: None, seen: int) -> None:
    sitting = make_sitting()
    if seen:
        record(sitting, played(sitting, WON, LOST))

    def write(number: int) -> Round:
        facts = played(sitting, LOST, dealer=keys(sitting)[5], kankei=keys(sitting)[:2])
        return record(sitting, facts, seen=seen, reason=f"{number}")

    answers = race(20, write)
    winners = [answer for answer in answers if isinstance(answer, Round)]
    stale = [answer.stored for answer in answers if isinstance(answer, RoundConflict)]
    assert len(winners) == 1, answers
    assert stale == winners * 19
    assert [row.version for row in Round.objects.all()] == list(range(1, seen + 2))
    assert Round.objects.get(version=seen + 1).reason == winners[0].reason


def test_concurrent_rounds_of_different_tournaments_all_succeed(shared_database: None) -> None:
    sittings = [make_sitting() for _ in range(10)]
    answers = race(10, lambda number: record(sittings[number]))
    assert all(isinstance(answer, Round) for answer in answers), answers
    assert Round.objects.count() == 10


def test_concurrent_writes_to_a_tournament_all_succeed(shared_database: None) -> None:
    tournament = make_tournament()
    sittings = [make_sitting(tournament) for _ in range(4)]
    users = [make_user(f"staff-{number}") for number in range(4)]
    entries = list(tournament.entries.all())[:6]
    ways: list[Callable[[int, Tournament], object]] = [
        lambda number, _: record(sittings[number]),
        lambda _, mine: make_entries(mine, 3),
        lambda _, mine: seating.open_session(mine, [entries], by=SOMEBODY),
        lambda number, mine: staff.give_role(mine, users[number], "director", by=SOMEBODY),
        lambda _, mine: publish(mine, by=SOMEBODY),
    ]

    def write(number: int) -> object:
        mine = Tournament.objects.get(pk=tournament.pk)
        return ways[number % len(ways)](number // len(ways), mine)

    answers = race(20, write)
    assert [answer for answer in answers if isinstance(answer, Exception)] == []
    assert tournament.entries.count() == 4 * 6 + 4 * 3
    assert tournament.sessions.count() == 4 + 4
    assert verification.verify(tournament) == []


def test_rules_and_first_round_cannot_both_change_at_once(shared_database: None) -> None:
    tournament = make_tournament("goninkan-classic")
    sittings = [make_sitting(tournament) for _ in range(5)]
    wanted = scoring.choose(tournament.rules.rule_set, {}, {"skunk": 2})

    def write(number: int) -> object:
        if number:
            return record(sittings[number])
        mine = Tournament.objects.get(pk=tournament.pk)
        tournaments.change_rules(mine, wanted, seen_version=0, by=SOMEBODY)
        return "changed"

    answers = race(5, write)
    assert sum(isinstance(answer, Round) for answer in answers) == 4
    points = Tournament.objects.get().points
    if isinstance(answers[0], RulesFrozen):
        assert points == {}
    else:
        assert (answers[0], points) == ("changed", {"skunk": 2})


def test_unique_key_refuses_a_concurrent_version_without_a_lock(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another writer inserts a row between our check and our insert, as without a lock."""
    check_round = round_validation.check_round

    def meanwhile(*arguments: Any) -> scoring.Record:
        Round.objects.create(
            sitting=sitting, number=1, version=1, facts=plain_round(sitting), reason="first"
        )
        return check_round(*arguments)

    monkeypatch.setattr(rounds, "check_round", meanwhile)
    with pytest.raises(IntegrityError), transaction.atomic():
        record(sitting)
    assert not Round.objects.exists()
    assert not sitting.session.tournament.audit_entries.filter(kind="round_recorded").exists()
