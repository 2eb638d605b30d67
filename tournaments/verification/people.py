"""Who plays and who sits where: the rows against what follows from the acts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tournaments.models import AuditEntry, Seat, Sitting
from tournaments.verification.tables import removed_by
from tournaments.verification.trail import Fault, Trail

Kind = AuditEntry.Kind
PRIVATE = "private"
TOLD_OF = (Kind.ENTRIES_ADDED, Kind.ENTRY_CHANGED, Kind.PRIVATE_CHANGED, Kind.ENTRY_REMOVED)
Seated = list[tuple[int, str]]  # position and player


def strange_entries(trail: Trail) -> Iterator[Fault]:
    """Compare what anybody may know of every player with what the acts make of it."""
    if not trail.tells_of(*TOLD_OF):
        return
    told = _entries(trail)
    for entry in trail.tournament.entries.all():
        facts = told.pop(entry.number, None)
        if facts is None:
            yield Fault(f"player {entry.number}", "nobody added them")
            continue
        facts = {"reading": "", **facts}  # which older acts do not tell, for there was none
        # Older acts tell nothing of what is private.
        stored = entry.audit_facts() if PRIVATE in facts else entry.public_facts()
        if facts != stored:
            yield Fault(f"player {entry.number}", "differs from what the acts tell")
    for number in told:
        yield Fault(f"player {number}", "is missing, though an act added them")


def _entries(trail: Trail) -> dict[int, dict[str, Any]]:
    """Return what the acts tell of every player, by number."""
    told: dict[int, dict[str, Any]] = {}
    for act in trail.of(*TOLD_OF, Kind.ARCHIVE_READ):
        match act.kind:
            case Kind.ARCHIVE_READ:
                told = {number: _moved(facts, act.new) for number, facts in told.items()}
            case Kind.ENTRY_REMOVED:
                told.pop(act.old["number"], None)
            case _:
                added = act.new if act.kind == Kind.ENTRIES_ADDED else [act.new]
                told |= {facts["number"]: facts for facts in added}
    return told


def _moved(facts: dict[str, Any], move: dict[str, Any]) -> dict[str, Any]:
    """Return a player after the event was brought in, perhaps without what is private."""
    if move.get(PRIVATE):
        return facts
    public = {name: value for name, value in facts.items() if name != PRIVATE}
    return public | {PRIVATE: None} if PRIVATE in move else public


def strange_seats(trail: Trail) -> Iterator[Fault]:
    """Compare every seat of every table with what the acts make of it."""
    if not trail.tells_of(Kind.SESSION_OPENED):
        return
    told, stored = _told(trail), _stored(trail)
    for place in sorted(told.keys() | stored.keys()):
        if told.get(place) != stored.get(place):
            what = "session {} table {}".format(*place)
            yield Fault(what, "is not seated as the acts tell")
    for session in trail.tournament.sessions.all():
        expected = _totals_only(trail, session.number)
        if expected not in (None, session.totals_only):
            what = f"session {session.number}"
            yield Fault(what, "takes down other things than when it was seated")


def _told(trail: Trail) -> dict[tuple[int, int], Seated]:
    """Return who sits at which table of which session, as the acts tell."""
    told: dict[tuple[int, int], Seated] = {}
    seating = (Kind.SESSION_OPENED, Kind.SESSION_RESEATED, Kind.SESSION_REMOVED)
    for act in trail.of(*seating, Kind.PLAYERS_EXCHANGED):
        is_exchange = act.kind == Kind.PLAYERS_EXCHANGED
        tables = act.new.items() if is_exchange else enumerate(act.new or (), 1)
        for place in removed_by(act):
            told.pop(place, None)
        for table, players in tables:
            told[act.subject["session"], int(table)] = list(enumerate(players, 1))
    return told


def _stored(trail: Trail) -> dict[tuple[int, int], Seated]:
    """Return the same as it stands in the database."""
    tournament = trail.tournament
    sittings = Sitting.objects.filter(session__tournament=tournament)
    places = sittings.values_list("session__number", "number")
    stored: dict[tuple[int, int], Seated] = defaultdict(list, {place: [] for place in places})
    seats = Seat.objects.filter(sitting__session__tournament=tournament).order_by("position")
    for seat in seats.select_related("sitting__session", "entry"):
        place = (seat.sitting.session.number, seat.sitting.number)
        is_ours = seat.entry.tournament_id == tournament.pk
        stored[place].append((seat.position, seat.entry.key if is_ours else "of another event"))
    return stored


def _totals_only(trail: Trail, session: int) -> bool | None:
    """Return whether only totals were to be taken down when a session was seated, if told."""
    now = seated = None
    for act in trail.acts:
        if act.kind == Kind.RULES_SET and isinstance(act.new, dict):
            now = act.new.get("totals_only")
        elif act.kind == Kind.SESSION_OPENED and act.subject["session"] == session:
            seated = now
    return seated
