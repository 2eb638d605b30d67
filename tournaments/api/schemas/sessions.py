"""Sessions: their seats and draws, and the links and PINs by which phones join tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, NotRequired

from django.http import HttpRequest
from django.urls import reverse
from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.fields import StateVersion, default
from tournaments.models import Entry, Session, Sitting
from tournaments.queries import stages
from tournaments.queries.draw_records import DrawRecord
from tournaments.queries.round_documents import Moment, Player, no_other_keys
from tournaments.queries.seated_tables import SeatedTable, tables_of
from tournaments.services import seating
from tournaments.web import origins


@no_other_keys
class SeatOut(TypedDict):
    """A seat: its position at the table from 1, and its player."""

    position: int
    player: Player
    number: int
    name: str


def seats_as_json(entries: Iterable[Entry]) -> list[SeatOut]:
    """`entries` are in seat order."""
    return [
        {"position": position, "player": entry.key, "number": entry.number, "name": entry.name}
        for position, entry in enumerate(entries, 1)
    ]


@no_other_keys
class LinkOut(TypedDict):
    """A link by which phones join a table, and whether it is revoked (`closed`)."""

    token: str
    link: Annotated[str, Field(json_schema_extra={"format": "uri"})]
    closed: bool


def link_as_json(request: HttpRequest, sitting: Sitting) -> LinkOut:
    """Callers check that the reader is the table's staff."""
    token = sitting.first.token
    link = f"{origins.chosen_origin(request)}{reverse('join-table', args=[token])}"
    return {"token": token, "link": link, "closed": sitting.is_link_revoked}


@no_other_keys
class PinOut(TypedDict):
    """A table's new PIN, which only this response contains."""

    pin: Annotated[str, Field(pattern=r"^\d{6}$")]


@no_other_keys
class SeatedOut(TypedDict):
    """A table and its players. The staff also get its link, and its PIN if it was just made."""

    id: int
    table: Annotated[int, Field(description="The number in addresses; see `shown_table`.")]
    shown_table: Annotated[
        int, Field(description="The table's number for people: joining and leaving keep it.")
    ]
    seats: list[SeatOut]
    token: NotRequired[Annotated[str, default("")]]
    link: NotRequired[Annotated[str, default("")]]
    closed: NotRequired[Annotated[bool, default(value=False)]]
    pin: NotRequired[Annotated[str, default("")]]


def seated_as_json(table: SeatedTable, link: LinkOut | None = None, pin: str = "") -> SeatedOut:
    """Return a table and its players, with the keys of `link` and with `pin` unless they are empty.

    Callers pass a link only for staff, and a PIN only if it was just made.
    """
    seated: SeatedOut = {
        "id": table.sitting.pk,
        "table": table.sitting.number,
        "shown_table": table.sitting.shown_number,
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
    """The tied players of a play-off, and the number of its rounds; null: as in other sessions."""

    tied: list[int]
    rounds: int | None


@no_other_keys
class SessionOut(TypedDict):
    """A session or a play-off, with its tables."""

    number: int
    totals_only: NotRequired[
        Annotated[bool, Field(description="Whether it has totals, no rounds.")]
    ]
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
    state_version: NotRequired[StateVersion]


def session_as_json(
    session: Session, sittings: Sequence[SeatedOut], mixed: Sequence[int] = ()
) -> SessionOut:
    """Return a session with its tables, as `seated_as_json` returns these.

    `mixed` are the numbers of the tables with players of several groups of a stage.
    """
    play_off: PlayOffOut = {"tied": session.tied or [], "rounds": session.rounds_planned}
    document: SessionOut = {
        "number": session.number,
        "totals_only": session.totals_only,
        "ended_at": end_as_json(session)["ended_at"],
        "play_off": play_off if session.is_play_off else None,
        "sittings": list(sittings),
    }
    if mixed:
        document["mixed_tables"] = list(mixed)
    return document


@no_other_keys
class SessionSeatsOut(TypedDict):
    """The seats of a session; `version` is the `seen` of the next change."""

    session: int
    version: int
    sittings: list[SeatedOut]
    mixed_tables: MixedTables
    state_version: NotRequired[StateVersion]


def seats_of_session(session: Session) -> SessionSeatsOut:
    """Return the seats of a session as they are in the database, without links.

    Sittings that go on as another sitting are left out.
    """
    version = seating.seats_version(session)  # read before the seats, so that it is not newer
    tables = tables_of(session.sittings.filter(continued_by=None))
    seated = [table.entries for table in tables]
    mixed_positions = stages.mixed_tables(session.tournament, session.number, seated)
    return {
        "session": session.number,
        "version": version,
        "sittings": [seated_as_json(table) for table in tables],
        "mixed_tables": [tables[position - 1].sitting.number for position in mixed_positions],
    }


@no_other_keys
class DrawOut(TypedDict):
    """How seats were drawn. `changed` is the number of players who no longer sit as drawn."""

    request: Annotated[dict[str, Any], Field(description="What `manage.py draw` reads.")]
    answer: Annotated[dict[str, Any], Field(description="What it prints.")]
    changed: int


def draw_as_json(record: DrawRecord) -> DrawOut:
    return {"request": record.request, "answer": record.answer, "changed": record.changed}


@no_other_keys
class EndedOut(TypedDict):
    """A session, and the time at which the desk ended it; null while it goes on."""

    number: int
    ended_at: Moment | None
    state_version: NotRequired[StateVersion]


def end_as_json(session: Session) -> EndedOut:
    ended_at = session.ended_at.isoformat() if session.ended_at else None
    return {"number": session.number, "ended_at": ended_at}


@no_other_keys
class RemovedOut(TypedDict):
    """The removed tournament, by its slug, or session: `slug/number`."""

    removed: str
    state_version: NotRequired[StateVersion]


@no_other_keys
class SessionsOut(TypedDict):
    """All sessions of a tournament, in order."""

    sessions: list[SessionOut]
