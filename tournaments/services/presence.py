"""The roll call (点呼): marking who is there in a session, and starting it again."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ChangedSince
from tournaments.models import AuditEntry, Entry, Presence, Tournament
from tournaments.queries import presence
from tournaments.queries.events import NotThere
from tournaments.queries.presence import Status
from tournaments.services import closing, seating


class MarkedOtherwise(ChangedSince):
    """Somebody has marked the player since: `mark` is the one in force."""

    code = "marked_otherwise"
    at = "seen"
    sentence = _(
        "This player’s mark has changed since you opened this page. Check it, and mark again if "
        "it is wrong."
    )

    def __init__(self, number: int, mark: Status) -> None:
        super().__init__(self.code)
        self.mark = mark
        self.more = {"stored": {"number": number, "status": str(mark)}}


class RollCallChanged(ChangedSince):
    code = "roll_call_changed"
    at = "seen"
    sentence = _(
        "Marks have changed since you opened this page. Check the roll call, then try again."
    )


@transaction.atomic
def mark_presence(
    entry: Entry,
    session: int,
    status: Status,
    *,
    seen_status: Status,
    by: Actor,
    reason: str = "",
) -> None:
    """Mark a player in the roll call of a session, given by its number. Idempotent.

    `seen_status` is the status that the writer was shown; also that before a first round was
    recorded of an unmarked player, which makes them present. Marking a player as withdrawn deletes
    the marks in later sessions. Raises `MarkedOtherwise` if the player has a third status by now,
    `Entry.DoesNotExist`, and what `lock_for_roll_call` raises.
    """
    tournament = lock_for_roll_call(entry.tournament, session)
    current = Entry.objects.get(pk=entry.pk)
    old = presence.status_of(current, session)
    marked = presence.marked_status(current, session)
    if status == marked:
        return
    if seen_status not in {old, marked}:
        raise MarkedOtherwise(entry.number, old)
    Presence.objects.update_or_create(
        entry=current, session_number=session, defaults={"status": status}
    )
    if status == Status.WITHDRAWN:
        current.presence.filter(session_number__gt=session).delete()
    audit.append_entry(
        tournament,
        AuditEntry.Kind.PRESENCE_MARKED,
        by,
        subject={"session": session},
        old={"number": current.number, "status": str(old)},
        new={"number": current.number, "status": str(status)},
        reason=reason,
        is_locked=True,
    )


@transaction.atomic
def restart_roll_call(
    tournament: Tournament, session: int, *, seen_version: int, by: Actor, reason: str = ""
) -> None:
    """Mark every player as expected in a session, given by its number. Idempotent.

    Players who have withdrawn, and those added as substitutes, keep their status. `seen_version` is
    the version of the marks that was shown. Raises `RollCallChanged`, and what `lock_for_roll_call`
    raises.
    """
    current = lock_for_roll_call(tournament, session)
    roll = presence.roll_call(current, session)
    marked = {
        entry: status
        for entry, status in roll.statuses.items()
        if status not in {Status.EXPECTED, Status.WITHDRAWN} and not entry.is_substitute
        if entry not in roll.playing
    }
    if not marked:
        return
    if presence.marks_version(current) != seen_version:
        raise RollCallChanged
    Presence.objects.bulk_create(
        [Presence(entry=each, session_number=session, status=Status.EXPECTED) for each in marked],
        update_conflicts=True,
        unique_fields=["entry", "session_number"],
        update_fields=["status"],
    )
    audit.append_entry(
        current,
        AuditEntry.Kind.ROLL_CALL_RESTARTED,
        by,
        subject={"session": session},
        old={
            str(status): [entry.number for entry in marked if marked[entry] == status]
            for status in Status
            if status in marked.values()
        },
        reason=reason,
        is_locked=True,
    )


def lock_for_roll_call(tournament: Tournament, session: int) -> Tournament:
    """Lock the tournament and return it read anew.

    Raises `NotThere` unless the session is seated or the next one to be seated,
    `seating.OneTable` for a club table, and `closing.EventClosed`.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    if current.kind == Tournament.Kind.TABLE:
        raise seating.OneTable
    if not seating.can_be_called(current, session):
        raise NotThere
    return current
