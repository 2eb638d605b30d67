"""Everybody's place."""

from __future__ import annotations

from typing import Annotated

from ninja import Field

from tournaments.api.answers.entries import EntryOut
from tournaments.api.answers.parts import Answer
from tournaments.api.answers.tournaments import PublicationOut


class StandingOut(EntryOut):
    """A player's place; null until a round of theirs counts."""

    place: int | None
    place_in_class: int | None
    points: int | None
    rounds_played: int
    separated_by: Annotated[str | None, Field(description="The step that broke a tie above.")]


class StandingsOut(Answer):
    """Everybody in the order of their places."""

    tournament: str
    fingerprint: str
    publication: Annotated[
        PublicationOut | None, Field(description="The announcement shown; null where it is live.")
    ] = None
    rounds_counted: int
    rounds_under_way: int
    standings: list[StandingOut]
