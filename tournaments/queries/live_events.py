"""Live events that all threads of a process share, so that a change is read once for all readers.

A shared event is the state after one audit entry: the last one when the event was read.
`Tournament.last_act` is the digest of the newest entry; an event with another digest is out of
date. If only rounds and phones of some tables have changed since then, only these tables are read
and scored again.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from threading import Lock, RLock

from django.conf import settings
from django.db import router
from django.utils.functional import cached_property

from scoring.ranking.absence import Absence
from tournaments.models import AuditEntry, Entry, Session, Sitting, Substitution, Tournament
from tournaments.models.audit import Touches, kinds_touching
from tournaments.queries.events import Event, LoadedEvent, keep_stage_starts
from tournaments.queries.presence import away_from
from tournaments.queries.progress import SessionProgress
from tournaments.queries.ranking_facts import RankingFacts, ranking_facts, sessions_of
from tournaments.queries.round_points import sessions_played
from tournaments.queries.selection_changes import SelectionChange, selection_changes
from tournaments.queries.sheets import Sheet, sheets_of, with_earlier
from tournaments.queries.standings import Standing, Tally, standings_of
from tournaments.queries.team_standings import TeamStanding, team_standings_of

MAX_EVENTS = 8  # events of a process; one with a thousand players takes about 20 MB
MAX_TABLES = 300  # if more tables have changed, the whole event is read again

TABLE_KINDS = kinds_touching(Touches.ONE_TABLE)
KINDS_APART = kinds_touching(Touches.APART)


class LiveEvent(LoadedEvent):
    """The state of a tournament after one audit entry. Threads share it and must not change it."""

    def __init__(
        self,
        tournament: Tournament,
        last_entry: AuditEntry,
        facts: RankingFacts,
        *,
        read_at: float,
    ) -> None:
        """Store the facts. `last_entry` is the newest audit entry, read before the facts.

        `read_at` is the monotonic time when reading began; later writes may be missing.
        """
        super().__init__(tournament)
        keep_stage_starts(tournament, facts)
        self.last_entry = last_entry
        self.read_at = read_at
        self._facts = facts
        self._lock = RLock()

    @property
    def entries(self) -> list[Entry]:
        return self._facts.entries

    @property
    def sheets(self) -> list[Sheet]:
        return self._facts.sheets

    @property
    def ranking_facts(self) -> RankingFacts:
        return self._facts

    @property
    def substitutions(self) -> Sequence[Substitution]:
        return self._facts.substitutions

    @property
    def standings(self) -> list[Standing]:
        """Derived once, by the first thread that needs them."""
        with self._lock:
            return self._standings

    @cached_property
    def _standings(self) -> list[Standing]:
        """The caller holds `_lock`."""
        return standings_of(self._facts)

    @property
    def selection_changes(self) -> list[SelectionChange]:
        with self._lock:
            return self._selection_changes

    @cached_property
    def _selection_changes(self) -> list[SelectionChange]:
        """The caller holds `_lock`."""
        return selection_changes(self._facts)

    @property
    def team_standings(self) -> list[TeamStanding]:
        with self._lock:
            return self._team_standings

    @cached_property
    def _team_standings(self) -> list[TeamStanding]:
        """The caller holds `_lock`."""
        return team_standings_of(self._facts)

    @property
    def sessions_played(self) -> Mapping[str, int]:
        with self._lock:
            return self._sessions_played

    @cached_property
    def _sessions_played(self) -> Mapping[str, int]:
        """The caller holds `_lock`."""
        return sessions_played(self._facts)

    @property
    def absences(self) -> Mapping[str, Mapping[int, Absence]]:
        with self._lock:
            return super().absences

    @property
    def cache_key(self) -> str:
        """Return the digest of the last audit entry."""
        return self.last_entry.digest

    def is_current(self, tournament: Tournament) -> bool:
        """Return whether no audit entry follows this event's, according to a row read just now."""
        return self.last_entry.digest == tournament.last_act


class _Slot:
    """The cached event of one tournament, None before it is read; `lock` is held while reading."""

    def __init__(self) -> None:
        self.event: LiveEvent | None = None
        self.lock = Lock()


class LiveEvents:
    """The cached events of a process, by database and primary key; a least-recently-used cache.

    Events read from a replica are separate, because they may be older.
    """

    def __init__(self, max_events: int = MAX_EVENTS) -> None:
        self._max_events = max_events
        self._slots: OrderedDict[tuple[str, int], _Slot] = OrderedDict()
        self._lock = Lock()

    def current(self, tournament: Tournament) -> Event:
        """Return a lazy event with the state of this row of the tournament, or a newer state."""
        return CurrentEvent(tournament, self)

    def recent(self, tournament: Tournament) -> Event:
        """Return the event as it was at most `PUBLIC_CACHE_SECONDS` ago.

        It may be older while another thread is reading the event again.
        """
        return self.get(tournament, max_age=settings.PUBLIC_CACHE_SECONDS)

    def forget(self) -> None:
        with self._lock:
            self._slots.clear()

    def get(self, tournament: Tournament, *, max_age: float = 0) -> Event:
        """Return the cached event, after reading it again if it is out of date.

        One thread reads at a time; the others wait for it. With `max_age` (in seconds), an event
        that is out of date is returned if it was read at most so long ago, or if another thread is
        reading it again.
        """
        if not tournament.last_act:  # no audit entry yet
            return Event(tournament)
        begun = time.monotonic()
        slot = self._slot_of(tournament)
        event = slot.event
        if event and (event.is_current(tournament) or begun - event.read_at < max_age):
            return event
        if event and max_age and slot.lock.locked():
            return event
        with slot.lock:
            event = slot.event
            if event and (event.is_current(tournament) or event.read_at > begun):
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
    """A tournament for one request, which takes what concerns all tables from the shared event.

    Single sheets (`sheet`) and seats (`tables`) are read from the database.
    """

    def __init__(self, tournament: Tournament, shared: LiveEvents) -> None:
        super().__init__(tournament)
        self._live_events = shared

    @cached_property
    def _shared_event(self) -> Event:
        """Return the shared event, read again if it is out of date."""
        return self._live_events.get(self.tournament)

    @property
    def cache_key(self) -> str:
        """Return the digest of the last audit entry as of the tournament's row."""
        return self.tournament.last_act

    @property
    def parts_cache_key(self) -> str:
        """Return the digest of the last audit entry; empty without one.

        Also empty if the shared event is newer than the tournament's row: a page would then show
        two states, and must not be cached.
        """
        digest = self.tournament.last_act
        return digest if digest and self._shared_event.cache_key == digest else ""

    @property
    def entries(self) -> list[Entry]:
        return self._shared_event.entries

    @property
    def sessions(self) -> list[SessionProgress]:
        return self._shared_event.sessions

    @property
    def sheets(self) -> list[Sheet]:
        return self._shared_event.sheets

    def session(self, number: int) -> tuple[Session, list[Sheet]]:
        return self._shared_event.session(number)

    @property
    def substitutions(self) -> Sequence[Substitution]:
        return self._shared_event.substitutions

    @property
    def results_substitutions(self) -> Sequence[Substitution]:
        return self._shared_event.results_substitutions

    @property
    def standings(self) -> list[Standing]:
        return self._shared_event.standings

    @property
    def selection_changes(self) -> list[SelectionChange]:
        return self._shared_event.selection_changes

    @property
    def team_standings(self) -> list[TeamStanding]:
        return self._shared_event.team_standings

    @property
    def sessions_played(self) -> Mapping[str, int]:
        return self._shared_event.sessions_played

    @property
    def absences(self) -> Mapping[str, Mapping[int, Absence]]:
        return self._shared_event.absences

    @property
    def ranking_facts(self) -> RankingFacts:
        return self._shared_event.ranking_facts

    @property
    def tally(self) -> Tally:
        return self._shared_event.tally


events = LiveEvents()


def read_event(tournament: Tournament, previous: LiveEvent | None = None) -> LiveEvent:
    """Return the event as it is now; sheets that have not changed are taken from `previous`.

    The audit entries are read first, so that the facts are at least as new as the last entry.
    """
    begun = time.monotonic()
    new_audit_entries = _audit_entries_since(tournament, previous)
    if previous is not None and new_audit_entries is not None:
        tables = _changed_tables(new_audit_entries)
        if tables is not None and len(tables) <= MAX_TABLES:
            last = new_audit_entries[-1] if new_audit_entries else previous.last_entry
            sheets = _with_tables_read_again(previous.sheets, tables)
            facts = replace(previous.ranking_facts, sheets=sheets)
            if any(entry.kind in KINDS_APART for entry in new_audit_entries):
                # A mark of the roll call may say that a player is away, or no longer.
                away = away_from(tournament, sessions_of(sheets), facts.entries)
                facts = replace(facts, withdrawn=away.withdrawn, away=away.by_session)
            return LiveEvent(tournament, last, facts, read_at=begun)
    last = tournament.audit_entries.latest("number")
    return LiveEvent(tournament, last, ranking_facts(tournament), read_at=begun)


def _audit_entries_since(
    tournament: Tournament, previous: LiveEvent | None
) -> list[AuditEntry] | None:
    """Return the audit entries appended since an event was read, in order.

    None without a previous event, and if its last entry is no longer in the chain: a backup was
    restored, or the event was read in a transaction that was rolled back.
    """
    if previous is None:
        return None
    rows = tournament.audit_entries.filter(number__gte=previous.last_entry.number)
    audit_entries = list(rows.order_by("number").defer("old", "new"))
    is_same_chain = bool(audit_entries) and audit_entries[0].digest == previous.last_entry.digest
    return audit_entries[1:] if is_same_chain else None


def _changed_tables(audit_entries: Iterable[AuditEntry]) -> set[tuple[int, int]] | None:
    """Return (session, table) of every table that these audit entries changed.

    None if they changed more than tables, so that the whole event must be read again.
    """
    tables = set()
    for entry in audit_entries:
        if entry.kind in KINDS_APART:
            continue
        if entry.kind not in TABLE_KINDS:
            return None
        subject = entry.subject
        tables.add((subject["session"], subject["table"]))
        if "goes_on_at" in subject:
            tables.add((subject["session"], subject["goes_on_at"]))
    return tables


def _with_tables_read_again(sheets: Sequence[Sheet], tables: set[tuple[int, int]]) -> list[Sheet]:
    """Return the sheets in the same order; those of these (session, table) are read again."""
    changed = [
        sheet.sitting.pk
        for sheet in sheets
        if (sheet.sitting.session.number, sheet.sitting.number) in tables
    ]
    new_sheets = sheets_of(Sitting.objects.filter(pk__in=changed))
    by_sitting = {each.sitting.pk: each for each in new_sheets}
    return with_earlier([by_sitting.get(each.sitting.pk, each) for each in sheets])
