"""The stages after the first: defining them, and confirming the players who go on.

The players who go on to a stage are derived until the director confirms them; then they are stored
as the members of the stage.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ChangedSince, OperationRefused
from tournaments.models import AuditEntry, Entry, Stage, Tournament
from tournaments.models.stages import CONFIRMED_FIELDS, MOST_STAGES, PLANNED_FIELDS
from tournaments.queries import stages as stage_queries
from tournaments.services import adjustments, closing, seating

Kind = AuditEntry.Kind


class StageChanged(ChangedSince):
    code = "stage_changed"
    sentence = _("This has changed since you opened this page. Check it again, then confirm.")


class StageConfirmed(OperationRefused):
    code = "stage_confirmed"
    sentence = _("The players who advance are confirmed. Undo that first.")


class StageNotConfirmed(OperationRefused):
    code = "stage_not_confirmed"
    sentence = _(
        "The players who advance are not confirmed yet. Confirm them first, stage by stage."
    )


class StageBegun(OperationRefused):
    code = "stage_begun"
    sentence = _(
        "Seats of this stage are assigned already. To replace somebody, remove its session first, "
        "if nothing is recorded in it; otherwise choose a substitute."
    )


class NotTheLastStage(OperationRefused):
    """There is a later stage, or none right before this one."""

    code = "not_the_last_stage"
    sentence = _(
        "Stages follow each other: only the last one can be removed or undone. Begin with that."
    )


class TieAtTheLine(OperationRefused):
    code = "tie_at_the_line"
    sentence = _("Players share the last place that advances. Choose which of them advance.")


class NobodyGoesOn(OperationRefused):
    code = "nobody_goes_on"
    sentence = _("Nobody advances. Record results first, or change how many advance.")


class NotInLine(OperationRefused):
    """The player to be replaced is no member, or the new one cannot take the place.

    The new one is a member already, has no rank, or has a class that does not go on to the group.
    """

    code = "not_in_line"
    sentence = _(
        "These two cannot be exchanged. Choose a player who advances, and one who does not but "
        "has a rank, in a class from which players advance there."
    )


class StagePlan(NamedTuple):
    """A stage as the director defines it: its name, and who goes on to it with which points.

    `at_line` tells what happens to players tied at the last rank of a quota; `seed` is that of the
    lot, 0 if there is none. `sessions_planned` is None for as many as are seated.
    """

    name: str
    quotas: Sequence[Quota]
    carry: Carry
    at_line: AtLine
    seed: int = 0
    sessions_planned: int | None = None

    def as_fields(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "sessions_planned": self.sessions_planned,
            "quotas": stage_queries.quota_facts(self.quotas),
            "carry": self.carry.value,
            "at_line": self.at_line.value,
            "seed": self.seed if self.at_line == AtLine.LOT else 0,
        }


@transaction.atomic
def set_stage(
    tournament: Tournament, number: int, plan: StagePlan, *, seen_version: int, by: Actor
) -> Stage:
    """Define the next stage, or change a stage that is not confirmed. Idempotent.

    `seen_version` is the version of the stage that was shown, 0 for a new one. Raises
    `StageChanged`, `StageConfirmed`, `NotTheLastStage`, `seating.OneTable` for a club table, and
    `closing.EventClosed`.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    if current.kind == Tournament.Kind.TABLE:
        raise seating.OneTable
    stage = current.stages.filter(number=number).first()
    fields = plan.as_fields()
    if stage and _plan_fields(stage) == fields:
        return stage
    if stage is None and not _is_next_stage(current, number):
        raise NotTheLastStage
    if stage and stage.is_confirmed:
        raise StageConfirmed
    if stage_queries.stage_version(current, number) != seen_version:
        raise StageChanged
    old = _plan_fields(stage) if stage else None
    stage, _created = current.stages.update_or_create(number=number, defaults=fields)
    audit.append_entry(current, Kind.STAGE_SET, by, subject={"stage": number}, old=old, new=fields)
    return stage


@transaction.atomic
def define_stages(tournament: Tournament, plans: Sequence[StagePlan], *, by: Actor) -> None:
    """Define exactly these stages after the first; later ones are removed. Idempotent.

    Raises `StageConfirmed` if a stage is confirmed, and what `set_stage` raises.
    """
    stored = list(lock_tournament(tournament).stages.all())
    if any(each.is_confirmed for each in stored):
        raise StageConfirmed
    for stage in reversed(stored[len(plans) :]):
        remove_stage(stage, by=by)
    for number, plan in enumerate(plans, 2):
        seen = stage_queries.stage_version(tournament, number)
        set_stage(tournament, number, plan, seen_version=seen, by=by)


@transaction.atomic
def set_sessions_planned(stage: Stage, sessions: int | None, *, by: Actor) -> Stage:
    """Plan this number of sessions in a stage, which may be confirmed. Idempotent.

    Raises `Stage.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock_stage(stage)
    old = _plan_fields(current)
    if current.sessions_planned != sessions:
        current.sessions_planned = sessions
        current.save(update_fields=["sessions_planned"])
        _append_stage_entry(current, Kind.STAGE_SET, by, old=old, new=_plan_fields(current))
    return current


def _is_next_stage(tournament: Tournament, number: int) -> bool:
    """Return whether `number` is that of the stage after the last one, at most `MOST_STAGES`.

    The first stage has no row.
    """
    return number == tournament.stages.count() + 2 and number <= MOST_STAGES


def _plan_fields(stage: Stage) -> dict[str, Any]:
    return {name: getattr(stage, name) for name in PLANNED_FIELDS}


@transaction.atomic
def remove_stage(stage: Stage, *, by: Actor) -> None:
    """Remove the last stage, unless it is confirmed.

    Raises `StageConfirmed`, `NotTheLastStage`, `Stage.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock_stage(stage)
    if current.is_confirmed:
        raise StageConfirmed
    if current.tournament.stages.filter(number__gt=current.number).exists():
        raise NotTheLastStage
    subject, old = {"stage": current.number}, _plan_fields(current)
    current.delete()
    audit.append_entry(current.tournament, Kind.STAGE_REMOVED, by, subject=subject, old=old)


@transaction.atomic
def confirm_members(
    stage: Stage,
    members: Sequence[dict[str, Any]],
    *,
    decided: Collection[str] = (),
    by: Actor,
    reason: str = "",
) -> Stage:
    """Store the members of a stage. Sessions opened from now on belong to this stage. Idempotent.

    `members` are the groups that the writer was shown, in the form of `Stage.members`. `decided`
    has the keys of the players whom the director chose among those tied at the line. Raises
    `StageNotConfirmed` for an earlier stage, `StageConfirmed` with other members, `TieAtTheLine`,
    `NobodyGoesOn`, `StageChanged` if other players go on by now, `Stage.DoesNotExist` and
    `closing.EventClosed`.
    """
    current = _lock_stage(stage)
    if current.members == members:
        return current
    if current.is_confirmed:
        raise StageConfirmed
    if current.tournament.stages.filter(number__lt=current.number, members__isnull=True).exists():
        raise StageNotConfirmed
    going_on = stage_queries.going_on(current, decided)
    if going_on.tie:
        raise TieAtTheLine
    if not any(rows for _group, rows in going_on.groups):
        raise NobodyGoesOn
    if going_on.members != members:
        raise StageChanged
    current.members = going_on.members
    current.first_session = seating.next_session_number(current.tournament)
    current.first_adjustment = adjustments.next_number(current.tournament.adjustments.all())
    current.save(update_fields=CONFIRMED_FIELDS)
    tied = [[int(key) for key in tie.tied] for tie in going_on.settled]
    new = _confirmed_fields(current) | {"tied": tied}
    if tied and current.at_line == AtLine.LOT:
        new["seed"] = current.seed
    _append_stage_entry(current, Kind.STAGE_CONFIRMED, by, new=new, reason=reason)
    return current


@transaction.atomic
def take_back_members(stage: Stage, *, by: Actor, reason: str = "") -> Stage:
    """Undo `confirm_members` before a session of the stage is opened. Idempotent.

    Raises `StageBegun`, `NotTheLastStage` if a later stage is confirmed, `Stage.DoesNotExist` and
    `closing.EventClosed`.
    """
    current = _lock_stage(stage)
    if not current.is_confirmed:
        return current
    _check_members_may_change(current)
    old = _confirmed_fields(current)
    current.members = current.first_session = current.first_adjustment = None
    current.save(update_fields=CONFIRMED_FIELDS)
    _append_stage_entry(current, Kind.STAGE_TAKEN_BACK, by, old=old, reason=reason)
    return current


@transaction.atomic
def replace_member(
    stage: Stage, leaving: Entry, following: Entry | None, *, by: Actor, reason: str = ""
) -> Stage:
    """Replace the member `leaving` of a confirmed stage by the player `following`. Idempotent.

    `following` joins the same group. If it is None, the member is only removed. Raises
    `StageNotConfirmed`, `StageBegun`, `NotTheLastStage` if a later stage is confirmed, `NotInLine`,
    `Stage.DoesNotExist` and `closing.EventClosed`.
    """
    current = _lock_stage(stage)
    if current.members is None:
        raise StageNotConfirmed
    numbers = {number for group in current.members for number in group["players"]}
    if leaving.number not in numbers and (following is None or following.number in numbers):
        return current  # replaced already
    _check_members_may_change(current)
    in_line = stage_queries.next_in_line(current, in_place_of=leaving)
    if leaving.number not in numbers or (
        following is not None and following not in [row.entry for row in in_line.rows]
    ):
        raise NotInLine
    new = {"player": following.number if following else None}
    current.members = [
        {**group, "players": _replaced(group["players"], leaving.number, new["player"])}
        for group in current.members
    ]
    current.save(update_fields=["members"])
    old = {"player": leaving.number}
    _append_stage_entry(current, Kind.MEMBER_REPLACED, by, old=old, new=new, reason=reason)
    return current


def _replaced(players: Sequence[int], leaving: int, following: int | None) -> list[int]:
    """`leaving` is left out if `following` is None."""
    replaced = [following if each == leaving else each for each in players]
    return [each for each in replaced if each is not None]


def _check_members_may_change(stage: Stage) -> None:
    """Raise `NotTheLastStage` if a later stage is confirmed.

    Raises `StageBegun` if a session of the stage was opened.
    """
    if stage.tournament.stages.filter(number__gt=stage.number, members__isnull=False).exists():
        raise NotTheLastStage
    if stage_queries.last_session(stage):
        raise StageBegun


def _confirmed_fields(stage: Stage) -> dict[str, Any]:
    return {name: getattr(stage, name) for name in CONFIRMED_FIELDS}


def _append_stage_entry(stage: Stage, kind: AuditEntry.Kind, by: Actor, **payload: Any) -> None:
    """Append an audit entry; `payload` is its `old`, `new` and `reason`."""
    audit.append_entry(stage.tournament, kind, by, subject={"stage": stage.number}, **payload)


def _lock_stage(stage: Stage) -> Stage:
    """Take the tournament's lock and return the stage read anew.

    Raises `closing.EventClosed` and `Stage.DoesNotExist`.
    """
    closing.check_not_closed(lock_tournament(stage.tournament))
    return Stage.objects.select_related("tournament").get(pk=stage.pk)
