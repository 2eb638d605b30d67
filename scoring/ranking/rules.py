"""Ranking rules (順位の決め方): what a director chooses about places, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.errors import InvalidRecord
from scoring.game import Kind
from scoring.problems import Problems, path_of_key
from scoring.ranking.absence import Absence
from scoring.ranking.tie_breaks import (
    BY_CODE,
    LOT,
    USUAL_TIE_BREAKS,
    TieBreak,
    offered_tie_breaks,
)
from scoring.teams import Counting
from scoring.translation import gettext_noop as _

RANKED, LISTED = "ranked", "listed"
NOTHING, OWN_AVERAGE, SESSION_AVERAGE, FIXED = "nothing", "own_average", "session_average", "fixed"
SUBSTITUTE, PLACE, NOBODY = "substitute", "place", "nobody"
CHOICES = {
    "withdrawn": (RANKED, LISTED),
    "missed": (NOTHING, OWN_AVERAGE, SESSION_AVERAGE, FIXED),
    "substitutes": (SUBSTITUTE, PLACE, NOBODY),
    "teams": tuple(each.value for each in Counting),
}
# The reasons for which a missed session may count otherwise than for an absent player.
OTHER_ABSENCES = (
    *(Absence.LATE, Absence.SAT_OUT, Absence.TABLE_NOT_PLAYED),
    *(Absence.REPLACED, Absence.JOINED_LATER, Absence.WITHDRAWN),
)
MOST_POINTS = 999  # that a missed session may count as; the lowest number is -999
LONGEST_SEED = 100  # characters
MOST_MEMBERS = 20  # that count for a team


USUAL_CODES = tuple(each.code for each in USUAL_TIE_BREAKS)


class BadRanking(InvalidRecord):
    """Raised by `read_ranking` for invalid ranking rules."""


class RankingRules(NamedTuple):
    """How places are decided. The defaults are in force unless the director chooses.

    - `tie_breaks`: codes of tie-breaks, in the order in which they decide
    - `withdrawn`: whether players who withdrew are `RANKED`, or `LISTED` last without a rank
    - `missed`: the points of a session that an absent player missed: `NOTHING`, the average of the
      player's own sessions (`OWN_AVERAGE`) or of that session's players (`SESSION_AVERAGE`), or
      `missed_points` (`FIXED`)
    - `absences`: the same for other reasons, by `OTHER_ABSENCES`; fixed points are given as the
      number. See `counts_as` for reasons that are left out.
    - `substitutes`: who gets the points that a substitute won: the `SUBSTITUTE`, the player whose
      `PLACE` the substitute took, or `NOBODY`
    - `lot_seed`: a text from which lots are derived
    - `teams`: a `Counting`, the members whose points count for a team
    - `team_members`: the number of these members; 0 with `Counting.ALL`
    """

    tie_breaks: tuple[str, ...] = USUAL_CODES
    withdrawn: str = RANKED
    missed: str = NOTHING
    missed_points: int = 0
    absences: Mapping[str, str | int] = MappingProxyType({})
    substitutes: str = SUBSTITUTE
    lot_seed: str = ""
    teams: str = Counting.ALL.value
    team_members: int = 0

    @property
    def steps(self) -> tuple[TieBreak, ...]:
        return tuple(BY_CODE[code] for code in self.tie_breaks)

    def counts_as(self, reason: Absence) -> str | int:
        """Return what a session missed for this reason counts as: fixed points, or an average.

        Unless chosen otherwise, who is late or has a substitute gets what an absent player gets. So
        does who sat out, or sat at a table that did not play, but no fixed points, which would
        punish what nobody chose. Who withdrew, or was not there yet, gets nothing; a session of a
        stage counts for its members only.

        >>> fixed = RankingRules(missed=FIXED, missed_points=-10)
        >>> fixed.counts_as(Absence.ABSENT), fixed.counts_as(Absence.SAT_OUT)
        (-10, 'nothing')
        """
        if reason in self.absences:
            return self.absences[reason]
        if reason in {Absence.WITHDRAWN, Absence.JOINED_LATER, Absence.NOT_IN_STAGE}:
            return NOTHING
        if self.missed != FIXED:
            return self.missed
        is_drawn = reason in {Absence.SAT_OUT, Absence.TABLE_NOT_PLAYED}
        return NOTHING if is_drawn else self.missed_points

    @property
    def counts_absences(self) -> bool:
        """Return whether a missed session can count as anything but nothing."""
        return any(self.counts_as(reason) != NOTHING for reason in Absence)

    def as_json(self) -> dict[str, Any]:
        """Return the values in force that differ from the defaults, as `read_ranking` reads them.

        A value that the other choices make useless is left out, such as a seed without lots.

        >>> RankingRules(missed=FIXED, missed_points=-4).as_json(), RankingRules().as_json()
        ({'missed': 'fixed', 'missed_points': -4}, {})
        """
        usual = self._replace(absences={})
        in_force = self._replace(
            absences={
                reason.value: self.absences[reason]
                for reason in OTHER_ABSENCES
                if self.counts_as(reason) != usual.counts_as(reason)
            },
            missed_points=self.missed_points if self.missed == FIXED else 0,
            lot_seed=self.lot_seed if LOT.code in self.tie_breaks else "",
            team_members=0 if self.teams == Counting.ALL else self.team_members,
        )
        document = {
            name: value
            for name, value in in_force._asdict().items()
            if value != self._field_defaults[name]
        }
        if "tie_breaks" in document:
            document["tie_breaks"] = list(self.tie_breaks)
        return document


USUAL_RANKING = RankingRules()


def read_ranking(data: Any, kind: Kind) -> RankingRules:
    """Return the ranking rules in a JSON object, for a kind of game; missing keys are defaults.

    Raises `BadRanking` with every problem.

    >>> read_ranking({"tie_breaks": ["points"]}, "kankei").tie_breaks
    ('points',)
    >>> read_ranking({"tie_breaks": ["skunks"]}, "captures")
    Traceback (most recent call last):
    scoring.ranking.rules.BadRanking: tie_breaks[0]: This game has no “skunks”; remove it.
    """
    problems = Problems()
    if problems.check_object(at="", data=data, known_keys=frozenset(RankingRules._fields)):
        _check_tie_breaks(problems, data.get("tie_breaks", ["points"]), kind)
        for key, choices in CHOICES.items():
            if key in data:
                _check_choice(problems, key, data[key], choices)
        _check_points(problems, "missed_points", data.get("missed_points", 0))
        _check_absences(problems, data.get("absences", {}))
        _check_seed(problems, data)
        _check_team_members(problems, data)
    if problems.listed:
        raise BadRanking(problems.listed, problems.unlisted)
    read = {**data, "tie_breaks": tuple(data["tie_breaks"])} if "tie_breaks" in data else data
    return RankingRules(**read)


def _check_tie_breaks(problems: Problems, codes: Any, kind: Kind) -> None:
    """Add a problem for a tie-break that is unknown, of other games, repeated, or after the lot."""
    if not problems.check_list("tie_breaks", codes):
        return
    if not codes:
        problems.add("tie_breaks", "missing", _("Choose at least one step."))
    offered = tuple(each.code for each in offered_tie_breaks(kind))
    for i, code in enumerate(codes):
        at = f"tie_breaks[{i}]"
        if type(code) is not str or code not in BY_CODE:
            words = _("Choose one of these steps: {choices}.")
            problems.add(at, "choice", words, choices=", ".join(offered))
        elif code not in offered:
            problems.add(at, "choice", _("This game has no “{step}”; remove it."), step=code)
        elif code in codes[:i]:
            problems.add(at, "twice", _("“{step}” appears twice; remove one."), step=code)
        elif LOT.code in codes[:i]:
            problems.add(
                at, "after_lot", _("The lot decides every tie, so it must be the last step.")
            )


def _check_choice(problems: Problems, key: str, value: Any, choices: tuple[str, ...]) -> None:
    if type(value) is not str or value not in choices:
        problems.add(key, "choice", _("Choose one of {choices}."), choices=", ".join(choices))


def _check_points(problems: Problems, at: str, value: Any) -> None:
    """Add a problem unless the value is an integer within ±`MOST_POINTS`."""
    if type(value) is not int:
        problems.add(at, "type", _("Enter a whole number of points here."))
    elif abs(value) > MOST_POINTS:
        words = _("Enter a number from {lowest} to {highest} here.")
        problems.add(at, "range", words, lowest=-MOST_POINTS, highest=MOST_POINTS)


def _check_absences(problems: Problems, absences: Any) -> None:
    """Add a problem for every unknown reason, and every value that is no choice and no points."""
    if not problems.check_object("absences", absences, frozenset(OTHER_ABSENCES)):
        return
    for reason, value in absences.items():
        at = path_of_key("absences", reason)
        if type(value) is str:
            _check_choice(problems, at, value, (NOTHING, OWN_AVERAGE, SESSION_AVERAGE))
        else:
            _check_points(problems, at, value)


def _check_seed(problems: Problems, data: dict[str, Any]) -> None:
    """Add a problem for a seed that is no text, too long, or missing though `LOT` is chosen."""
    seed, steps = data.get("lot_seed", ""), data.get("tie_breaks")
    if type(seed) is not str or len(seed) > LONGEST_SEED:
        words = _("Enter a text of at most {longest} characters here.")
        problems.add("lot_seed", "type", words, longest=LONGEST_SEED)
    elif not seed.strip() and isinstance(steps, list) and LOT.code in steps:
        problems.add("lot_seed", "missing", _("Enter the seed of the lots."))


def _check_team_members(problems: Problems, data: dict[str, Any]) -> None:
    """Add a problem unless the number of members is in range: from 1, or from 0 if all count."""
    value = data.get("team_members", 0)
    lowest = 0 if data.get("teams", Counting.ALL) == Counting.ALL else 1
    if type(value) is not int or not lowest <= value <= MOST_MEMBERS:
        words = _("Enter a number from {lowest} to {highest} here.")
        problems.add("team_members", "range", words, lowest=lowest, highest=MOST_MEMBERS)
