"""Where everybody sits in a session, and who sits elsewhere than before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from tournaments.models import AuditEntry, Entry, Session
from tournaments.models.people import search_key

Tables = Mapping[int, Sequence[Entry]]  # by number
Places = dict[str, tuple[int, int]]  # table and seat, from 1, by the player's number as text

# On A4, in two columns.
NAMES_ON_A_PAGE = 56
TABLES_ON_A_PAGE = 8

SEATED_ANEW = (
    AuditEntry.Kind.SESSION_OPENED,
    AuditEntry.Kind.SESSION_RESEATED,
    AuditEntry.Kind.PLAYERS_EXCHANGED,
    AuditEntry.Kind.PLAYERS_CHANGED,
)
OF_SOME_TABLES = frozenset({AuditEntry.Kind.PLAYERS_EXCHANGED, AuditEntry.Kind.PLAYERS_CHANGED})


class Place(NamedTuple):
    """A player's table by its number, and the seat, counted from 1."""

    entry: Entry
    table: int
    seat: int


def tables_of(session: Session) -> dict[int, list[Entry]]:
    """Return who sits at each table, by its number; without tables that go on elsewhere."""
    sittings = session.sittings.filter(continued_by=None).prefetch_related("seats__entry")
    return {each.number: [seat.entry for seat in each.seats.all()] for each in sittings}


def places_by_name(tables: Tables) -> list[Place]:
    """Return every player's place, in the order of readings; of names where there is none."""
    places = [
        Place(entry, table, seat)
        for table, entries in tables.items()
        for seat, entry in enumerate(entries, 1)
    ]
    return sorted(places, key=lambda each: (reading_order(each.entry), each.entry.number))


def reading_order(entry: Entry) -> str:
    """Return the key by which players are listed: the reading, or the name."""
    return search_key(entry.reading or entry.name)


def columns_of(tables: Tables) -> dict[str, Any]:
    """Return what the list for the wall prints in its columns, by name and by table."""
    places = places_by_name(tables)
    return {
        "places": places,
        "names_break": break_for_columns(len(places), NAMES_ON_A_PAGE),
        "tables": list(tables.items()),
        "tables_break": break_for_columns(len(tables), TABLES_ON_A_PAGE),
    }


def break_for_columns(count: int, on_a_page: int) -> int:
    """Return with which item, counted from 1, the second of two even columns begins; 0: none.

    More than fit a page fill its columns to the bottom.

    >>> break_for_columns(35, on_a_page=56), break_for_columns(57, on_a_page=56)
    (19, 0)
    """
    return (count + 1) // 2 + 1 if count <= on_a_page else 0


class Version(NamedTuple):
    """The seats of a session, the `number`-th since it was first opened."""

    number: int
    at: datetime
    places: Places


def versions_of(session: Session) -> list[Version]:
    """Return every version of a session's seats since it was opened last, oldest first.

    The number of a version stands on the lists printed while it was in force; those of a session
    that was removed are not given again.
    """
    entries = session.tournament.audit_entries.filter(
        kind__in=SEATED_ANEW, subject__session=session.number
    )
    versions: list[Version] = []
    tables: dict[int, list[str]] = {}
    for number, entry in enumerate(entries.order_by("number"), 1):
        if entry.kind == AuditEntry.Kind.SESSION_OPENED:  # again, if it was removed before
            versions = []
        if entry.kind in OF_SOME_TABLES:
            if "goes_on_at" in entry.subject:  # its players sit at another table since
                tables.pop(entry.subject["table"], None)
            tables |= {int(table): players for table, players in _items(entry.new)}
        else:
            tables = dict(enumerate(entry.new or (), 1))
        versions.append(Version(number, entry.at, _places(tables)))
    return versions


def _items(tables: Any) -> list[tuple[str, list[str]]]:
    return list((tables or {}).items())


def _places(tables: dict[int, list[str]]) -> Places:
    return {
        key: (table, seat)
        for table, players in tables.items()
        for seat, key in enumerate(players, 1)
    }


class Change(NamedTuple):
    """A player's place before and now; None for no seat."""

    entry: Entry
    before: tuple[int, int] | None
    now: tuple[int, int] | None

    @property
    def is_new_table(self) -> bool:
        """Return whether it is another table, and not only another seat."""
        return (self.before or (0,))[0] != (self.now or (0,))[0]


def changes_between(before: Version, now: Version, entries: Sequence[Entry]) -> list[Change]:
    """Return who sits elsewhere, in the order of readings; players removed since are left out."""
    changes = [
        Change(entry, before.places.get(entry.key), now.places.get(entry.key)) for entry in entries
    ]
    moved = [each for each in changes if each.before != each.now]
    return sorted(moved, key=lambda each: (reading_order(each.entry), each.entry.number))
