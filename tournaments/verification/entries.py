"""Entries (players), their seats, and the draws of these."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tournaments.models import AuditEntry, Draw, Seat, Sitting
from tournaments.models.entry_fields import PUBLIC_FIELDS
from tournaments.verification.tables import Table, tables_removed_by
from tournaments.verification.trail import Fault, Trail, check

Kind = AuditEntry.Kind
PRIVATE = "private"
# In audit entries of these kinds, `old` and `new` have players by table number; in others of seats,
# a list of players for each table.
KINDS_BY_TABLE = (Kind.PLAYERS_EXCHANGED, Kind.PLAYERS_CHANGED)
ENTRY_KINDS = (Kind.ENTRIES_ADDED, Kind.ENTRY_CHANGED, Kind.PRIVATE_CHANGED, Kind.ENTRY_REMOVED)
SeatedPlayers = list[tuple[int, str]]  # position and player


@check
def check_entries(trail: Trail) -> Iterator[Fault]:
    if not trail.can_check(*ENTRY_KINDS):
        return
    expected = _expected_entries(trail)
    for entry in trail.tournament.entries.all():
        facts = expected.pop(entry.number, None)
        if facts is None:
            yield Fault(f"player {entry.number}", "nobody added them")
            continue
        facts = dict.fromkeys(PUBLIC_FIELDS, "") | facts  # fields that older entries do not have
        # Older audit entries have no digest of private facts.
        stored = entry.audit_values() if PRIVATE in facts else entry.public_values()
        if facts != stored:
            yield Fault(f"player {entry.number}", "differs from the audit trail")
    for number in expected:
        yield Fault(f"player {number}", "is missing, though an audit entry added them")


def _expected_entries(trail: Trail) -> dict[int, dict[str, Any]]:
    expected: dict[int, dict[str, Any]] = {}
    for change in trail.of_kind(*ENTRY_KINDS, Kind.ARCHIVE_READ, Kind.PRIVATE_ERASED):
        match change.kind:
            case Kind.ARCHIVE_READ:
                expected = {
                    number: _entry_after_import(facts, change.new)
                    for number, facts in expected.items()
                }
            case Kind.PRIVATE_ERASED:
                expected = {number: facts | {PRIVATE: None} for number, facts in expected.items()}
            case Kind.ENTRY_REMOVED:
                expected.pop(change.old["number"], None)
            case _:
                added = change.new if change.kind == Kind.ENTRIES_ADDED else [change.new]
                expected |= {facts["number"]: facts for facts in added}
    return expected


def _entry_after_import(facts: dict[str, Any], archive: dict[str, Any]) -> dict[str, Any]:
    """Return an entry's facts after an import.

    `archive` is `new` of the import's audit entry; its key `private` says whether the archive had
    private facts. If it had none, they are empty since (None). If the key is missing, as in older
    audit entries, nothing is known about them.
    """
    if archive.get(PRIVATE):
        return facts
    public = {name: value for name, value in facts.items() if name != PRIVATE}
    return public | {PRIVATE: None} if PRIVATE in archive else public


@check
def check_seats(trail: Trail) -> Iterator[Fault]:
    """Compare every seat, and whether a session records only totals."""
    if not trail.can_check(Kind.SESSION_OPENED):
        return
    expected_seats, stored = _expected_seats(trail), _stored_seats(trail)
    for table in sorted(expected_seats.keys() | stored.keys()):
        if expected_seats.get(table) != stored.get(table):
            what = "session {} table {}".format(*table)
            yield Fault(what, "is not seated as the audit trail says")
    for session in trail.tournament.sessions.all():
        expected = _totals_only_when_seated(trail, session.number)
        if expected not in (None, session.totals_only):
            what = f"session {session.number}"
            yield Fault(what, "records other things than when it was seated")


@check
def check_draws(trail: Trail) -> Iterator[Fault]:
    """Compare the stored draw of every session with the last audit entry that has its draw.

    The seats themselves, which may have been changed by hand, are compared by `check_seats`.
    """
    expected: dict[int, Any] = {}
    kinds = (Kind.SESSION_OPENED, Kind.SESSION_RESEATED, Kind.SESSION_REMOVED)
    for change in trail.of_kind(*kinds):
        session = change.subject["session"]
        if change.kind != Kind.SESSION_RESEATED or "draw" in change.subject:
            expected[session] = change.subject.get("draw")
    rows = Draw.objects.filter(session__tournament=trail.tournament)
    columns = ("session__number", "request", "answer", "nth")
    stored = {
        session: {"request": request, "answer": answer} | ({"nth": nth} if nth != 1 else {})
        for session, request, answer, nth in rows.values_list(*columns)
    }
    for session in sorted(expected.keys() | stored.keys()):
        if expected.get(session) != stored.get(session):
            yield Fault(f"session {session} draw", "is not as the audit trail says")


@check
def check_play_offs(trail: Trail) -> Iterator[Fault]:
    """Compare which sessions are play-offs, their tied players and their own number of rounds.

    Sessions that were over have one since the tournament's number was changed.
    """
    expected: dict[int, tuple[Any, Any]] = {}
    for change in trail.of_kind(Kind.SESSION_OPENED, Kind.RULES_SET):
        subject = change.subject
        if change.kind == Kind.SESSION_OPENED:
            expected[subject["session"]] = (subject.get("tied"), subject.get("rounds_planned"))
            continue
        for session, rounds in subject.get("rounds", {}).items():
            expected[int(session)] = (None, rounds)
    sessions = list(trail.tournament.sessions.order_by("number"))
    for session in sessions:
        stored = (session.tied, session.rounds_planned)
        if expected.get(session.number, (None, None)) != stored:
            yield Fault(f"session {session.number} play-off", "is not as the audit trail says")
    play_offs = {number for number, (tied, _rounds) in expected.items() if tied}
    numbers = [each.number for each in sessions if each.number in play_offs]
    if trail.tournament.play_off_numbers != numbers:
        yield Fault("tournament play_off_numbers", "is not as the audit trail says")


@check
def check_continued_tables(trail: Trail) -> Iterator[Fault]:
    """Compare which table continues which other one, and how many rounds the tables play."""
    expected: dict[Table, tuple[int | None, int | None]] = {}  # continues, rounds_planned
    for change in trail.of_kind(Kind.PLAYERS_CHANGED, Kind.ROUND_RECORDED):
        subject = change.subject
        if "goes_on_at" in subject:  # a round has it if it came after the change
            session, stopped, following = (
                subject[key] for key in ("session", "table", "goes_on_at")
            )
            expected[session, following] = (stopped, None)
            continues, _rounds = expected.get((session, stopped), (None, None))
            expected[session, stopped] = (continues, subject["rounds"])
    rows = Sitting.objects.filter(session__tournament=trail.tournament)
    for sitting in rows.select_related("session", "continues"):
        table = (sitting.session.number, sitting.number)
        continued = sitting.continues
        # -1, which is never expected, stands for a table of another session or event.
        stored = continued and (
            continued.number if continued.session_id == sitting.session_id else -1
        )
        if expected.get(table, (None, None)) != (stored, sitting.rounds_planned):
            what = "session {} table {}".format(*table)
            yield Fault(what, "does not go on as the audit trail says")


@check
def check_exchanges(trail: Trail) -> Iterator[Fault]:
    """Check that each exchange of players starts from the seats that the entries before it give.

    So must each change of the players of a table, which is of one table alone. Tables that no audit
    entry before has seated are not checked.
    """
    for exchange in trail.of_kind(*KINDS_BY_TABLE):
        is_of_one = len(exchange.old) == len(exchange.new) == 1
        if exchange.kind == Kind.PLAYERS_CHANGED and not is_of_one:
            yield Fault(
                f"audit entry {exchange.number}", "changes the players of no table, or of several"
            )
        seats_before = _expected_seats(trail, before=exchange.number)
        for number in exchange.old.keys() | exchange.new.keys():
            seats = seats_before.get((exchange.subject["session"], int(number)))
            if seats not in (None, list(enumerate(exchange.old.get(number, ()), 1))):
                yield Fault(f"audit entry {exchange.number}", "exchanges players seated elsewhere")


def _expected_seats(trail: Trail, *, before: int | None = None) -> dict[Table, SeatedPlayers]:
    """Return the seats by session and table, as the audit entries say.

    With `before`, only the entries before that number count.
    """
    expected: dict[Table, SeatedPlayers] = {}
    seating_kinds = (Kind.SESSION_OPENED, Kind.SESSION_RESEATED, Kind.SESSION_REMOVED)
    for change in trail.of_kind(*seating_kinds, *KINDS_BY_TABLE):
        if before is not None and change.number >= before:
            break
        is_by_table = change.kind in KINDS_BY_TABLE
        tables = change.new.items() if is_by_table else enumerate(change.new or (), 1)
        for removed in tables_removed_by(change):
            expected.pop(removed, None)
        for number, players in tables:
            expected[change.subject["session"], int(number)] = list(enumerate(players, 1))
    return expected


def _stored_seats(trail: Trail) -> dict[Table, SeatedPlayers]:
    tournament = trail.tournament
    sittings = Sitting.objects.filter(session__tournament=tournament)
    tables = sittings.values_list("session__number", "number")
    stored: dict[Table, SeatedPlayers] = defaultdict(list, {table: [] for table in tables})
    seats = Seat.objects.filter(sitting__session__tournament=tournament).order_by("position")
    for seat in seats.select_related("sitting__session", "entry"):
        table = (seat.sitting.session.number, seat.sitting.number)
        is_own = seat.entry.tournament_id == tournament.pk
        stored[table].append((seat.position, seat.entry.key if is_own else "of another event"))
    return stored


def _totals_only_when_seated(trail: Trail, session: int) -> bool | None:
    """Return the setting `totals_only` at the time when this session number was last opened.

    None if no audit entry before has the setting.
    """
    current = when_seated = None
    for change in trail.entries:
        if change.kind == Kind.RULES_SET and isinstance(change.new, dict):
            current = change.new.get("totals_only")
        elif change.kind == Kind.SESSION_OPENED and change.subject["session"] == session:
            when_seated = current
    return when_seated
