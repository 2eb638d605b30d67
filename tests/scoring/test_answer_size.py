"""The answer to a large or hostile record is short and quick.

Times are in `docs/benchmarks.md`; quadratic code would take minutes here.
"""

import json
from typing import Any

import pytest

import scoring.problems
from scoring.answers import answer, as_line
from scoring.problems import MOST_LISTED, Problem
from scoring.record import LONGEST_NAME, MOST_AT_A_TABLE
from tests import hostile
from tests.scoring.records import CLASSIC, GONINKAN, with_

LONGEST_MESSAGE = 400  # characters: a sentence that lists six names
MOST_BYTES = 64_000


def as_text(document: Any) -> bytes:
    return json.dumps(document).encode()


def test_answers_to_hostile_records_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    created: list[Problem] = []

    def counted_problem(*values: Any) -> Problem:
        created.append(Problem(*values))
        return created[-1]

    monkeypatch.setattr(scoring.problems, "Problem", counted_problem)
    for name, record in hostile.records():
        created.clear()
        text = record.encode()
        result = answer(text)
        line = as_line(result)
        if result["ok"]:
            assert len(line) < 20 * len(text), name
            continue
        assert len(line) <= MOST_BYTES, name
        assert 1 <= len(result["errors"]) <= MOST_LISTED, name
        assert len(created) <= MOST_LISTED, name
        for error in result["errors"]:
            assert len(error["message"]) <= LONGEST_MESSAGE, name
            assert len(error["at"]) <= LONGEST_MESSAGE, name


def test_omitted_problems_are_counted() -> None:
    known = len(answer(as_text({}))["errors"])
    for unknown in (1, MOST_LISTED - known, MOST_LISTED - known + 1, 5000):
        result = answer(as_text({f"key {i}": 1 for i in range(unknown)}))
        assert len(result["errors"]) + result.get("more", 0) == unknown + known
        assert ("more" in result) == (unknown + known > MOST_LISTED)
    assert len(result["errors"]) == 50  # as scoring/README.md says


def test_first_problems_are_listed() -> None:
    rounds = [{"kankei": ["A", "B"], "deals": []}] * (MOST_LISTED + 7)
    result = answer(as_text(CLASSIC | {"rounds": rounds}))
    assert [error["at"] for error in result["errors"]] == [
        f"rounds[{i}].deals" for i in range(MOST_LISTED)
    ]
    assert result["more"] == 7


def test_long_keys_and_names_are_truncated() -> None:
    for place in ("rounds[0].dealer", "rounds[0].trump", "ruleset", "rounds[0].deals[0].kankei"):
        (error,) = answer(as_text(with_(GONINKAN, place, "x" * 10_000)))["errors"][:1]
        assert len(error["message"]) < LONGEST_MESSAGE
    (error,) = answer(as_text(GONINKAN | {"x" * 10_000: 1}))["errors"]
    assert error["at"] == "x" * 39 + "…"


def test_longest_name_is_that_of_entry_lists() -> None:
    players = ["A", "B", "C", "D", "Z" * LONGEST_NAME]
    assert answer(as_text(CLASSIC | {"players": players}))["ok"]
    players[4] += "Z"
    errors = answer(as_text(CLASSIC | {"players": players}))["errors"]
    assert [(error["at"], error["code"]) for error in errors] == [("players[4]", "players")]


def test_rounds_of_a_table_with_too_many_players_are_not_read() -> None:
    for count, codes in (
        (MOST_AT_A_TABLE, {"players", "type"}),
        (MOST_AT_A_TABLE + 1, {"players"}),
    ):
        players = [str(i) for i in range(count)]
        result = answer(as_text(CLASSIC | {"players": players, "rounds": [1]}))
        assert {error["code"] for error in result["errors"]} == codes
