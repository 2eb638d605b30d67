"""Giving or deducting points, deciding ties, and taking either back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import Adjustment, AuditEntry, Entry, TieDecision, Tournament
from tournaments.services import closing

Kind = AuditEntry.Kind


class NumberTaken(OperationRefused):
    """Another adjustment or decision was made under this number since the page was opened."""

    code = "number_taken"
    sentence = _("Another one has been added meanwhile. Look at the list, then add yours.")


class NotTied(OperationRefused):
    """The order names a player twice, one who is not in the tournament, or only one."""

    code = "not_tied"
    sentence = _("Name each of the tied players once, in their order.")


@transaction.atomic
def adjust_points(
    tournament: Tournament, number: int, entry: Entry, points: int, *, by: Actor, reason: str
) -> Adjustment:
    """Give points to a player, or deduct them, under the next number. Idempotent by that number.

    Raises `NumberTaken`, `Entry.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock(tournament)
    player = current.entries.get(number=entry.number)
    sent = {"entry_id": player.pk, "points": points, "reason": reason}
    stored = current.adjustments.filter(number=number).first()
    if stored is not None and {name: getattr(stored, name) for name in sent} == sent:
        return stored
    if number != next_number(current.adjustments.all()):
        raise NumberTaken
    made = Adjustment(tournament=current, number=number, who=by.who, at=timezone.now(), **sent)
    made.save()
    new = {"number": player.number, "points": points}
    _append(current, Kind.POINTS_ADJUSTED, by, made, reason, new=new)
    return made


@transaction.atomic
def take_back_adjustment(
    tournament: Tournament, number: int, *, by: Actor, reason: str = ""
) -> None:
    """Let an adjustment count no more. Idempotent.

    Raises `Adjustment.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock(tournament)
    found = current.adjustments.select_related("entry").get(number=number)
    if found.taken_back_at is None:
        player = found.entry.number if found.entry else None
        old = {"number": player, "points": found.points}
        _end(current, Kind.ADJUSTMENT_ENDED, by, found, reason, old=old)


@transaction.atomic
def decide_tie(
    tournament: Tournament, number: int, order: Sequence[int], *, by: Actor, reason: str
) -> TieDecision:
    """Put tied players in order, under the next number of a decision. Idempotent by that number.

    `order` are the numbers of entries, the best first. Whether they are tied is not asked: a
    decision counts wherever all who are tied are among its players. Raises `NotTied`,
    `NumberTaken` and `closing.EventClosed`.
    """
    current = _lock(tournament)
    known = current.entries.filter(number__in=order).count()
    if len(order) < 2 or known != len(order):
        raise NotTied
    stored = current.tie_decisions.filter(number=number).first()
    if stored is not None and (stored.order, stored.reason) == (list(order), reason):
        return stored
    if number != next_number(current.tie_decisions.all()):
        raise NumberTaken
    made = TieDecision(tournament=current, number=number, order=list(order), reason=reason)
    made.who, made.at = by.who, timezone.now()
    made.save()
    _append(current, Kind.TIE_DECIDED, by, made, reason, new=made.order)
    return made


@transaction.atomic
def take_back_decision(tournament: Tournament, number: int, *, by: Actor, reason: str = "") -> None:
    """Let a decision on a tie count no more. Idempotent.

    Raises `TieDecision.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock(tournament)
    found = current.tie_decisions.get(number=number)
    if found.taken_back_at is None:
        _end(current, Kind.DECISION_ENDED, by, found, reason, old=found.order)


def next_number(made: Any) -> int:
    """Return the number of the next of these adjustments or decisions, from 1."""
    return (made.order_by("-number").values_list("number", flat=True).first() or 0) + 1


def _lock(tournament: Tournament) -> Tournament:
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    return current


def _append(
    current: Tournament,
    kind: AuditEntry.Kind,
    by: Actor,
    row: Adjustment | TieDecision,
    reason: str,
    **said: Any,
) -> None:
    """Append the audit entry about a row, with the time at which the row was made or ended."""
    at, subject = row.taken_back_at or row.at, {"number": row.number}
    audit.append_entry(
        current, kind, by, subject=subject, reason=reason, at=at, is_locked=True, **said
    )


def _end(
    current: Tournament,
    kind: AuditEntry.Kind,
    by: Actor,
    row: Adjustment | TieDecision,
    reason: str,
    *,
    old: Any,
) -> None:
    row.taken_back_at = timezone.now()
    row.save(update_fields=["taken_back_at"])
    _append(current, kind, by, row, reason, old=old)
