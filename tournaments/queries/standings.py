"""From the facts in force to ranked rows: reads in few queries, asks scoring, writes nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import scoring
from tournaments.models import Entry, Sitting, Tournament
from tournaments.models.people import search_form
from tournaments.queries.sheets import Sheet, sheets_of

# Tie-breaks whose values are numbers of something; those of the others are points.
COUNTING_STEPS = frozenset({"rounds_won"})


class Standing(NamedTuple):
    """One entry's row: its place among all, and its rank within its class.

    Both are None until a round of this entry counts; there is no rank in no class.
    """

    entry: Entry
    place: scoring.Place | None
    rank_in_class: int | None


class Team(NamedTuple):
    """A team of one sitting (1 or 2), its members and points; `changed` when members have moved."""

    sitting: Sitting
    number: int
    members: tuple[Entry, ...]
    points: int
    changed: bool


class Tally(NamedTuple):
    """How many rounds count, and how many are still under way and therefore do not."""

    counted: int
    under_way: int
    totals_only: tuple[int, ...] = ()  # the sessions whose totals were typed
    typed: int = 0  # the tables whose totals are in
    planned: int | None = None  # how many are played at these tables, where that is fixed
    session: int | None = None  # the last that was seated


def sheets_for(tournament: Tournament) -> list[Sheet]:
    """Return every sitting's sheet, by session and table."""
    sittings = Sitting.objects.filter(session__tournament=tournament)
    return sheets_of(sittings.order_by("session__number", "number"))


def standings_of(everybody: Iterable[Entry], sheets: Iterable[Sheet]) -> list[Standing]:
    """Return everybody in the order of their places; those who have not played yet come last."""
    entries = {entry.key: entry for entry in everybody}
    results = _results(entries, list(sheets))
    played_at_all = {result.who for result in results}
    in_class = _ranks_in_class(results, entries)
    played = [
        Standing(entries[place.who], place, in_class.get(place.who))
        for place in scoring.rank(results)
    ]
    waiting = [Standing(entries[key], None, None) for key in entries if key not in played_at_all]
    return played + waiting


def _results(players: Iterable[str], sheets: Iterable[Sheet]) -> list[scoring.Result]:
    """Return what these players have to show, without those of whom nothing counts yet."""
    rounds: dict[str, list[int]] = defaultdict(list)
    carried: dict[str, int] = {}
    for sheet in sheets:
        for score in sheet.score.rounds:
            if score.complete:
                for player, points in score.points.items():
                    if sheet.is_totals_only:
                        carried[player] = carried.get(player, 0) + points
                    else:
                        rounds[player].append(points)
    return [
        scoring.Result(key, tuple(rounds[key]), carried.get(key, 0))
        for key in players
        if key in rounds or key in carried
    ]


def _ranks_in_class(results: Sequence[scoring.Result], entries: dict[str, Entry]) -> dict[str, int]:
    of_class: dict[str, list[scoring.Result]] = defaultdict(list)
    for result in results:
        if division := entries[result.who].division:
            of_class[division].append(result)
    return {place.who: place.rank for group in of_class.values() for place in scoring.rank(group)}


def classes_of(rows: Iterable[Standing]) -> list[str]:
    """Return the classes of these entries, by name; entries may be in none."""
    return sorted({row.entry.division for row in rows} - {""})


def tally_of(sheets: Iterable[Sheet]) -> Tally:
    """Return how many rounds count and how many are under way."""
    known = list(sheets)
    complete = [played.score.complete for sheet in known for played in sheet.rounds]
    sessions = sorted({sheet.sitting.session.number for sheet in known if sheet.is_totals_only})
    typed = sum(sheet.typed is not None for sheet in known)
    of_rounds = [sheet.planned for sheet in known if not sheet.is_totals_only]
    planned = sum(each or 0 for each in of_rounds) if all(of_rounds) else None
    last = max((sheet.sitting.session.number for sheet in known), default=None)
    done, under_way = complete.count(True), complete.count(False)
    return Tally(done, under_way, tuple(sessions), typed, planned or None, last)


def teams_of(sheets: Iterable[Sheet]) -> list[Team]:
    """Return the teams of every sitting that has teams, by session and table."""
    return [
        Team(sheet.sitting, number, members, points, changed)
        for sheet in sheets
        for number, (members, points, changed) in enumerate(_teams(sheet), 1)
    ]


def _teams(sheet: Sheet) -> list[tuple[tuple[Entry, ...], int, bool]]:
    """Return a sitting's two teams: members as of the last deal, points, whether they changed."""
    totals = sheet.score.team_totals
    if totals is None or not sheet.record.rounds:
        return []
    lineups = [lineup(facts, sheet) for facts in sheet.record.rounds]
    entries = {entry.key: entry for entry in sheet.entries}
    return [
        (
            tuple(entries[player] for player in lineups[-1][i]),
            totals[i],
            any(set(each[i]) != set(lineups[0][i]) for each in lineups),
        )
        for i in (0, 1)
    ]


def lineup(facts: object, sheet: Sheet) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who plays for which team in a deal: as it says, else every second seat."""
    if isinstance(facts, scoring.Finish):
        return facts.teams
    return sheet.players[::2], sheet.players[1::2]


def filter_standings(
    rows: Iterable[Standing], division: str = "", name: str = ""
) -> list[Standing]:
    """Return the rows of a class, and of those whose name or reading has this in it."""
    wanted = search_form(name)
    return [
        row
        for row in rows
        if (not division or row.entry.division == division)
        and any(wanted in search_form(each) for each in (row.entry.name, row.entry.reading))
    ]


class TieBreakComparison(NamedTuple):
    """A step that decides places, at two neighbours: their values, and whether it decided."""

    title: str
    is_points: bool
    own: int
    above: int | None
    decided: bool


def compare_tie_breaks(rows: Sequence[Standing], at: int) -> list[TieBreakComparison]:
    """Return every step for the row at this index, next to the row above it."""
    place, above = rows[at].place, rows[at - 1].place if at else None
    if place is None:
        return []
    return [
        TieBreakComparison(
            step.title,
            step.code not in COUNTING_STEPS,
            place.values[i],
            above.values[i] if above else None,
            step.code == place.separated_by,
        )
        for i, step in enumerate(scoring.USUAL_TIE_BREAKS)
    ]
