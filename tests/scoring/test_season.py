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
        ({"place_points": [1, 2]}, "place_points"),
        ({"place_points": [2, "1"]}, "place_points[1]"),
        ({"tie_breaks": ["firsts", "firsts"]}, "tie_breaks[1]"),
        ({"tie_breaks": [["lot"]]}, "tie_breaks[0]"),
    ],
)
def test_wrong_rules_are_refused_with_their_place(wrong: Any, at: str) -> None:
    with pytest.raises(BadSeasonRules) as refused:
        read_season_rules(wrong)
    assert [problem.at for problem in refused.value.problems] == [at]
