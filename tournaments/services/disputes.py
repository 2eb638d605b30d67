"""Disputes: facts of a table that differ from the stored round, and the desk's decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_sitting
from tournaments.models import (
    AuditEntry,
    Disagreement,
    Phone,
    Round,
    Sitting,
)
from tournaments.queries.sheets import sheet_of
from tournaments.services import rounds, settlements


class SettledAlready(Exception):
    """The dispute was settled by somebody else."""


@transaction.atomic
def keep_stored_facts(
    disagreement: Disagreement, *, seen_version: int, by: Actor, reason: str = ""
) -> None:
    """Settle a dispute in favour of the stored round, which does not change.

    `seen_version` is the version of the round that the writer was shown, 0 if none was stored.
    Raises `SettledAlready`, and `rounds.RoundConflict` if another version is stored.
    """
    _lock_and_check_open(disagreement)
    stored = _stored_round(disagreement)
    if (stored.version if stored else 0) != seen_version:
        raise rounds.RoundConflict(stored)
    settlements.settle(disagreement, stored_before=stored, latest=stored, by=by, reason=reason)


@transaction.atomic
def take_disputed_facts(
    disagreement: Disagreement,
    *,
    seen_version: int,
    by: Actor,
    reason: str,
    set_aside: bool = False,
) -> Round:
    """Settle a dispute in favour of its own facts, by recording them as a correction.

    Raises `SettledAlready`, and `rounds.AfterChange` if players who have left the table played this
    round. Arguments and further exceptions are those of `rounds.record_round`.
    """
    _lock_and_check_open(disagreement)
    if _is_of_others(disagreement):
        raise rounds.AfterChange
    return rounds.record_round(
        disagreement.sitting,
        disagreement.number,
        disagreement.facts,
        seen_version=seen_version,
        by=by,
        reason=reason,
        set_aside=set_aside,
        is_decided=True,
    )


def _lock_and_check_open(disagreement: Disagreement) -> None:
    """Raises `SettledAlready`."""
    lock_sitting(disagreement.sitting)
    if Disagreement.objects.get(pk=disagreement.pk).settled_at is not None:
        raise SettledAlready


def _is_of_others(disagreement: Disagreement) -> bool:
    """Return whether others played the disputed round in the seats of those who sit there now."""
    entries = disagreement.sitting.session.tournament.audit_entries
    opened = entries.filter(kind=AuditEntry.Kind.ROUND_DISPUTED, at=disagreement.at).first()
    players = tuple(opened.subject.get("players", ())) if opened else ()
    return bool(players) and not sheet_of(disagreement.sitting).is_played_by(players)


def _stored_round(disagreement: Disagreement) -> Round | None:
    """Return None if there is no round in force or it is set aside."""
    versions = Round.objects.filter(sitting=disagreement.sitting, number=disagreement.number)
    latest = versions.order_by("version").last()
    return None if latest is None or latest.is_set_aside else latest


MOST_OPEN = 5  # unsettled disputes of one phone about one round


@transaction.atomic
def open_dispute(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    stored: Round | None,
    *,
    by: Actor,
    phone: Phone | None = None,
    players: Sequence[str] = (),
) -> Disagreement | None:
    """Store facts that differ from the stored round, for the desk to decide.

    `stored` is None for a round that came after the players of its table had changed; `players`
    are those who played it, if others sit in the same seats now.
    Returns the open dispute with the same facts if there is one. Returns None, and stores nothing,
    if the phone has `MOST_OPEN` open disputes about this round: it retries later. Their number is
    limited because disputes are never deleted.
    """
    lock_sitting(sitting)
    open_ones = list(Disagreement.objects.filter(sitting=sitting, number=number, settled_at=None))
    existing = next((each for each in open_ones if each.facts == dict(facts)), None)
    if existing is not None:
        return existing
    if phone is not None and sum(each.phone_id == phone.pk for each in open_ones) >= MOST_OPEN:
        return None
    disagreement = Disagreement.objects.create(
        sitting=sitting, number=number, facts=dict(facts), phone=phone
    )
    audit.append_entry(
        sitting.session.tournament,
        AuditEntry.Kind.ROUND_DISPUTED,
        by,
        subject=audit.table_subject(sitting, number, stored.version if stored else 0)
        | ({"players": list(players)} if players else {}),
        old=stored.facts if stored else None,
        new=dict(facts),
        at=disagreement.at,
    )
    return disagreement


@transaction.atomic
def record_settled_dispute(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    stored: Round,
    *,
    by: Actor,
    phone: Phone | None = None,
) -> datetime:
    """Store facts that differ from the stored round but score the same, as a settled dispute.

    Returns the time of the settlement. The stored facts stay in force, and nobody has to decide.
    Idempotent for the same facts. If the phone has `MOST_OPEN` disputes about this round already,
    open or settled, nothing is stored, and the current time is returned.
    """
    lock_sitting(sitting)
    earlier = list(Disagreement.objects.filter(sitting=sitting, number=number))
    settled = (each for each in earlier if each.facts == dict(facts) and each.settled_at)
    existing = next(settled, None)
    if existing is not None and existing.settled_at is not None:
        return existing.settled_at
    of_phone = sum(each.phone_id == phone.pk for each in earlier) if phone else 0
    dispute = (
        open_dispute(sitting, number, facts, stored, by=by, phone=phone)
        if of_phone < MOST_OPEN
        else None
    )
    if dispute is None:
        return timezone.now()
    dispute.settled_at = timezone.now()
    dispute.save(update_fields=["settled_at"])
    audit.append_entry(
        sitting.session.tournament,
        AuditEntry.Kind.DISPUTE_SETTLED,
        by,
        subject=audit.table_subject(sitting) | {"round": number},
        old={"stored": stored.facts, "other": dispute.facts},
        new=stored.facts,
        reason=audit.SCORE_THE_SAME,
        at=dispute.settled_at,
    )
    return dispute.settled_at
