"""Season tables: best results, shared places, fewest events, and steps that decide ties."""

from fractions import Fraction
from typing import Any

import pytest

from scoring.season.rules import BadSeasonRules, SeasonRules, read_season_rules
from scoring.season.table import Outcome, SeasonRow, season_table


def ranks(rows: list[SeasonRow]) -> list[tuple[int | None, str, float]]:
    return [(row.rank, row.who, float(row.total)) for row in rows]


def by_name(rows: list[SeasonRow]) -> dict[str, SeasonRow]:
    return {row.who: row for row in rows}


SPRING = {"A": Outcome(9, 1), "B": Outcome(4, 2), "C": Outcome(-3, 3)}
SUMMER = {"A": Outcome(-8, 3), "B": Outcome(6, 1), "D": Outcome(2, 2)}
AUTUMN = {"A": Outcome(1, 2), "B": Outcome(-5, 3), "C": Outcome(10, 1)}


def test_points_are_summed_and_a_missed_event_counts_nothing() -> None:
    rows = season_table(SeasonRules(), [SPRING, SUMMER, AUTUMN])
    assert ranks(rows) == [(1, "C", 7), (2, "B", 5), (3, "A", 2), (3, "D", 2)]
    assert [row.tied for row in rows] == [False, False, True, True]
    assert by_name(rows)["C"].cells[1] is None


def test_only_the_best_results_count() -> None:
    rows = by_name(season_table(SeasonRules(best=2), [SPRING, SUMMER, AUTUMN]))
    assert rows["A"].total == 10
    assert [cell and cell.counts for cell in rows["A"].cells] == [True, False, True]


def test_who_played_too_few_events_is_listed_without_a_rank() -> None:
    rows = season_table(SeasonRules(least=2), [SPRING, SUMMER, AUTUMN])
    assert ranks(rows)[-1] == (None, "D", 2)
    assert rows[-1].lacking == 1


def test_who_has_a_rank_in_no_event_has_none_in_the_season() -> None:
    withdrawn = {"A": Outcome(9, None), "B": Outcome(4, 1)}
    assert ranks(season_table(SeasonRules(), [withdrawn])) == [(1, "B", 4), (None, "A", 9)]


def test_players_who_share_a_place_share_its_points() -> None:
    rules = SeasonRules(counting="places", place_points=(10, 7, 5))
    event = {who: Outcome(4, 1) for who in "ABC"} | {"D": Outcome(1, 4), "E": Outcome(0, None)}
    rows = by_name(season_table(rules, [event]))
    assert rows["A"].total == rows["B"].total == rows["C"].total == Fraction(22, 3)
    assert rows["D"].total == rows["E"].total == 0


def test_winners_of_class_finals_do_not_share_points() -> None:
    """Only those who share a place in their class do."""
    rules = SeasonRules(counting="places", place_points=(10, 7, 5))
    event = {
        "A": Outcome(9, 1, "dan"),
        "B": Outcome(8, 2, "dan"),
        "C": Outcome(3, 1, "open"),
        "D": Outcome(3, 2, "open"),
        "E": Outcome(2, 2, "open"),
        "F": Outcome(5, 6),
    }
    rows = season_table(rules, [event])
    assert ranks(rows)[:3] == [(1, "A", 10), (1, "C", 10), (3, "B", 7)]
    assert ranks(rows)[3:] == [(4, "D", 6), (4, "E", 6), (6, "F", 0)]


@pytest.mark.parametrize(
    ("steps", "order", "decided"),
    [
        ((), [(1, "A"), (1, "B")], [None, None]),
        (("firsts",), [(1, "B"), (2, "A")], [None, "firsts"]),
        (("latest", "firsts"), [(1, "A"), (2, "B")], [None, "latest"]),
        (("best_place",), [(1, "B"), (2, "A")], [None, "best_place"]),
    ],
)
def test_ties_stay_unless_a_step_decides(
    steps: tuple[str, ...], order: list[tuple[int, str]], decided: list[str | None]
) -> None:
    events = [
        {"A": Outcome(5, 2), "B": Outcome(8, 1)},
        {"A": Outcome(6, 2), "B": Outcome(3, 5)},
    ]
    rows = season_table(SeasonRules(tie_breaks=steps), events)
    assert [(row.rank, row.who) for row in rows] == order
    assert [row.separated_by for row in rows] == decided
    assert [row.separates for row in rows] == [*decided[1:], None]


def test_rules_are_written_as_they_are_read() -> None:
    rules = SeasonRules("places", (5, 3), best=4, least=2, tie_breaks=("latest",))
    assert read_season_rules(rules.as_json()) == rules
    assert SeasonRules().as_json() == {}


@pytest.mark.parametrize(
    ("wrong", "at"),
    [
        ([], ""),
        ({"bests": 1}, "bests"),
        ({"counting": "wins"}, "counting"),
        ({"counting": []}, "counting"),
        ({"best": True}, "best"),
        ({"least": 0}, "least"),
        ({"place_points": []}, "place_points"),
        ({"place_points": 5}, "place_points"),
        ({"tie_breaks": "firsts"}, "tie_breaks"),
        ({"place_points": [1, 2]}, "place_points"),
        ({"place_points": [2, "1"]}, "place_points[1]"),
        ({"tie_breaks": ["firsts", "firsts"]}, "tie_breaks[1]"),
        ({"tie_breaks": [["lot"]]}, "tie_breaks[0]"),
        ({"tie_breaks": ["lot"]}, "tie_breaks[0]"),
        ({"best": 100}, "best"),
        ({"least": 100}, "least"),
        ({"place_points": [1] * 201}, "place_points"),
        ({"place_points": [10_000]}, "place_points[0]"),
        ({"place_points": [-1]}, "place_points[0]"),
    ],
)
def test_wrong_rules_are_refused_with_their_place(wrong: Any, at: str) -> None:
    with pytest.raises(BadSeasonRules) as refused:
        read_season_rules(wrong)
    assert [problem.at for problem in refused.value.problems] == [at]


def test_message_names_the_limits() -> None:
    for wrong, limits in (
        ({"place_points": []}, "1 to 200"),
        ({"place_points": [-1]}, "0 to 9999"),
        ({"best": 100}, "0 to 99"),
        ({"least": 0}, "1 to 99"),
    ):
        with pytest.raises(BadSeasonRules, match=limits):
            read_season_rules(wrong)


def test_the_highest_and_lowest_values_are_read() -> None:
    highest = {"best": 99, "least": 99, "place_points": [9999] * 200}
    assert read_season_rules(highest).as_json() == highest
    assert read_season_rules({"best": 0, "least": 1, "place_points": [0]}).place_points == (0,)
    assert read_season_rules({}) == SeasonRules("points", (10, 7, 5, 3, 2, 1), 0, 1, ())
    assert read_season_rules({"place_points": [5, 5, 3]}).place_points == (5, 5, 3)


def test_every_problem_of_place_points_is_listed() -> None:
    with pytest.raises(BadSeasonRules) as refused:
        read_season_rules({"place_points": [1, -1, 3]})
    assert [problem.code for problem in refused.value.problems] == ["range"]


def test_players_without_a_rank_come_last_the_most_points_first() -> None:
    rows = season_table(SeasonRules(least=2), [{"A": Outcome(1, 1), "B": Outcome(5, 2)}])
    assert [(row.rank, row.who, row.lacking) for row in rows] == [(None, "B", 1), (None, "A", 1)]
    assert [(row.tied, row.separated_by) for row in rows] == [(False, None), (False, None)]


def test_only_neighbours_with_equal_totals_are_separated_or_tied() -> None:
    """A is ahead of all; B and C differ in first places; D and E in nothing; F is last."""
    events = [
        {"A": Outcome(9, 2), "B": Outcome(5, 1), "C": Outcome(5, 3), "D": Outcome(2, 5)},
        {"E": Outcome(2, 5), "F": Outcome(1, 7)},
    ]
    rows = season_table(SeasonRules(tie_breaks=("firsts",)), events)
    assert [(row.rank, row.who, row.tied) for row in rows] == [
        *((1, "A", False), (2, "B", False), (3, "C", False)),
        *((4, "D", True), (4, "E", True), (6, "F", False)),
    ]
    assert [row.separated_by for row in rows] == [None, None, "firsts", None, None, None]
    assert [row.separates for row in rows] == [None, "firsts", None, None, None, None]


@pytest.mark.parametrize("step", ["firsts", "best_place", "latest"])
def test_who_has_no_rank_in_an_event_is_below_whoever_has_one(step: str) -> None:
    """In the last event A has a rank, B none, and C did not take part: all have 3 points."""
    events = [
        {"A": Outcome(3, None), "B": Outcome(3, 2), "C": Outcome(3, 2)},
        {"A": Outcome(0, None)},
        {"A": Outcome(0, 1), "B": Outcome(0, None)},
    ]
    rows = season_table(SeasonRules(tie_breaks=(step,)), events)
    assert [(row.rank, row.who) for row in rows] == [(1, "A"), (2, "B"), (2, "C")]
