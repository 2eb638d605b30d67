"""Changing the plan: how many sessions each stage has, and which stages follow the first."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ChangedSince
from tournaments.models import AuditEntry, Tournament
from tournaments.models.tournament import public_settings
from tournaments.queries import stages as stage_queries
from tournaments.queries.progress import current_plan
from tournaments.services import closing, stages
from tournaments.services.stages import StagePlan

KINDS = (AuditEntry.Kind.RULES_SET, *stage_queries.KINDS)


class PlanChanged(ChangedSince):
    code = "plan_changed"
    at = "seen"
    sentence = _("The plan has changed since you opened this page. Check it, then save again.")


def plan_version(tournament: Tournament) -> int:
    return audit.last_number(tournament, KINDS)


@transaction.atomic
def set_plan(
    tournament: Tournament,
    sessions: int | None,
    stage_plans: Sequence[StagePlan] | None = None,
    *,
    seen_version: int,
    by: Actor,
) -> None:
    """Plan this number of sessions in the current stage and, unless None, these later stages.

    `sessions` is None for as many as are seated. `seen_version` is the version of the plan that was
    shown. Raises `PlanChanged`, `stages.StageConfirmed` and `closing.EventClosed`.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    if plan_version(current) != seen_version:
        raise PlanChanged
    _set_sessions(current, sessions, by)
    if stage_plans is not None:
        stages.define_stages(current, stage_plans, by=by)


@transaction.atomic
def add_session(tournament: Tournament, *, by: Actor) -> None:
    """Plan one more session of the current stage than are seated, if all planned ones are seated.

    Raises `closing.EventClosed`.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    plan = current_plan(current)
    if plan.needs_choice:
        _set_sessions(current, len(plan.current.seated) + 1, by)


def _set_sessions(tournament: Tournament, sessions: int | None, by: Actor) -> None:
    """Call it under the lock."""
    stage = current_plan(tournament).current.row
    if stage is not None:
        stages.set_sessions_planned(stage, sessions, by=by)
    elif tournament.sessions_planned != sessions:
        old = public_settings(tournament)
        tournament.sessions_planned = sessions
        tournament.save(update_fields=["sessions_planned"])
        new = public_settings(tournament)
        audit.append_entry(tournament, AuditEntry.Kind.RULES_SET, by, old=old, new=new)
