"""Players of earlier tournaments who may be those of a list: proposed, never taken unasked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from tournaments.models import Entry, Tournament
from tournaments.models.people import search_key

TAKEN_OVER = ("reading", "club", "division")  # fields that a list may lack
MOST_TOURNAMENTS = 20  # the latest ones, as each may have a thousand players


class Proposal(NamedTuple):
    """A person of a list, and who it may be.

    `is_known` tells whether the name is in the tournament, or further up in the list.
    """

    person: Mapping[str, Any]
    is_known: bool
    earlier: Earlier | None


class Earlier(NamedTuple):
    """A player of an earlier tournament, and what the list lacks, by field."""

    entry: Entry
    lacking: dict[str, str]


def proposals(
    tournament: Tournament, people: Sequence[Mapping[str, Any]], others: QuerySet[Tournament]
) -> list[Proposal]:
    """Return each person of a list, with the latest player of the other tournaments it may be."""
    known = {search_key(name) for name in tournament.entries.values_list("name", flat=True)}
    found = []
    for person, earlier in zip(people, earlier_players(people, others), strict=True):
        name = search_key(person["name"])
        found.append(Proposal(person, name in known, earlier))
        known.add(name)
    return found


def earlier_players(
    people: Sequence[Mapping[str, Any]], tournaments: QuerySet[Tournament]
) -> list[Earlier | None]:
    """Return for each person, given as fields of `Entry`, who it may be; None if nobody.

    It is the latest player of these tournaments with the same name, however it is spaced, whose
    reading is the same or not known on one side. Makes two queries.
    """
    latest = list(tournaments.order_by("-held_on", "-pk").values_list("pk", flat=True))
    order = {pk: index for index, pk in enumerate(latest[:MOST_TOURNAMENTS])}
    rows = Entry.objects.filter(tournament__in=order).select_related("tournament")
    by_name: dict[str, list[Entry]] = {search_key(person["name"]): [] for person in people}
    for entry in sorted(rows, key=lambda entry: order[entry.tournament_id]):
        if (same := by_name.get(search_key(entry.name))) is not None:
            same.append(entry)
    return [_who(person, by_name[search_key(person["name"])]) for person in people]


def _who(person: Mapping[str, Any], same_name: Sequence[Entry]) -> Earlier | None:
    """Return the first of these players whose reading does not differ."""
    reading = person.get("reading") or ""
    for entry in same_name:
        if may_be_same_reading(reading, entry.reading):
            known = {name: getattr(entry, name) for name in TAKEN_OVER}
            lacking = {
                name: value for name, value in known.items() if value and not person.get(name)
            }
            return Earlier(entry, lacking)
    return None


def may_be_same_reading(one: str, other: str) -> bool:
    """Return whether two readings are the same, however written, or one is not known."""
    return not one or not other or search_key(one) == search_key(other)
