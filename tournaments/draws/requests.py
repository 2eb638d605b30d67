"""The request of a draw, and its limits. `docs/draws.md` describes it as a JSON document."""

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
MOST_MET = 100_000  # pairs
MOST_BEFORE = 10_000  # earlier sit-outs, small tables or first seats of a player
MOST_POINTS = 10**9
LONGEST_TEXT = 200

Tables = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Player:
    """A player to be seated. Players of different groups never share a table.

    `sat_out`, `small_tables` and `first_seats` count earlier sessions. If the history of the
    request has more of them, that number counts instead.
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
    """A valid request.

    - `sizes`: the allowed table sizes; `mix`: the sizes of all tables, if the director chose them
    - `history`: earlier sessions, as tables of ids in seat order
    - `met`: pairs of ids with a meeting, each time, that the tables of the history do not show
    - `movement`: the sessions to be played with the method `fixed`, in the same form
    - `apart`: pairs of ids that are kept apart
    - `fixed`: the number of a table, from 1, by id
    - `weights`: `WEIGHTS` in the order of their weight, heaviest first
    - `clubs`: whether clubmates count
    - `window`: with the method `level`, how many places a player may be moved
    - `steps`: the number of steps after which a search ends, instead of after `seconds`
    """

    players: Sequence[Player]
    sizes: Sequence[int] = ()
    mix: Sequence[int] = ()
    seed: int = 0
    sessions: int = 1
    method: str = "fewest_repeats"
    history: Sequence[Tables] = ()
    met: Sequence[tuple[str, str]] = ()
    movement: Sequence[Tables] = ()
    apart: Sequence[tuple[str, str]] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)
    weights: Sequence[str] = WEIGHTS
    clubs: bool = True
    window: int | None = None
    seconds: float = 5
    steps: int | None = None


class InvalidRequest(ValueError):
    """Raised for a request that cannot be drawn.

    `problems` has at most 50 problems; `unlisted` is the number of further ones.
    """

    def __init__(self, problems: Sequence[Problem], unlisted: int = 0) -> None:
        """The text of the exception lists the path and message of each problem."""
        super().__init__("; ".join(f"{problem.at}: {problem.message}" for problem in problems))
        self.problems = tuple(problems)
        self.unlisted = unlisted

    def __reduce__(self) -> tuple[type[InvalidRequest], tuple[tuple[Problem, ...], int]]:
        """Return what a copy is made of in another process."""
        return InvalidRequest, (self.problems, self.unlisted)
