"""A table as it stands: what a phone has to know, and what it says besides facts."""

from __future__ import annotations

from typing import Annotated

from ninja import Field

from tournaments.api.answers.parts import Answer, Facts, Moment, Player, Role, one_of
from tournaments.api.answers.rounds import RoundOut
from tournaments.api.answers.seating import SeatOut
from tournaments.api.answers.tournaments import TournamentOut
from tournaments.models import Call


class NextOut(Answer):
    """What comes next at a table; `version` is the `seen` of the next write."""

    round: int
    version: int
    deal: int
    finished: bool
    seats: Annotated[list[Player], Field(description="In order, after changes of places.")]
    dealer: Annotated[str | None, Field(description="Null while it is to be drawn.")]
    trump: str | None


class AdviceOut(Answer):
    """What the table does next: a code and its values, and the sentence."""

    code: str
    sentence: str
    players: dict[str, str]
    values: dict[str, int | str]


class CallOut(Answer):
    """A call that the desk has not answered."""

    id: int
    kind: Annotated[str, one_of(Call.Kind)]
    words: str
    at: Moment


class TakenBackOut(Answer):
    """A call that is open no more."""

    id: int
    open: bool


class DisagreementOut(Answer):
    """Facts that differ from the recorded ones and wait for the desk."""

    id: int
    round: int
    facts: Facts
    at: Moment


class YouOut(Answer):
    """Who asks, seen from the table."""

    role: Role | None
    phone: int | None
    is_writer: bool | None
    may_record: bool
    may_correct: bool


class SittingOut(Answer):
    """A table as it stands: everything a phone has to know to take down what follows."""

    id: int
    tournament: TournamentOut
    session: int
    table: int
    totals_only: bool
    seats: list[SeatOut]
    rounds: list[RoundOut]
    totals: dict[str, int]
    team_totals: list[int] | None
    next: NextOut
    advice: list[AdviceOut]
    calls: list[CallOut]
    disagreements: list[DisagreementOut]
    you: YouOut


class JoinedOut(Answer):
    """A phone's bearer token, told this once, and its table."""

    token: str
    sitting: int
    is_writer: bool
