"""Standings: players ranked by `scoring` from the sheets of all sittings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import scoring
from scoring.ranking.contest import CODES_NEEDING_ROUNDS
from scoring.ranking.results import ADJUSTMENT, MISSED
from scoring.stages.places import GroupPlaces, merged_places, places_by_stage, places_over_all
from tournaments.models import Entry, Sitting
from tournaments.models.people import search_key
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.sections import Section, sections_of_players
from tournaments.queries.sheets import Sheet

TIE_BREAKS_AFTER_POINTS = frozenset(each.code for each in scoring.TIE_BREAKS) - {"points"}


class Standing(NamedTuple):
    """A player's row in the standings: place among all, and rank within the class (division).

    Both are None until one of the player's rounds counts; `rank_in_class` also without a class.
    `section` is the stage in which the place was decided, and `carried` are the points carried over
    to it; both are None without stages. `rank_among_all` is None except in the standings of a
    class, where `place` is that in the class. `rounds_before` is the number of rounds in earlier
    stages, in the standings of all stages.
    """

    entry: Entry
    place: scoring.Place | None
    rank_in_class: int | None
    is_withdrawn: bool = False
    carried: int | None = None
    section: Section | None = None
    rank_among_all: int | None = None
    rounds_before: int = 0

    @property
    def decided_stage(self) -> int:
        """Return the number of the stage whose results decide the place; 1 is the first."""
        if self.section is None:
            return 1
        number = int(self.section.code.partition(".")[0])
        return number if self.section.has_begun else number - 1

    @property
    def rounds_played(self) -> int | None:
        """Return the number of rounds, in the standings of all stages those of all; or None."""
        return self.rounds_before + self.place.rounds_played if self.place else None

    @property
    def won(self) -> int | None:
        """Return the points without those carried over; None if none are."""
        if self.place is None or self.carried is None:
            return None
        return self.place.points - self.carried

    @property
    def deciding_steps(self) -> tuple[str, ...]:
        """Return the codes of the tie-breaks that separate this place from its neighbours.

        Points are left out.
        """
        place = self.place
        codes = (place.separated_by, place.separates) if place else ()
        return tuple(dict.fromkeys(code for code in codes if code in TIE_BREAKS_AFTER_POINTS))

    @property
    def adjusted(self) -> int | None:
        return self._sum_of(ADJUSTMENT)

    @property
    def missed(self) -> int | None:
        return self._sum_of(MISSED)

    def missed_points(self, session: int) -> int | None:
        """None if there are none."""
        lines = self.place.lines if self.place else ()
        return next((line.points for line in lines if line.session == session), None)

    def _sum_of(self, item: str) -> int | None:
        """Return the points of the lines with this item in the player's total, if there is one."""
        if self.place is None:
            return None
        return sum(line.points for line in self.place.lines if line.item == item)


class Team(NamedTuple):
    """A team (1 or 2) of a sitting: its members in the last deal, and its points.

    `has_changed`: it had other members in an earlier deal.
    """

    sitting: Sitting
    number: int
    members: tuple[Entry, ...]
    points: int
    has_changed: bool


class Tally(NamedTuple):
    """Numbers of rounds without play-offs: `counted` are complete, `under_way` unfinished.

    A round that stays unfinished, for its session is ended or the tournament closed, is neither.
    """

    counted: int
    under_way: int
    totals_only: tuple[int, ...] = ()  # numbers of the sessions that record only totals
    tables_with_totals: int = 0  # number of tables
    planned: int | None = None  # planned rounds of all tables together, if fixed
    session: int | None = None  # number of the last session with a result, or of the last session
    has_rounds: bool = True  # some of the sessions record rounds
    is_of_several: bool = False  # sessions


def standings_of(facts: RankingFacts) -> list[Standing]:
    """Players without a place come last."""
    contest = facts.contest
    by_stage = places_by_stage(contest, facts.played_stages)
    places = places_over_all(by_stage, contest)
    rows = standings_of_places(places, facts.entries, facts.withdrawn)
    return with_sections(rows, facts, by_stage)


def with_sections(
    rows: list[Standing],
    facts: RankingFacts,
    by_stage: Sequence[Sequence[GroupPlaces]] | None = None,
) -> list[Standing]:
    """Return the standings of all stages with the section of each ranked player.

    `by_stage` is what `places_by_stage` returns, if it is known.
    """
    if not facts.confirmed_stages:
        return rows
    if by_stage is None:
        by_stage = places_by_stage(facts.contest, facts.played_stages)
    players = sections_of_players(facts.confirmed_stages, by_stage)
    return [
        row._replace(section=own.section, carried=own.carried, rounds_before=own.rounds_before)
        if (own := players.get(row.entry.key))
        else row
        for row in rows
    ]


def standings_of_places(
    places: Sequence[scoring.Place], members: Iterable[Entry], withdrawn: Container[str]
) -> list[Standing]:
    """Return the standings of these places, then the members `without_place`.

    `withdrawn` has the keys of those who withdrew.
    """
    entries = {entry.key: entry for entry in members}
    ranks_in_class = _ranks_in_class(places, entries)
    with_place = [
        Standing(entries[place.who], place, ranks_in_class.get(place.who), place.who in withdrawn)
        for place in places
    ]
    placed = {place.who for place in places}
    return with_place + without_place(entries.values(), placed, withdrawn)


def without_place(
    members: Iterable[Entry], placed: Container[str], withdrawn: Container[str]
) -> list[Standing]:
    """Return the standings of the members who have no result; substitutes are left out.

    `placed` and `withdrawn` have the keys of those who have a place, and who withdrew.
    """
    return [
        Standing(entry, None, None, is_withdrawn=entry.key in withdrawn)
        for entry in members
        if entry.key not in placed and not entry.is_substitute
    ]


def _ranks_in_class(places: Iterable[scoring.Place], entries: dict[str, Entry]) -> dict[str, int]:
    """Return the rank of each player among those of the same class, by key.

    `places` are those among all players, in order. Players without a class or a rank are left out.
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
    """Sorted."""
    return sorted({row.entry.division for row in rows} - {""})


def standings_of_class(
    rows: Iterable[Standing], division: str, steps: Sequence[scoring.TieBreak]
) -> list[Standing]:
    """Return the standings of a class: its own places, with the ties and steps within it.

    `rows` are the standings of all, or of a stage; `steps` the tie-breaks that ranked them.
    """
    own = [row for row in rows if row.entry.division == division]
    ranked = [row for row in own if row.place is not None and row.place.rank is not None]
    groups = [
        [row.place for row in group if row.place]
        for _section, group in groupby(ranked, key=lambda row: row.section)
    ]
    places = {place.who: place for place in merged_places(groups, steps)}
    return [
        row._replace(
            place=places.get(row.entry.key, row.place),
            rank_among_all=row.place.rank if row.place else None,
        )
        for row in own
    ]


def tally_of(sheets: Iterable[Sheet]) -> Tally:
    """Return the numbers of rounds on these sheets, without play-offs.

    A session that follows the last one with a record does not count yet. `planned` is None unless
    every table has a planned number of rounds. A game that ended before is planned with the rounds
    played.
    """
    seated = [sheet for sheet in sheets if not sheet.is_play_off]
    begun = [sheet for sheet in seated if sheet.rounds or sheet.typed_totals] or seated
    last = max((sheet.sitting.session.number for sheet in begun), default=0)
    counting = [sheet for sheet in seated if sheet.sitting.session.number <= last]
    with_rounds = [sheet for sheet in counting if not sheet.is_totals_only]
    sessions = sorted({sheet.sitting.session.number for sheet in counting if sheet.is_totals_only})
    tables_with_totals = sum(sheet.typed_totals is not None for sheet in counting)
    planned_by_table = [sheet.rounds_to_play for sheet in with_rounds]
    fixed = [each for each in planned_by_table if each is not None]
    planned = sum(fixed) if len(fixed) == len(planned_by_table) else None
    return Tally(
        counted=sum(sheet.complete_rounds for sheet in with_rounds),
        under_way=sum(
            not score.complete
            for sheet in with_rounds
            if not sheet.is_over
            for score in sheet.score.rounds
        ),
        totals_only=tuple(sessions),
        tables_with_totals=tables_with_totals,
        planned=planned or None,
        session=last or None,
        has_rounds=bool(with_rounds),
        is_of_several=len({sheet.sitting.session.number for sheet in counting}) > 1,
    )


def teams_of(sheets: Iterable[Sheet]) -> list[Team]:
    """Return the teams of all sittings that have teams, in the order of the sheets."""
    return [team for sheet in sheets for team in _teams_at(sheet)]


def _teams_at(sheet: Sheet) -> list[Team]:
    """Return a sitting's two teams; empty without teams, and before the first round."""
    totals = sheet.score.team_totals
    if totals is None or not sheet.record.rounds:
        return []
    game, players = sheet.rules.game, sheet.players
    lineups = [game.lineup(facts, players) for facts in sheet.record.rounds]
    entries = {entry.key: entry for entry in sheet.entries}
    return [
        Team(
            sheet.sitting,
            number=i + 1,
            members=tuple(entries[player] for player in lineups[-1][i]),
            points=totals[i],
            has_changed=any(set(each[i]) != set(lineups[0][i]) for each in lineups),
        )
        for i in (0, 1)
    ]


def named_in(rows: Iterable[Standing], name: str) -> list[Standing]:
    """Return the standings of the players with `name` in name or reading; of all if it is empty."""
    if not name:
        return list(rows)
    name_key = search_key(name)
    return [
        row
        for row in rows
        if any(name_key in search_key(each) for each in (row.entry.name, row.entry.reading))
    ]


class TieBreakComparison(NamedTuple):
    """The values of one tie-break in a row (`own`) and in the rows above and below.

    A value is None without such a row, and if it is not recorded. `decides_above` and
    `decides_below` say whether this tie-break separates the row from the one above or below.
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
    """Return, for the tie-breaks, the values of the row at this index and of its neighbours.

    A step that compares tied players, such as the lot, has no value of a neighbour from another
    tie, and is left out where neither neighbour is in the tie. Empty if the player has no place.
    """
    above, place, below = (
        rows[i].place if 0 <= i < len(rows) else None for i in (index - 1, index, index + 1)
    )
    if place is None:
        return []
    comparisons: list[TieBreakComparison] = []
    for i, step in enumerate(steps):
        before, after = (
            other if other and (step.compare is None or _are_tied(place, other, i)) else None
            for other in (above, below)
        )
        if step.compare is None or before or after:
            comparison = TieBreakComparison(
                step,
                own=_value_if_recorded(place, i, step),
                above=_value_if_recorded(before, i, step),
                below=_value_if_recorded(after, i, step),
                decides_above=_is_decided_by(step, place.separated_by, place, before, i),
                decides_below=_is_decided_by(step, place.separates, place, after, i),
            )
            comparisons.append(comparison)
    return comparisons


def _are_tied(place: scoring.Place, other: scoring.Place, index: int) -> bool:
    """Return whether two places are equal in all steps before the one at this index."""
    return place.values[:index] == other.values[:index]


def _value_if_recorded(
    place: scoring.Place | None, index: int, step: scoring.TieBreak
) -> int | None:
    """Return the value of a place for the step at this index.

    None without a place, and if the step needs rounds but only totals are recorded.
    """
    if place is None or (step.code in CODES_NEEDING_ROUNDS and not place.rounds_played):
        return None
    return place.values[index]


def _is_decided_by(
    step: scoring.TieBreak,
    deciding: str | None,
    place: scoring.Place,
    other: scoring.Place | None,
    index: int,
) -> bool:
    """Return whether this step separates a place from its neighbour `other`.

    `deciding` is the code of the step that separates them. A tie-break may be listed more than
    once; the step whose values differ is the one that separates.
    """
    if other is None or step.code != deciding:
        return False
    return place.values[index] != other.values[index]
