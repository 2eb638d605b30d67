"""Rounds in force and the lines that explain their points."""

from __future__ import annotations

from typing import Annotated, Literal

from ninja import Field

from tournaments.api.answers.parts import Answer, Facts, Moment, Player


class LineOut(Answer):
    """One item of a score: its points, and whose: a player's, a team's, or the kankei's."""

    deal: int = 0
    player: Player = ""
    team: int = 0
    item: str
    points: int


class RoundOut(Answer):
    """A round in force. `lines` explain the points."""

    number: int
    version: int
    facts: Facts
    reason: str
    recorded_at: Moment
    complete: Annotated[bool, Field(description="Whether it is over, and counts.")]
    points: Annotated[dict[str, int], Field(description="By player.")]
    lines: list[LineOut]
    accepted: Annotated[bool, Field(description="Whether the other side has agreed to it.")]
    by_desk: Annotated[
        bool,
        Field(description="Whether the staff recorded it as it stands: nobody is asked to accept."),
    ] = False  # not told in answers that were kept before there was this


class RoundsOut(Answer):
    """The rounds in force of a table."""

    rounds: list[RoundOut]


class AcceptedOut(Answer):
    """The round agreed to, in which version."""

    number: int
    version: int
    accepted: Literal[True]
