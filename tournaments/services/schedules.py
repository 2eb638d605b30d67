"""Planned seats (予定の席) of sessions to come: storing, changing, showing and deleting them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ChangedSince
from tournaments.models import AuditEntry, Entry, Schedule, Tournament
from tournaments.queries import schedules
from tournaments.queries.progress import current_plan
from tournaments.services import closing, seating
from tournaments.services.seating import DrawFacts, OneTable
from tournaments.services.versions import check_version

Kind = AuditEntry.Kind


class NotPlanned(ChangedSince):
    code = "not_planned"
    at = "planned"
    sentence = _(
        "No seats are planned for this session; they may have been assigned since you "
        "opened this page. Reload it."
    )


class BeyondStage(seating.BeyondPlan):
    """Seats would be planned for more sessions than the current stage has left."""

    at = "sessions"
    sentence = _(
        "Seats can be planned only for the sessions planned for this stage. Confirm first who"
        " advances to the next stage, or plan more sessions of this one."
    )


@transaction.atomic
def store_schedule(
    tournament: Tournament, first_session: int, draw: DrawFacts, *, seen_version: int, by: Actor
) -> Schedule:
    """Store the seats of a draw as the planned seats, replacing any stored before. Idempotent.

    `first_session` is the number of the first drawn session, which has to be the next session now.
    `seen_version` is the version of the planned seats that was shown. Raises `OneTable`,
    `seating.AlreadySeated`, `seating.NotSeatedBefore`, `BeyondStage`, `seating.SeatingConflict`,
    `VersionConflict` and `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    stored = schedules.schedule_of(current)
    seats = [each["tables"] for each in draw["answer"]["sessions"]]
    new = {"first_session": first_session, "seats": seats} | dict(draw)
    if stored and _facts(stored) == new and not schedules.has_unused_sessions(stored):
        return stored
    check_version(schedules.last_change(current), seen_version)
    next_session = seating.next_session_number(current)
    if first_session != next_session:
        raise seating.AlreadySeated if first_session < next_session else seating.NotSeatedBefore
    most = current_plan(current).most_to_draw
    if most is not None and len(seats) > most:
        raise BeyondStage
    entries = {entry.key: entry for entry in current.entries.all()}
    planned = [table for tables in seats for table in tables]
    if not {key for table in planned for key in table} <= entries.keys():
        raise seating.SeatingConflict
    seating.check_seating(current, [[entries[key] for key in table] for table in planned])
    old = _audit_values(stored) if stored else None
    schedule = stored or Schedule(tournament=current)
    for name, value in new.items():
        setattr(schedule, name, value)
    schedule.save()
    audit.append_entry(
        current,
        Kind.SCHEDULE_KEPT,
        by,
        subject={"draw": dict(draw)},
        old=old,
        new=_audit_values(schedule),
    )
    return schedule


@transaction.atomic
def change_planned_seats(
    tournament: Tournament,
    session: int,
    tables: Sequence[Sequence[Entry]],
    *,
    seen_version: int,
    by: Actor,
    reason: str = "",
) -> None:
    """Replace the planned seats of one session, given by its number. Idempotent.

    `tables` has a list of entries for each table, in seat order. Raises `OneTable`, `NotPlanned`
    if the session is seated already or not planned, `VersionConflict`, `seating.SeatingConflict`
    and `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    schedule = schedules.schedule_of(current)
    planned = schedules.planned_session(schedule, session)
    if schedule is None or planned is None or session < seating.next_session_number(current):
        raise NotPlanned
    old, new = planned.seats, [[entry.key for entry in table] for table in tables]
    if old == new:
        return
    check_version(schedules.last_change(current), seen_version)
    seating.check_seating(current, tables)
    schedule.seats[planned.nth - 1] = new
    schedule.save(update_fields=["seats"])
    subject = {"session": session, "nth": planned.nth}
    kind = Kind.SCHEDULE_CHANGED
    audit.append_entry(current, kind, by, subject=subject, old=old, new=new, reason=reason)


@transaction.atomic
def delete_schedule(tournament: Tournament, *, seen_version: int, by: Actor) -> None:
    """Delete the planned seats; seated sessions do not change. Idempotent.

    Raises `OneTable`, `VersionConflict` and `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    schedule = schedules.schedule_of(current)
    if schedule is None:
        return
    check_version(schedules.last_change(current), seen_version)
    old = _audit_values(schedule)
    schedule.delete()
    audit.append_entry(current, Kind.SCHEDULE_DROPPED, by, old=old)


@transaction.atomic
def set_shows_schedule(tournament: Tournament, *, shows: bool, by: Actor) -> None:
    """Set whether everybody who may see the seats also sees the planned ones. Idempotent.

    Raises `OneTable`, `closing.EventClosed`, and `NotPlanned` if there is nothing to show.
    """
    current = _lock_open_tournament(tournament)
    schedule = schedules.schedule_of(current)
    if schedule is None and shows:
        raise NotPlanned
    if schedule is None or schedule.is_shown == shows:
        return
    schedule.is_shown = shows
    schedule.save(update_fields=["is_shown"])
    audit.append_entry(current, Kind.SCHEDULE_SHOWN if shows else Kind.SCHEDULE_HIDDEN, by)


def _lock_open_tournament(tournament: Tournament) -> Tournament:
    """Take the tournament's lock and return it read anew.

    Raises `closing.EventClosed`, and `OneTable` for a club table.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    if current.kind == Tournament.Kind.TABLE:
        raise OneTable
    return current


def _audit_values(schedule: Schedule) -> dict[str, Any]:
    """Return a schedule as audit entries store it, without its draw."""
    return {"first_session": schedule.first_session, "seats": schedule.seats}


def _facts(schedule: Schedule) -> dict[str, Any]:
    """Return a schedule with its draw, to compare it with a new one."""
    return {**_audit_values(schedule), "request": schedule.request, "answer": schedule.answer}
