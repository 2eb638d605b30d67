"""Cloning an event: a new event with the settings of an earlier one, without its facts.

Copied are settings, rules, ranking rules, stages, the settings of registration, which stays closed,
and whether seats are public. Staff, players, results and publications are not copied.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.utils import timezone

import scoring
from scoring.stages.places import Carry
from scoring.stages.selection import AtLine
from tournaments.audit import Actor
from tournaments.models import Stage, Tournament
from tournaments.models.tournament import SETTINGS
from tournaments.queries.seat_draws import new_seed
from tournaments.services import registrations, stages
from tournaments.services.publications import set_shows_seats
from tournaments.services.ranking import with_new_seed
from tournaments.services.stages import StagePlan
from tournaments.services.tournaments import create_tournament

EDITION = re.compile(r"(?<=第)\d+(?=回)")
YEAR = re.compile(r"(?<![0-9])(19|20)\d\d(?![0-9])|(?<=令和)\d+(?=年)")


def copy_of_settings(source: Tournament) -> Tournament:
    """Return a new, unsaved tournament, held today, with the settings and rules of `source`."""
    copied = {name: getattr(source, name) for name in SETTINGS if name != "held_on"}
    copied["name"] = next_name(source.name, source.held_on, timezone.localdate())
    return Tournament(**copied, ranking=with_new_seed(source.ranking))


def next_name(name: str, held_on: date, today: date) -> str:
    """Return an event's name with its edition raised by one and its year by the years since then.

    >>> next_name("第9回 新春大会 2026", date(2026, 1, 3), date(2027, 1, 3))
    '第10回 新春大会 2027'
    >>> next_name("令和8年度 秋の部", date(2026, 9, 1), date(2027, 9, 1))
    '令和9年度 秋の部'
    """
    years = max(0, today.year - held_on.year)
    name = YEAR.sub(lambda match: str(int(match[0]) + years), name)
    return EDITION.sub(lambda match: str(int(match[0]) + 1), name)


@transaction.atomic
def create_like(
    tournament: Tournament,
    rules: scoring.Rules,
    source: Tournament,
    *,
    by: Actor,
    stage_plans: Sequence[StagePlan] | None = None,
) -> Tournament:
    """Save a new tournament with these rules, and the registration and stages of `source`.

    With `stage_plans` it gets these stages instead. Whether seats are public is copied, too.
    `tournament` is a `copy_of_settings`, which the director may have edited; `by` becomes its
    director.
    """
    create_tournament(tournament, rules, by=by)
    if stage_plans is None:
        stage_plans = [_plan_of(stage) for stage in source.stages.all()]
    stages.define_stages(tournament, stage_plans, by=by)
    if source.registration:
        settings = source.registration_settings._replace(is_open=False, closes_at=None)
        registrations.set_registration(tournament, settings, seen_version=0, by=by)
    if source.shows_seats:
        set_shows_seats(tournament, shows=True, by=by)
    return tournament


def _plan_of(stage: Stage) -> StagePlan:
    """Return the plan of a stage, with a new seed if a lot decides at the line."""
    at_line = AtLine(stage.at_line)
    seed = new_seed() if at_line == AtLine.LOT else 0
    quotas, carry = stage.read_quotas(), Carry(stage.carry)
    return StagePlan(stage.name, quotas, carry, at_line, seed, stage.sessions_planned)
