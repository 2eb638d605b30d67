"""The places in each stage and over all: what is carried, what counts in which stage, who waits."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.ranking.absence import AWAY, Absence
from scoring.ranking.contest import Adjustment, Substitution
from scoring.ranking.rules import RankingRules
from scoring.ranking.tie_breaks import TieDecision
from scoring.stages.places import (
    Carry,
    GroupPlaces,
    Members,
    Stage,
    absences_by_session,
    places_by_stage,
    places_over_all,
    stage_decided,
)
from tests.scoring.contests import FOUR_TIED, contest, off, table, unplayed


def told(group: GroupPlaces) -> list[tuple[int | None, str, int]]:
    return [(place.rank, place.who, place.points) for place in group.places]


# Heats in session 1, a semi-final of ABCD in 2, finals of AB and CD in 3.
HEATS = table(1, {"A": 9, "B": 7, "C": 5, "D": 3, "E": 1})
SEMI = Stage(2, 10, Carry.HALF, (Members("", ("A", "B", "C", "D")),))
FINALS = Stage(3, 20, Carry.ALL, (Members("A", ("A", "B")), Members("B", ("C", "D"))))
SEMI_FINAL = table(2, {"A": 0, "B": 2, "C": 1, "D": -9})
FINAL = table(3, {"A": 1, "B": 1, "C": 1})


def test_each_stage_counts_its_own_sessions_and_what_is_carried() -> None:
    played = contest(HEATS, SEMI_FINAL, FINAL)
    [[heats], [semi], [first, second]] = places_by_stage(played, [SEMI, FINALS])
    assert told(heats) == [(1, "A", 9), (2, "B", 7), (3, "C", 5), (4, "D", 3), (5, "E", 1)]
    assert semi.carried == {"A": 5, "B": 4, "C": 3, "D": 2}
    assert told(semi) == [(1, "B", 6), (2, "A", 5), (3, "C", 4), (4, "D", -7)]
    assert (first.group, told(first)) == ("A", [(1, "B", 7), (2, "A", 6)])
    assert (second.group, told(second)) == ("B", [(1, "C", 5), (2, "D", -7)])
    assert [group.waiting for group in (heats, semi, first, second)] == [()] * 4
    assert first.everybody == first.candidates == first.places
    over_all = places_over_all(places_by_stage(played, [SEMI, FINALS]), played)
    assert [(place.rank, place.who, place.separated_by) for place in over_all] == [
        *((1, "B", None), (2, "A", "points"), (3, "C", "stage"), (4, "D", "points")),
        (5, "E", "stage"),
    ]
    assert places_over_all([[heats]], played) == heats.places
    over_two = places_over_all([[heats], [semi]], played)
    assert "".join(place.who for place in over_two) == "BACDE"


def test_members_wait_until_a_round_of_their_own_group_counts() -> None:
    own = table(3, {"C": 1, "E": 0})
    for tables in ((own,), (own, unplayed(3, "A", "B"))):
        played = contest(HEATS, SEMI_FINAL, *tables)
        [_heats, _semi, [waiting, begun]] = places_by_stage(played, [SEMI, FINALS])
        assert [(place.who, place.points) for place in waiting.everybody] == [("B", 6), ("A", 5)]
        assert [(place.who, place.points) for place in waiting.candidates] == [("B", 6), ("A", 5)]
        assert (begun.waiting, told(begun)) == ((), [(1, "C", 5), (2, "D", -7)])
    none = FINALS._replace(carry=Carry.NONE)
    [_heats, _semi, [waiting, begun]] = places_by_stage(played, [SEMI, none])
    assert [place.points for place in waiting.candidates] == [0, 0]
    assert (waiting.places, waiting.carried, begun.carried) == ((), {}, {})
    assert told(begun) == [(1, "C", 1), (2, "D", 0)]


def test_substitute_of_a_member_begins_the_stage() -> None:
    """E plays for A; B, who did not come, has a place then."""
    played = contest(HEATS, table(3, {"E": 1}), substitutes=[Substitution(3, "A", "E")])
    [_heats, [group]] = places_by_stage(played, [FINALS._replace(groups=FINALS.groups[:1])])
    assert told(group) == [(1, "A", 9), (2, "B", 7)]
    other = played._replace(substitutes=[Substitution(3, "D", "E")])
    [_heats, [group]] = places_by_stage(other, [FINALS._replace(groups=FINALS.groups[:1])])
    assert group.waiting


def test_adjustment_counts_in_the_last_stage_that_had_begun_with_the_player() -> None:
    given_points = [
        *(Adjustment(9, "A", -1), Adjustment(10, "A", -2), Adjustment(20, "A", -4)),
        *(Adjustment(21, "E", -8), Adjustment(19, "C", -16), Adjustment(21, "D", -32)),
    ]
    played = contest(HEATS, SEMI_FINAL, FINAL, adjustments=given_points)
    by_stage = places_by_stage(played, [SEMI, FINALS._replace(groups=(Members("", tuple("ABC")),))])
    lines = {
        (stage, place.who, line.adjustment)
        for stage, groups in enumerate(by_stage)
        for group in groups
        for place in group.places
        for line in place.lines
    }
    own = {(0, "A", 9), (1, "A", 10), (2, "A", 20), (0, "E", 21), (1, "C", 19), (1, "D", 21)}
    assert lines == own


def test_missed_session_costs_in_its_own_stage_only() -> None:
    away = {1: {"D": Absence.ABSENT}, 3: {"D": Absence.ABSENT, "E": Absence.ABSENT}}
    rules = RankingRules(missed="fixed", missed_points=-5)
    heats = table(1, {"A": 9, "B": 7, "C": 5, "E": 1})
    tables = (heats, table(2, {"D": 1, "A": 0, "B": 0, "C": 0}), FINAL)
    played = contest(*tables, rules=rules, away=away, sessions_over={1, 2, 3})
    by_stage = places_by_stage(played, [SEMI, FINALS])
    missed = {
        (stage, place.who): [line.session for line in place.lines]
        for stage, groups in enumerate(by_stage)
        for group in groups
        for place in group.places
        if place.lines
    }
    assert missed == {(2, "D"): [3]}  # in the heats D has no result
    only_ab = FINALS._replace(groups=FINALS.groups[:1])
    assert absences_by_session(played, [SEMI, only_ab]) == {
        "D": {1: Absence.ABSENT, 3: Absence.NOT_IN_STAGE},
        "E": {2: Absence.NOT_IN_STAGE, 3: Absence.NOT_IN_STAGE},
    }
    assert absences_by_session(played, [SEMI, FINALS])["D"][3] == Absence.ABSENT


def test_play_off_decides_in_one_stage() -> None:
    """That in session 3 is played once it is confirmed who goes on, before the final in 4."""
    final = Stage(3, 1, Carry.NONE, (Members("", ("A", "B")),))
    played = contest(FOUR_TIED, table(4, {"A": 1, "B": 1}))
    of_heats, of_final = ([1, 2], [1, 1]), ([1, 1], [1, 2])
    for session, (in_heats, in_final) in ((2, of_heats), (3, of_heats), (5, of_final)):
        only_two = played._replace(players=["A", "B"], play_offs=[off(session, A=-1, B=1)])
        [[heats], [last]] = places_by_stage(only_two, [final])
        assert [place.rank for place in heats.places] == in_heats
        assert [place.rank for place in last.places] == in_final


@pytest.mark.parametrize(
    ("stage", "in_heats", "in_final"), [(1, "BA", ""), (2, "", "BA"), (None, "BA", "BA")]
)
def test_decision_counts_in_one_stage(stage: int | None, in_heats: str, in_final: str) -> None:
    """Or, if it is not known in which, in all of them."""
    final = Stage(3, 1, Carry.NONE, (Members("", ("A", "B")),))
    played = contest(FOUR_TIED, table(4, {"A": 1, "B": 1}))
    played = played._replace(players=["A", "B"], decisions=[TieDecision("BA", stage=stage)])
    (heats,), (last,) = places_by_stage(played, [final])
    assert "".join(place.who for place in heats.places if not place.tied) == in_heats
    assert "".join(place.who for place in last.places if not place.tied) == in_final


def test_play_off_decides_in_no_final_that_only_another_group_has_begun() -> None:
    finals = Stage(2, 1, Carry.NONE, (Members("A", ("A", "B")), Members("B", ("C", "D"))))
    played = contest(FOUR_TIED, table(2, {"A": 1, "B": 1}), table(4, {"C": 1, "D": 1}))
    offs = [off(3, C=-1, D=1)]
    [_heats, [_first, second]] = places_by_stage(played._replace(play_offs=offs), [finals])
    assert [place.rank for place in second.places] == [1, 1]


def test_stage_decided_is_the_last_with_results_of_all() -> None:
    for tables, of_two, of_others in (
        ((HEATS,), 1, 1),
        ((HEATS, SEMI_FINAL), 2, 2),
        ((HEATS, SEMI_FINAL, table(3, {"A": 1, "B": 1})), 3, 2),
    ):
        by_stage = places_by_stage(contest(*tables), [SEMI, FINALS])
        assert stage_decided("AB", by_stage) == of_two
        assert stage_decided("CD", by_stage) == of_others
        assert stage_decided("DE", by_stage) == 1


@given(
    st.sets(st.integers(1, 4)),
    st.sets(st.integers(1, 4)),
    st.sampled_from([*AWAY[:3], Absence.SAT_OUT, Absence.TABLE_NOT_PLAYED]),
    st.integers(-9, -1),
    st.sampled_from(Carry),
)
def test_missing_more_sessions_is_never_better(
    some: set[int], more: set[int], reason: Absence, cost: int, carry: Carry
) -> None:
    """A member of a final who wins 0 in each session played, where a missed one costs points."""

    def final(missed: Collection[int]) -> tuple[int, int]:
        tables = [table(1, {"A": 5, "Z": 5, "B": 4})]
        facts: dict[str, dict[int, dict[str, Absence]]] = {"away": {}}
        for session in range(2, 6):
            is_missed = session - 1 in missed
            if is_missed and reason in AWAY:
                facts["away"][session] = {"Z": reason}
            seats = {"A": 0, "B": session - 4} | ({} if is_missed else {"Z": 0})
            tables.append(table(session, seats))
            if is_missed and reason == Absence.TABLE_NOT_PLAYED:
                tables.append(unplayed(session, "Z"))
        played = contest(
            *tables,
            rules=RankingRules(missed="fixed", missed_points=cost, absences={reason.value: cost}),
            sessions_over=set(range(1, 6)),
            **facts,
        )
        [[_heats], [group]] = places_by_stage(
            played, [Stage(2, 1, carry, (Members("", ("A", "Z", "B")),))]
        )
        [own] = [place for place in group.places if place.who == "Z"]
        assert own.rank is not None
        return -own.points, own.rank

    assert final(some) <= final(some | more)
    carried = {Carry.NONE: 0, Carry.HALF: 3, Carry.ALL: 5}[carry]
    assert final(some)[0] == -carried - cost * len(some)


@given(st.dictionaries(st.sampled_from("ABCD"), st.integers(-9, 9), min_size=4))
def test_points_that_are_not_carried_never_count(heats: dict[str, int]) -> None:
    """D misses the final, which A and B play: ranked by the final alone, whatever came before."""
    stages = [Stage(2, 1, Carry.NONE, (Members("", ("A", "B", "D")),))]
    played = contest(table(1, heats), table(2, {"A": 1, "B": -1}), sessions_over={1, 2})
    [_heats, [final]] = places_by_stage(played, stages)
    assert [(place.who, place.points) for place in final.everybody] == [
        *(("A", 1), ("D", 0)),
        ("B", -1),
    ]
    assert final.candidates == final.places
    [_heats, [waiting]] = places_by_stage(played._replace(tables=played.tables[:1]), stages)
    assert {place.points for place in waiting.candidates} == {0}
    assert [place.points for place in waiting.everybody] == sorted(
        (heats[who] for who in "ABD"), reverse=True
    )


def test_who_recorded_nothing_is_below_whoever_is_equal_otherwise() -> None:
    """In the final A and B won −1 and 1: D, who did not come, has 0 points as well as B has."""
    stages = [Stage(2, 1, Carry.NONE, (Members("", ("A", "B", "D")),))]
    heats = table(1, {"A": 1, "B": 1, "D": 9})
    for code in ("best_round", "worst_round", "best_session"):
        rules = RankingRules(tie_breaks=("points", code))
        played = contest(heats, table(2, {"A": 3, "B": -1}, {"A": -1, "B": 1}), rules=rules)
        [_heats, [final]] = places_by_stage(played, stages)
        assert [(place.rank, place.who) for place in final.places] == [(1, "A"), (2, "B"), (3, "D")]
        assert final.places[-1].values == (0, None)


@pytest.mark.parametrize(("step", "order"), [("place_before", "BA"), ("points_before", "AB")])
def test_stage_before_decides_in_a_later_stage_only(step: str, order: str) -> None:
    """In the heats B is above A by the best round, with fewer points; in the final both tie."""
    heats = table(1, {"A": 4, "B": 0}, {"A": 3, "B": 6})
    finals = [Stage(2, 1, Carry.NONE, (Members("", ("A", "B")),))]
    rules = RankingRules(tie_breaks=("best_round", step))
    played = contest(heats, table(2, {"A": 1, "B": 1}), rules=rules)
    (before,), (final,) = places_by_stage(played, finals)
    assert [(place.who, place.values[-1]) for place in before.places] == [("B", None), ("A", None)]
    assert "".join(place.who for place in final.places) == order
    assert [place.separated_by for place in final.places] == [None, step]
    values = {"place_before": {"B": -1, "A": -2}, "points_before": {"A": 7, "B": 6}}[step]
    assert {place.who: place.values[-1] for place in final.places} == values
    assert [place.separates for place in final.places] == [step, None]


def test_play_off_decides_in_the_last_stage_with_all_who_were_tied() -> None:
    """A and B tie in the heats and in the final, C and D in the heats only."""
    final = Stage(3, 1, Carry.NONE, (Members("", ("A", "B")),))
    played = contest(FOUR_TIED, table(3, {"A": 1, "B": 1}))
    for session, in_final in ((2, {1}), (4, {1, 2})):
        offs = [off(session, A=-1, B=1), off(session, C=-1, D=1)]
        (heats,), (last,) = places_by_stage(played._replace(play_offs=offs), [final])
        assert {place.rank for place in heats.places} == {1}  # all four were tied
        assert {place.rank for place in last.places} == in_final
