"""Standings: players ranked by `scoring` from the sheets of all sittings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

import scoring
from scoring.ranking.contest import NEED_ROUNDS, points_by_session
from scoring.ranking.results import ADJUSTMENT, MISSED
from scoring.stages.places import places_over_all
from tournaments.models import Entry, Sitting
from tournaments.models.people import search_key
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.sheets import Sheet

TIE_BREAKS_AFTER_POINTS = frozenset(each.code for each in scoring.TIE_BREAKS) - {"points"}


class Standing(NamedTuple):
    """A player's row in the standings: place among all, and rank within the class (division).

    Both are None until one of the player's rounds counts; the rank is None without a class.
    `carried` are the points brought along, in the standings of a stage after the first only.
    """

    entry: Entry
    place: scoring.Place | None
    rank_in_class: int | None
    is_withdrawn: bool = False
    carried: int | None = None

    @property
    def deciding_steps(self) -> tuple[str, ...]:
        """Return the tie-breaks other than points that put the player above or below another."""
        place = self.place
        codes = (place.separated_by, place.separates) if place else ()
        return tuple(dict.fromkeys(code for code in codes if code in TIE_BREAKS_AFTER_POINTS))

    @property
    def adjusted(self) -> int:
        """Return the points given and deducted, together."""
        return self._sum_of(ADJUSTMENT)

    @property
    def missed(self) -> int:
        """Return what missed sessions count, together."""
        return self._sum_of(MISSED)

    def _sum_of(self, item: str) -> int:
        lines = self.place.lines if self.place else ()
        return sum(line.points for line in lines if line.item == item)


class Team(NamedTuple):
    """A team (1 or 2) of a sitting: members in the last deal, and points.

    `changed` tells whether the members were others in an earlier deal.
    """

    sitting: Sitting
    number: int
    members: tuple[Entry, ...]
    points: int
    changed: bool


class Tally(NamedTuple):
    """Numbers of rounds that count, and of unfinished rounds, which do not."""

    counted: int
    under_way: int
    totals_only: tuple[int, ...] = ()  # numbers of the sessions that record only totals
    typed: int = 0  # number of tables with totals
    planned: int | None = None  # planned rounds of all tables together, if fixed
    session: int | None = None  # number of the last session with a result, else of the last


def standings_of(facts: RankingFacts) -> list[Standing]:
    """Return all players in the order of their places; those without a place come last."""
    places = places_over_all(facts.contest, facts.played_stages)
    return rows_of(places, facts.entries, facts.withdrawn)


def sessions_played(facts: RankingFacts) -> dict[str, int]:
    """Return the number of sessions in which something counts for a player, by number as text."""
    contest = facts.contest
    with_results = [each for each in contest.tables if any(row.complete for row in each.rounds)]
    by_player = points_by_session(contest._replace(tables=with_results))
    return {player: len(sessions) for player, sessions in by_player.items()}


def rows_of(
    places: Sequence[scoring.Place], members: Iterable[Entry], withdrawn: Container[str]
) -> list[Standing]:
    """Return the members in the order of these places; those without a place come last.

    Substitutes without a place are left out; `withdrawn` are numbers as text.
    """
    entries = {entry.key: entry for entry in members}
    in_class = _ranks_in_class(places, entries)
    placed = {place.who for place in places}
    played = [
        Standing(entries[place.who], place, in_class.get(place.who), place.who in withdrawn)
        for place in places
    ]
    waiting = [
        without_place(entry, withdrawn)
        for key, entry in entries.items()
        if key not in placed and not entry.is_substitute
    ]
    return played + waiting


def without_place(entry: Entry, withdrawn: Container[str]) -> Standing:
    """Return the row of a player without a result; `withdrawn` are numbers as text."""
    return Standing(entry, None, None, is_withdrawn=entry.key in withdrawn)


def _ranks_in_class(places: Iterable[scoring.Place], entries: dict[str, Entry]) -> dict[str, int]:
    """Return the rank among the players of the same class, by entry number as text.

    `places` are those among all, in order: within a class it is the same.
    """
    ranks: dict[str, int] = {}
    by_class: dict[str, list[scoring.Place]] = defaultdict(list)
    for place in places:
        if place.rank is not None and (division := entries[place.who].division):
            ahead = by_class[division]
            is_shared = bool(ahead) and ahead[-1].rank == place.rank
            ranks[place.who] = ranks[ahead[-1].who] if is_shared else len(ahead) + 1
            ahead.append(place)
    return ranks


def classes_of(rows: Iterable[Standing]) -> list[str]:
    """Return the names of all classes of these entries, sorted."""
    return sorted({row.entry.division for row in rows} - {""})


def tally_of(sheets: Iterable[Sheet]) -> Tally:
    """Return how many rounds of these sheets count, are unfinished, and are planned.

    Those of play-offs count for nothing.
    """
    known = [sheet for sheet in sheets if not sheet.is_play_off]
    complete = [
        score.complete
        for sheet in known
        if not sheet.is_totals_only
        for score in sheet.score.rounds
    ]
    sessions = sorted({sheet.sitting.session.number for sheet in known if sheet.is_totals_only})
    typed = sum(sheet.typed is not None for sheet in known)
    planned_by_table = [sheet.planned for sheet in known if not sheet.is_totals_only]
    planned = sum(each or 0 for each in planned_by_table) if all(planned_by_table) else None
    begun = [sheet for sheet in known if sheet.rounds or sheet.typed] or known
    last = max((sheet.sitting.session.number for sheet in begun), default=None)
    done, under_way = complete.count(True), complete.count(False)
    return Tally(
        counted=done,
        under_way=under_way,
        totals_only=tuple(sessions),
        typed=typed,
        planned=planned or None,
        session=last,
    )


def teams_of(sheets: Iterable[Sheet]) -> list[Team]:
    """Return the teams of all sittings that have teams, by session and table."""
    return [team for sheet in sheets for team in _teams_at(sheet)]


def _teams_at(sheet: Sheet) -> list[Team]:
    """Return a sitting's two teams; empty without teams, and before the first round."""
    totals = sheet.score.team_totals
    if totals is None or not sheet.record.rounds:
        return []
    lineups = [lineup(facts, sheet) for facts in sheet.record.rounds]
    entries = {entry.key: entry for entry in sheet.entries}
    return [
        Team(
            sheet.sitting,
            number=i + 1,
            members=tuple(entries[player] for player in lineups[-1][i]),
            points=totals[i],
            changed=any(set(each[i]) != set(lineups[0][i]) for each in lineups),
        )
        for i in (0, 1)
    ]


def lineup(facts: object, sheet: Sheet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the players of both teams in a deal: from its facts, else every second seat."""
    if isinstance(facts, scoring.Finish):
        return facts.teams
    return sheet.players[::2], sheet.players[1::2]


def filter_standings(
    rows: Iterable[Standing], division: str = "", name: str = ""
) -> list[Standing]:
    """Return the rows of a class whose name or reading contains `name`; empty means any."""
    if not (division or name):
        return list(rows)
    wanted = search_key(name)
    return [
        row
        for row in rows
        if (not division or row.entry.division == division)
        and any(wanted in search_key(each) for each in (row.entry.name, row.entry.reading))
    ]


class TieBreakComparison(NamedTuple):
    """One tie-break of a row, and of the rows above and below it, if there are any.

    `decides_above` tells that it separates the row from the one above, `decides_below` from the one
    below.
    """

    step: scoring.TieBreak
    own: int | None
    above: int | None
    below: int | None
    decides_above: bool
    decides_below: bool


def compare_tie_breaks(
    rows: Sequence[Standing], index: int, steps: Sequence[scoring.TieBreak]
) -> list[TieBreakComparison]:
    """Return all tie-breaks of the row at this index, beside those of its neighbours.

    Empty if the player has no place.
    """
    above, place, below = (
        rows[at].place if 0 <= at < len(rows) else None for at in (index - 1, index, index + 1)
    )
    if place is None:
        return []
    return [
        TieBreakComparison(
            step,
            own=_recorded(place, i, step),
            above=_recorded(above, i, step),
            below=_recorded(below, i, step),
            decides_above=_decides(step, place.separated_by, place, above, i),
            decides_below=_decides(step, place.separates, place, below, i),
        )
        for i, step in enumerate(steps)
    ]


def _recorded(place: scoring.Place | None, index: int, step: scoring.TieBreak) -> int | None:
    """Return a value of a place; None where its step needs rounds, and there are only totals."""
    if place is None or (step.code in NEED_ROUNDS and not place.rounds_played):
        return None
    return place.values[index]


def _decides(
    step: scoring.TieBreak,
    deciding: str | None,
    place: scoring.Place,
    other: scoring.Place | None,
    index: int,
) -> bool:
    """Return whether a step separates two places; one may stand among the steps more than once."""
    if other is None or step.code != deciding:
        return False
    return place.values[index] != other.values[index]
