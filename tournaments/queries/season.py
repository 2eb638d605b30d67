"""The season table of a series: standings of its events, counted by `scoring.season`.

The standings of an event come from its last publication if it is shown as published, or else from
the shared live event. The results of an event are cached by publication or last audit entry. Rounds
are read only of a published event with a final, whose points count as they were before it, and
whose places as in the finals of classes, if there were any.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from django.db.models import Count, QuerySet

from scoring.ranking.places import Place
from scoring.season.rules import SeasonRules
from scoring.season.table import Outcome, SeasonRow, rank_rows, season_table
from scoring.stages.class_finals import PlaceInClass, places_in_classes
from scoring.stages.places import places_by_stage
from tournaments.models import Entry, Publication, Series, Tournament
from tournaments.queries import live_events
from tournaments.queries.publications.events import UNREADABLE, PublishedEvent
from tournaments.queries.ranking_facts import RankingFacts

CACHE_SIZE = 64  # events; one with a thousand players takes about 0.3 MB
MAX_CACHED_TABLES = 8  # season tables; one of 340 players in 12 events takes about 2 MB
PlayerKey = tuple[int, int]  # the primary key of a tournament and the number of a player


class State(StrEnum):
    """Whether the results of an event count, and who sees them."""

    FINAL = "final"  # the event is closed, and published with all of its play, or shown live
    PROVISIONAL = "provisional"  # published, but not final
    STAFF = "staff"  # only the staff of the event sees its results so far
    WAITING = "waiting"  # this reader sees no results, and the event does not count


class Result(NamedTuple):
    """A player's row in the standings of an event.

    With a final, `points` are those before it, so that nobody loses points by reaching it; `rank`
    is the one in the end. With a final for each class, that of a finalist is the one in the class,
    `class_of_final`, which is empty for all others.
    """

    number: int
    name: str
    reading: str
    club: str
    division: str
    points: int
    rank: int | None
    class_of_final: str = ""


class Results(dict[int, Result]):
    """The results of an event by number of the player. They are shared and never changed.

    Compared by identity, so that they can be part of the key of a cache.

    >>> Results() == Results()
    False
    """

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other


class EventResults(NamedTuple):
    """The name and day of an event as one reader sees it, and its results."""

    name: str
    held_on: date
    results: Results


NO_RESULTS = Results()


class SeasonEvent(NamedTuple):
    """An event of a series as one reader sees it; `results` are empty if it does not count.

    `mark` is the digest of the publication or audit entry from which the results were derived.
    """

    pk: int
    slug: str
    name: str
    held_on: date
    state: State
    mark: str
    results: Results


class Person(NamedTuple):
    """A row of the season table: name, club and class as of the person's latest event.

    `results` has an item for each event that counts, None if the person has no result there.
    `in_class` is the row as ranked among the people of the class; None without a class or a rank.
    """

    row: SeasonRow
    name: str
    club: str
    division: str
    results: tuple[Result | None, ...]
    in_class: SeasonRow | None = None

    @property
    def rank_in_class(self) -> int | None:
        return self.in_class.rank if self.in_class else None


class Season(NamedTuple):
    """A season table as one reader sees it, with its events in the order of their days."""

    rules: SeasonRules
    events: list[SeasonEvent]
    people: list[Person]

    @property
    def classes(self) -> list[str]:
        """Return the classes of the players, in alphabetical order; empty if there is only one."""
        names = sorted({person.division for person in self.people if person.division})
        return names if len(names) > 1 else []

    @property
    def counted(self) -> list[SeasonEvent]:
        """Return the events that count, in the order of the cells of a row."""
        return [event for event in self.events if event.state != State.WAITING]

    @property
    def numbers_of_namesakes(self) -> dict[str, tuple[SeasonEvent, int]]:
        """Return the latest event of each person and the number there, by key of the person.

        Only of people who share name and club with somebody, which tables show of everybody.
        """
        shown = Counter((person.name, person.club) for person in self.people)
        return {
            person.row.who: [
                (event, result.number)
                for event, result in zip(self.counted, person.results, strict=True)
                if result
            ][-1]
            for person in self.people
            if shown[person.name, person.club] > 1
        }


def season_of(series: Series, staffed: Collection[int] | None) -> Season:
    """Return the season table of a series as one reader sees it.

    `staffed` has the primary keys of the tournaments in which the reader is staff; None means all.
    Of other tournaments, only public results are included. Makes three queries, and more for
    events that have changed.
    """
    events = season_events(series, staffed)
    counted = [event for event in events if event.state != State.WAITING]
    # The row may be newer than `series`. Removing a player deletes links without a new version.
    current = Series.objects.annotate(links=Count("same_players")).get(pk=series.pk)
    version = (current.version, current.links)
    people = _cached_people(current.pk, current.created_at, version, tuple(counted))
    return Season(current.season_rules, events, people)


@lru_cache(MAX_CACHED_TABLES)
def _cached_people(
    series_pk: int,
    _created_at: datetime,
    _version: tuple[int, int],
    events: Sequence[SeasonEvent],
) -> list[Person]:
    """Return the rows in the order of their ranks, cached until series or events change.

    `_created_at` and `_version` (version of the series, number of its links) only belong to the
    cache key. Makes two queries.
    """
    series = Series.objects.get(pk=series_pk)
    representatives = same_people(series)
    outcomes = [_outcomes(event, representatives) for event in events]
    rows = season_table(series.season_rules, outcomes)
    results = _results_by_person(events, representatives)
    people = [_person(row, results[row.who]) for row in rows]
    in_class = _rows_in_classes(series.season_rules, people)
    return [person._replace(in_class=in_class.get(person.row.who)) for person in people]


def _person(row: SeasonRow, results: Sequence[Result | None]) -> Person:
    """Return a row with name, club and class of the latest result."""
    latest = [result for result in results if result][-1]
    return Person(row, latest.name, latest.club, latest.division, tuple(results))


def _rows_in_classes(rules: SeasonRules, people: Iterable[Person]) -> dict[str, SeasonRow]:
    """Return the row of each player with a class and a rank, as ranked in the class, by player."""
    by_class: dict[str, list[SeasonRow]] = defaultdict(list)
    for person in people:
        if person.division and person.row.rank is not None:
            by_class[person.division].append(person.row)
    return {row.who: row for rows in by_class.values() for row in rank_rows(rules, rows)}


def season_events(series: Series, staffed: Collection[int] | None) -> list[SeasonEvent]:
    """Return the events of a series that the reader may see, in the order of their days.

    `staffed` is as in `season_of`.
    """
    rows = list(series.tournaments.order_by("held_on", "pk"))
    visible = [each for each in rows if each.is_public or staffed is None or each.pk in staffed]
    newest = _newest_publications(Tournament.objects.filter(pk__in=[each.pk for each in visible]))
    return [
        _season_event(
            each,
            newest.get(each.pk) if each.showing == Tournament.Showing.PUBLISHED else None,
            is_staff=staffed is None or each.pk in staffed,
        )
        for each in visible
    ]


def _newest_publications(tournaments: QuerySet[Tournament]) -> dict[int, Publication]:
    """By primary key of the tournament, with `is_final`; `content` is deferred."""
    rows = Publication.objects.with_final().filter(tournament__in=tournaments).defer("content")
    return {each.tournament_id: each for each in rows.order_by("number")}


def _season_event(
    tournament: Tournament, publication: Publication | None, *, is_staff: bool
) -> SeasonEvent:
    """Return an event with the results that this reader may see.

    `publication` is the last one if the event is shown as published. An event that is shown live
    counts for everybody once it is closed, and before that only for its staff.
    """
    is_closed = tournament.closed_at is not None
    if publication is not None:
        event = _published_results(publication.pk, publication.digest)
        state = State.FINAL if publication.is_final else State.PROVISIONAL
    elif tournament.is_public and is_closed:
        event, state = live_results(tournament), State.FINAL
    else:
        event = live_results(tournament) if is_staff else _no_results_of(tournament)
        state = State.STAFF
    return SeasonEvent(
        tournament.pk,
        tournament.slug,
        event.name,
        event.held_on,
        state if event.results else State.WAITING,
        publication.digest if publication else tournament.last_act,
        event.results,
    )


def _no_results_of(tournament: Tournament) -> EventResults:
    return EventResults(tournament.name, tournament.held_on, NO_RESULTS)


@lru_cache(CACHE_SIZE)
def _published_results(publication_pk: int, _content_digest: str) -> EventResults:
    """Return the event of a publication, cached; without results if its content is malformed."""
    parts = [f"content__{part}" for part in ("tournament", "entries", "standings", "stages")]
    rows = Publication.objects.values_list(*parts)
    settings, entries, standings, stages = rows.get(pk=publication_pk)
    try:
        by_number = {entry["number"]: entry for entry in entries}
        counting = _counting_in_publication(publication_pk) if stages else Counting()
        results = [
            _published_result(entry, row, counting)
            for row in standings
            if not (entry := by_number[row["number"]]).get("is_substitute")
        ]
        held_on = date.fromisoformat(settings["held_on"])
        by_player = Results((each.number, each) for each in results)
        return EventResults(settings["name"], held_on, by_player)
    except UNREADABLE:  # `manage.py verify` reports it
        return EventResults("?", date.min, NO_RESULTS)


class Counting(NamedTuple):
    """What counts of an event with a final, by key of the player; empty without one.

    - `points`: those in the first stage
    - `places`: those of the finalists, if there was a final for each class
    """

    points: Mapping[str, int] = {}
    places: Mapping[str, PlaceInClass] = {}


def _counting_in_publication(publication_pk: int) -> Counting:
    row = Publication.objects.select_related("tournament").get(pk=publication_pk)
    return counting_in(PublishedEvent(row).ranking_facts)


def counting_in(facts: RankingFacts) -> Counting:
    if not facts.played_stages:
        return Counting()
    [first_stage], *_between, last_stage = places_by_stage(facts.contest, facts.played_stages)
    return Counting(
        {place.who: place.points for place in first_stage.places},
        places_in_classes(last_stage, facts.confirmed_stages[-1].read_quotas()),
    )


def _published_result(
    entry: Mapping[str, str], row: Mapping[str, int], counting: Counting
) -> Result:
    """Return a result from a player and a row of the standings in a publication's content.

    Empty fields may be missing in older publications.
    """
    key = str(row["number"])
    place = counting.places.get(key, PlaceInClass("", row["rank"]))
    return Result(
        row["number"],
        entry["name"],
        entry.get("reading", ""),
        entry.get("club", ""),
        entry.get("division", ""),
        counting.points.get(key, row["points"]),
        place.rank,
        place.division,
    )


def live_results(tournament: Tournament) -> EventResults:
    """Return the current results of an event, at least as new as this row of its tournament."""
    digest = tournament.last_act
    results = _live_results(tournament.pk, digest) if digest else NO_RESULTS
    return EventResults(tournament.name, tournament.held_on, results)


@lru_cache(CACHE_SIZE)
def _live_results(tournament_pk: int, _digest: str) -> Results:
    """Return the results of the shared live event, cached by the last audit entry's digest.

    Players without a place are left out, and substitutes who are no competitors.
    """
    tournament = Tournament.every.get(pk=tournament_pk)
    event = live_events.events.current(tournament)
    counting = counting_in(event.ranking_facts)
    return Results(
        (row.entry.number, _live_result(row.entry, row.place, counting))
        for row in event.standings
        if row.place is not None and not row.entry.is_substitute
    )


def _live_result(entry: Entry, place: Place, counting: Counting) -> Result:
    points = counting.points.get(entry.key, place.points)
    details = entry.name, entry.reading, entry.club, entry.division
    in_class = counting.places.get(entry.key, PlaceInClass("", place.rank))
    return Result(entry.number, *details, points, in_class.rank, in_class.division)


def same_people(series: Series) -> dict[PlayerKey, PlayerKey]:
    """Return for each linked player the representative of the same person."""
    ends = ("first__tournament", "first__number", "second__tournament", "second__number")
    stands_for: dict[PlayerKey, PlayerKey] = {}
    for first_event, first, second_event, second in series.same_players.values_list(*ends):
        join(stands_for, (first_event, first), (second_event, second))
    return {player: representative(stands_for, player) for player in stands_for}


def join(stands_for: dict[PlayerKey, PlayerKey], first: PlayerKey, second: PlayerKey) -> None:
    """Unite the groups of two players (a union-find structure): all are the same person.

    `stands_for` has, for each player who is not a representative, another one of the group. The
    lowest key becomes the representative of the united group.

    >>> stands_for = {}
    >>> for pair in ([(1, 4), (2, 5)], [(2, 5), (3, 6)], [(3, 6), (1, 4)]):
    ...     join(stands_for, *pair)
    >>> stands_for
    {(2, 5): (1, 4), (3, 6): (1, 4)}
    """
    ends = representative(stands_for, first), representative(stands_for, second)
    if ends[0] != ends[1]:
        stands_for[max(ends)] = min(ends)


def representative(stands_for: Mapping[PlayerKey, PlayerKey], player: PlayerKey) -> PlayerKey:
    """Return the player if not linked."""
    while player in stands_for:
        player = stands_for[player]
    return player


def _person_key(
    event: SeasonEvent, number: int, representatives: Mapping[PlayerKey, PlayerKey]
) -> str:
    """Return the key of a player's representative as text, which identifies the person."""
    key = (event.pk, number)
    return "{}.{}".format(*representatives.get(key, key))


def _outcomes(
    event: SeasonEvent, representatives: Mapping[PlayerKey, PlayerKey]
) -> dict[str, Outcome]:
    """By key of the person."""
    return {
        _person_key(event, number, representatives): Outcome(
            result.points, result.rank, result.class_of_final
        )
        for number, result in event.results.items()
    }


def _results_by_person(
    events: Sequence[SeasonEvent], representatives: Mapping[PlayerKey, PlayerKey]
) -> dict[str, list[Result | None]]:
    """One result for each event, None if there is none."""
    by_person: dict[str, list[Result | None]] = {}
    for i, event in enumerate(events):
        for number, result in event.results.items():
            empty: list[Result | None] = [None] * len(events)
            by_person.setdefault(_person_key(event, number, representatives), empty)[i] = result
    return by_person
