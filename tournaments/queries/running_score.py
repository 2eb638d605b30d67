"""Where the lines of a drawn running score go. Plain numbers in, plain coordinates out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT = 800, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 20, 44
MOST_LEVELS = 6  # lines across
MOST_ROUNDS_NAMED = 15  # along the bottom, so that numbers never touch


class Level(NamedTuple):
    """A line across the chart, at so many points."""

    y: int
    points: int


class Point(NamedTuple):
    """The total after a round; round 0 is the start."""

    x: int
    y: int
    number: int
    total: int
    is_named: bool


class RunningScore(NamedTuple):
    """A drawn running score. `breaks` are where a new session begins."""

    levels: tuple[Level, ...]
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
        """Return the points as an SVG polyline takes them."""
        return " ".join(f"{point.x},{point.y}" for point in self.points)


def running_score(sessions: Sequence[Sequence[int]]) -> RunningScore:
    """Return the chart of the points of every round, session by session.

    >>> chart = running_score([[10, -5], [20]])
    >>> [point.total for point in chart.points], [level.points for level in chart.levels]
    ([0, 10, 5, 25], [0, 5, 10, 15, 20, 25])
    >>> chart.line
    '64,276 301,174 539,225 776,20'
    """
    totals = [0]
    for points in (points for session in sessions for points in session):
        totals.append(totals[-1] + points)
    ticks = levels(min(totals), max(totals))
    last = len(totals) - 1
    every = -(-last // MOST_ROUNDS_NAMED) or 1
    return RunningScore(
        levels=tuple(Level(_y(points, ticks), points) for points in ticks),
        points=tuple(
            Point(_x(i, last), _y(total, ticks), i, total, i > 0 and i % every == 0)
            for i, total in enumerate(totals)
        ),
        breaks=tuple(_x(after, last) for after in _ends(sessions)[:-1]),
    )


def levels(lowest: int, highest: int) -> list[int]:
    """Return round numbers, 0 among them, from the lowest or below to the highest or above.

    >>> levels(-3, 38)
    [-10, 0, 10, 20, 30, 40]
    >>> levels(0, 0)
    [0, 1]
    """
    lowest, highest = min(lowest, 0), max(highest, 0)
    step = _step(highest - lowest)
    top = -(-highest // step) * step
    bottom = lowest // step * step
    return list(range(bottom, max(top, bottom + step) + 1, step))


def _step(span: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50 … that needs few enough lines."""
    size = 1
    while True:
        for step in (size, 2 * size, 5 * size):
            if span <= step * (MOST_LEVELS - 1):
                return step
        size *= 10


def _ends(sessions: Sequence[Sequence[int]]) -> list[int]:
    """Return after how many rounds each session that was played ended.

    >>> _ends([[1, 2], [], [3]])
    [2, 3]
    """
    ends: list[int] = []
    for session in filter(len, sessions):
        ends.append(len(session) + (ends[-1] if ends else 0))
    return ends


def _x(number: int, last: int) -> int:
    return round(LEFT + number * (WIDTH - LEFT - RIGHT) / max(last, 1))


def _y(points: int, ticks: Sequence[int]) -> int:
    bottom, top = ticks[0], ticks[-1]
    share = (points - bottom) / (top - bottom)
    return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM))
