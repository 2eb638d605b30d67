"""What a director rules: points given or deducted, ties decided, and either taken back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Manager, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import Adjustment, AuditEntry, Entry, TieDecision, Tournament
from tournaments.models.adjustments import Ruling
from tournaments.queries.play_offs import decided_among
from tournaments.queries.ranking_facts import decisions_in_force
from tournaments.services import closing
from tournaments.services.ranking import new_seed

Kind = AuditEntry.Kind
AnyRuling = TypeVar("AnyRuling", bound=Ruling)


class NumberTaken(OperationRefused):
    """Another adjustment or decision was made under this number since the page was opened."""

    code = "number_taken"
    sentence = _("Another one has been added meanwhile. Look at the list, then add yours.")


class NoSuchTeam(OperationRefused):
    """No player is in a team of this name."""

    code = "no_such_team"
    sentence = _("No player is in a team of this name.")


class NotTied(OperationRefused):
    """The order names a player twice, one who is not in the tournament, or only one."""

    code = "not_tied"
    sentence = _("Name each of the tied players once, in their order.")


class AlreadyDecided(OperationRefused):
    """A decision in force puts two or more of these players in order."""

    code = "already_decided"
    sentence = _(
        "The order of these players has been decided. Take that decision back first, and say why."
    )


@transaction.atomic
def adjust_points(
    tournament: Tournament, number: int, whose: Entry | str, points: int, *, by: Actor, reason: str
) -> Adjustment:
    """Give points to a player or a team (its name), or deduct them, under the next number.

    Idempotent by that number. Raises `NoSuchTeam`, `NumberTaken`, `Entry.DoesNotExist` and
    `closing.EventClosed`.
    """
    current = _lock(tournament)
    if isinstance(whose, Entry):
        player = current.entries.get(number=whose.number)
        facts: dict[str, Any] = {"entry_id": player.pk, "team": "", "points": points}
        new: dict[str, Any] = {"number": player.number, "points": points}
    else:
        if not whose or not current.entries.filter(team=whose).exists():
            raise NoSuchTeam
        facts = {"entry_id": None, "team": whose, "points": points}
        new = {"team": whose, "points": points}
    rows = current.adjustments
    return _make(current, rows, number, facts, Kind.POINTS_ADJUSTED, new=new, by=by, reason=reason)


@transaction.atomic
def take_back_adjustment(
    tournament: Tournament, number: int, *, by: Actor, reason: str = ""
) -> None:
    """Let an adjustment count no more. Idempotent.

    Raises `Adjustment.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock(tournament)
    found = current.adjustments.select_related("entry").get(number=number)
    whose = {"number": found.entry.number} if found.entry else {"team": found.team}
    old = {**whose, "points": found.points}
    _take_back(current, found, Kind.ADJUSTMENT_ENDED, old=old, by=by, reason=reason)


@transaction.atomic
def decide_tie(
    tournament: Tournament, number: int, order: Sequence[int], *, by: Actor, reason: str
) -> TieDecision:
    """Put tied players in order, under the next number of a decision. Idempotent by that number.

    `order` are the numbers of entries, the best first. Whether they are tied is not asked: a
    decision counts wherever all who are tied are among its players. Raises `NotTied`,
    `AlreadyDecided`, `NumberTaken` and `closing.EventClosed`.
    """
    current = _lock(tournament)
    _check_players(current, order)
    facts: dict[str, Any] = {"order": list(order), "seed": ""}
    return _make_decision(current, number, facts, by=by, reason=reason)


@transaction.atomic
def draw_lot(
    tournament: Tournament, number: int, tied: Collection[int], *, by: Actor, reason: str
) -> TieDecision:
    """Let a lot put tied players in order, under the next number of a decision.

    Idempotent by that number: the lot is drawn once. It is derived from a new seed, which is
    stored, as the lots of the ranking rules are: `scoring.order_by_lot`. Raises as `decide_tie`,
    `NumberTaken` also for a lot that was taken back since.
    """
    current = _lock(tournament)
    _check_players(current, tied)
    in_force = current.tie_decisions.filter(taken_back_at=None)
    stored = in_force.filter(number=number).exclude(seed="").first()
    if stored is not None and set(stored.order) == set(tied):
        return stored
    seed = new_seed()
    order = [int(each) for each in scoring.order_by_lot([str(each) for each in tied], seed)]
    facts: dict[str, Any] = {"order": order, "seed": seed}
    return _make_decision(current, number, facts, by=by, reason=reason)


def _check_players(current: Tournament, tied: Collection[int]) -> None:
    """Raise `NotTied` unless these are the numbers of several players, each once."""
    numbers = set(current.entries.values_list("number", flat=True))
    if len(tied) < 2 or len(set(tied)) < len(tied) or not numbers.issuperset(tied):
        raise NotTied


def check_undecided(current: Tournament, players: Collection[int]) -> None:
    """Raise `AlreadyDecided` if a decision in force is on two or more of these, by number."""
    if decided_among(players, decisions_in_force(current)):
        raise AlreadyDecided


def _make_decision(
    current: Tournament, number: int, facts: Mapping[str, Any], *, by: Actor, reason: str
) -> TieDecision:
    """Create a decision under the next number, or return the same one."""
    rows = current.tie_decisions
    if not rows.filter(number=number).exists():
        check_undecided(current, facts["order"])
    new = TieDecision(**facts).as_json()
    return _make(current, rows, number, facts, Kind.TIE_DECIDED, new=new, by=by, reason=reason)


@transaction.atomic
def take_back_decision(tournament: Tournament, number: int, *, by: Actor, reason: str = "") -> None:
    """Let a decision on a tie count no more. Idempotent.

    Raises `TieDecision.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock(tournament)
    found = current.tie_decisions.get(number=number)
    _take_back(current, found, Kind.DECISION_ENDED, old=found.as_json(), by=by, reason=reason)


def next_number(made: QuerySet[AnyRuling]) -> int:
    """Return the number of the next of these adjustments or decisions, from 1."""
    return (made.order_by("-number").values_list("number", flat=True).first() or 0) + 1


def _lock(tournament: Tournament) -> Tournament:
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    return current


def _make(
    current: Tournament,
    rows: Manager[AnyRuling],
    number: int,
    facts: Mapping[str, Any],
    kind: AuditEntry.Kind,
    *,
    new: Any,
    by: Actor,
    reason: str,
) -> AnyRuling:
    """Create a ruling under the next number; return the one that has it with the same facts.

    `new` is what the audit entry says. Raises `NumberTaken`.
    """
    fields = {**facts, "reason": reason}
    stored = rows.filter(number=number).first()
    if stored is not None and {name: getattr(stored, name) for name in fields} == fields:
        return stored
    if number != next_number(rows.all()):
        raise NumberTaken
    made = rows.create(number=number, who=by.who, at=timezone.now(), **fields)
    _append(current, kind, by, made, reason, new=new)
    return made


def _take_back(
    current: Tournament,
    row: Ruling,
    kind: AuditEntry.Kind,
    *,
    old: Any,
    by: Actor,
    reason: str,
) -> None:
    """Let a ruling count no more, unless it is taken back already."""
    if row.taken_back_at is None:
        row.taken_back_at = timezone.now()
        row.save(update_fields=["taken_back_at"])
        _append(current, kind, by, row, reason, old=old)


def _append(
    current: Tournament,
    kind: AuditEntry.Kind,
    by: Actor,
    row: Ruling,
    reason: str,
    **payload: Any,
) -> None:
    """Append the audit entry about a row, with the time at which the row was made or ended."""
    at, subject = row.taken_back_at or row.at, {"number": row.number}
    audit.append_entry(
        current, kind, by, subject=subject, reason=reason, at=at, is_locked=True, **payload
    )
