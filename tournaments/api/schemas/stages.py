"""Stages."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from tournaments.api.schemas.fields import one_of
from tournaments.models import Stage, Tournament
from tournaments.queries import stages as stage_queries
from tournaments.queries.round_documents import no_other_keys
from tournaments.queries.stages import GoingOn


@no_other_keys
class QuotaOut(TypedDict):
    """Who goes on: the first `places`, those with `at_least` so many points, or both.

    An empty `division` is every class. The members of each `group` play at tables of their own.
    """

    group: str
    division: str
    places: int | None
    at_least: int | None


@no_other_keys
class MembersOut(TypedDict):
    """The players of one group, in the order of their places in the stage before."""

    group: str
    players: list[int]


@no_other_keys
class StageOut(TypedDict):
    """A stage after the first. `members` and `first_session` are null until they are confirmed."""

    number: int
    name: str
    quotas: list[QuotaOut]
    carry: Annotated[str, one_of(Stage.CarryOver)]
    at_line: Annotated[str, one_of(Stage.TieRule)]
    seed: int
    first_session: int | None
    first_adjustment: int | None
    members: list[MembersOut] | None


@no_other_keys
class StagesOut(TypedDict):
    """The stages after the first, in order."""

    stages: list[StageOut]


def stage_as_json(stage: Stage) -> StageOut:
    """Return a stage."""
    document: StageOut = stage.as_json()  # type: ignore[assignment]
    return document


@no_other_keys
class OpenLineOut(TypedDict):
    """Players who share the last place that goes on, and how many of them can."""

    players: list[int]
    places: int


@no_other_keys
class GoingOnOut(StageOut):
    """A stage, and who goes on to it as things stand: what to send to confirm it.

    `version` is the `seen` of a change. With a `tie`, choose who of the tied goes on.
    """

    version: int
    going_on: list[MembersOut]
    tie: OpenLineOut | None
    next_in_line: list[int]


def going_on_as_json(stage: Stage, found: GoingOn, version: int) -> GoingOnOut:
    """Return a stage with who goes on; `version` was read before."""
    groups: list[MembersOut] = found.members  # type: ignore[assignment]
    tie: OpenLineOut | None = None
    if found.tie:
        tied = [row.entry.number for row in found.tied]
        tie = {"players": tied, "places": found.tie.open_places}
    return {
        **stage_as_json(stage),
        "version": version,
        "going_on": groups,
        "tie": tie,
        "next_in_line": [row.entry.number for row in found.next_in_line],
    }


@no_other_keys
class RemovedStageOut(TypedDict):
    """The number of the stage that was removed."""

    removed: int


def current_stage(tournament: Tournament, number: int, decided: list[str]) -> GoingOnOut | None:
    """Return a stage with who goes on, read now; None if there is none of this number."""
    version = stage_queries.version_of(tournament, number)
    stage = tournament.stages.select_related("tournament").filter(number=number).first()
    if stage is None:
        return None
    found = stage_queries.going_on(stage, decided)
    return going_on_as_json(stage, found, version)
