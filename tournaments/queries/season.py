"""The season table of a series: derived standings of its events, counted by `scoring.season`.

No rounds are read here: of an announced event its publication holds the standings, of others the
shared live event does. What an event brings is kept per publication or audit entry.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from django.db.models import Count, QuerySet

from scoring.season.rules import SeasonRules
from scoring.season.table import Outcome, SeasonRow, season_table
from tournaments.models import Publication, Series, Tournament
from tournaments.queries import live_events
from tournaments.queries.published_events import UNREADABLE
from tournaments.queries.standings import Standing

CACHE_SIZE = 64  # events; one with a thousand players takes about 0.3 MB
MOST_TABLES = 8  # season tables kept; one of 340 players in 12 events takes about 2 MB
PlayerKey = tuple[int, int]  # the primary key of a tournament and the number of a player


class State(StrEnum):
    """Whether an event counts, and for whom."""

    FINAL = "final"  # announced, and the event is closed
    PROVISIONAL = "provisional"  # announced, and the event goes on
    STAFF = "staff"  # not announced: only its staff sees what it would bring
    WAITING = "waiting"  # without results, or they are not announced


class Result(NamedTuple):
    """A player's line in the final standings of an event."""

    number: int
    name: str
    reading: str
    club: str
    division: str
    points: int
    rank: int | None


class Results(dict[int, Result]):
    """The results of an event by number of the player, which nobody changes once they are kept.

    Equal only to itself, so that tables made of it can be kept, too.
    """

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other


class EventResults(NamedTuple):
    """What an event brings: its name and day, and the results."""

    name: str
    held_on: date
    results: Results


NO_RESULTS = Results()


class SeasonEvent(NamedTuple):
    """An event of a series as one reader sees it; without results unless it counts for them.

    `mark` is the digest of what the results were derived from.
    """

    pk: int
    slug: str
    name: str
    held_on: date
    state: State
    mark: str
    results: Results


class Person(NamedTuple):
    """A row of the season table: name, club and class as of the latest event, with every result.

    `results` has one for each event, None where the person has none. `rank_in_class` is None
    without a class or a rank; who shares a rank among all shares it there.
    """

    row: SeasonRow
    name: str
    club: str
    division: str
    results: tuple[Result | None, ...]
    rank_in_class: int | None = None


class Season(NamedTuple):
    """A season table as one reader sees it, with its events in the order of their days."""

    rules: SeasonRules
    events: list[SeasonEvent]
    people: list[Person]

    @property
    def classes(self) -> list[str]:
        """Return the classes of the players, in alphabetical order; empty if there is only one."""
        found = sorted({person.division for person in self.people if person.division})
        return found if len(found) > 1 else []

    @property
    def counted(self) -> list[SeasonEvent]:
        """Return the events that count, one for each cell of a row."""
        return [event for event in self.events if event.state != State.WAITING]


def season_of(series: Series, staffed: Collection[int] | None) -> Season:
    """Return the season table of a series, for the staff of these tournaments; None means of all.

    Others see only what was announced. Makes three queries, and more for what has changed.
    """
    events = season_events(series, staffed)
    counted = [event for event in events if event.state != State.WAITING]
    # Its version may be newer. Links go with a player who is removed, which is no new version.
    current = Series.objects.annotate(links=Count("same_players")).get(pk=series.pk)
    version = (current.version, current.links)
    people = _people(current.pk, current.created_at, version, tuple(counted))
    return Season(current.season_rules, events, people)


@lru_cache(MOST_TABLES)
def _people(
    series_pk: int,
    _created_at: datetime,
    _version: tuple[int, int],
    events: Sequence[SeasonEvent],
) -> list[Person]:
    """Return the rows, kept until the series or one of these events changes. Makes two queries.

    `_version` is that of the series, and the number of its links.
    """
    series = Series.objects.get(pk=series_pk)
    groups = same_people(series)
    rows = season_table(series.season_rules, [_outcomes(event, groups) for event in events])
    results = _results_by_person(events, groups)
    return _with_ranks_in_class([_person(row, results[row.who]) for row in rows])


def _person(row: SeasonRow, results: Sequence[Result | None]) -> Person:
    latest = [result for result in results if result][-1]
    return Person(row, latest.name, latest.club, latest.division, tuple(results))


def _with_ranks_in_class(people: Sequence[Person]) -> list[Person]:
    """Return the same people, who are in the order of their ranks, with those in their class."""
    before: dict[str, list[Person]] = {}
    found = []
    for person in people:
        if not person.division or person.row.rank is None:
            found.append(person)
            continue
        above = before.setdefault(person.division, [])
        is_tied = bool(above) and above[-1].row.rank == person.row.rank
        rank = above[-1].rank_in_class if is_tied else len(above) + 1
        above.append(person._replace(rank_in_class=rank))
        found.append(above[-1])
    return found


def season_events(series: Series, staffed: Collection[int] | None) -> list[SeasonEvent]:
    """Return the events of a series, as far as the staff of these tournaments may see them."""
    rows = list(series.tournaments.order_by("held_on", "pk"))
    seen = [each for each in rows if each.is_public or staffed is None or each.pk in staffed]
    newest = _newest_publications(Tournament.objects.filter(pk__in=[each.pk for each in seen]))
    return [
        _season_event(
            each,
            newest.get(each.pk) if each.showing == Tournament.Showing.PUBLISHED else None,
            is_staff=staffed is None or each.pk in staffed,
        )
        for each in seen
    ]


def _newest_publications(tournaments: QuerySet[Tournament]) -> dict[int, Publication]:
    """Return the last publication of each tournament, without its content."""
    found = Publication.objects.filter(tournament__in=tournaments).defer("content")
    return {each.tournament_id: each for each in found.order_by("number")}


def _season_event(
    tournament: Tournament, announced: Publication | None, *, is_staff: bool
) -> SeasonEvent:
    """Return an event with the results that this reader may see.

    An event shown as it is played counts once it is closed.
    """
    is_closed = tournament.closed_at is not None
    if announced is not None:
        found = _announced_results(announced.pk, announced.digest)
        state = State.FINAL if is_closed else State.PROVISIONAL
    elif tournament.is_public and is_closed:
        found, state = live_results(tournament), State.FINAL
    else:
        found = live_results(tournament) if is_staff else _nothing(tournament)
        state = State.STAFF
    return SeasonEvent(
        tournament.pk,
        tournament.slug,
        found.name,
        found.held_on,
        state if found.results else State.WAITING,
        announced.digest if announced else tournament.last_act,
        found.results,
    )


def _nothing(tournament: Tournament) -> EventResults:
    return EventResults(tournament.name, tournament.held_on, NO_RESULTS)


@lru_cache(CACHE_SIZE)
def _announced_results(publication_pk: int, _content_digest: str) -> EventResults:
    """Return what a publication announced; nothing if it cannot be read."""
    parts = ("content__tournament", "content__entries", "content__standings")
    settings, entries, standings = Publication.objects.values_list(*parts).get(pk=publication_pk)
    try:
        by_number = {entry["number"]: entry for entry in entries}
        results = [_announced_result(by_number[row["number"]], row) for row in standings]
        held_on = date.fromisoformat(settings["held_on"])
        by_player = Results((each.number, each) for each in results)
        return EventResults(settings["name"], held_on, by_player)
    except UNREADABLE:  # `manage.py verify` tells what is wrong
        return EventResults("?", date.min, NO_RESULTS)


def _announced_result(entry: Mapping[str, str], row: Mapping[str, int]) -> Result:
    return Result(
        row["number"],
        entry["name"],
        entry.get("reading", ""),
        entry.get("club", ""),
        entry.get("division", ""),
        row["points"],
        row["rank"],
    )


def live_results(tournament: Tournament) -> EventResults:
    """Return the results of an event as of this row of its tournament, or later."""
    last_act = tournament.last_act
    results = _live_results(tournament.pk, last_act) if last_act else NO_RESULTS
    return EventResults(tournament.name, tournament.held_on, results)


@lru_cache(CACHE_SIZE)
def _live_results(tournament_pk: int, _last_act: str) -> Results:
    """Return the results by number, from the event that all readers share."""
    tournament = Tournament.every.get(pk=tournament_pk)
    rows = live_events.events.current(tournament).standings
    return Results((row.entry.number, _live_result(row)) for row in rows if row.place is not None)


def _live_result(row: Standing) -> Result:
    entry, place = row.entry, row.place
    points, rank = (place.points, place.rank) if place else (0, None)
    details = entry.name, entry.reading, entry.club, entry.division
    return Result(entry.number, *details, points, rank)


def same_people(series: Series) -> dict[PlayerKey, PlayerKey]:
    """Return for each linked player the one who stands for all that are the same person."""
    ends = ("first__tournament", "first__number", "second__tournament", "second__number")
    stands_for: dict[PlayerKey, PlayerKey] = {}
    for first_event, first, second_event, second in series.same_players.values_list(*ends):
        join(stands_for, (first_event, first), (second_event, second))
    return {player: representative(stands_for, player) for player in stands_for}


def join(stands_for: dict[PlayerKey, PlayerKey], first: PlayerKey, second: PlayerKey) -> None:
    """Let one player stand for the other, and for all who are the same person as either."""
    one, other = representative(stands_for, first), representative(stands_for, second)
    if one != other:
        stands_for[max(one, other)] = min(one, other)


def representative(stands_for: Mapping[PlayerKey, PlayerKey], player: PlayerKey) -> PlayerKey:
    """Return who stands for a player, who may stand for somebody else."""
    while player in stands_for:
        player = stands_for[player]
    return player


def _key(event: SeasonEvent, number: int, groups: Mapping[PlayerKey, PlayerKey]) -> str:
    """Return the person that a player is, as text."""
    tournament, own = groups.get((event.pk, number), (event.pk, number))
    return f"{tournament}.{own}"


def _outcomes(event: SeasonEvent, groups: Mapping[PlayerKey, PlayerKey]) -> dict[str, Outcome]:
    return {
        _key(event, number, groups): Outcome(result.points, result.rank)
        for number, result in event.results.items()
    }


def _results_by_person(
    events: Sequence[SeasonEvent], groups: Mapping[PlayerKey, PlayerKey]
) -> dict[str, list[Result | None]]:
    """Return each person's results, one for each event, None where there is none."""
    found: dict[str, list[Result | None]] = {}
    for i, event in enumerate(events):
        for number, result in event.results.items():
            empty: list[Result | None] = [None] * len(events)
            found.setdefault(_key(event, number, groups), empty)[i] = result
    return found
