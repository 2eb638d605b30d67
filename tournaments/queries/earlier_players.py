"""Players of earlier tournaments who may be the people of a new list. They are only proposed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from tournaments.models import Entry, Tournament
from tournaments.models.people import search_key

TAKEN_OVER = ("reading", "club", "division")  # fields proposed from an earlier tournament
MOST_TOURNAMENTS = 20  # only so many latest ones are read: each may have a thousand players


class Proposal(NamedTuple):
    """A person of a list, as fields of `Entry`, and the earlier player who may be the same.

    - `is_known`: the name, however written, is already in the tournament, or further up in the list
    - `has_other_club`: whoever is known by the name has another club, so may be somebody else
    """

    person: Mapping[str, Any]
    is_known: bool
    has_other_club: bool
    earlier: Earlier | None


class Earlier(NamedTuple):
    """A player of an earlier tournament, and the values for fields that the list leaves empty."""

    entry: Entry
    lacking: dict[str, str]


def proposals(
    tournament: Tournament, people: Sequence[Mapping[str, Any]], earlier: QuerySet[Tournament]
) -> list[Proposal]:
    """Return a proposal for each person of a list; `earlier` are the earlier tournaments."""
    clubs: defaultdict[str, list[str]] = defaultdict(list)  # by name
    for name, club in tournament.entries.values_list("name", "club"):
        clubs[search_key(name)].append(club)
    result = []
    for person, match in zip(people, earlier_players(people, earlier), strict=True):
        club, known = person.get("club") or "", clubs[search_key(person["name"])]
        has_other_club = bool(known) and not any(may_be_same(club, each) for each in known)
        result.append(Proposal(person, bool(known), has_other_club, match))
        known.append(club)
    return result


def has_namesakes(people: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a list may have somebody twice: the same name without different clubs."""
    clubs: defaultdict[str, list[str]] = defaultdict(list)  # by name
    for person in people:
        clubs[search_key(person["name"])].append(search_key(person.get("club") or ""))
    return any(len(own) > 1 and ("" in own or len({*own}) < len(own)) for own in clubs.values())


def earlier_players(
    people: Sequence[Mapping[str, Any]], tournaments: QuerySet[Tournament]
) -> list[Earlier | None]:
    """Return for each person, given as fields of `Entry`, the matching player; None if nobody.

    A player matches whose name is the same apart from spacing, and whose reading is the same or
    missing on one side. The latest tournament with a match counts. Makes two queries.
    """
    latest = list(tournaments.order_by("-held_on", "-pk").values_list("pk", flat=True))
    order = {pk: index for index, pk in enumerate(latest[:MOST_TOURNAMENTS])}
    rows = Entry.objects.filter(tournament__in=order).select_related("tournament")
    by_name: dict[str, list[Entry]] = {search_key(person["name"]): [] for person in people}
    for entry in sorted(rows, key=lambda entry: order[entry.tournament_id]):
        if (same_name := by_name.get(search_key(entry.name))) is not None:
            same_name.append(entry)
    return [_latest_match(person, by_name[search_key(person["name"])]) for person in people]


def _latest_match(person: Mapping[str, Any], same_name: Sequence[Entry]) -> Earlier | None:
    """Return the first of these players whose reading does not differ; None if there is none."""
    reading = person.get("reading") or ""
    for entry in same_name:
        if may_be_same(reading, entry.reading):
            values = {name: getattr(entry, name) for name in TAKEN_OVER}
            lacking = {
                name: value for name, value in values.items() if value and not person.get(name)
            }
            return Earlier(entry, lacking)
    return None


def may_be_same(one: str, other: str) -> bool:
    """Return whether two readings or clubs are the same, however written, or one is empty."""
    return not one or not other or search_key(one) == search_key(other)
