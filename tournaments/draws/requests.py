"""What is asked for: a draw's request, its limits, and reading it from a JSON document.

`docs/draws.md` describes the document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.problems import Problem

METHODS = ("lot", "fewest_repeats", "level", "mixed", "fixed")
WEIGHTS = ("repeats", "clubmates", "fairness")

MOST_PLAYERS = 3000
MOST_SESSIONS = 100  # drawn together, and as many played before
SIZES = range(2, 101)
MOST_SIZES = 10
MOST_SEATS = 100_000  # players times sessions
MOST_SECONDS = 3600
MOST_STEPS = 10**12
MOST_APART = 5000  # pairs
MOST_BEFORE = 10_000  # sit-outs and the like that a player brings
MOST_POINTS = 10**9
LONGEST_TEXT = 200

Tables = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Player:
    """Somebody present. The counts are of what happened before; `history` may tell of more.

    Players of different groups never share a table.
    """

    id: str
    club: str = ""
    points: float = 0
    sat_out: int = 0
    small_tables: int = 0
    first_seats: int = 0
    group: str = ""


@dataclass(frozen=True)
class Request:
    """A valid request. `sizes` are allowed; `tables`, if any, are the mix the director chose.

    `history` and `movement` hold sessions as tables of ids in seat order; `apart` pairs of ids;
    `fixed` the number of a table, from 1, for some ids. `steps` ends a search instead of `seconds`.
    """

    players: Sequence[Player]
    sizes: Sequence[int] = ()
    tables: Sequence[int] = ()
    seed: int = 0
    sessions: int = 1
    method: str = "fewest_repeats"
    history: Sequence[Tables] = ()
    movement: Sequence[Tables] = ()
    apart: Sequence[tuple[str, str]] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)
    weights: Sequence[str] = WEIGHTS
    clubs: bool = True
    window: int | None = None
    seconds: float = 5
    steps: int | None = None


class InvalidRequest(ValueError):
    """Raised for a request that cannot be drawn; `problems` tells all that is wrong.

    `unlisted` counts problems beyond the first 50.
    """

    def __init__(self, problems: Sequence[Problem], unlisted: int = 0) -> None:
        """The text of the exception lists the place and message of each problem."""
        super().__init__("; ".join(f"{problem.at}: {problem.message}" for problem in problems))
        self.problems = tuple(problems)
        self.unlisted = unlisted
