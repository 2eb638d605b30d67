"""Bad requests: every problem at once, with its place and code, and never an exception."""

import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.problems import Problem
from tests.tournaments.draws.asking import no_clock
from tournaments.draws import InvalidRequest, as_document, read_request
from tournaments.draws.answers import answer
from tournaments.draws.requests import MOST_MET, MOST_SESSIONS, SIZES

GOOD: dict[str, Any] = {
    "players": [{"id": str(i)} for i in range(1, 13)],
    "sizes": [4],
    "seed": 1,
    "steps": 100,
}


def answered(document: Any) -> dict[str, Any]:
    return answer(json.dumps(document).encode(), no_clock, new_seed=5)


def problems(changes: dict[str, Any]) -> list[tuple[str, str]]:
    document = {key: value for key, value in (GOOD | changes).items() if value is not None}
    result = answered(document)
    return [] if result["ok"] else [(each["at"], each["code"]) for each in result["errors"]]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"players": None}, [("players", "missing")]),
        ({"sizes": None}, [("sizes", "missing")]),
        ({"tables": [4, 4, 4]}, [("sizes", "missing")]),
        ({"sizes": None, "tables": [6, 6, 6]}, [("tables", "sizes")]),
        ({"sizes": [13]}, [("sizes", "sizes")]),
        ({"sizes": []}, [("sizes", "sizes")]),
        ({"sizes": [1, 101, "4", True]}, [(f"sizes[{i}]", "number") for i in range(4)]),
        ({"players": [{"id": "1"}]}, [("players", "players"), ("sizes", "sizes")]),
        ({"players": [{"id": "1"}, {"id": "1"}, {}, 7]}, [
            ("players[1].id", "twice"), ("players[2].id", "missing"), ("players[3]", "type"),
        ]),
        ({"players": [{"id": ""}, {"id": 5}, {"id": "x" * 201}, *GOOD["players"]]}, [
            (f"players[{i}].id", "type") for i in range(3)
        ]),
        ({"players": [{"id": "x", "club": 1, "points": "9", "sat_out": -1}, *GOOD["players"]]}, [
            ("players[0].club", "type"), ("players[0].points", "number"),
            ("players[0].sat_out", "number"),
        ]),
        ({"colour": 1, "method": "best"}, [("colour", "unknown_key"), ("method", "method")]),
        ({"sessions": 0, "seconds": -1, "steps": 1.5}, [
            ("sessions", "number"), ("seconds", "number"), ("steps", "number"),
        ]),
        ({"seed": 10**400}, [("seed", "number")]),
        ({"seed": "1", "clubs": 1}, [("seed", "number"), ("clubs", "type")]),
        ({"weights": ["repeats"]}, [("weights", "weights")]),
        ({"weights": ["fairness", "repeats", "clubmates"]}, []),
        ({"window": 3}, [("window", "unknown_key")]),
        ({"window": 3, "method": "level"}, []),
        ({"history": [[["1", "gone", "2"]]]}, []),
        ({"history": [[[]], [], [["gone"]]], "sizes": [5]}, []),
        ({"history": [[["1", "1"]], 5, ["x"]]}, [
            ("history[0][0][1]", "twice"), ("history[1]", "type"), ("history[2][0]", "type"),
        ]),
        ({"met": [["1", "2"], ["2", "1"], ["1", "gone"]]}, []),
        ({"met": [["1", "1"], ["1", "2", "3"], "12", [1, ""]]}, [
            ("met[0]", "met"), ("met[1]", "met"), ("met[2]", "type"), ("met[3][0]", "type"),
            ("met[3][1]", "type"),
        ]),
        ({"met": [["1", "2"]] * (MOST_MET + 1)}, [("met", "met")]),
        ({"apart": [["1", "99"], ["1"], ["2", "2"], "12"]}, [
            ("apart[0][1]", "unknown_player"), ("apart[1]", "apart"), ("apart[2]", "apart"),
            ("apart[3]", "type"),
        ]),
        ({"apart": [["1", "2", "3", "4"]]}, [("apart", "apart")]),
        ({"apart": [["1", "2", "3"]]}, []),
        ({"fixed": [{"id": "1", "table": 4}]}, [("fixed", "fixed")]),
        ({"fixed": [{"id": str(i), "table": 1} for i in range(1, 6)]}, [("fixed", "fixed")]),
        ({"fixed": [{"id": "1", "table": 0}, {"id": "1"}, {"id": "99", "table": 1}]}, [
            ("fixed[0].table", "number"), ("fixed[1].table", "missing"),
            ("fixed[2].id", "unknown_player"),
        ]),
        ({"fixed": [{"id": "1", "table": 1}, {"id": "2", "table": 1}], "apart": [["2", "1"]]}, [
            ("apart", "apart"),
        ]),
        ({"sessions": 100, "players": [{"id": str(i)} for i in range(1001)]}, [
            ("sessions", "sessions"),
        ]),
        ({"method": "fixed"}, [("movement", "missing")]),
        ({"movement": []}, [("movement", "unknown_key")]),
        ({"method": "fixed", "movement": [[["1", "2", "3", "4"], ["5", "99"]]], "sessions": 2}, [
            ("movement", "sessions"), ("movement[0][1]", "sizes"),
            ("movement[0][1][1]", "unknown_player"),
        ]),
        ({"method": "fixed", "movement": [[["1", "2", "3", "4"]], [["5", "6", "7", "8"]]]}, []),
        ({"method": "fixed", "sizes": None, "tables": [4, 4, 4], "movement": [[["1", "2"]]]}, [
            ("movement[0]", "sizes"),
        ]),
        ({"method": "fixed", "movement": [[["1", "2", "3", "4"]]],
          "fixed": [{"id": "1", "table": 2}], "apart": [["3", "2"], ["5", "6"]]}, [
            ("movement[0][0][0]", "fixed"), ("movement[0][0]", "apart"),
        ]),
        ({"history": [[]] * (MOST_SESSIONS + 1)}, [("history", "sessions")]),
        ({"history": [[["x"] * (SIZES[-1] + 1)]]}, [("history[0][0]", "sizes")]),
        ({"history": [[["1", 5]]], "apart": [["1", 5]]}, [
            ("history[0][0][1]", "type"), ("apart[0][1]", "type"),
        ]),
        ({"players": [{"id": str(i)} for i in range(120)], "apart": [list(map(str, range(110)))]}, [
            ("apart", "apart"),
        ]),
        ({"fixed": [{"id": "1", "table": 1}, {"id": "1", "table": 2}, 7]}, [
            ("fixed[1].id", "twice"), ("fixed[2]", "type"),
        ]),
        ({"players": 12}, [("players", "type")]),
        ({"method": "mixed", "fixed": [{"id": "1", "table": 1}, {"id": "2", "table": 1}],
          "players": [{"id": str(i), "points": -i} for i in range(1, 13)]}, [("fixed", "fixed")]),
    ],
)  # fmt: skip
def test_problems_are_told_all_at_once(
    changes: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert problems(changes) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"", "not_json"),
        (b"[" * 100_000, "range"),
        (b'{"players": NaN}', "not_json"),
        (b'{"players": [], "players": []}', "key_twice"),
        (b'{"seed": ' + b"9" * 5000 + b"}", "missing"),
        (b"\xff", "not_json"),
        (b"[]", "type"),
    ],
)
def test_any_text_is_answered(text: bytes, code: str) -> None:
    assert answer(text, no_clock, 1)["errors"][0]["code"] == code


def test_many_problems_are_counted() -> None:
    result = answered(GOOD | {"players": [{"id": "1"}] * 3000})
    assert len(result["errors"]) == 50
    assert result["more"] == 2949


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.sampled_from([*GOOD, "tables", "history", "met", "apart", "fixed"]), JSON)
)
def test_any_document_is_answered(changes: dict[str, Any]) -> None:
    assert answered(GOOD | {"steps": 10} | changes)["ok"] in {True, False}


def test_the_answer_is_as_documented() -> None:
    result = answered(GOOD | {"sessions": 2, "sizes": [5], "steps": 0, "clubs": True})
    assert list(result) == ["ok", "seed", "method", "sessions", "quality", "how", "steps"]
    assert [len(each["sits_out"]) for each in result["sessions"]] == [2, 2]
    assert result["quality"]["apart_broken"] == 0


def test_what_is_written_is_what_was_read() -> None:
    weights = ["fairness", "repeats", "clubmates"]
    document = GOOD | {"method": "level", "window": 3, "weights": weights}
    document |= {"fixed": [{"id": "1", "table": 2}], "history": [[["1", "2"]]], "clubs": False}
    document |= {"apart": [["1", "2"]], "met": [["1", "3"]]}
    assert as_document(read_request(document)) == document


def test_without_a_seed_one_is_told() -> None:
    result = answered({key: value for key, value in GOOD.items() if key != "seed"})
    assert result["seed"] == 5


def test_what_cannot_be_drawn_is_told_whole_from_another_process() -> None:
    refused = InvalidRequest([Problem("players", "players", "Too few.", {})] * 2, unlisted=3)
    copy = pickle.loads(pickle.dumps(refused))  # noqa: S301  made one line above
    assert (copy.problems, copy.unlisted, str(copy)) == (refused.problems, 3, str(refused))
