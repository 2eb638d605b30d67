"""The checks of values, each of which says whether its caller can go on to read the value."""

from collections.abc import Callable
from typing import Any

import pytest

from scoring import InvalidRecord, Problem
from scoring.problems import Problems

PLAYERS = ["A", "B"]


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (lambda problems, data: problems.check_object("at", data, frozenset("a")), {"a": 1}, []),
        (lambda problems, data: problems.check_key("at", data, "a"), {"a": None}, {"b": 1}),
        (lambda problems, data: problems.check_list("at", data), [], {}),
        (lambda problems, data: problems.check_boolean("at", data), False, 0),
        (lambda problems, data: problems.check_player("at", data, PLAYERS), "A", "C"),
        (lambda problems, data: problems.check_players("at", data, PLAYERS), ["A", "A"], ["A", 1]),
        (lambda problems, data: problems.check_players("at", data, PLAYERS), [], "AB"),
    ],
)
def test_check_says_whether_to_go_on(
    check: Callable[[Problems, Any], bool], good: Any, bad: Any
) -> None:
    problems = Problems()
    assert check(problems, good) is True
    assert problems.count == 0
    assert check(problems, bad) is False
    assert problems.count == 1


def test_exception_says_where_and_what() -> None:
    problem = Problem("players", "missing", "“{key}” is missing.", {"key": "players"})
    assert str(InvalidRecord([problem, problem])) == "; ".join(
        ["players: “players” is missing."] * 2
    )


def test_object_with_an_unknown_key_is_read() -> None:
    problems = Problems()
    assert problems.check_object("at", {"b": 1}, frozenset("a"))
    assert [(problem.at, problem.code) for problem in problems.listed] == [("at.b", "unknown_key")]
