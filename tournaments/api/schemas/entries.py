"""The players of a tournament: with their public fields, or with the private ones for the staff."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, NotRequired, cast

from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.fields import default
from tournaments.models import Entry
from tournaments.models.entry_fields import PersonFacts
from tournaments.queries.earlier_players import Earlier, Proposal
from tournaments.queries.round_documents import no_other_keys


@no_other_keys
class EntryOut(TypedDict):
    """The public fields of a player of a tournament."""

    number: int
    name: str
    club: str
    division: str
    reading: str
    team: str
    is_substitute: NotRequired[
        Annotated[
            bool,
            Field(description="Whether the player only plays in other players' stead."),
            default(value=False),
        ]
    ]


def entry_as_json(entry: Entry) -> EntryOut:
    return cast("EntryOut", entry.public_values())


@no_other_keys
class PrivateEntryOut(EntryOut):
    """A player with the private fields, for the tournament's staff only."""

    contact: str
    birth_year: int | None
    notes: str
    version: Annotated[int, Field(description="The `seen` of its next correction.")]


def private_entry_as_json(entry: Entry, version: int = 0) -> PrivateEntryOut:
    """Callers check that the reader is staff."""
    document = {**entry.public_values(), **entry.private_values(), "version": version}
    return cast("PrivateEntryOut", document)


def private_entries_as_json(
    entries: Iterable[Entry], versions: Mapping[int, int]
) -> list[PrivateEntryOut]:
    """Return players with the private fields.

    `versions` are by player number; a player who is not in it has version 0.
    """
    return [
        private_entry_as_json(entry, version=versions.get(entry.number, 0)) for entry in entries
    ]


class EntrySentOut(PersonFacts):
    """The fields of a player that were sent, and the version that was `seen`."""

    seen: int
    name: str = ""
    contact: str = ""
    birth_year: int | None = None
    notes: str = ""


@no_other_keys
class EntriesOut(TypedDict):
    """Players, sorted by number."""

    entries: Sequence[PrivateEntryOut | EntryOut]


@no_other_keys
class AddedOut(TypedDict):
    """The players just added."""

    entries: list[PrivateEntryOut]


@no_other_keys
class EarlierOut(TypedDict):
    """A player of an earlier tournament in whose staff the client is, by slug and number."""

    tournament: str
    number: int
    lacking: Annotated[
        dict[str, str], Field(description="Fields of this player that are empty in the request.")
    ]


@no_other_keys
class ProposedOut(TypedDict):
    """A person who would be added, with the player number that this person would get."""

    number: int
    name: str
    known: Annotated[
        bool,
        Field(description="Whether a player or an earlier person of the request has this name."),
    ]
    earlier: Annotated[EarlierOut | None, Field(description="Who may be the same person.")]


@no_other_keys
class ProposalsOut(TypedDict):
    """The persons who would be added; nothing is stored."""

    entries: list[ProposedOut]


def proposals_as_json(proposed: Iterable[Proposal], first_number: int) -> ProposalsOut:
    return {
        "entries": [
            {
                "number": number,
                "name": each.person["name"],
                "known": each.is_known,
                "earlier": _earlier_as_json(each.earlier) if each.earlier else None,
            }
            for number, each in enumerate(proposed, first_number)
        ]
    }


def _earlier_as_json(earlier: Earlier) -> EarlierOut:
    return {
        "tournament": earlier.entry.tournament.slug,
        "number": earlier.entry.number,
        "lacking": earlier.lacking,
    }
