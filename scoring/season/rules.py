"""Season rules: how a season table is counted, read from JSON."""

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
MOST_EVENTS = 99  # the highest value of `best` and `least`
MOST_PLACES = 200  # places that get points
MOST_POINTS = 9999  # points for one place


class BadSeasonRules(InvalidRecord):
    """Raised by `read_season_rules` for invalid season rules."""


class SeasonRules(NamedTuple):
    """How a season is counted. The defaults are in force unless the owner of the series chooses.

    - `counting`: `BY_POINTS` of the events, or `BY_PLACES`, by points for places
    - `place_points`: the points for each place, from the first; later places get none
    - `best`: the number of a player's best results that count; 0: all count
    - `least`: the number of events in which a player needs a rank, to have one in the season
    - `tie_breaks`: codes of the steps that decide between equal totals, in their order
    """

    counting: str = BY_POINTS
    place_points: tuple[int, ...] = (10, 7, 5, 3, 2, 1)
    best: int = 0
    least: int = 1
    tie_breaks: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the values that differ from the defaults, as `read_season_rules` reads them.

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
    scoring.season.rules.BadSeasonRules: best: Enter a number from 0 to 99 here.
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
    if problems.listed:
        raise BadSeasonRules(problems.listed, problems.unlisted)
    lists = {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
    return SeasonRules(**{**data, **lists})


def _check_number(problems: Problems, at: str, value: Any, lowest: int, highest: int) -> None:
    if type(value) is not int or not lowest <= value <= highest:
        words = _("Enter a number from {lowest} to {highest} here.")
        problems.add(at, "range", words, lowest=lowest, highest=highest)


def _check_place_points(problems: Problems, points: Any) -> None:
    """Add a problem unless the points are a list of numbers that never increase."""
    if not problems.check_list("place_points", points):
        return
    if not 1 <= len(points) <= MOST_PLACES:
        words = _("Enter points for {lowest} to {highest} places.")
        problems.add("place_points", "range", words, lowest=1, highest=MOST_PLACES)
        return
    count_before = problems.count
    for i, each in enumerate(points):
        _check_number(problems, f"place_points[{i}]", each, 0, MOST_POINTS)
    if problems.count == count_before and any(above < below for above, below in pairwise(points)):
        words = _("A later place must not have more points than the one before.")
        problems.add("place_points", "order", words)


def _check_tie_breaks(problems: Problems, codes: Any) -> None:
    """Add a problem unless the codes are a list, and for each code that is unknown or repeated."""
    if not problems.check_list("tie_breaks", codes):
        return
    for i, code in enumerate(codes):
        at = f"tie_breaks[{i}]"
        if type(code) is not str or code not in TIE_BREAKS:
            words = _("Choose one of these steps: {choices}.")
            problems.add(at, "choice", words, choices=", ".join(TIE_BREAKS))
        elif code in codes[:i]:
            problems.add(at, "twice", _("“{step}” appears twice; remove one."), step=code)
