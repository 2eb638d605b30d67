"""Settling disputes about a round, by the desk's decision or by a new version that agrees."""

from __future__ import annotations

from django.utils import timezone

from tournaments import audit
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Disagreement, Round
from tournaments.queries.sheets import Sheet
from tournaments.queries.what_if import scores_equally

# Asked for nearly every deal. Django takes 0.4 ms to compile that query.
OPEN_DISPUTES = """
    SELECT * FROM tournaments_disagreement
    WHERE sitting_id = %s AND number = %s AND settled_at IS NULL
    ORDER BY id
"""


def settle(
    disagreement: Disagreement,
    *,
    stored_before: Round | None,
    latest: Round | None,
    by: Actor,
    reason: str,
) -> None:
    """Mark a dispute as settled. Call it under the lock, after the round was corrected, if it is.

    `stored_before` is the round in force before the decision, and `latest` after it.
    """
    disagreement.settled_at = timezone.now()
    disagreement.save(update_fields=["settled_at"])
    sitting = disagreement.sitting
    audit.append_entry(
        sitting.session.tournament,
        AuditEntry.Kind.DISPUTE_SETTLED,
        by,
        subject=audit.table_subject(sitting) | {"round": disagreement.number},
        old={
            "stored": stored_before.facts if stored_before else None,
            "other": disagreement.facts,
        },
        new=latest.facts if latest else None,
        reason=reason,
        at=disagreement.settled_at,
    )


def settle_all_alike(
    sheet: Sheet, latest: Round, *, stored_before: Round | None, by: Actor
) -> None:
    """Settle the open disputes about a round that no longer differ from it.

    Their facts are those of `latest`, its new version, or score the same. `sheet` is read with it.
    Call it under the lock.
    """
    for each in Disagreement.objects.raw(OPEN_DISPUTES, [sheet.sitting.pk, latest.number]):
        each.sitting = sheet.sitting
        if each.facts == latest.facts or scores_equally(sheet, latest.number, each.facts):
            settle(each, stored_before=stored_before, latest=latest, by=by, reason=latest.reason)
