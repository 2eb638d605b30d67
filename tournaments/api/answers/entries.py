"""The players of a tournament: what anybody may know of them, and what the staff may."""

from __future__ import annotations

from typing import Annotated

from ninja import Field

from tournaments.api.answers.parts import Answer


class EntryOut(Answer):
    """What anybody may know of a player of a tournament."""

    number: int
    name: str
    club: str
    division: str
    reading: str


class PrivateEntryOut(EntryOut):
    """The same with its private fields, which only the tournament's staff is told."""

    contact: str
    birth_year: int | None
    notes: str
    version: Annotated[int, Field(description="The `seen` of whoever puts it right.")]


class EntrySentOut(Answer):
    """What was sent of a player, and the version it saw; what was left out stays as it is."""

    seen: int
    name: str = ""
    club: str = ""
    division: str = ""
    reading: str = ""
    contact: str = ""
    birth_year: int | None = None
    notes: str = ""


class EntriesOut(Answer):
    """Players by number."""

    entries: list[PrivateEntryOut | EntryOut]


class AddedOut(Answer):
    """The players just added."""

    entries: list[PrivateEntryOut]
