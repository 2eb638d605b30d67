"""Stages."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from tournaments.api.schemas.fields import StateVersion
from tournaments.models import Stage, Tournament
from tournaments.queries import live_events
from tournaments.queries import stages as stage_queries
from tournaments.queries.publications.schema import StageFacts, StageMembers
from tournaments.queries.round_documents import no_other_keys
from tournaments.queries.stages import GoingOn


class StageOut(StageFacts):
    """A stage after the first. `members` and `first_session` are null until it is confirmed.

    `first_session` is the number of its first session, seated or to come; a play-off is none.
    """

    state_version: StateVersion = 0

    @classmethod
    def of(cls, stage: Stage, **others: Any) -> Any:
        """Return the document of a stage: `others`, and its facts."""
        if stage.is_confirmed:
            others["first_session"] = stage.opening_session(stage.tournament.play_off_numbers)
        return cls.json_of(stage, **others)


@no_other_keys
class StagesOut(TypedDict):
    """The stages after the first, in order."""

    stages: list[StageOut]


@no_other_keys
class TieAtLineOut(TypedDict):
    """Players tied for the last places that go on, and the number of these places."""

    players: list[int]
    places: int


class GoingOnOut(StageOut):
    """A stage, and who goes on to it by the present standings: send `going_on` to confirm it.

    `version` is the `seen` of a change. With a `tie`, choose which of the tied players go on.
    `next_in_line` of a confirmed stage are those who may replace a member, the best first; those
    who gave up a place in it come last.
    """

    version: int
    going_on: list[StageMembers]
    tie: TieAtLineOut | None
    next_in_line: list[int]


def going_on_as_json(stage: Stage, going_on: GoingOn, version: int) -> Any:
    """Return a `GoingOnOut`: a stage, the players who go on to it, and those next in line.

    `tie` names players tied for the last places, of whom the director must choose. `version` is
    that of the stage.
    """
    tie: TieAtLineOut | None = None
    if going_on.tie:
        tied = [row.entry.number for row in going_on.tied]
        tie = {"players": tied, "places": going_on.tie.open_places}
    return StageOut.of(
        stage,
        version=version,
        going_on=going_on.members,
        tie=tie,
        next_in_line=[row.entry.number for row in going_on.next_in_line],
    )


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
    event = live_events.events.current(stage.tournament)  # as of a row read after the version
    found = stage_queries.going_on(stage, decided, event.ranking_facts)
    document: GoingOnOut = going_on_as_json(stage, found, version)
    return document
