"""Exceptions raised by `scoring`."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.problems import Problem


class InvalidRecord(ValueError):
    """Raised by `read_record` for a record that cannot be scored.

    `problems` has at most `MOST_LISTED` problems; `unlisted` is the number of further ones.
    """

    def __init__(self, problems: Sequence[Problem], unlisted: int = 0) -> None:
        """The text of the exception lists the path and message of each problem."""
        super().__init__("; ".join(f"{problem.at}: {problem.message}" for problem in problems))
        self.problems = tuple(problems)
        self.unlisted = unlisted


class BadChoice(InvalidRecord):
    """Raised by `choose` for an option or point value that is unknown or out of bounds."""


class UnknownRuleSet(LookupError):
    """Raised by `get_rule_set` for a slug that no registered rule set has."""
