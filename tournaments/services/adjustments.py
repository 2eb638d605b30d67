"""A director's rulings: adjustments of points, decisions on ties, and taking either back."""

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
from tournaments.exceptions import ChangedSince, OperationRefused
from tournaments.models import Adjustment, AuditEntry, Entry, TieDecision, Tournament
from tournaments.models.adjustments import Ruling
from tournaments.queries.play_offs import decisions_among, play_off_on, stage_of_tie
from tournaments.queries.progress import sessions_of
from tournaments.queries.ranking_facts import decisions_in_force, ranking_facts
from tournaments.services import closing
from tournaments.services.ranking import new_seed

Kind = AuditEntry.Kind
AnyRuling = TypeVar("AnyRuling", bound=Ruling)


class NumberTaken(ChangedSince):
    """Another adjustment or decision was made under this number since the page was opened."""

    code = "number_taken"
    at = "number"
    sentence = _(
        "An entry has been added since you opened this page. Check the list, then add yours."
    )


class NoSuchTeam(OperationRefused):
    code = "no_such_team"
    status = 422
    at = "team"
    sentence = _("There is no team with this name. Check the name.")


class NoPoints(OperationRefused):
    code = "no_points"
    status = 422
    at = "points"
    sentence = _("There is nothing to give or deduct: enter at least one point.")


class NotTied(OperationRefused):
    """The order names a player twice, one who is not in the tournament, or only one."""

    code = "not_tied"
    status = 422
    at = "order"
    sentence = _("This is not an order of the tied players. Enter each of them once.")


class PlayOffIsOn(OperationRefused):
    code = "play_off_on"
    at = "order"
    sentence = _(
        "A play-off of these players is seated and not over yet. Play it, or remove or end it "
        "first."
    )


class AlreadyDecided(OperationRefused):
    code = "already_decided"
    at = "order"
    sentence = _(
        "The order of these players has been decided. Undo that decision first, with a reason."
    )


@transaction.atomic
def adjust_points(
    tournament: Tournament, number: int, whose: Entry | str, points: int, *, by: Actor, reason: str
) -> Adjustment:
    """Give points to a player or a team (its name), or deduct them, under the next number.

    Idempotent by that number. Raises `NoPoints`, `NoSuchTeam`, `NumberTaken`, `Entry.DoesNotExist`
    and `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    if not points:
        raise NoPoints
    if isinstance(whose, Entry):
        player = current.entries.get(number=whose.number)
        fields: dict[str, Any] = {"entry_id": player.pk, "team": "", "points": points}
        new: dict[str, Any] = {"number": player.number, "points": points}
    else:
        if not whose or not current.entries.filter(team=whose).exists():
            raise NoSuchTeam
        fields = {"entry_id": None, "team": whose, "points": points}
        new = {"team": whose, "points": points}
    rows, kind = current.adjustments, Kind.POINTS_ADJUSTED
    return _create_ruling(current, rows, number, fields, kind, new=new, by=by, reason=reason)


@transaction.atomic
def take_back_adjustment(
    tournament: Tournament, number: int, *, by: Actor, reason: str = ""
) -> None:
    """Take back an adjustment, so that it no longer counts. Idempotent.

    Raises `Adjustment.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    row = current.adjustments.select_related("entry").get(number=number)
    whose = {"number": row.entry.number} if row.entry else {"team": row.team}
    old = {**whose, "points": row.points}
    _take_back(current, row, Kind.ADJUSTMENT_ENDED, old=old, by=by, reason=reason)


@transaction.atomic
def decide_tie(
    tournament: Tournament, number: int, order: Sequence[int], *, by: Actor, reason: str
) -> TieDecision:
    """Put tied players in order, under the next number of a decision. Idempotent by that number.

    `order` are the numbers of the players, the best first. It is not checked that the players are
    tied: in the stage that has results of them all, a decision applies to every tie of players who
    are all in its order. Raises `NotTied`, `PlayOffIsOn`, `AlreadyDecided`, `NumberTaken` and
    `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    _check_players(current, order)
    fields: dict[str, Any] = {"order": list(order), "seed": ""}
    return _create_decision(current, number, fields, by=by, reason=reason)


@transaction.atomic
def draw_lot(
    tournament: Tournament, number: int, tied: Collection[int], *, by: Actor, reason: str
) -> TieDecision:
    """Draw lots for the order of tied players, under the next number of a decision.

    `tied` are the numbers of the players. Idempotent by `number`: lots are drawn once. The order
    follows from a new seed, which is stored with it: `scoring.order_by_lot`. Raises what
    `decide_tie` raises; `NumberTaken` also if lots under this number were taken back.
    """
    current = _lock_open_tournament(tournament)
    _check_players(current, tied)
    in_force = current.tie_decisions.filter(taken_back_at=None)
    stored = in_force.filter(number=number).exclude(seed="").first()
    if stored is not None and set(stored.order) == set(tied):
        return stored
    seed = new_seed()
    order = [int(each) for each in scoring.order_by_lot([str(each) for each in tied], seed)]
    fields: dict[str, Any] = {"order": order, "seed": seed}
    return _create_decision(current, number, fields, by=by, reason=reason)


def _check_players(current: Tournament, tied: Collection[int]) -> None:
    numbers = set(current.entries.values_list("number", flat=True))
    if len(tied) < 2 or len(set(tied)) < len(tied) or not numbers.issuperset(tied):
        raise NotTied


def check_undecided(current: Tournament, players: Collection[int]) -> int:
    """Return the number of the stage that is to decide between them.

    Raises `PlayOffIsOn` and `AlreadyDecided`.
    """
    if play_off_on(sessions_of(current), players):
        raise PlayOffIsOn
    stage = stage_of_tie(players, ranking_facts(current))
    if decisions_among(players, decisions_in_force(current), stage):
        raise AlreadyDecided
    return stage


def _create_decision(
    current: Tournament, number: int, fields: Mapping[str, Any], *, by: Actor, reason: str
) -> TieDecision:
    """Create a decision under the next number; return the existing one if it has these fields.

    Raises `PlayOffIsOn`, `AlreadyDecided` and `NumberTaken`.
    """
    rows, kind = current.tie_decisions, Kind.TIE_DECIDED
    stored = rows.filter(number=number).first()  # a repeat would conflict with itself
    stage = stored.stage if stored else check_undecided(current, fields["order"])
    fields = {**fields, "stage": stage}
    new = TieDecision(**fields).as_json()
    return _create_ruling(current, rows, number, fields, kind, new=new, by=by, reason=reason)


@transaction.atomic
def take_back_decision(tournament: Tournament, number: int, *, by: Actor, reason: str = "") -> None:
    """Take back a decision on a tie, so that it no longer counts. Idempotent.

    Raises `TieDecision.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock_open_tournament(tournament)
    row = current.tie_decisions.get(number=number)
    _take_back(current, row, Kind.DECISION_ENDED, old=row.as_json(), by=by, reason=reason)


def next_number(rulings: QuerySet[Any]) -> int:
    return (rulings.order_by("-number").values_list("number", flat=True).first() or 0) + 1


def _lock_open_tournament(tournament: Tournament) -> Tournament:
    """Raises `closing.EventClosed`."""
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    return current


def _create_ruling(
    current: Tournament,
    rows: Manager[AnyRuling],
    number: int,
    fields: Mapping[str, Any],
    kind: AuditEntry.Kind,
    *,
    new: Any,
    by: Actor,
    reason: str,
) -> AnyRuling:
    """Create a ruling under the next number; return the existing one if it has these fields.

    An existing ruling is returned even if it was taken back. `rows` are all adjustments or all
    decisions of the tournament; `kind` and `new` are those of the audit entry. Raises
    `NumberTaken`.
    """
    all_fields = {**fields, "reason": reason}
    stored = rows.filter(number=number).first()
    if stored and {name: getattr(stored, name) for name in all_fields} == all_fields:
        return stored
    if number != next_number(rows.all()):
        raise NumberTaken
    ruling = rows.create(number=number, who=by.who, at=timezone.now(), **all_fields)
    _append_ruling_entry(current, kind, by, ruling, reason, new=new)
    return ruling


def _take_back(
    current: Tournament,
    row: Ruling,
    kind: AuditEntry.Kind,
    *,
    old: Any,
    by: Actor,
    reason: str,
) -> None:
    """Take back a ruling, unless it is taken back already; `old` is that of the audit entry."""
    if row.taken_back_at is None:
        row.taken_back_at = timezone.now()
        row.save(update_fields=["taken_back_at"])
        _append_ruling_entry(current, kind, by, row, reason, old=old)


def _append_ruling_entry(
    current: Tournament,
    kind: AuditEntry.Kind,
    by: Actor,
    row: Ruling,
    reason: str,
    **payload: Any,
) -> None:
    """Append an audit entry about a ruling, at the time when it was created or taken back.

    `payload` is `old` or `new` of the audit entry.
    """
    at, subject = row.taken_back_at or row.at, {"number": row.number}
    audit.append_entry(
        current, kind, by, subject=subject, reason=reason, at=at, is_locked=True, **payload
    )
