"""Lists of the seats of a session, and the changes between two versions of its seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from tournaments.models import AuditEntry, Entry, Session
from tournaments.queries.name_order import reading_order
from tournaments.queries.seated_tables import with_seats

Tables = Mapping[int, Sequence[Entry]]  # by number
Places = dict[str, tuple[int, int]]  # by key of the player: table and seat, from 1

# Kinds of audit entries that make a new version of a session's seats, of all tables or of some.
KINDS = (
    AuditEntry.Kind.SESSION_OPENED,
    AuditEntry.Kind.SESSION_RESEATED,
    AuditEntry.Kind.PLAYERS_EXCHANGED,
    AuditEntry.Kind.PLAYERS_CHANGED,
)
KINDS_OF_SOME_TABLES = frozenset(
    {AuditEntry.Kind.PLAYERS_EXCHANGED, AuditEntry.Kind.PLAYERS_CHANGED}
)


class Place(NamedTuple):
    """A player's table, by its number, and seat, counted from 1."""

    entry: Entry
    table: int
    seat: int


def tables_of(session: Session) -> dict[int, list[Entry]]:
    """Return the players of each table in seat order, by number of the table.

    Where players have joined or left, these are the players since then.
    """
    sittings = session.sittings.filter(continued_by=None).select_related("continues")
    in_order = sorted(with_seats(sittings), key=lambda each: each.shown_number)
    return {each.shown_number: [seat.entry for seat in each.seats.all()] for each in in_order}


def places_by_name(tables: Tables) -> list[Place]:
    """In the order of `reading_order`."""
    places = [
        Place(entry, table, seat)
        for table, entries in tables.items()
        for seat, entry in enumerate(entries, 1)
    ]
    return sorted(places, key=lambda each: (reading_order(each.entry), each.entry.number))


class Version(NamedTuple):
    """A version of the seats of a session; versions are numbered from 1."""

    number: int
    at: datetime
    places: Places


def versions_of(session: Session) -> list[Version]:
    """Return the versions of a session's seats since it was last opened, the oldest first.

    Printed lists show the number of their version. If the session was removed and opened again,
    numbers go on, so that no number has two meanings.
    """
    audit_entries = session.tournament.audit_entries.filter(
        kind__in=KINDS, subject__session=session.number
    )
    versions: list[Version] = []
    tables: dict[int, list[str]] = {}
    shown: dict[int, int] = {}  # by number of a sitting that continues another
    for number, audit_entry in enumerate(audit_entries.order_by("number"), 1):
        if audit_entry.kind == AuditEntry.Kind.SESSION_OPENED:  # perhaps for the second time
            versions = []
        if audit_entry.kind in KINDS_OF_SOME_TABLES:
            if "goes_on_at" in audit_entry.subject:
                stopped = audit_entry.subject["table"]
                shown[audit_entry.subject["goes_on_at"]] = shown.get(stopped, stopped)
            tables |= {
                shown.get(int(table), int(table)): players
                for table, players in _players_by_table(audit_entry.new)
            }
        else:
            tables, shown = dict(enumerate(audit_entry.new or (), 1)), {}
        versions.append(Version(number, audit_entry.at, _places(tables)))
    return versions


def _players_by_table(tables: Any) -> list[tuple[str, list[str]]]:
    """Return the items of an audit entry's tables: number as text and keys; [] for None."""
    return list((tables or {}).items())


def _places(tables: dict[int, list[str]]) -> Places:
    """Players are given by keys in seat order."""
    return {
        key: (table, seat)
        for table, players in tables.items()
        for seat, key in enumerate(players, 1)
    }


class Change(NamedTuple):
    """A player's (table, seat) before and now; None for no seat."""

    entry: Entry
    before: tuple[int, int] | None
    now: tuple[int, int] | None

    @property
    def is_new_table(self) -> bool:
        """Return whether the player moves to another table, gains a seat or loses it."""
        return (self.before or (0,))[0] != (self.now or (0,))[0]


def changes_between(before: Version, now: Version, entries: Sequence[Entry]) -> list[Change]:
    """In the order of `reading_order`."""
    changes = [
        Change(entry, before.places.get(entry.key), now.places.get(entry.key)) for entry in entries
    ]
    moved = [each for each in changes if each.before != each.now]
    return sorted(moved, key=lambda each: (reading_order(each.entry), each.entry.number))
