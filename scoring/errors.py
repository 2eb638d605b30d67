"""What the engine raises; each says when."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.problems import Problem


class InvalidRecord(ValueError):
    """Raised by `read_record` for a record that cannot be scored. `problems` holds all of them."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        """Keep every problem; the text of the error lists them."""
        super().__init__("; ".join(f"{p.at}: {p.message}" for p in problems))
        self.problems = tuple(problems)


class BadChoice(InvalidRecord):
    """Raised by `RuleSet.choose` for an unknown option or point value, or one out of bounds."""


class UnknownRuleSet(LookupError):
    """Raised by `get_rule_set` for a slug that no registered rule set has."""
