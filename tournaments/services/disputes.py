"""Facts of a table that differ from the stored round, and how the desk decides between them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

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
from tournaments.services import rounds


class SettledAlready(Exception):
    """Raised when somebody else has settled a disagreement meanwhile."""


@transaction.atomic
def keep_stored(disagreement: Disagreement, *, seen: int, by: Actor, reason: str = "") -> None:
    """Settle a disagreement: the round stays as it is stored.

    `seen` is the version looked at. Raises `SettledAlready` and `rounds.RoundConflict`.
    """
    _check_open(disagreement)
    stored = _stored(disagreement)
    if (stored.version if stored else 0) != seen:
        raise rounds.RoundConflict(stored)
    _settle(disagreement, by, stored, reason)


@transaction.atomic
def take_other(
    disagreement: Disagreement, *, seen: int, by: Actor, reason: str, set_aside: bool = False
) -> Round:
    """Settle a disagreement: the other facts replace the stored ones, as a correction.

    `set_aside`: as `rounds.record_round` has it. Raises what that raises, and `SettledAlready`.
    """
    _check_open(disagreement)
    before = _stored(disagreement)
    row = rounds.record_round(
        disagreement.sitting,
        disagreement.number,
        disagreement.facts,
        seen=seen,
        by=by,
        reason=reason,
        set_aside=set_aside,
    )
    _settle(disagreement, by, before, reason)
    return row


def _check_open(disagreement: Disagreement) -> None:
    lock_sitting(disagreement.sitting)
    if Disagreement.objects.get(pk=disagreement.pk).settled_at is not None:
        raise SettledAlready


def _stored(disagreement: Disagreement) -> Round | None:
    rounds = Round.objects.filter(sitting=disagreement.sitting, number=disagreement.number)
    latest = rounds.order_by("version").last()
    return None if latest is None or latest.is_set_aside else latest


def _settle(disagreement: Disagreement, by: Actor, stored: Round | None, reason: str) -> None:
    disagreement.settled_at = timezone.now()
    disagreement.save(update_fields=["settled_at"])
    sitting = disagreement.sitting
    latest = _stored(disagreement)
    audit.append(
        sitting.session.tournament,
        AuditEntry.Kind.DISPUTE_SETTLED,
        by,
        subject=audit.at_table(sitting) | {"round": disagreement.number},
        old={"stored": stored.facts if stored else None, "other": disagreement.facts},
        new=latest.facts if latest else None,
        reason=reason,
        at=disagreement.settled_at,
    )


MOST_OPEN = 5  # versions of one round that one phone says, none of them settled


@transaction.atomic
def dispute(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    stored: Round,
    *,
    by: Actor,
    phone: Phone | None = None,
) -> Disagreement | None:
    """Keep facts that differ from the stored ones for the desk to decide; the same ones once.

    None where a phone has `MOST_OPEN` others waiting there: the first are kept, since each stays on
    record for good, and the phone keeps this one until it comes again.
    """
    lock_sitting(sitting)
    open_ones = list(Disagreement.objects.filter(sitting=sitting, number=number, settled_at=None))
    known = next((each for each in open_ones if each.facts == dict(facts)), None)
    if known is not None:
        return known
    if phone is not None and sum(each.phone_id == phone.pk for each in open_ones) >= MOST_OPEN:
        return None
    disagreement = Disagreement.objects.create(
        sitting=sitting, number=number, facts=dict(facts), phone=phone
    )
    audit.append(
        sitting.session.tournament,
        AuditEntry.Kind.ROUND_DISPUTED,
        by,
        subject=audit.at_table(sitting, number, stored.version),
        old=stored.facts,
        new=dict(facts),
        at=disagreement.at,
    )
    return disagreement


@transaction.atomic
def note(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    stored: Round,
    *,
    by: Actor,
    phone: Phone | None = None,
) -> datetime:
    """Keep facts that differ from the stored ones and score the same; return when they were noted.

    The first stand, and nobody has to decide. Each is noted once, and `MOST_OPEN` of one phone.
    """
    lock_sitting(sitting)
    of_round = list(Disagreement.objects.filter(sitting=sitting, number=number))
    known = next((each for each in of_round if each.facts == dict(facts) and each.settled_at), None)
    if known is not None and known.settled_at is not None:
        return known.settled_at
    if phone is not None and sum(each.phone_id == phone.pk for each in of_round) >= MOST_OPEN:
        return timezone.now()
    noted = dispute(sitting, number, facts, stored, by=by, phone=phone)
    if noted is None:
        return timezone.now()
    noted.settled_at = timezone.now()
    noted.save(update_fields=["settled_at"])
    audit.append(
        sitting.session.tournament,
        AuditEntry.Kind.DISPUTE_SETTLED,
        by,
        subject=audit.at_table(sitting) | {"round": number},
        old={"stored": stored.facts, "other": noted.facts},
        new=stored.facts,
        reason=gettext("Both score the same: the first stands."),
        at=noted.settled_at,
    )
    return noted.settled_at
