"""What the API, archives, publications and the verification describe alike, as pydantic models.

`…Facts` are what is chosen; a schema that reads history is never stricter than the oldest files.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from tournaments.models.field_types import AS_TEXT, Day, HousePoints, Options, Short, StrictModel
from tournaments.models.tournament import MOST_ROUNDS, MOST_SESSIONS, Tournament


class SettingsFacts(StrictModel):
    """The settings of a tournament that the director chooses and everybody may see."""

    name: Short
    held_on: Day
    venue: Short = ""
    rule_set: Annotated[str, Field(max_length=40)]
    options: Annotated[Options, Field(description="Only what differs from the text.")] = {}
    points: Annotated[HousePoints, Field(description="Only what differs from the text.")] = {}
    rounds_per_session: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    sessions_planned: Annotated[int, Field(ge=1, le=MOST_SESSIONS)] | None = None
    partners: bool = False
    accepting: Annotated[Tournament.Accepting, AS_TEXT] = Tournament.Accepting.OFF
    totals_only: Annotated[
        bool, Field(description="Whether the desk enters only the totals of each table, no rounds.")
    ] = False


SETTINGS = tuple(SettingsFacts.model_fields)


def public_settings(tournament: Tournament) -> dict[str, Any]:
    """Return the public settings as JSON, as audit entries and publications store them."""
    settings = {name: getattr(tournament, name) for name in SETTINGS}
    fingerprint = tournament.rules.fingerprint
    return settings | {"held_on": str(tournament.held_on), "fingerprint": fingerprint}
