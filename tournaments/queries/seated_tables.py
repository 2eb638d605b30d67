"""Who sits where: sittings with their players, without rounds, and which are in play.

A table is a place: where players join or leave, its sitting is continued by another. What was
played there is read by `sheets`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol, TypeVar

from django.db.models import Prefetch, QuerySet

from tournaments.models import AuditEntry, Entry, Seat, Sitting

# Kinds of audit entries that say who sits where in a session that is seated.
SEATING_KINDS = (
    AuditEntry.Kind.SESSION_OPENED,
    AuditEntry.Kind.SESSION_RESEATED,
    AuditEntry.Kind.PLAYERS_EXCHANGED,
    AuditEntry.Kind.PLAYERS_CHANGED,
)


class AtTable(Protocol):
    """A `SeatedTable`, or a `Sheet` with its rounds."""

    @property
    def sitting(self) -> Sitting:
        """Return the sitting, with its session."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return the players in seat order."""


Table = TypeVar("Table", bound=AtTable)


class SeatedTable(NamedTuple):
    """A sitting and its players in seat order, without rounds."""

    sitting: Sitting
    entries: tuple[Entry, ...]


def with_seats(sittings: QuerySet[Sitting]) -> QuerySet[Sitting]:
    """Return the sittings with seats and entries prefetched, in one more query.

    Entries are joined, not prefetched: a prefetch would name each entry in an OR, and SQLite allows
    a thousand.
    """
    return sittings.prefetch_related(Prefetch("seats", Seat.objects.select_related("entry")))


def tables_of(sittings: QuerySet[Sitting]) -> list[SeatedTable]:
    """Makes two queries; reads no rounds."""
    rows = with_seats(sittings.select_related("session__tournament", "continues"))
    return [SeatedTable(each, tuple(seat.entry for seat in each.seats.all())) for each in rows]


def numbers_of(table: AtTable) -> tuple[int, int]:
    """Return the numbers of session and sitting. All tables are of one tournament."""
    return table.sitting.session.number, table.sitting.number


def tables_in_play(tables: Iterable[Table]) -> list[Table]:
    """Return one sitting for each table of these sessions, by session and shown number.

    Of a table where players have joined or left, that is the last of its sittings.
    """
    every = list(tables)
    continued = {
        (each.sitting.session.number, each.sitting.continues.number)
        for each in every
        if each.sitting.continues
    }
    in_play = (each for each in every if numbers_of(each) not in continued)
    return sorted(
        in_play, key=lambda each: (each.sitting.session.number, each.sitting.shown_number)
    )


def assigned_seats(tables: Iterable[AtTable]) -> list[list[str | None]]:
    """Return the keys of the players at each table of a session, in the seats that they were given.

    Where players have joined or left, those who stayed have the seats with which they began, not
    those to which the game has led them since. Who joined has a seat of those who left, if there is
    one. None is the seat of somebody who left.
    """
    every = list(tables)
    by_number = {each.sitting.number: each for each in every}
    seats: list[list[str | None]] = []
    for table in tables_in_play(every):
        first = table
        while first.sitting.continues and first.sitting.continues.number in by_number:
            first = by_number[first.sitting.continues.number]
        began = [entry.key for entry in first.entries]
        now = [entry.key for entry in table.entries]
        joined = iter([key for key in now if key not in began])
        kept = [key if key in now else next(joined, None) for key in began]
        seats.append([*kept, *joined])
    return seats


def last_continuation(sitting: Sitting) -> Sitting:
    """Return the last sitting at the table of this one; itself if nobody joined or left since."""
    while (following := Sitting.objects.filter(continues=sitting).first()) is not None:
        following.session = sitting.session
        sitting = following
    return sitting
