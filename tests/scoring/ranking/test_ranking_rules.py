"""Ranking rules: what is read, what is refused, and what stands for a choice in JSON."""

from __future__ import annotations

from typing import Any

import pytest

from scoring.ranking.absence import Absence
from scoring.ranking.rules import BadRanking, RankingRules, read_ranking

NOTHING_AVERAGED = {"late": "own_average", "sat_out": "session_average", "withdrawn": -999}


@pytest.mark.parametrize(
    ("wrong", "at", "code"),
    [
        ([], "", "type"),
        ({"steps": 1}, "steps", "unknown_key"),
        ({"tie_breaks": "points"}, "tie_breaks", "type"),
        ({"tie_breaks": []}, "tie_breaks", "missing"),
        ({"tie_breaks": ["points", "luck"]}, "tie_breaks[1]", "choice"),
        ({"tie_breaks": ["points", ["lot"]]}, "tie_breaks[1]", "choice"),
        ({"tie_breaks": ["points", "points"]}, "tie_breaks[1]", "twice"),
        ({"tie_breaks": ["lot", "points"], "lot_seed": "1"}, "tie_breaks[1]", "after_lot"),
        ({"missed_points": 1000}, "missed_points", "range"),
        ({"missed_points": -1000}, "missed_points", "range"),
        ({"missed_points": 1.5}, "missed_points", "type"),
        ({"absences": []}, "absences", "type"),
        ({"absences": {"absent": 1}}, "absences.absent", "unknown_key"),
        ({"absences": {"late": "fixed"}}, "absences.late", "choice"),
        ({"absences": {"late": True}}, "absences.late", "type"),
        ({"absences": {"late": -1000}}, "absences.late", "range"),
        ({"withdrawn": "gone"}, "withdrawn", "choice"),
        ({"missed": 1}, "missed", "choice"),
        ({"substitutes": None}, "substitutes", "choice"),
        ({"tie_breaks": ["points", "lot"]}, "lot_seed", "missing"),
        ({"tie_breaks": ["points", "lot"], "lot_seed": " "}, "lot_seed", "missing"),
        ({"lot_seed": 1}, "lot_seed", "type"),
        ({"lot_seed": "1" * 101}, "lot_seed", "type"),
        ({"teams": "some"}, "teams", "choice"),
        ({"teams": "best"}, "team_members", "range"),
        ({"teams": "best", "team_members": 21}, "team_members", "range"),
        ({"team_members": -1}, "team_members", "range"),
        ({"team_members": True}, "team_members", "range"),
    ],
)
def test_rules_that_cannot_be_followed_are_refused(wrong: Any, at: str, code: str) -> None:
    with pytest.raises(BadRanking) as refused:
        read_ranking(wrong, "kankei")
    problems = [(each.at, each.code) for each in refused.value.problems]
    assert (at, code) in problems
    assert {at for at, _code in problems} <= {at, "team_members"}


def test_message_names_the_limits() -> None:
    for wrong, limits in (
        ({"missed_points": 1000}, "-999 to 999"),
        ({"team_members": 21}, "0 to 20"),
        ({"teams": "best"}, "1 to 20"),
        ({"lot_seed": "1" * 101}, "at most 100"),
    ):
        with pytest.raises(BadRanking, match=limits):
            read_ranking(wrong, "kankei")


def test_the_highest_and_lowest_values_are_read() -> None:
    for points in (-999, 999):
        chosen = {"missed": "fixed", "missed_points": points}
        assert read_ranking(chosen, "kankei").missed_points == points
        late = {"absences": {"late": points}}
        assert read_ranking(late, "kankei").counts_as(Absence.LATE) == points
    seed = {"tie_breaks": ["points", "lot"], "lot_seed": "1" * 100}
    assert read_ranking(seed, "kankei").lot_seed == "1" * 100
    for members in (1, 20):
        best = read_ranking({"teams": "best", "team_members": members}, "kankei")
        assert best.team_members == members
    assert read_ranking({"team_members": 0}, "kankei") == RankingRules()


@pytest.mark.parametrize(
    "document",
    [
        {"tie_breaks": ["points", "lot"], "lot_seed": "2026", "withdrawn": "listed"},
        {"missed": "fixed", "missed_points": -4, "absences": {"late": 0, "sat_out": -4}},
        {"absences": NOTHING_AVERAGED, "substitutes": "nobody"},
        {"teams": "by_session", "team_members": 3},
    ],
)
def test_rules_are_written_as_they_are_read(document: dict[str, Any]) -> None:
    assert read_ranking(document, "kankei").as_json() == document


def test_what_the_other_choices_make_useless_is_not_written() -> None:
    """Points that are not fixed, a seed without lots, members where all count, and defaults."""
    useless: dict[str, Any] = {
        "missed": "nothing",
        "missed_points": -4,
        "lot_seed": "2026",
        "team_members": 3,
        "absences": {"late": "nothing", "withdrawn": "nothing", "table_not_played": "nothing"},
    }
    assert read_ranking(useless, "kankei").as_json() == {}


def test_rules_that_count_no_absence_say_so() -> None:
    assert not RankingRules().counts_absences
    assert RankingRules(missed="fixed").counts_absences
    assert RankingRules(absences={"withdrawn": -1}).counts_absences
