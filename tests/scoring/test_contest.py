"""Rankings of whole contests: missed sessions, substitutes, adjustments, decisions, withdrawals."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from scoring.ranking.contest import (
    Adjustment,
    Contest,
    PlayedTable,
    PlayOff,
    Substitution,
    places_of,
)
from scoring.ranking.missed import rounded_average
from scoring.ranking.rules import RankingRules
from scoring.ranking.tie_breaks import BY_CODE, TIE_BREAKS, TiedContext, TieDecision, order_by_lot
from scoring.rules import RoundScore
from scoring.stages.places import Carry, Members, Stage, places_by_stage

RULES = scoring.choose(scoring.get_rule_set("goninkan-association"))


def table(session: int, *rounds: Mapping[str, int], has_typed_totals: bool = False) -> PlayedTable:
    """Return a table with these points by round."""
    record = scoring.Record(RULES, players=tuple(rounds[0]), rounds=())
    scores = tuple(RoundScore(dict(points), complete=True, lines=()) for points in rounds)
    return PlayedTable(session, record, scores, has_typed_totals=has_typed_totals)


def contest(*tables: PlayedTable, **more: object) -> Contest:
    players = sorted({player for each in tables for player in each.record.players})
    return Contest(players, tables, **more)  # type: ignore[arg-type]


def points_of(ranked: Contest) -> dict[str, int]:
    return {place.who: place.points for place in places_of(ranked)}


TWO_SESSIONS = (table(1, {"A": 4, "B": -1}), table(2, {"A": 3, "C": 7}))


@pytest.mark.parametrize(
    ("rules", "of_b", "of_c"),
    [
        (RankingRules(), -1, 7),
        (RankingRules(missed="fixed", missed_points=-5), -6, 2),
        (RankingRules(missed="own_average"), -2, 14),
        (RankingRules(missed="session_average"), -1 + 5, 7 + 2),  # of 10/2 and 3/2
    ],
)
def test_missed_session_counts_as_chosen(rules: RankingRules, of_b: int, of_c: int) -> None:
    ranked = contest(*TWO_SESSIONS, rules=rules, sessions_over={1, 2})
    assert points_of(ranked) == {"A": 7, "B": of_b, "C": of_c}
    lines = {place.who: place.lines for place in places_of(ranked)}
    assert lines["A"] == ()
    if rules.missed != "nothing":
        assert [line.session for line in lines["B"]] == [2]
        assert [line.session for line in lines["C"]] == [1]


def test_session_under_way_is_not_missed() -> None:
    rules = RankingRules(missed="fixed", missed_points=-5)
    assert points_of(contest(*TWO_SESSIONS, rules=rules, sessions_over={1})) == {
        "A": 7,
        "B": -1,
        "C": 2,
    }


def test_nothing_is_missed_after_withdrawing_nor_by_reserves() -> None:
    rules = RankingRules(missed="fixed", missed_points=-5)
    ranked = contest(
        *TWO_SESSIONS, rules=rules, sessions_over={1, 2}, withdrawn={"B": 2}, reserves={"C"}
    )
    assert points_of(ranked) == {"A": 7, "B": -1, "C": 7}


def test_seat_without_a_complete_round_is_no_missed_session() -> None:
    unfinished = table(2, {"A": 0, "B": 0})
    unfinished = unfinished._replace(rounds=(unfinished.rounds[0]._replace(complete=False),))
    rules = RankingRules(missed="fixed", missed_points=-5)
    tables = (table(1, {"A": 4, "B": -4}), unfinished)
    assert points_of(contest(*tables, rules=rules, sessions_over={1, 2})) == {"A": 4, "B": -4}


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
    rules = RankingRules(substitutes="place", missed="fixed", missed_points=-5)
    ranked = contest(
        *TWO_SESSIONS, rules=rules, sessions_over={1, 2}, substitutes=[Substitution(2, "B", "C")]
    )
    assert points_of(ranked)["B"] == 6


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


@pytest.mark.parametrize(("step", "order"), [("place_before", "BA"), ("points_before", "AB")])
def test_stage_before_decides_in_a_later_stage_only(step: str, order: str) -> None:
    """In the heats B is above A by the best round, with fewer points; in the final both tie."""
    heats = table(1, {"A": 4, "B": 0}, {"A": 3, "B": 6})
    finals = [Stage(2, 1, Carry.NONE, (Members("", ("A", "B")),))]
    rules = RankingRules(tie_breaks=("best_round", step))
    played = contest(heats, table(2, {"A": 1, "B": 1}), rules=rules)
    (before,), (final,) = places_by_stage(played, finals)
    assert [(place.who, place.values[-1]) for place in before.places] == [("B", 0), ("A", 0)]
    assert "".join(place.who for place in final.places) == order
    assert [place.separated_by for place in final.places] == [None, step]
    assert [place.separates for place in final.places] == [step, None]


def off(session: int, **points: int) -> PlayOff:
    """Return a play-off with these points."""
    return PlayOff(session, frozenset(points), points)


FOUR_TIED = table(1, {"A": 1, "B": 1, "C": 1, "D": 1})


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


def test_play_off_decides_in_the_last_stage_with_all_who_were_tied() -> None:
    """A and B tie in the heats and in the final, C and D in the heats only."""
    final = Stage(3, 1, Carry.NONE, (Members("", ("A", "B")),))
    played = contest(FOUR_TIED, table(3, {"A": 1, "B": 1}))
    for session, in_final in ((2, {1}), (4, {1, 2})):
        offs = [off(session, A=-1, B=1), off(session, C=-1, D=1)]
        (heats,), (last,) = places_by_stage(played._replace(play_offs=offs), [final])
        assert {place.rank for place in heats.places} == {1}  # all four were tied
        assert {place.rank for place in last.places} == in_final


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
    facts = {
        "dealer": "F",
        "kankei": ["A", "C"],
        "deals": [
            dict(zip(("kankei", "mukankei", "declaration"), deal, strict=False)) for deal in deals
        ],
    }
    document = {"ruleset": "goninkan-association", "players": list("ABCDEF"), "rounds": [facts]}
    record = scoring.read_record(document)
    played = PlayedTable(1, record, scoring.score(record).rounds)
    played = played._replace(rounds=tuple(each._replace(complete=True) for each in played.rounds))
    codes = ("three_deals", "skunks", "juroku")
    ranked = places_of(contest(played, rules=RankingRules(tie_breaks=codes)))
    expected = tuple(values.get(code, 0) for code in codes)
    kankei_won = {place.who: place.values for place in ranked}
    assert kankei_won == {who: expected if who in "ACF" else (0, 0, 0) for who in "ABCDEF"}


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
        assert (above.values[at] or 0) > (below.values[at] or 0)
        assert below.rank == ranked.index(below) + 1


def test_compared_values_belong_to_the_tied_in_their_order() -> None:
    context = TiedContext(tables=[{"A": 1, "B": 2}], decisions=[TieDecision("BA")], lot_seed="1")
    for step in (each for each in TIE_BREAKS if each.compare):
        compare = BY_CODE[step.code].compare
        assert compare is not None
        one, other = compare(["A", "B"], context)
        assert list(compare(["B", "A"], context)) == [other, one]
