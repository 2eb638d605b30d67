"""Rankings of whole contests: missed sessions, substitutes, adjustments, decisions, withdrawals."""

from __future__ import annotations

import hashlib
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from scoring.ranking import places
from scoring.ranking.absence import AWAY, Absence, absence_of
from scoring.ranking.contest import (
    CODES_NEEDING_ROUNDS,
    Adjustment,
    Contest,
    EarlierPlace,
    PlayedTable,
    PlayOff,
    Substitution,
    absences_of,
    places_of,
    points_by_session,
    steps_of,
)
from scoring.ranking.deals import deal_counts
from scoring.ranking.missed import rounded_average
from scoring.ranking.rules import RankingRules
from scoring.ranking.tie_breaks import BY_CODE, TIE_BREAKS, TiedContext, TieDecision, order_by_lot
from tests.scoring.contests import FOUR_TIED, contest, off, table, unplayed


def points_of(ranked: Contest) -> dict[str, int]:
    return {place.who: place.points for place in places_of(ranked)}


TWO_SESSIONS = (table(1, {"A": 4, "B": -1}), table(2, {"A": 3, "C": 7}))
ABSENT = {1: {"C": Absence.ABSENT}, 2: {"B": Absence.ABSENT}}
FIXED = RankingRules(missed="fixed", missed_points=-5)


@pytest.mark.parametrize(
    ("rules", "of_b", "of_c"),
    [
        (RankingRules(), -1, 7),
        (FIXED, -6, 2),
        (RankingRules(missed="own_average"), -2, 14),
        (RankingRules(missed="session_average"), -1 + 5, 7 + 2),  # of 10/2 and 3/2
    ],
)
def test_missed_session_counts_as_chosen(rules: RankingRules, of_b: int, of_c: int) -> None:
    ranked = contest(*TWO_SESSIONS, rules=rules, sessions_over={1, 2}, away=ABSENT)
    assert points_of(ranked) == {"A": 7, "B": of_b, "C": of_c}
    lines = {place.who: place.lines for place in places_of(ranked)}
    assert lines["A"] == ()
    if rules.missed != "nothing":
        assert [(line.session, line.reason) for line in lines["B"]] == [(2, Absence.ABSENT)]
        assert [(line.session, line.reason) for line in lines["C"]] == [(1, Absence.ABSENT)]


def test_session_under_way_is_not_missed() -> None:
    ranked = contest(*TWO_SESSIONS, rules=FIXED, sessions_over={1}, away=ABSENT)
    assert points_of(ranked) == {"A": 7, "B": -1, "C": 2}


def test_own_average_is_of_sessions_that_are_over() -> None:
    under_way = table(3, {"B": 9})
    rules = RankingRules(missed="own_average")
    ranked = contest(*TWO_SESSIONS, under_way, rules=rules, sessions_over={1, 2}, away=ABSENT)
    assert points_of(ranked)["B"] == -1 + 9 - 1


def test_reserve_misses_nothing_and_is_listed_without_a_rank() -> None:
    """A substitute who is no competitor has points, but takes nobody's place."""
    ranked = contest(
        *TWO_SESSIONS, rules=FIXED, sessions_over={1, 2}, withdrawn={"B": 2}, reserves={"C"}
    )
    assert [(place.rank, place.who, place.points) for place in places_of(ranked)] == [
        *((1, "A", 7), (2, "B", -1)),
        (None, "C", 7),
    ]
    assert absences_of(ranked) == {"B": {2: Absence.WITHDRAWN}}


EVERY_REASON: dict[Absence, dict[str, object]] = {
    Absence.ABSENT: {"away": {2: {"Z": Absence.ABSENT}}},
    Absence.LATE: {"away": {2: {"Z": Absence.LATE}}},
    Absence.JOINED_LATER: {"away": {2: {"Z": Absence.JOINED_LATER}}},
    Absence.SAT_OUT: {"away": {}},
    Absence.TABLE_NOT_PLAYED: {"tables": [unplayed(2, "Z", "A")]},
    Absence.REPLACED: {
        "away": {2: {"Z": Absence.ABSENT}},
        "substitutes": [Substitution(2, "Z", "C")],
    },
    Absence.WITHDRAWN: {"withdrawn": {"Z": 2}},
    Absence.UNKNOWN: {"away": None},
}


def missing_second_session(reason: Absence, **more: object) -> Contest:
    """Return a contest in which Z won 2 points and then missed the second session."""
    facts: dict[str, object] = {"tables": [], **EVERY_REASON[reason]}
    tables: list[PlayedTable] = facts.pop("tables")  # type: ignore[assignment]
    first = table(1, {"A": 4, "Z": 2})
    return contest(first, table(2, {"B": 3, "C": 7}), *tables, **facts, **more)


@pytest.mark.parametrize("reason", EVERY_REASON)
def test_each_reason_counts_as_chosen_for_it_alone(reason: Absence) -> None:
    missed = missing_second_session(reason, sessions_over={1, 2})
    assert absences_of(missed)["Z"] == {2: reason}
    usual = {
        "own_average": 4,
        "session_average": 2 + 5,
        "fixed": 2 - 9,
    }
    nothing = {Absence.JOINED_LATER, Absence.WITHDRAWN}
    for chosen, points in usual.items():
        rules = RankingRules(missed=chosen, missed_points=-9)
        is_drawn = reason in {Absence.SAT_OUT, Absence.TABLE_NOT_PLAYED}
        is_nothing = reason in nothing or (is_drawn and chosen == "fixed")
        assert points_of(missed._replace(rules=rules))["Z"] == (2 if is_nothing else points)
    for counts_as, points in ((-3, -1), ("own_average", 4), ("session_average", 7)):
        own = RankingRules(absences={reason.value: counts_as})
        other = RankingRules(absences={each.value: 99 for each in Absence if each != reason})
        if reason in AWAY[1:]:
            assert points_of(missed._replace(rules=own))["Z"] == points
        assert points_of(missed._replace(rules=other))["Z"] == 2
    [line] = places_of(missed._replace(rules=RankingRules(absences={reason.value: 0})))[-1].lines
    assert (line.points, line.session, line.reason) == (0, 2, reason)


@pytest.mark.parametrize("reason", [Absence.REPLACED, Absence.TABLE_NOT_PLAYED, Absence.SAT_OUT])
@pytest.mark.parametrize("away", [Absence.ABSENT, Absence.LATE, Absence.WITHDRAWN])
def test_a_player_is_absent_for_what_happened_to_the_substitute(
    away: Absence, reason: Absence
) -> None:
    substituted = {
        Absence.REPLACED: table(2, {"S": 3, "A": 7}),
        Absence.TABLE_NOT_PLAYED: unplayed(2, "S", "A"),
        Absence.SAT_OUT: unplayed(2, "B", "A"),
    }
    first, other = table(1, {"A": 4, "Z": 2}), table(2, {"C": 0})
    missed = contest(
        *(first, other, substituted[reason]),
        away={2: {"Z": away}} if away != Absence.WITHDRAWN else {},
        withdrawn={"Z": 2} if away == Absence.WITHDRAWN else {},
        substitutes=[Substitution(2, "Z", "S")],
        reserves={"S"},
        sessions_over={1, 2},
    )
    assert absences_of(missed)["Z"] == {2: reason}


def test_whoever_played_was_there_and_a_session_under_way_is_missed_by_nobody_seated() -> None:
    for away in (None, *Absence):
        assert absence_of(away, has_played=True, has_seat=True, is_replaced=True) is None
        assert absence_of(away, has_played=False, has_seat=True, is_in_stage=False) == (
            Absence.NOT_IN_STAGE
        )
    assert absence_of(Absence.UNKNOWN, has_played=False, has_seat=True) is None
    under_way = missing_second_session(Absence.TABLE_NOT_PLAYED, sessions_over={1})
    assert "Z" not in absences_of(under_way)


def test_table_that_did_not_play_counts_in_no_average() -> None:
    missed = missing_second_session(Absence.TABLE_NOT_PLAYED, sessions_over={1, 2})
    assert points_by_session(missed)["Z"] == {1: 2}
    assert points_of(missed._replace(rules=RankingRules(missed="own_average")))["A"] == 4 + 4


def test_typed_totals_count_for_the_points_but_are_no_round() -> None:
    typed = table(1, {"A": 4, "B": -4}, has_typed_totals=True)
    first, second = places_of(contest(typed, table(2, {"A": 1, "B": 2})))
    assert [(each.who, each.points, each.rounds_played) for each in (first, second)] == [
        *(("A", 5, 1), ("B", -2, 1)),
    ]


def test_seat_without_a_complete_round_costs_nothing_by_default() -> None:
    tables = (table(1, {"A": 4, "B": -4}), unplayed(2, "A", "B"))
    assert points_of(contest(*tables, rules=FIXED, sessions_over={1, 2})) == {"A": 4, "B": -4}


def test_only_complete_rounds_are_played() -> None:
    played = table(1, {"A": 4, "B": -4}, {"A": 0, "B": 0})
    goes_on = played._replace(rounds=(played.rounds[0], played.rounds[1]._replace(complete=False)))
    assert [place.rounds_played for place in places_of(contest(goes_on))] == [1, 1]


@given(st.integers(-10_000, 10_000), st.integers(1, 400))
def test_averages_are_rounded_to_the_nearest(total: int, count: int) -> None:
    assert 2 * abs(rounded_average(total, count) * count - total) <= count
    assert rounded_average(-total, count) == -rounded_average(total, count)


@pytest.mark.parametrize(
    ("credited", "expected"),
    [
        ("substitute", {"A": 7, "B": -1, "C": 7}),
        ("place", {"A": 7, "B": 6}),
        ("nobody", {"A": 7, "B": -1}),
    ],
)
def test_substitute_is_credited_as_chosen(credited: str, expected: dict[str, int]) -> None:
    """C plays for B in the second session."""
    rules = RankingRules(substitutes=credited)
    ranked = contest(*TWO_SESSIONS, rules=rules, substitutes=[Substitution(2, "B", "C")])
    assert points_of(ranked) == expected


def test_place_credited_with_a_substitute_has_missed_nothing() -> None:
    ranked = contest(
        *TWO_SESSIONS,
        rules=FIXED._replace(substitutes="place"),
        sessions_over={1, 2},
        substitutes=[Substitution(2, "B", "C")],
        away=ABSENT,
    )
    assert points_of(ranked)["B"] == 6
    assert absences_of(ranked)["B"] == {2: Absence.REPLACED}


def test_adjustments_count_for_points_and_the_fewest_deducted() -> None:
    tables = (table(1, {"A": 4, "B": 4, "C": 0}),)
    given_points = [
        Adjustment(1, "A", -2),
        Adjustment(2, "A", 2),
        Adjustment(3, "Z", 99),
    ]
    rules = RankingRules(tie_breaks=("points", "penalties"))
    first, second, _third = places_of(contest(*tables, rules=rules, adjustments=given_points))
    assert (first.who, second.who) == ("B", "A")
    assert (second.separated_by, second.values) == ("penalties", (4, -2))
    assert [line.adjustment for line in second.lines] == [1, 2]
    assert (first.separates, first.lines) == ("penalties", ())


def test_missed_session_is_no_deduction() -> None:
    rules = FIXED._replace(tie_breaks=("penalties",))
    ranked = contest(*TWO_SESSIONS, rules=rules, sessions_over={1, 2}, away=ABSENT)
    assert {place.values for place in places_of(ranked)} == {(0,)}


def test_who_withdrew_is_listed_without_a_rank() -> None:
    rules = RankingRules(withdrawn="listed")
    ranked = places_of(contest(*TWO_SESSIONS, rules=rules, withdrawn={"C": 3}))
    assert [(place.who, place.rank, place.points) for place in ranked] == [
        ("A", 1, 7),
        ("B", 2, -1),
        ("C", None, 7),
    ]
    assert all(not place.tied for place in ranked)


TIED = (table(1, {"A": 1, "B": 1, "C": 1}, {"A": 0, "B": 0, "C": 0}),)


@pytest.mark.parametrize("order", [*permutations("ABC")])
def test_decision_separates_exactly_who_is_tied(order: tuple[str, ...]) -> None:
    ranked = places_of(contest(*TIED, decisions=[TieDecision(order), TieDecision("CA")]))
    assert tuple(place.who for place in ranked) == order
    assert [place.separated_by for place in ranked] == [None, "decision", "decision"]
    assert [place.separates for place in ranked] == ["decision", "decision", None]
    undecided = places_of(contest(*TIED, decisions=[TieDecision("CA")]))
    assert {place.rank for place in undecided} == {1}


def test_lot_for_the_tied_decides_until_a_newer_decision() -> None:
    lot = TieDecision(order_by_lot("ABC", "2026"), seed="2026")
    ranked = places_of(contest(*TIED, decisions=[lot]))
    assert [place.who for place in ranked] == lot.order
    assert [place.separated_by for place in ranked] == [None, "lot", "lot"]
    again = places_of(contest(*TIED, decisions=[TieDecision("BCA"), lot]))
    assert [place.who for place in again] == ["B", "C", "A"]
    assert [place.separated_by for place in again] == [None, "decision", "decision"]
    newer = places_of(contest(*TIED, decisions=[lot, TieDecision("BCA")]))
    assert [place.who for place in newer] == lot.order
    only_two = places_of(contest(*TIED, decisions=[TieDecision("AB", seed="2026")]))
    assert {place.rank for place in only_two} == {1}


def test_lots_follow_from_seed_and_number() -> None:
    rules = RankingRules(tie_breaks=("points", "lot"), lot_seed="冬至")
    ranked = places_of(contest(*TIED, rules=rules))
    digests = {who: hashlib.sha256(f"冬至 {who}".encode()).hexdigest() for who in "ABC"}
    assert [place.who for place in ranked] == sorted(digests, key=digests.__getitem__, reverse=True)
    assert all(place.separated_by == "lot" for place in ranked[1:])


def test_who_has_no_rank_in_the_stage_before_is_below_those_who_have() -> None:
    rules = RankingRules(tie_breaks=("points", "place_before"))
    before = {"A": EarlierPlace(None, 9), "B": EarlierPlace(40, 0), "C": EarlierPlace(1, 0)}
    played = contest(table(1, {"A": 1, "B": 1, "C": 1}), rules=rules)._replace(before=before)
    assert [place.who for place in places_of(played)] == ["C", "B", "A"]


def told(played: Contest) -> list[tuple[int | None, str, str | None]]:
    return [(place.rank, place.who, place.separated_by) for place in places_of(played)]


def test_play_off_parts_those_who_are_tied_and_counts_nowhere_else() -> None:
    played = contest(FOUR_TIED, table(2, {"D": 1}), play_offs=[off(3, A=-4, B=5, C=-1)])
    assert told(played) == [
        *((1, "D", None), (2, "B", "points")),
        *((3, "C", "play_off"), (4, "A", "play_off")),
    ]
    assert points_of(played) == {"A": 1, "B": 1, "C": 1, "D": 2}
    lapsed = contest(FOUR_TIED, play_offs=[off(3, A=-4, B=5, C=-1)])  # D is tied with them now
    assert {rank for rank, _who, _step in told(lapsed)} == {1}


def test_who_is_tied_in_a_play_off_plays_another() -> None:
    first = off(2, A=3, B=3, C=-2, D=-4)
    assert told(contest(FOUR_TIED, play_offs=[first]))[:2] == [(1, "A", None), (1, "B", None)]
    played = contest(FOUR_TIED, play_offs=[off(3, A=-1, B=1), first])
    assert told(played)[:2] == [(1, "B", None), (2, "A", "play_off")]
    again = contest(FOUR_TIED, play_offs=[off(3, A=9, B=3, C=0, D=8), first])  # all of them
    assert [who for _rank, who, _step in told(again)] == ["A", "D", "B", "C"]


def test_play_off_comes_where_it_is_chosen_and_else_after_all_but_a_decision() -> None:
    tables = (table(1, {"A": 4, "B": 2}), table(1, {"A": 0, "B": 2}))
    played = contest(*tables, play_offs=[off(2, A=-1, B=1)], decisions=[TieDecision("AB")])
    assert told(played) == [(1, "B", None), (2, "A", "rounds_won")]
    rules = RankingRules(tie_breaks=("points", "play_off", "rounds_won"))
    assert told(played._replace(rules=rules, play_offs=[off(2, A=1, B=-1)])) == [
        (1, "A", None),
        (2, "B", "play_off"),
    ]


def test_steps_in_force_are_the_chosen_ones_and_those_that_were_used() -> None:
    rules = RankingRules(tie_breaks=("points", "play_off", "rounds_won"))

    def codes(rules: RankingRules, *offs: PlayOff, **decided: str) -> list[str]:
        decisions = [TieDecision("AB", seed) for seed in decided.values()]
        return [each.code for each in steps_of(rules, play_offs=offs, decisions=decisions)]

    chain = off(3, A=1, B=2), off(2, A=1, B=1, C=0)
    assert codes(rules) == ["points", "play_off", "rounds_won"]
    assert codes(rules, *chain) == ["points", "play_off", "play_off", "rounds_won"]
    usual = ["points", "rounds_won", "best_round"]
    assert codes(RankingRules(), off(2, A=1, B=2), off(3, C=1, D=2)) == [*usual, "play_off"]
    assert codes(RankingRules(), director="") == [*usual, "decision"]
    assert codes(RankingRules(), director="", lot="2026") == [*usual, "decision", "lot"]
    chosen = RankingRules(tie_breaks=("lot",), lot_seed="1")
    assert codes(chosen, lot="2026") == ["lot"]


def test_head_to_head_asks_tables_where_all_sat() -> None:
    tables = (table(1, {"A": 3, "B": 1, "X": 0}), table(2, {"A": 0, "Y": 2}), table(2, {"B": 2}))
    rules = RankingRules(tie_breaks=("points", "head_to_head"))
    ranked = places_of(contest(*tables, rules=rules))
    assert [(place.who, place.values) for place in ranked][:2] == [("A", (3, 3)), ("B", (3, 1))]
    apart = places_of(contest(*tables[1:], rules=rules))
    assert [(place.rank, place.who) for place in apart][:2] == [(1, "B"), (1, "Y")]


def test_best_session_counts_whole_sessions() -> None:
    tables = (
        table(1, {"A": 5, "B": 4}, {"A": -2, "B": 0}),
        table(2, {"A": 3, "B": 2}),
    )
    rules = RankingRules(tie_breaks=("points", "best_session"))
    ranked = places_of(contest(*tables, rules=rules))
    assert [(place.who, place.values) for place in ranked] == [("B", (6, 4)), ("A", (6, 3))]


def played_in_kankei(*deals: tuple[object, ...]) -> PlayedTable:
    """Return a table of six at which A and C were kankei, and F dealt."""
    keys = ("kankei", "mukankei", "declaration")
    facts = {
        "dealer": "F",
        "kankei": ["A", "C"],
        "deals": [dict(zip(keys, deal, strict=False)) for deal in deals],
    }
    document = {"ruleset": "goninkan-association", "players": list("ABCDEF"), "rounds": [facts]}
    record = scoring.read_record(document)
    rounds = tuple(each._replace(complete=True) for each in scoring.score(record).rounds)
    return PlayedTable(1, record, rounds)


@pytest.mark.parametrize(
    ("deals", "values"),
    [
        ([(9, 0)], {"skunks": 1}),
        ([(9, 1), (8, 2), (9, 3)], {"three_deals": 1}),
        ([(9, 1), (16, 0, "juroku"), (9, 3)], {"three_deals": 1, "juroku": 1}),
    ],
)
def test_deals_won_count_for_the_side_that_won(
    deals: list[tuple[object, ...]], values: dict[str, int]
) -> None:
    codes = ("three_deals", "skunks", "juroku")
    ranked = places_of(contest(played_in_kankei(*deals), rules=RankingRules(tie_breaks=codes)))
    expected = tuple(values.get(code, 0) for code in codes)
    kankei_won = {place.who: place.values for place in ranked}
    assert kankei_won == {who: expected if who in "ACF" else (0, 0, 0) for who in "ABCDEF"}


def test_deals_of_a_substitute_count_for_nobody_if_chosen() -> None:
    rules = RankingRules(tie_breaks=("skunks",), substitutes="nobody")
    played, replaced = played_in_kankei((9, 0)), [Substitution(1, "Z", "A")]
    ranked = places_of(contest(played, rules=rules, substitutes=replaced))
    assert {place.who for place in ranked if place.values == (1,)} == {"C", "F"}


def test_unfinished_rounds_and_other_games_have_no_deals_that_count() -> None:
    unfinished = played_in_kankei((9, 1)).record
    assert deal_counts(unfinished, scoring.score(unfinished).rounds) == {}
    of_gouji = {"ruleset": "gouji", "players": list("ABCDEF"), "rounds": [{"finish": [*"ABCDEF"]}]}
    record = scoring.read_record(of_gouji)
    assert deal_counts(record, scoring.score(record).rounds) == {}


def test_typed_totals_lack_what_needs_rounds() -> None:
    played = played_in_kankei((9, 0), (16, 0, "juroku"), (9, 3))
    lacking = set()
    for step in TIE_BREAKS:
        rules = RankingRules(tie_breaks=(step.code,))
        rounds, typed = (
            {place.who: place.values for place in places_of(contest(each, rules=rules))}
            for each in (played, played._replace(has_typed_totals=True))
        )
        lacking |= {step.code} if rounds != typed else set()
    assert lacking == CODES_NEEDING_ROUNDS


# These tables have no facts of deals.
OF_POINTS = [each for each in TIE_BREAKS if "captures" in each.kinds]
points = st.dictionaries(st.sampled_from("ABCDEF"), st.integers(-2, 2), min_size=2)


@given(
    st.lists(st.tuples(st.integers(1, 3), points), min_size=1, max_size=5),
    st.permutations(OF_POINTS).map(lambda steps: tuple(each.code for each in steps[:4])),
    st.lists(
        st.builds(TieDecision, st.permutations("ABCDEF"), st.sampled_from(["", "2026"])), max_size=1
    ),
)
def test_deciding_steps_are_the_first_differences(
    played: list[tuple[int, dict[str, int]]], codes: tuple[str, ...], decisions: list[TieDecision]
) -> None:
    """Whatever the steps: rows are in order, and equal rows share a rank."""
    rules = RankingRules(tie_breaks=codes, lot_seed="1")
    tables = [table(session, of_players) for session, of_players in played]
    ranked = places_of(contest(*tables, rules=rules, decisions=decisions))
    made = ["lot" if each.seed else "decision" for each in decisions]
    steps = [*codes, *(code for code in made if code not in codes)]
    for above, below in pairwise(ranked):
        assert above.separates == below.separated_by
        if below.separated_by is None:
            assert (above.rank, above.values) == (below.rank, below.values)
            assert above.tied
            assert below.tied
            continue
        at = steps.index(below.separated_by)
        assert above.values[:at] == below.values[:at]
        assert places.sort_key(above.values[at]) > places.sort_key(below.values[at])
        assert below.rank == ranked.index(below) + 1


def test_compared_values_belong_to_the_tied_in_their_order() -> None:
    context = TiedContext(tables=[{"A": 1, "B": 2}], decisions=[TieDecision("BA")], lot_seed="1")
    for step in (each for each in TIE_BREAKS if each.compare):
        compare = BY_CODE[step.code].compare
        assert compare is not None
        one, other = compare(["A", "B"], context)
        assert list(compare(["B", "A"], context)) == [other, one]
