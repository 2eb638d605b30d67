"""What the desk does beside taking down rounds: each act in one transaction, with its trace."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from tournaments import audit, recording
from tournaments.audit import Actor
from tournaments.models import Act, Call, Disagreement, Round, Sitting
from tournaments.typed_sheets import Line


class SettledAlready(Exception):
    """Raised when somebody else has settled a disagreement meanwhile."""


@transaction.atomic
def answer_call(call: Call, *, by: Actor) -> None:
    """Say that a call is answered. Answering twice is answering once."""
    locked = Call.objects.select_for_update().get(pk=call.pk)
    if locked.answered_at is not None:
        return
    locked.answered_at = timezone.now()
    locked.save(update_fields=["answered_at"])
    audit.append(
        call.sitting.session.tournament,
        Act.Kind.CALL_ANSWERED,
        by,
        subject=_place(call.sitting),
        new={"kind": call.kind, "words": call.words},
    )


@transaction.atomic
def keep_stored(disagreement: Disagreement, *, seen: int, by: Actor, reason: str = "") -> None:
    """Settle a disagreement: the round stays as it is stored.

    `seen` is the version looked at. Raises `SettledAlready` and `recording.StaleRound`.
    """
    _lock(disagreement)
    stored = _stored(disagreement)
    if (stored.version if stored else 0) != seen:
        raise recording.StaleRound(stored)
    _settle(disagreement, by, stored, reason)


@transaction.atomic
def take_other(disagreement: Disagreement, *, seen: int, by: Actor, reason: str) -> Round:
    """Settle a disagreement: the other facts replace the stored ones, as a correction.

    Raises what `recording.record_round` raises, and `SettledAlready`.
    """
    _lock(disagreement)
    before = _stored(disagreement)
    row = recording.record_round(
        disagreement.sitting,
        disagreement.number,
        disagreement.facts,
        seen=seen,
        by=by,
        reason=reason,
    )
    _settle(disagreement, by, before, reason)
    return row


@transaction.atomic
def record_lines(sitting: Sitting, lines: Sequence[Line], *, seen: int, by: Actor) -> list[Round]:
    """Record every line of a paper sheet, or none if one of them cannot be.

    `seen` is the version of the first line's round that its writer looked at, 0 if there was none.
    Raises what `recording.record_round` raises.
    """
    rows = []
    for line in lines:
        facts = line.facts or {}
        try:
            row = recording.record_round(sitting, line.number, facts, seen=seen, by=by)
        except recording.ReasonNeeded:
            # A round under way that is typed just as it is stored: nothing to write.
            row = Round.objects.filter(sitting=sitting, number=line.number).latest("version")
            if row.facts != facts:
                raise
        rows.append(row)
        seen = 0
    return rows


def _lock(disagreement: Disagreement) -> None:
    locked = Disagreement.objects.select_for_update().get(pk=disagreement.pk)
    if locked.settled_at is not None:
        raise SettledAlready


def _stored(disagreement: Disagreement) -> Round | None:
    rounds = Round.objects.filter(sitting=disagreement.sitting, number=disagreement.number)
    return rounds.order_by("version").last()


def _settle(disagreement: Disagreement, by: Actor, stored: Round | None, reason: str) -> None:
    disagreement.settled_at = timezone.now()
    disagreement.save(update_fields=["settled_at"])
    sitting = disagreement.sitting
    latest = _stored(disagreement)
    audit.append(
        sitting.session.tournament,
        Act.Kind.DISPUTE_SETTLED,
        by,
        subject=_place(sitting) | {"round": disagreement.number},
        old={"stored": stored.facts if stored else None, "other": disagreement.facts},
        new=latest.facts if latest else None,
        reason=reason,
    )


def _place(sitting: Sitting) -> dict[str, int]:
    return {"session": sitting.session.number, "table": sitting.number}
