"""Sessions: who sits where, and what opens a table to a phone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NotRequired

from django.http import HttpRequest
from django.urls import reverse
from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.fields import default
from tournaments.models import Entry, Session, Sitting
from tournaments.queries import stages
from tournaments.queries.draw_records import DrawRecord
from tournaments.queries.round_documents import Moment, Player, no_other_keys
from tournaments.queries.sheets import SeatedTable, tables_of
from tournaments.services import seating
from tournaments.web import origins


@no_other_keys
class SeatOut(TypedDict):
    """Who sits on a seat."""

    position: int
    player: Player
    number: int
    name: str


def seats_as_json(entries: Iterable[Entry]) -> list[SeatOut]:
    """Return the seats of these players, who are given in seat order."""
    return [
        {"position": position, "player": entry.key, "number": entry.number, "name": entry.name}
        for position, entry in enumerate(entries, 1)
    ]


@no_other_keys
class LinkOut(TypedDict):
    """What opens a table to a phone, and whether it still does."""

    token: str
    link: Annotated[str, Field(json_schema_extra={"format": "uri"})]
    closed: bool


def link_as_json(request: HttpRequest, sitting: Sitting) -> LinkOut:
    """Return a table's link. Callers check that the reader is its staff."""
    link = f"{origins.chosen_origin(request)}{reverse('join-table', args=[sitting.token])}"
    return {"token": sitting.token, "link": link, "closed": sitting.is_link_revoked}


@no_other_keys
class PinOut(TypedDict):
    """A table's new PIN, which only this response contains."""

    pin: Annotated[str, Field(pattern=r"^\d{6}$")]


@no_other_keys
class SeatedOut(TypedDict):
    """A table and who sits there; to the staff with its link, and with its PIN when it is new."""

    id: int
    table: int
    seats: list[SeatOut]
    token: NotRequired[Annotated[str, default("")]]
    link: NotRequired[Annotated[str, default("")]]
    closed: NotRequired[Annotated[bool, default(value=False)]]
    pin: NotRequired[Annotated[str, default("")]]


def seated_as_json(table: SeatedTable, link: LinkOut | None = None, pin: str = "") -> SeatedOut:
    """Return a table and its players, with link and PIN if given.

    Callers give the link to the staff only, and the PIN only when it was just made.
    """
    seated: SeatedOut = {
        "id": table.sitting.pk,
        "table": table.sitting.number,
        "seats": seats_as_json(table.entries),
    }
    if link is not None:
        seated = {**seated, **link}
    if pin:
        seated["pin"] = pin
    return seated


MixedTables = Annotated[
    list[int], Field(description="Tables with players of several groups of a stage, if any.")
]


@no_other_keys
class PlayOffOut(TypedDict):
    """Whose order a play-off decides, and its rounds; null: as many as usual."""

    tied: list[int]
    rounds: int | None


@no_other_keys
class SessionOut(TypedDict):
    """One seating of everybody, or of a play-off."""

    number: int
    play_off: NotRequired[
        Annotated[PlayOffOut | None, Field(description="Null for a session that counts.")]
    ]
    ended_at: NotRequired[
        Annotated[
            Moment | None,
            Field(description="When the desk ended it; null while it goes on."),
        ]
    ]
    sittings: list[SeatedOut]
    mixed_tables: NotRequired[MixedTables]


def session_as_json(
    session: Session, sittings: Sequence[SeatedOut], mixed: Sequence[int] = ()
) -> SessionOut:
    """Return a session; `mixed` are the tables with players of several groups of a stage."""
    play_off: PlayOffOut = {"tied": session.tied or [], "rounds": session.rounds_planned}
    found: SessionOut = {
        "number": session.number,
        "ended_at": end_as_json(session)["ended_at"],
        "play_off": play_off if session.is_play_off else None,
        "sittings": list(sittings),
    }
    if mixed:
        found["mixed_tables"] = list(mixed)
    return found


@no_other_keys
class SessionSeatsOut(TypedDict):
    """The seats of a session; `version` is what a writer has `seen`."""

    session: int
    version: int
    sittings: list[SeatedOut]
    mixed_tables: MixedTables


def seats_of_session(session: Session) -> SessionSeatsOut:
    """Return the seats of a session as they are in the database, without links."""
    version = seating.version_of(session)  # read before the seats, so that it is not newer
    tables = tables_of(session.sittings.filter(continued_by=None))
    seated = [table.entries for table in tables]
    mixed = stages.mixed_tables(session.tournament, session.number, seated)
    return {
        "session": session.number,
        "version": version,
        "sittings": [seated_as_json(table) for table in tables],
        "mixed_tables": [tables[number - 1].sitting.number for number in mixed],
    }


@no_other_keys
class DrawOut(TypedDict):
    """How seats were drawn; `changed` counts the players who sit elsewhere than drawn."""

    request: Annotated[dict[str, Any], Field(description="What `manage.py draw` reads.")]
    answer: Annotated[dict[str, Any], Field(description="What it prints.")]
    changed: int


def draw_as_json(record: DrawRecord) -> DrawOut:
    return {"request": record.request, "answer": record.answer, "changed": record.changed}


@no_other_keys
class EndedOut(TypedDict):
    """A session, and since when the desk has ended it; null while it goes on."""

    number: int
    ended_at: Moment | None


def end_as_json(session: Session) -> EndedOut:
    ended_at = session.ended_at.isoformat() if session.ended_at else None
    return {"number": session.number, "ended_at": ended_at}


@no_other_keys
class RemovedOut(TypedDict):
    """What is removed: a tournament, or one of its sessions."""

    removed: str


@no_other_keys
class SessionsOut(TypedDict):
    """Every seating of a tournament."""

    sessions: list[SessionOut]
