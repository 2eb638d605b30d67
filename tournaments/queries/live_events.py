"""Live events that all threads of a process share, so that a change is read once for all readers.

An event is as old as an audit entry, the last one when it was read: `Tournament.last_act` is its
digest. If only rounds and phones of some tables have changed since, only these tables are read and
scored again.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock, RLock

from django.conf import settings
from django.db import router
from django.utils.functional import cached_property

from tournaments.models import AuditEntry, Entry, Session, Sitting, Substitution, Tournament
from tournaments.queries import clocks, schedules
from tournaments.queries.events import Event, LoadedEvent
from tournaments.queries.presence import withdrawn_from
from tournaments.queries.progress import SessionProgress
from tournaments.queries.ranking_facts import RankingFacts, ranking_facts
from tournaments.queries.sheets import Sheet, sheets_of
from tournaments.queries.standings import Standing, Tally, standings_of
from tournaments.queries.team_standings import TeamStanding, team_standings_of

MAX_EVENTS = 8  # events of a process; one with a thousand players takes about 20 MB
MAX_TABLES = 300  # tables read again at most; above that all are

Kind = AuditEntry.Kind
# Kinds of audit entries that change nothing but what belongs to the table of their subject.
TABLE_KINDS = frozenset(
    {
        *(Kind.ROUND_RECORDED, Kind.ROUND_CONTINUED, Kind.ROUND_CORRECTED, Kind.ROUND_ACCEPTED),
        *(Kind.TOTALS_ENTERED, Kind.TOTALS_CORRECTED, Kind.PAPER_OVERRULED),
        *(Kind.ROUND_DISPUTED, Kind.DISPUTE_SETTLED),
        *(Kind.DESK_CALLED, Kind.CALL_ANSWERED, Kind.CALL_TAKEN_BACK),
        *(Kind.PHONE_JOINED, Kind.PHONE_TOOK_OVER),
    }
)


# Kinds of audit entries that change nothing an event holds, but for who has withdrawn.
OTHER_KINDS = frozenset(
    {
        *(Kind.PRESENCE_MARKED, Kind.ROLL_CALL_RESTARTED, *clocks.KINDS),
        *(*schedules.KINDS, *schedules.SHOWING_KINDS),
        *(Kind.SERIES_JOINED, Kind.SERIES_LEFT),
        *(Kind.REGISTRATION_SET, Kind.REGISTERED),
        *(Kind.REGISTRATION_DECIDED, Kind.REGISTRATION_ENDED, Kind.CONTACTS_ERASED),
    }
)


class LiveEvent(LoadedEvent):
    """A tournament as of one audit entry. Threads share it: requests must not change it."""

    def __init__(
        self,
        tournament: Tournament,
        last: AuditEntry,
        facts: RankingFacts,
        *,
        read_at: float,
    ) -> None:
        """Keep what was read. `last` is the newest audit entry, read before everything else.

        `read_at` is the monotonic time when reading began: what was written since may be missing.
        """
        super().__init__(tournament)
        self.last = last
        self.read_at = read_at
        self._facts = facts
        self._lock = RLock()

    @property
    def entries(self) -> list[Entry]:
        """Return the players, ordered by number."""
        return self._facts.entries

    @property
    def sheets(self) -> list[Sheet]:
        """Return all sheets, ordered by session and table."""
        return self._facts.sheets

    @property
    def ranking_facts(self) -> RankingFacts:
        """Return all that the standings are derived from."""
        return self._facts

    @property
    def substitutions(self) -> Sequence[Substitution]:
        """Return who plays in whose stead, by session."""
        return self._facts.substitutions

    @property
    def standings(self) -> list[Standing]:
        """Return all players in the order of their places, ranked by the first thread that asks."""
        with self._lock:
            return self._standings

    @cached_property
    def _standings(self) -> list[Standing]:
        return standings_of(self._facts)

    @property
    def team_standings(self) -> list[TeamStanding]:
        """Return the teams in the order of their places, ranked by the first thread that asks."""
        with self._lock:
            return self._team_standings

    @cached_property
    def _team_standings(self) -> list[TeamStanding]:
        return team_standings_of(self._facts)

    @property
    def cache_key(self) -> str:
        """Return the digest of the last audit entry."""
        return self.last.digest

    def is_as_of(self, tournament: Tournament) -> bool:
        """Return whether nothing has changed since, according to a row read just now."""
        return self.last.digest == tournament.last_act


class _Slot:
    """The event of one tournament, and the lock of the thread that reads it."""

    def __init__(self) -> None:
        self.event: LiveEvent | None = None
        self.lock = Lock()


class LiveEvents:
    """The events of a process, by primary key; the least recently used ones are dropped.

    A replica has events of its own, which may be older.
    """

    def __init__(self, max_events: int = MAX_EVENTS) -> None:
        self._max_events = max_events
        self._slots: OrderedDict[tuple[str, int], _Slot] = OrderedDict()
        self._lock = Lock()

    def current(self, tournament: Tournament) -> Event:
        """Return the event as of this row of its tournament, or later; nothing is read yet."""
        return CurrentEvent(tournament, self)

    def recent(self, tournament: Tournament) -> Event:
        """Return the event as it was at most `PUBLIC_CACHE_SECONDS` ago.

        While another thread reads a newer one, return the one before.
        """
        return self.get(tournament, seconds_kept=settings.PUBLIC_CACHE_SECONDS)

    def forget(self) -> None:
        """Drop all events."""
        with self._lock:
            self._slots.clear()

    def get(self, tournament: Tournament, *, seconds_kept: float = 0) -> Event:
        """Return an event, read by one thread at a time.

        An event read before, up to `seconds_kept` ago, is returned although something has changed.
        """
        if not tournament.last_act:  # a tournament that nothing has happened in
            return Event(tournament)
        begun = time.monotonic()
        slot = self._slot_of(tournament)
        event = slot.event
        if event and (event.is_as_of(tournament) or begun - event.read_at < seconds_kept):
            return event
        if event and seconds_kept and slot.lock.locked():
            return event
        with slot.lock:
            event = slot.event
            if event and (event.is_as_of(tournament) or event.read_at > begun):
                return event  # read by the thread that held the lock
            slot.event = event = read_event(tournament, event)
            return event

    def _slot_of(self, tournament: Tournament) -> _Slot:
        key = router.db_for_read(Tournament), tournament.pk
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            while len(self._slots) > self._max_events:
                self._slots.popitem(last=False)
            return slot


class CurrentEvent(Event):
    """A tournament for one request: what concerns all tables is shared, a single table is read."""

    def __init__(self, tournament: Tournament, shared: LiveEvents) -> None:
        """Keep the tournament; everything else is read lazily."""
        super().__init__(tournament)
        self._shared = shared

    @cached_property
    def _whole(self) -> Event:
        return self._shared.get(self.tournament)

    @property
    def cache_key(self) -> str:
        """Return the digest of the last audit entry when the tournament's row was read."""
        return self.tournament.last_act

    @property
    def mark(self) -> str:
        """Return the digest of the last audit entry, of the tournament's row and all else."""
        last_act = self.tournament.last_act
        return last_act if last_act and self._whole.cache_key == last_act else ""

    @property
    def entries(self) -> list[Entry]:
        """Return the players, ordered by number."""
        return self._whole.entries

    @property
    def sessions(self) -> list[SessionProgress]:
        """Return the sessions with their progress."""
        return self._whole.sessions

    @property
    def sheets(self) -> list[Sheet]:
        """Return all sheets, ordered by session and table."""
        return self._whole.sheets

    def session(self, number: int) -> tuple[Session, list[Sheet]]:
        """Return a session and the sheets of its tables. Raises `NotThere`."""
        return self._whole.session(number)

    @property
    def substitutions(self) -> Sequence[Substitution]:
        """Return who plays in whose stead, by session."""
        return self._whole.substitutions

    @property
    def standings(self) -> list[Standing]:
        """Return all players in the order of their places."""
        return self._whole.standings

    @property
    def team_standings(self) -> list[TeamStanding]:
        """Return the teams in the order of their places."""
        return self._whole.team_standings

    @property
    def ranking_facts(self) -> RankingFacts:
        """Return all that the standings are derived from."""
        return self._whole.ranking_facts

    @property
    def tally(self) -> Tally:
        """Return how many rounds count, are unfinished, and are planned."""
        return self._whole.tally


events = LiveEvents()


def read_event(tournament: Tournament, previous: LiveEvent | None = None) -> LiveEvent:
    """Return the event as it is now; what has not changed is taken from `previous`.

    The audit entries are read before anything else, so that the event is never older than them.
    """
    begun = time.monotonic()
    since = _entries_since(tournament, previous)
    if previous is not None and since is not None:
        tables = _tables_changed(since)
        if tables is not None and len(tables) <= MAX_TABLES:
            last = since[-1] if since else previous.last
            sheets = _with_tables_read_again(previous.sheets, tables)
            facts = previous.ranking_facts._replace(sheets=sheets)
            if any(entry.kind in OTHER_KINDS for entry in since or ()):
                facts = facts._replace(withdrawn=withdrawn_from(tournament))
            return LiveEvent(tournament, last, facts, read_at=begun)
    last = tournament.audit_entries.latest("number")
    return LiveEvent(tournament, last, ranking_facts(tournament), read_at=begun)


def _entries_since(tournament: Tournament, previous: LiveEvent | None) -> list[AuditEntry] | None:
    """Return the audit entries after those of an event; None if it is not of the same chain.

    It is not where a backup was restored, or a transaction was rolled back.
    """
    if previous is None:
        return None
    known = tournament.audit_entries.filter(number__gte=previous.last.number).order_by("number")
    first = next(iter(entries := list(known.defer("old", "new"))), None)
    return entries[1:] if first and first.digest == previous.last.digest else None


def _tables_changed(since: Iterable[AuditEntry]) -> set[tuple[int, int]] | None:
    """Return session and table of all that has changed; None if other things have."""
    tables = set()
    for entry in since:
        if entry.kind in OTHER_KINDS:
            continue
        if entry.kind not in TABLE_KINDS:
            return None
        tables.add((entry.subject["session"], entry.subject["table"]))
    return tables


def _with_tables_read_again(sheets: Sequence[Sheet], tables: set[tuple[int, int]]) -> list[Sheet]:
    """Return the sheets in the same order, those of these sessions and tables as they are now."""
    changed = [
        sheet.sitting.pk
        for sheet in sheets
        if (sheet.sitting.session.number, sheet.sitting.number) in tables
    ]
    read = {each.sitting.pk: each for each in sheets_of(Sitting.objects.filter(pk__in=changed))}
    return [read.get(each.sitting.pk, each) for each in sheets]
