"""Entering and correcting final totals at tables whose rounds nobody recorded."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_sitting
from tournaments.exceptions import ConflictError
from tournaments.models import (
    AuditEntry,
    Sitting,
    SittingTotals,
)
from tournaments.services import automatic_backups, rounds


@transaction.atomic
def enter_totals(
    sitting: Sitting, points: Mapping[str, int], *, seen_version: int, by: Actor, reason: str = ""
) -> None:
    """Store a table's final totals, by entry number as text, as the next version.

    Does nothing if the same totals are stored. `seen_version` is the version that was shown, 0 for
    none. Raises `ConflictError` if another version is stored, and `rounds.ReasonNeeded` if stored
    totals would change without a reason.
    """
    lock_sitting(sitting)
    stored = SittingTotals.objects.filter(sitting=sitting).order_by("version").last()
    if (stored.version if stored else 0) != seen_version:
        raise ConflictError
    if stored is not None and stored.points == points:
        return
    if stored is not None and not reason:
        raise rounds.ReasonNeeded
    write_totals(sitting, points, by=by, reason=reason)


def write_totals(sitting: Sitting, points: Mapping[str, int], *, by: Actor, reason: str) -> None:
    """Store totals as the next version, without checks, and append the audit entry.

    Call it under the lock. The first version may schedule a backup.
    """
    stored = SittingTotals.objects.filter(sitting=sitting).order_by("version").last()
    row = SittingTotals.objects.create(
        sitting=sitting,
        version=stored.version + 1 if stored else 1,
        points=dict(points),
        reason=reason,
        who=by.who,
    )
    audit.append_entry(
        sitting.session.tournament,
        AuditEntry.Kind.TOTALS_CORRECTED if stored else AuditEntry.Kind.TOTALS_ENTERED,
        by,
        subject=audit.table_subject(sitting) | {"version": row.version},
        old=stored.points if stored else None,
        new=row.points,
        reason=reason,
        at=row.recorded_at,
    )
    if stored is None:
        automatic_backups.schedule_after_writing(sitting, is_last=True)
