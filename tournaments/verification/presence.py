"""The marks of the roll call."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import AuditEntry, Presence
from tournaments.queries.presence import Status
from tournaments.verification.trail import Fault, Trail, check

Kind = AuditEntry.Kind
Marks = dict[tuple[int, int], str]  # statuses by session number and number of the player


@check
def check_presence(trail: Trail) -> Iterator[Fault]:
    expected = _expected_marks(trail)
    rows = Presence.objects.filter(entry__tournament=trail.tournament)
    columns = ("session_number", "entry__number", "status")
    stored = {(session, player): mark for session, player, mark in rows.values_list(*columns)}
    for key in sorted(expected.keys() | stored.keys()):
        if expected.get(key) != stored.get(key):
            what = "roll call {} player {}".format(*key)
            yield Fault(what, "is not marked as the audit trail says")


def _expected_marks(trail: Trail) -> Marks:
    marks: Marks = {}
    kinds = (Kind.PRESENCE_MARKED, Kind.ROLL_CALL_RESTARTED, Kind.ENTRY_REMOVED)
    for change in trail.of_kind(*kinds):
        if change.kind == Kind.ENTRY_REMOVED:
            marks = _without_marks_after(0, change.old["number"], marks)
            continue
        session = change.subject["session"]
        if change.kind == Kind.ROLL_CALL_RESTARTED:
            players = [player for group in change.old.values() for player in group]
            marks |= dict.fromkeys([(session, player) for player in players], Status.EXPECTED)
            continue
        player, status = change.new["number"], change.new["status"]
        if status == Status.WITHDRAWN:
            marks = _without_marks_after(session, player, marks)
        marks[session, player] = status
    return marks


def _without_marks_after(session: int, player: int, marks: Marks) -> Marks:
    return {key: status for key, status in marks.items() if key[1] != player or key[0] <= session}
