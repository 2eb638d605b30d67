"""The shape of a publication's content, as strict pydantic models.

An archive may contain a forged publication: its digest proves that it is undamaged, not that pages
can be rendered from it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from scoring.ranking.absence import AWAY
from tournaments.models import Stage
from tournaments.models.adjustments import FOR_ONE, AdjustmentFacts
from tournaments.models.entry_fields import MAX_LENGTHS, PersonFacts
from tournaments.models.field_types import (
    Count,
    Number,
    Points,
    Reason,
    Short,
    StrictModel,
)
from tournaments.models.stages import MOST_STAGES
from tournaments.models.tournament import MOST_SESSIONS, SettingsFacts

Moment = Annotated[str, Field(pattern=r"^[12]\d{3}-[0-9T:.+-]{10,40}$")]


class Settings(SettingsFacts):
    slug: Short
    ranking: dict[str, Any] = {}  # missing in publications of earlier versions
    fingerprint: Short


class Player(PersonFacts):
    """The public fields of an entry."""

    number: Number
    is_substitute: bool = False


class RoundInForce(StrictModel):
    """A published round; `facts` are validated by `scoring`."""

    version: Number
    facts: dict[str, Any]
    reason: Reason
    accepted: bool
    recorded_at: Moment


class Table(StrictModel):
    """A table of a session; `players` are entry numbers in seat order."""

    number: Number
    players: list[Number]
    # Both only if players of the table have changed: the number of the table that it continues, and
    # the rounds that were left.
    continues: Number | None = None
    rounds_planned: Count | None = None
    rounds: list[RoundInForce]
    totals: dict[str, Points] | None

    @model_validator(mode="after")
    def _check_totals_of_players(self) -> Table:
        """Return the table. Raises `ValueError` if it has totals of other players than its own."""
        if self.totals is not None and self.totals.keys() != set(map(str, self.players)):
            raise ValueError(self.number)
        return self


class Seating(StrictModel):
    number: Number
    totals_only: bool
    ended_at: Moment | None = None  # missing in publications of earlier versions
    tied: list[Number] | None = None  # only in a play-off: the players whose order it decides
    rounds_planned: Count | None = None  # see `models.Session`
    tables: list[Table]


class PlayedFor(StrictModel):
    """A substitution: in the session, `substitute` plays in the stead of `player`."""

    session: Number
    player: Number
    substitute: Number


class Withdrawal(StrictModel):
    player: Number
    session: Number


class AwayFrom(StrictModel):
    """A player who was not there in a session, and why; who withdrew for good is a `Withdrawal`."""

    session: Number
    player: Number
    reason: Literal[tuple(each.value for each in AWAY)]  # type: ignore[valid-type]


class StageQuota(StrictModel):
    """A rule for who goes on: the first `places`, all with `at_least` that many points, or both.

    An empty `division` is every class. The members of each `group` play at tables of their own.
    """

    group: Annotated[str, Field(max_length=60)]
    division: Annotated[str, Field(max_length=MAX_LENGTHS["division"])]
    places: Number | None
    at_least: Points | None


class StageMembers(StrictModel):
    """The members of one group of a stage, in the order of their places in the stage before."""

    group: Annotated[str, Field(max_length=60)]
    players: list[Number]


class StageFacts(StrictModel):
    """A stage after the first; fields as in `models.Stage`."""

    number: Annotated[int, Field(ge=2, le=MOST_STAGES)]
    name: Annotated[str, Field(min_length=1, max_length=60)]
    # missing in publications and archives of earlier versions
    sessions_planned: Annotated[int, Field(ge=1, le=MOST_SESSIONS)] | None = None
    quotas: Annotated[list[StageQuota], Field(min_length=1, max_length=20)]
    carry: Literal[tuple(Stage.CarryOver.values)]  # type: ignore[valid-type]
    at_line: Literal[tuple(Stage.TieRule.values)]  # type: ignore[valid-type]
    seed: Annotated[int, Field(ge=0, lt=10**9)]
    first_session: Number | None
    first_adjustment: Number | None
    members: Annotated[list[StageMembers], Field(max_length=20)] | None


TiedPlayers = Annotated[list[Number], Field(min_length=2)]  # in the order that was decided


class TieDecided(StrictModel):
    """A decision on a tie: the players in order, and the seed that gives this order, if a lot.

    Earlier versions published no `stage`, and only the order if the director decided.
    """

    order: TiedPlayers
    seed: Short
    stage: Annotated[int, Field(ge=1, le=MOST_STAGES)] | None = None


class Progressed(StrictModel):
    """The published progress; fields as in `queries.progress.Progress`."""

    tables: Count
    recorded: Count
    planned: Count | None
    under_way: Count


class Content(StrictModel):
    """The whole content. Standings have no model: they are compared with derived standings."""

    tournament: Settings
    entries: list[Player]
    sessions: list[Seating]
    # A list with a default is missing if empty.
    substitutions: list[PlayedFor] = []
    withdrawn: list[Withdrawal] = []
    adjustments: list[Annotated[AdjustmentFacts, FOR_ONE]] = []
    decisions: list[TiedPlayers | TieDecided] = []
    stages: list[StageFacts] = []
    # Missing in publications of earlier versions, and never null.
    away: list[AwayFrom] = None  # type: ignore[assignment]
    progress: Progressed
    standings: list[Any]
