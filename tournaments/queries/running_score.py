"""Layout of the running score chart: from totals after rounds to SVG coordinates in pixels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

WIDTH, HEIGHT = 800, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 20, 44
MOST_GRID_LINES = 6
MOST_ROUNDS_NAMED = 15  # labels on the horizontal axis, so that they do not overlap


class GridLine(NamedTuple):
    """A horizontal line of the chart, labelled with its number of points."""

    y: int
    points: int


class Point(NamedTuple):
    """The total after a round, as a point of the chart; round 0 is the start."""

    x: int
    y: int
    number: int
    total: int
    is_named: bool


class RunningScore(NamedTuple):
    """The chart's coordinates. `breaks` are the x coordinates where sessions begin."""

    grid_lines: tuple[GridLine, ...]
    points: tuple[Point, ...]
    breaks: tuple[int, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM

    @property
    def line(self) -> str:
        """Return the `points` attribute of the SVG polyline."""
        return " ".join(f"{point.x},{point.y}" for point in self.points)


def running_score(sessions: Sequence[Sequence[int]]) -> RunningScore:
    """Return the chart of a player's totals: a list of those after each round for each session.

    >>> chart = running_score([[10, 5], [25]])
    >>> [point.total for point in chart.points], [line.points for line in chart.grid_lines]
    ([0, 10, 5, 25], [0, 5, 10, 15, 20, 25])
    >>> chart.line
    '64,276 301,174 539,225 776,20'
    """
    totals = [0, *chain.from_iterable(sessions)]
    grid = grid_points(min(totals), max(totals))
    last = len(totals) - 1
    label_interval = -(-last // MOST_ROUNDS_NAMED) or 1
    return RunningScore(
        grid_lines=tuple(GridLine(_y_of_points(points, grid), points) for points in grid),
        points=tuple(
            Point(
                x=_x_of_round(i, last),
                y=_y_of_points(total, grid),
                number=i,
                total=total,
                is_named=i > 0 and i % label_interval == 0,
            )
            for i, total in enumerate(totals)
        ),
        breaks=tuple(_x_of_round(after, last) for after in _session_ends(sessions)[:-1]),
    )


def grid_points(lowest: int, highest: int) -> list[int]:
    """Return points for the grid lines: evenly spaced, from below the lowest total to the highest.

    0 is always among them.

    >>> grid_points(-3, 38)
    [-10, 0, 10, 20, 30, 40]
    >>> grid_points(0, 0)
    [0, 1]
    """
    lowest, highest = min(lowest, 0), max(highest, 0)
    step = _grid_step(highest - lowest)
    top = -(-highest // step) * step
    bottom = lowest // step * step
    return list(range(bottom, max(top, bottom + step) + 1, step))


def _grid_step(span: int) -> int:
    """Return the points between two grid lines, for totals that differ by `span`.

    It is the smallest of 1, 2, 5, 10, 20, 50 … with at most `MOST_GRID_LINES` lines.
    """
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if span <= step * (MOST_GRID_LINES - 1):
                return step
        size *= 10


def _session_ends(sessions: Sequence[Sequence[int]]) -> list[int]:
    """Return the number of rounds played by the end of each session that has rounds.

    >>> _session_ends([[1, 2], [], [3]])
    [2, 3]
    """
    ends: list[int] = []
    for session in filter(len, sessions):
        ends.append(len(session) + (ends[-1] if ends else 0))
    return ends


def _x_of_round(number: int, last: int) -> int:
    """`last` is the number of the last round."""
    return round(LEFT + number * (WIDTH - LEFT - RIGHT) / max(last, 1))


def _y_of_points(points: int, grid: Sequence[int]) -> int:
    """`grid` are the grid lines' points, lowest first."""
    bottom, top = grid[0], grid[-1]
    share = (points - bottom) / (top - bottom)
    return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM))
