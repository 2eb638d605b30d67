"""Players of a season table who may be the same person. They are proposed, never linked here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from tournaments.models import Entry, SamePlayer, Series
from tournaments.models.people import search_key
from tournaments.queries.earlier_players import may_be_same
from tournaments.queries.season import Person, PlayerKey, Result, Season, SeasonEvent


class SeriesPlayer(NamedTuple):
    event: SeasonEvent
    result: Result

    @property
    def value(self) -> str:
        """Return the value of the player in forms: primary key of the tournament, dot, number."""
        return f"{self.event.pk}.{self.result.number}"


class Proposal(NamedTuple):
    """Two players of the same name in different events who are not linked yet.

    `is_sure`: no event has two players of that name.
    """

    first: SeriesPlayer
    second: SeriesPlayer
    is_sure: bool

    @property
    def value(self) -> str:
        return f"{self.first.value}={self.second.value}"


def proposals(season: Season) -> list[Proposal]:
    """Ordered by name."""
    by_name: dict[str, list[Person]] = defaultdict(list)
    for person in season.people:
        by_name[search_key(person.name)].append(person)
    return [
        proposal
        for _name, people in sorted(by_name.items())
        if len(people) > 1
        for proposal in _proposals_among(people, season.counted)
    ]


def _proposals_among(people: Sequence[Person], events: Sequence[SeasonEvent]) -> Iterator[Proposal]:
    """Yield the proposals among people of one name.

    Each person is paired with the latest person before who fits and is not yet paired with a later
    one.
    """
    in_order = sorted(people, key=lambda person: event_indexes(person)[0])
    is_sure = len({i for each in people for i in event_indexes(each)}) == sum(
        len(event_indexes(each)) for each in people
    )
    unpaired = list[Person]()  # people who are not paired with a later person
    for person in in_order:
        earlier = next(
            (each for each in reversed(unpaired) if _may_be_same_person(each, person)), None
        )
        if earlier is not None:
            unpaired.remove(earlier)
            yield Proposal(
                _as_series_player(earlier, events, -1),
                _as_series_player(person, events, 0),
                is_sure,
            )
        unpaired.append(person)


def _may_be_same_person(one: Person, other: Person) -> bool:
    """Return whether two people share no event and have no differing readings."""
    if set(event_indexes(one)) & set(event_indexes(other)):
        return False
    return all(
        may_be_same(a.reading, b.reading) for a in one.results for b in other.results if a and b
    )


def event_indexes(person: Person) -> list[int]:
    return [i for i, result in enumerate(person.results) if result]


def _as_series_player(person: Person, events: Sequence[SeasonEvent], index: int) -> SeriesPlayer:
    """Return a person as a player of the first (`index` 0) or last (-1) event with a result."""
    played = [
        SeriesPlayer(event, result)
        for event, result in zip(events, person.results, strict=True)
        if result
    ]
    return played[index]


def latest_players(season: Season) -> list[SeriesPlayer]:
    """Return each person as a player of their last event, ordered by reading or name."""
    players = [_as_series_player(person, season.counted, -1) for person in season.people]
    return sorted(players, key=lambda each: search_key(each.result.reading or each.result.name))


def entries_by_key(season: Season, keys: Collection[PlayerKey]) -> dict[PlayerKey, Entry]:
    """Return the entries with these keys, without players who are not in the season table.

    Players outside the table must not be linked: the list of changes would show their names to
    latest_players who may edit the series, even without a role in any tournament. Makes one query.
    """
    listed = {(event.pk, number) for event in season.counted for number in event.results}
    allowed = listed.intersection(keys)
    rows = Entry.objects.filter(
        tournament__in=[event.pk for event in season.counted],
        number__in={number for _event, number in allowed},
    )
    entries = {
        (each.tournament_id, each.number): each for each in rows.select_related("tournament")
    }
    return {key: entry for key, entry in entries.items() if key in allowed}


def links_of(series: Series, events: Iterable[SeasonEvent]) -> list[SamePlayer]:
    """Return the links between players of these events, ordered by reading or name.

    Links to players of other events are left out.
    """
    links = series.same_players.select_related("first__tournament", "second__tournament")
    pks = {event.pk for event in events}
    visible = [
        link for link in links if {link.first.tournament_id, link.second.tournament_id} <= pks
    ]
    return sorted(visible, key=lambda link: search_key(link.second.reading or link.second.name))
