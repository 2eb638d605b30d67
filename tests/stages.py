"""Stages for tests: finals, with members or without."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tests.cast import SOMEBODY
from tournaments.models import Stage, Tournament
from tournaments.queries import stages as stage_queries
from tournaments.services import stages
from tournaments.services.stages import StagePlan

FIRST_FOUR = Quota("", "", 4)
WINNERS = Quota("", "", None, at_least=1)  # after `cast.record`: 2, 4 and 5


def plan(
    *quotas: Quota,
    carry: Carry = Carry.HALF,
    at_line: AtLine = AtLine.OPEN,
    name: str = "決勝",
    seed: int = 5,
    sessions_planned: int | None = None,
) -> StagePlan:
    """Return what is chosen of a final, by default the first four with half of their points."""
    return StagePlan(name, quotas or [FIRST_FOUR], carry, at_line, seed, sessions_planned)


def make_stage(tournament: Tournament, number: int = 2, wanted: StagePlan | None = None) -> Stage:
    """Define a stage, by default a final."""
    return stages.set_stage(tournament, number, wanted or plan(), seen_version=0, by=SOMEBODY)


def confirm(stage: Stage, *decided: str, **more: Any) -> Stage:
    """Confirm who advances as things stand."""
    found = stage_queries.going_on(stage, decided)
    return stages.confirm_members(stage, found.members, decided=decided, by=SOMEBODY, **more)


def make_confirmed(tournament: Tournament, wanted: StagePlan | None = None) -> Stage:
    return confirm(make_stage(tournament, wanted=wanted))


def url(name: str, tournament: Tournament, *numbers: int) -> str:
    return reverse(name, args=[tournament.slug, *numbers])
