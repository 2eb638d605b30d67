"""What a publication holds, as strict types.

An archive may bring a publication that nobody announced here: its digest says that it is whole, not
that a page can be made of it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tournaments.models import Tournament
from tournaments.models.tournament import MOST_ROUNDS

Number = Annotated[int, Field(ge=1, le=32_767)]
Count = Annotated[int, Field(ge=0, le=2_147_483_647)]
Points = Annotated[int, Field(gt=-(10**8), lt=10**8)]
Short = Annotated[str, Field(max_length=200)]
Moment = Annotated[str, Field(pattern=r"^[12]\d{3}-[0-9T:.+-]{10,40}$")]


class StrictModel(BaseModel):
    """Exactly these fields, each of exactly its kind."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Settings(StrictModel):
    """The tournament as it was announced."""

    slug: Short
    name: Short
    held_on: Annotated[str, Field(pattern=r"^[12]\d{3}-\d\d-\d\d$")]
    venue: Short
    rule_set: Short
    options: dict[str, bool]
    points: dict[str, int]
    rounds_per_session: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None
    partners: bool
    accepting: Literal[tuple(Tournament.Accepting.values)]  # type: ignore[valid-type]
    totals_only: bool
    fingerprint: Short


class Player(StrictModel):
    """What anybody may know of an entry."""

    number: Number
    name: Short
    club: Short
    division: Short
    reading: Short = ""


class RoundInForce(StrictModel):
    """A round as it stood; `facts` are read by the game."""

    version: Number
    facts: dict[str, Any]
    reason: Annotated[str, Field(max_length=500)]
    accepted: bool
    recorded_at: Moment


class Table(StrictModel):
    """A table of a session, `players` in the order in which they sat."""

    number: Number
    players: list[Number]
    rounds: list[RoundInForce]
    totals: dict[str, Points] | None

    @model_validator(mode="after")
    def _totals_are_the_players(self) -> Table:
        """Refuse totals of anybody else; there is nobody whose page would show them."""
        if self.totals is not None and self.totals.keys() != set(map(str, self.players)):
            raise ValueError(self.number)
        return self


class Seating(StrictModel):
    """A session and its tables."""

    number: Number
    totals_only: bool
    ended_at: Moment | None = None  # by the desk; publications made before tell nothing of it
    tables: list[Table]


class Progressed(StrictModel):
    """How far the event had come."""

    tables: Count
    recorded: Count
    planned: Count | None
    under_way: Count


class Content(StrictModel):
    """All of it. The standings, which are derived, are left to be compared with what follows."""

    tournament: Settings
    entries: list[Player]
    sessions: list[Seating]
    progress: Progressed
    standings: list[Any]
