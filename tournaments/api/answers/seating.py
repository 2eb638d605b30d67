"""Who sits where, and what opens a table to a phone."""

from __future__ import annotations

from typing import Annotated

from ninja import Field

from tournaments.api.answers.parts import Answer, Moment, Player


class SeatOut(Answer):
    """Who sits on a seat."""

    position: int
    player: Player
    number: int
    name: str


class LinkOut(Answer):
    """What opens a table to a phone, and whether it still does."""

    token: str
    link: Annotated[str, Field(json_schema_extra={"format": "uri"})]
    closed: bool


class PinOut(Answer):
    """A table's new PIN, told this once."""

    pin: Annotated[str, Field(pattern=r"^\d{6}$")]


class SeatedOut(Answer):
    """A table and who sits there; to the staff with its link, and with its PIN when it is new."""

    id: int
    table: int
    seats: list[SeatOut]
    token: str = ""
    link: str = ""
    closed: bool = False
    pin: str = ""


class SessionOut(Answer):
    """One seating of everybody."""

    number: int
    ended_at: Annotated[
        Moment | None, Field(description="When the desk ended it; null while it goes on.")
    ] = None
    sittings: list[SeatedOut]


class EndedOut(Answer):
    """A session, and since when the desk has ended it; null while it goes on."""

    number: int
    ended_at: Moment | None


class RemovedOut(Answer):
    """What is removed: a tournament, or one of its sessions."""

    removed: str


class SessionsOut(Answer):
    """Every seating of a tournament."""

    sessions: list[SessionOut]
