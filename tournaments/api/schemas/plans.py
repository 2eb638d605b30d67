"""The plan of a tournament, as the API answers it."""

from __future__ import annotations

from typing import Annotated

from ninja import Field
from typing_extensions import TypedDict

from tournaments.models import Tournament
from tournaments.queries.progress import current_plan
from tournaments.queries.round_documents import no_other_keys
from tournaments.services import plans


@no_other_keys
class PlannedStageOut(TypedDict):
    """A stage of the plan. The first one has no name."""

    number: int
    name: str
    sessions_planned: Annotated[
        int | None, Field(description="Null: as many as are seated, at least one.")
    ]
    seated: Annotated[list[int], Field(description="The numbers of its seated sessions.")]
    confirmed: Annotated[bool, Field(description="Whether it is known who plays in it.")]


@no_other_keys
class PlanOut(TypedDict):
    """The stages in order, the number of the one that is played, and the version of the plan."""

    stages: list[PlannedStageOut]
    current: int
    version: int


def plan_as_json(tournament: Tournament) -> PlanOut:
    version = plans.plan_version(tournament)  # read first: never too new
    plan = current_plan(tournament)
    stages: list[PlannedStageOut] = [
        {
            "number": each.number,
            "name": each.name,
            "sessions_planned": each.planned,
            "seated": list(each.seated),
            "confirmed": each.is_confirmed,
        }
        for each in plan.stages
    ]
    return {"stages": stages, "current": plan.current.number, "version": version}
