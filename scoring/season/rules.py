"""Season rules: what is chosen of a season table, as JSON."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from scoring.errors import InvalidRecord
from scoring.problems import Problems
from scoring.translation import gettext_noop as _

BY_POINTS, BY_PLACES = "points", "places"
COUNTING = (BY_POINTS, BY_PLACES)
FIRSTS, BEST_PLACE, LATEST = "firsts", "best_place", "latest"
TIE_BREAKS = (FIRSTS, BEST_PLACE, LATEST)
MOST_EVENTS = 99  # of which results count, or that a rank takes
MOST_PLACES = 200  # that get points
MOST_POINTS = 9999  # for a place


class BadSeasonRules(InvalidRecord):
    """Raised by `read_season_rules` for season rules that cannot be followed."""


class SeasonRules(NamedTuple):
    """How a season is counted. The defaults are those of a series without a choice.

    - `counting`: whether the points of the events count, or points for places
    - `place_points`: the points for each place, from the first; later places get none
    - `best`: so many of a player's results count, the best ones; all if 0
    - `least`: the number of events, with a rank in each, that a player needs for one in the season
    - `tie_breaks`: codes of the steps that decide between equal totals, in their order
    """

    counting: str = BY_POINTS
    place_points: tuple[int, ...] = (10, 7, 5, 3, 2, 1)
    best: int = 0
    least: int = 1
    tie_breaks: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return what differs from the defaults, as `read_season_rules` reads it.

        >>> SeasonRules(best=3).as_json()
        {'best': 3}
        """
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self._asdict().items()
            if value != self._field_defaults[name]
        }


def read_season_rules(data: Any) -> SeasonRules:
    """Return the season rules in a JSON object; missing keys are defaults.

    Raises `BadSeasonRules` with every problem.

    >>> read_season_rules({"counting": "places", "place_points": [3, 2, 1]}).place_points
    (3, 2, 1)
    >>> read_season_rules({"best": -1})
    Traceback (most recent call last):
    scoring.season.rules.BadSeasonRules: best: Write a number from 0 to 99 here.
    """
    problems = Problems()
    if problems.check_object(at="", data=data, known_keys=frozenset(SeasonRules._fields)):
        usual = SeasonRules()
        if data.get("counting", BY_POINTS) not in COUNTING:
            words = _("Choose one of {choices}.")
            problems.add("counting", "choice", words, choices=", ".join(COUNTING))
        _check_place_points(problems, data.get("place_points", list(usual.place_points)))
        _check_number(problems, "best", data.get("best", usual.best), 0, MOST_EVENTS)
        _check_number(problems, "least", data.get("least", usual.least), 1, MOST_EVENTS)
        _check_tie_breaks(problems, data.get("tie_breaks", []))
    if problems.found:
        raise BadSeasonRules(problems.found, problems.unlisted)
    lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
    return SeasonRules(**{**data, **lists})


def _check_number(problems: Problems, at: str, value: Any, lowest: int, highest: int) -> None:
    if type(value) is not int or not lowest <= value <= highest:
        words = _("Write a number from {lowest} to {highest} here.")
        problems.add(at, "range", words, lowest=lowest, highest=highest)


def _check_place_points(problems: Problems, points: Any) -> None:
    """Add a problem for points that are no list of numbers, or more for a later place."""
    if not problems.check_list("place_points", points):
        return
    if not 1 <= len(points) <= MOST_PLACES:
        words = _("Write points for {lowest} to {highest} places.")
        problems.add("place_points", "range", words, lowest=1, highest=MOST_PLACES)
        return
    before = problems.count
    for i, each in enumerate(points):
        _check_number(problems, f"place_points[{i}]", each, 0, MOST_POINTS)
    if problems.count == before and any(above < below for above, below in pairwise(points)):
        words = _("A later place must not have more points than the one before.")
        problems.add("place_points", "order", words)


def _check_tie_breaks(problems: Problems, codes: Any) -> None:
    if not problems.check_list("tie_breaks", codes):
        return
    for i, code in enumerate(codes):
        at = f"tie_breaks[{i}]"
        if type(code) is not str or code not in TIE_BREAKS:
            words = _("Choose one of these steps: {choices}.")
            problems.add(at, "choice", words, choices=", ".join(TIE_BREAKS))
        elif code in codes[:i]:
            problems.add(at, "twice", _("“{step}” stands there twice; remove one."), step=code)
