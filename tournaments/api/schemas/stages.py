"""Stages."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from tournaments.api.schemas.fields import StateVersion, one_of
from tournaments.models import Stage, Tournament
from tournaments.queries import stages as stage_queries
from tournaments.queries.round_documents import no_other_keys
from tournaments.queries.stages import GoingOn


@no_other_keys
class QuotaOut(TypedDict):
    """A rule for who goes on: the first `places`, all with `at_least` that many points, or both.

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
    """A stage after the first. `members` and `first_session` are null until it is confirmed."""

    number: int
    name: str
    sessions_planned: int | None
    quotas: list[QuotaOut]
    carry: Annotated[str, one_of(Stage.CarryOver)]
    at_line: Annotated[str, one_of(Stage.TieRule)]
    seed: int
    first_session: int | None
    first_adjustment: int | None
    members: list[MembersOut] | None
    state_version: NotRequired[StateVersion]


@no_other_keys
class StagesOut(TypedDict):
    """The stages after the first, in order."""

    stages: list[StageOut]


def stage_as_json(stage: Stage) -> StageOut:
    """Return a stage as in the audit trail: its definition and, once confirmed, its members."""
    document: StageOut = stage.as_json()  # type: ignore[assignment]
    return document


@no_other_keys
class TieAtLineOut(TypedDict):
    """Players tied for the last places that go on, and the number of these places."""

    players: list[int]
    places: int


@no_other_keys
class GoingOnOut(StageOut):
    """A stage, and who goes on to it by the present standings: send `going_on` to confirm it.

    `version` is the `seen` of a change. With a `tie`, choose which of the tied players go on.
    """

    version: int
    going_on: list[MembersOut]
    tie: TieAtLineOut | None
    next_in_line: list[int]


def going_on_as_json(stage: Stage, going_on: GoingOn, version: int) -> GoingOnOut:
    """Return a stage, the players who go on to it, and those next in line.

    `tie` names players tied for the last places, of whom the director must choose. `version` is
    that of the stage.
    """
    groups: list[MembersOut] = going_on.members  # type: ignore[assignment]
    tie: TieAtLineOut | None = None
    if going_on.tie:
        tied = [row.entry.number for row in going_on.tied]
        tie = {"players": tied, "places": going_on.tie.open_places}
    return {
        **stage_as_json(stage),
        "version": version,
        "going_on": groups,
        "tie": tie,
        "next_in_line": [row.entry.number for row in going_on.next_in_line],
    }


@no_other_keys
class RemovedStageOut(TypedDict):
    """The number of the stage that was removed."""

    removed: int
    state_version: NotRequired[StateVersion]


def current_stage(tournament: Tournament, number: int, decided: list[str]) -> GoingOnOut | None:
    """Return stage `number` and who goes on to it, as stored now; None without such a stage.

    `decided` are the keys of players chosen among those tied for the last place that goes on.
    """
    version = stage_queries.stage_version(tournament, number)  # read first, so that it is not newer
    stage = tournament.stages.select_related("tournament").filter(number=number).first()
    if stage is None:
        return None
    return going_on_as_json(stage, stage_queries.going_on(stage, decided), version)
