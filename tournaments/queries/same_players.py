"""Who of a season table may be the same person: proposed by name, never taken unasked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from tournaments.models import Entry, SamePlayer, Series
from tournaments.models.people import search_key
from tournaments.queries.earlier_players import may_be_same_reading
from tournaments.queries.season import Person, PlayerKey, Result, Season, SeasonEvent


class Played(NamedTuple):
    """A player in one event of a series."""

    event: SeasonEvent
    result: Result

    @property
    def value(self) -> str:
        """Return the player as forms send one: the key of the tournament and the number there."""
        return f"{self.event.pk}.{self.result.number}"


class Proposal(NamedTuple):
    """Two players of the same name, in different events, who are not linked.

    `is_sure` tells that nobody else of that name is in the season.
    """

    first: Played
    second: Played
    is_sure: bool

    @property
    def value(self) -> str:
        """Return both players as forms send a pair."""
        return f"{self.first.value}={self.second.value}"


def proposals(season: Season) -> list[Proposal]:
    """Return who may be the same person, ordered by name."""
    by_name: dict[str, list[Person]] = defaultdict(list)
    for person in season.people:
        by_name[search_key(person.name)].append(person)
    return [
        proposal
        for _name, people in sorted(by_name.items())
        if len(people) > 1
        for proposal in _among(people, season.counted)
    ]


def _among(people: Sequence[Person], events: Sequence[SeasonEvent]) -> Iterator[Proposal]:
    """Yield the proposals among people of one name: each with the latest one before it."""
    in_order = sorted(people, key=lambda person: events_of(person)[0])
    is_sure = len({i for each in people for i in events_of(each)}) == sum(
        len(events_of(each)) for each in people
    )
    free = list[Person]()  # those whom nobody later is proposed to be
    for person in in_order:
        earlier = next((each for each in reversed(free) if _may_be_one(each, person)), None)
        if earlier is not None:
            free.remove(earlier)
            yield Proposal(_played(earlier, events, -1), _played(person, events, 0), is_sure)
        free.append(person)


def _may_be_one(one: Person, other: Person) -> bool:
    """Return whether two rows share no event, and their readings do not differ."""
    if set(events_of(one)) & set(events_of(other)):
        return False
    return all(
        may_be_same_reading(a.reading, b.reading)
        for a in one.results
        for b in other.results
        if a and b
    )


def events_of(person: Person) -> list[int]:
    """Return the places of a person's events among those that count."""
    return [i for i, result in enumerate(person.results) if result]


def _played(person: Person, events: Sequence[SeasonEvent], which: int) -> Played:
    """Return a person in the first (0) or last (-1) of the events."""
    played = [
        Played(event, result)
        for event, result in zip(events, person.results, strict=True)
        if result
    ]
    return played[which]


def everybody(season: Season) -> list[Played]:
    """Return each person of a season table once, in the last event, ordered by name."""
    found = [_played(person, season.counted, -1) for person in season.people]
    return sorted(found, key=lambda each: search_key(each.result.reading or each.result.name))


def entries_by_key(season: Season, wanted: Collection[PlayerKey]) -> dict[PlayerKey, Entry]:
    """Return those of the wanted players whom this season table lists; makes one query.

    Others must not be linked: the list of changes would tell their names to whoever edits the
    series, who may be in the staff of none of its tournaments.
    """
    listed = {(event.pk, number) for event in season.counted for number in event.results}
    found = Entry.objects.filter(
        tournament__in=[event.pk for event in season.counted],
        number__in={number for _event, number in listed.intersection(wanted)},
    )
    entries = {
        (each.tournament_id, each.number): each for each in found.select_related("tournament")
    }
    return {who: entry for who, entry in entries.items() if who in listed.intersection(wanted)}


def links_of(series: Series, events: Iterable[SeasonEvent]) -> list[SamePlayer]:
    """Return the links between players of these events, ordered by name."""
    links = series.same_players.select_related("first__tournament", "second__tournament")
    seen = {event.pk for event in events}
    found = [
        link for link in links if {link.first.tournament_id, link.second.tournament_id} <= seen
    ]
    return sorted(found, key=lambda link: search_key(link.second.reading or link.second.name))
