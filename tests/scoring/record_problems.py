"""Problems of records, for tests."""

from typing import Any

from scoring import InvalidRecord, Problem, Rules, read_record


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
