"""The marks of the roll call."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import AuditEntry, Presence
from tournaments.queries.presence import Status
from tournaments.verification.trail import Fault, Trail

Kind = AuditEntry.Kind
Marks = dict[tuple[int, int], str]  # statuses by session number and number of the player


def check_presence(trail: Trail) -> Iterator[Fault]:
    """Compare every mark with the audit entries."""
    expected = _expected_marks(trail)
    rows = Presence.objects.filter(entry__tournament=trail.tournament)
    columns = ("session_number", "entry__number", "status")
    stored = {(session, player): mark for session, player, mark in rows.values_list(*columns)}
    for place in sorted(expected.keys() | stored.keys()):
        if expected.get(place) != stored.get(place):
            what = "roll call {} player {}".format(*place)
            yield Fault(what, "is not marked as the audit trail says")


def _expected_marks(trail: Trail) -> Marks:
    """Return the marks as the audit entries say."""
    marks: Marks = {}
    kinds = (Kind.PRESENCE_MARKED, Kind.ROLL_CALL_RESTARTED, Kind.ENTRY_REMOVED)
    for change in trail.of_kind(*kinds):
        if change.kind == Kind.ROLL_CALL_RESTARTED:
            session = change.subject["session"]
            players = [player for group in change.old.values() for player in group]
            marks |= dict.fromkeys([(session, player) for player in players], Status.EXPECTED)
            continue
        removed = change.kind == Kind.ENTRY_REMOVED
        player = (change.old if removed else change.new)["number"]
        ends_after = 0 if removed else change.subject["session"]
        if removed or change.new["status"] == Status.WITHDRAWN:
            marks = {
                place: status
                for place, status in marks.items()
                if place[1] != player or place[0] <= ends_after
            }
        if not removed:
            marks[change.subject["session"], player] = change.new["status"]
    return marks
