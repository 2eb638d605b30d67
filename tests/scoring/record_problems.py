"""Problems of records, for tests."""

import re
from typing import Any

from scoring import InvalidRecord, Problem, Rules, read_record
from tests.scoring.records import Bad


def found_in(document: Any, rules: Rules | None = None) -> tuple[Problem, ...]:
    """All problems of a record; empty if it is valid."""
    try:
        read_record(document, rules)
    except InvalidRecord as invalid:
        return invalid.problems
    return ()


def problems_of(document: Any, rules: Rules | None = None) -> list[tuple[str, str]]:
    """Place and code of every problem of a record."""
    return [(problem.at, problem.code) for problem in found_in(document, rules)]


def assert_exactly_these_problems(bad: Bad) -> None:
    """All of these records have the problems beside them, with messages that say what to do."""
    found = [(document, sorted(problems_of(document))) for document, _expected in bad]
    assert found == [(document, sorted(expected)) for document, expected in bad]
    for document, _expected in bad:
        for problem in found_in(document):
            assert len(problem.message) > 20
            assert not re.search(r"[{}]", problem.message)
            assert problem.message.endswith((".", ")."))
            assert problem.as_json() == {
                "at": problem.at,
                "code": problem.code,
                "message": problem.message,
            }
