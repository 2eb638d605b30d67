"""Lists of the seats of a session, and the changes between two versions of its seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

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


def last_places(session: Session) -> Places:
    """Return where everybody sits who has a seat in a session, or sat who has left between rounds.

    Who left before anything was recorded at the table had no seat.
    """
    sittings = with_seats(session.sittings.select_related("continues").order_by("number"))
    left = {each.continues_id for each in sittings}
    # Who has left one table may sit at another now.
    in_order = sorted(sittings, key=lambda each: each.pk not in left)
    return {
        seat.entry.key: (each.shown_number, position)
        for each in in_order
        for position, seat in enumerate(each.seats.all(), 1)
    }


def places_by_name(tables: Tables) -> list[Place]:
    """In the order of `reading_order`."""
    places = [
        Place(entry, table, seat)
        for table, entries in tables.items()
        for seat, entry in enumerate(entries, 1)
    ]
    return sorted(places, key=lambda each: (reading_order(each.entry), each.entry.number))


class Version(NamedTuple):
    """A version of the seats of a session; versions are numbered from 1.

    `places` are those of the printed list. `given` are those that the desk gave: where players join
    or leave between rounds, those who stay, or come back, keep theirs, though the game has moved
    them since.
    """

    number: int
    at: datetime
    places: Places
    given: Places


def versions_of(session: Session) -> list[Version]:
    """Return the versions of a session's seats since it was last opened, the oldest first.

    Printed lists show the number of their version. If the session was removed and opened again,
    numbers go on, so that no number has two meanings.
    """
    audit_entries = session.tournament.audit_entries.filter(
        kind__in=KINDS, subject__session=session.number
    )
    versions: list[Version] = []
    seats = _Seats()
    for number, audit_entry in enumerate(audit_entries.order_by("number"), 1):
        if audit_entry.kind == AuditEntry.Kind.SESSION_OPENED:  # perhaps for the second time
            versions = []
        if audit_entry.kind == AuditEntry.Kind.PLAYERS_EXCHANGED:
            seats.exchange(audit_entry)
        elif audit_entry.kind == AuditEntry.Kind.PLAYERS_CHANGED:
            seats.change(audit_entry)
        else:
            seats = _Seats(audit_entry.new or ())
        versions.append(Version(number, audit_entry.at, dict(seats.places), dict(seats.given)))
    return versions


class _Seats:
    """The places of a session's players, changed by one audit entry after another."""

    def __init__(self, tables: Sequence[Sequence[str]] = ()) -> None:
        """Players are given by keys in seat order."""
        self.places = _places(dict(enumerate(tables, 1)))
        self.given = dict(self.places)
        self.first = dict(self.places)  # of everybody, before the first round
        # By who joined between rounds: whose seat it was at the beginning.
        self.in_seat_of: dict[str, str] = {}
        self.shown: dict[int, int] = {}  # by number of a sitting that continues another

    def change(self, audit_entry: AuditEntry) -> None:
        """Let players join or leave a table."""
        if "goes_on_at" in audit_entry.subject:
            stopped = audit_entry.subject["table"]
            self.shown[audit_entry.subject["goes_on_at"]] = self.shown.get(stopped, stopped)
        for sitting, players in (audit_entry.new or {}).items():
            table = self.shown.get(int(sitting), int(sitting))
            before = {key: place for key, place in self.given.items() if place[0] == table}
            now = _places({table: players})
            self.places = {k: v for k, v in self.places.items() if k not in before} | now
            if int(sitting) in self.shown:  # rounds were played, which may have changed the seats
                left = [key for key in before if key not in now]
                joined = [key for key in now if key not in before]
                for new, old in zip(joined, left, strict=False):
                    self.in_seat_of[new] = self.in_seat_of.get(old, old)
                back = {key for key in joined if self.in_seat_of.get(key) == key}
                now |= {key: self.first[key] for key in back if key in self.first}
                now |= {key: place for key, place in before.items() if key in now}
            else:
                self.first |= now
            self.given = {k: v for k, v in self.given.items() if k not in before} | now

    def exchange(self, audit_entry: AuditEntry) -> None:
        """Exchange two players, of whom one may have left her table before."""
        new_keys = {
            was: key
            for sitting, players in (audit_entry.old or {}).items()
            for was, key in zip(players, (audit_entry.new or {})[sitting], strict=True)
        }
        self.places, self.given, self.first = (
            {new_keys.get(key, key): place for key, place in places.items()}
            for places in (self.places, self.given, self.first)
        )
        self.in_seat_of = {
            new_keys.get(key, key): new_keys.get(first, first)
            for key, first in self.in_seat_of.items()
        }


def _places(tables: Mapping[int, Sequence[str]]) -> Places:
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
    """Return the players to whom the desk gave another place, in the order of `reading_order`."""
    moved = [
        Change(entry, before.places.get(entry.key), now.places.get(entry.key))
        for entry in entries
        if before.given.get(entry.key) != now.given.get(entry.key)
    ]
    return sorted(moved, key=lambda each: (reading_order(each.entry), each.entry.number))
