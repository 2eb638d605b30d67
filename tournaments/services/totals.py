"""Entering and correcting final totals at tables whose rounds nobody recorded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import transaction

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_sitting
from tournaments.exceptions import ConflictError
from tournaments.models import (
    AuditEntry,
    Sitting,
    SittingTotals,
    Tournament,
)
from tournaments.queries.round_documents import totals_as_json
from tournaments.services import automatic_backups, idempotency, rounds
from tournaments.services.idempotency import Answer


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
    stored = _in_force(sitting)
    if (stored.version if stored else 0) != seen_version:
        raise ConflictError
    if stored is not None and stored.points == points:
        return
    if stored is not None and not reason:
        raise rounds.ReasonNeeded
    write_totals(sitting, points, by=by, reason=reason)


class TotalsSubmission(NamedTuple):
    """Totals to record, by entry number as text, and the request that sends them.

    `seen_version` is as in `enter_totals`. A later request with this idempotency key has to have
    the same `body`.
    """

    points: Mapping[str, int]
    seen_version: int
    reason: str
    key: str
    body: Mapping[str, Any]


def submit_totals(sitting: Sitting, submission: TotalsSubmission, *, by: Actor) -> Answer:
    """Store totals once per idempotency key, and return an answer with those in force.

    On a conflict the answer is a 409 with both versions, `stored` and `yours`; it is not stored
    under the key. Raises `idempotency.KeyReused` and `rounds.ReasonNeeded`.
    """

    def enter(_tournament: Tournament) -> Answer:
        stored = _in_force(sitting)
        if stored is None or stored.points != submission.points:
            seen, reason = submission.seen_version, submission.reason
            try:
                enter_totals(sitting, submission.points, seen_version=seen, by=by, reason=reason)
            except ConflictError:
                yours = {"seen": seen, "points": dict(submission.points)}
                versions = {"stored": totals_as_json(stored) if stored else None, "yours": yours}
                return Answer(409, versions, is_stored=False)
        written = SittingTotals.objects.filter(sitting=sitting).latest("version")
        return Answer(200 if stored else 201, totals_as_json(written))

    tournament = sitting.session.tournament
    return idempotency.run_once(tournament, submission.key, submission.body, enter)


def _in_force(sitting: Sitting) -> SittingTotals | None:
    return SittingTotals.objects.filter(sitting=sitting).order_by("version").last()


def write_totals(sitting: Sitting, points: Mapping[str, int], *, by: Actor, reason: str) -> None:
    """Store totals as the next version, without checks, and append the audit entry.

    Call it under the lock. The first version may schedule a backup.
    """
    stored = _in_force(sitting)
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
