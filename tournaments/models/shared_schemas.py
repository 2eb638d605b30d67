"""What the API, archives, publications and the verification describe alike, as pydantic models.

`…Facts` are what is chosen, `…Record` adds what is stored with it. They are as loose as the oldest
archive and publication; the bodies of requests, which inherit them, may be stricter.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from scoring.ranking.rules import LONGEST_SEED
from tournaments.models.entry_fields import MAX_LENGTHS
from tournaments.models.field_types import (
    AS_TEXT,
    IN_AN_EVENT,
    Day,
    HousePoints,
    Moment,
    Number,
    Options,
    Points,
    Reason,
    Short,
    StrictModel,
)
from tournaments.models.registration_settings import LONGEST_TEXT, MAX_CAPACITY, MOST_DIVISIONS
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


class PersonFacts(StrictModel):
    """The public fields of a player, which applicants fill in, too."""

    name: Short
    club: Short = ""
    division: Annotated[str, Field(max_length=MAX_LENGTHS["division"])] = ""
    reading: Short = ""
    team: Short = ""


Division = Annotated[str, Field(max_length=MAX_LENGTHS["division"])]
Places = Annotated[int, Field(ge=1, le=MAX_CAPACITY)]


class RegistrationFacts(StrictModel):
    """Whether and how applications are accepted. `text` is shown to applicants."""

    open: bool
    closes_at: Moment | None = None
    capacity: Annotated[
        Places | None, Field(description="How many players at most; null: no limit.")
    ] = None
    automatic: Annotated[
        bool, Field(description="Approved at once with the code, while places are free.")
    ] = False
    divisions: Annotated[list[Division], Field(max_length=MOST_DIVISIONS)] = []
    text: Annotated[str, Field(max_length=LONGEST_TEXT)] = ""
    capacities: Annotated[
        dict[Division, Places],
        Field(max_length=MOST_DIVISIONS, description="Of classes with a limit of their own."),
    ] = {}


class RulingFacts(StrictModel):
    """A ruling of the director; those of one kind are numbered in each tournament."""

    number: Number
    reason: Reason


class RulingRecord(RulingFacts):
    """A ruling with who stored it, and when."""

    who: Short
    at: Moment
    taken_back_at: Annotated[
        Moment | None, Field(description="When it was taken back; null while it counts.")
    ]


class AdjustmentFacts(RulingFacts):
    """Points given to a player or to a team; below 0 they are deducted."""

    player: Number | None = None
    team: Short = ""
    points: Points


class AdjustmentRecord(RulingRecord, AdjustmentFacts):
    """An adjustment with who stored it, and when."""


def _check_player_or_team(facts: AdjustmentFacts) -> AdjustmentFacts:
    """Return the adjustment. Raises `ValueError` unless it is for either a player or a team."""
    if (facts.player is None) == (not facts.team):
        raise ValueError(facts.number)
    return facts


FOR_ONE = AfterValidator(_check_player_or_team)


class DecisionRecord(RulingRecord):
    """The numbers of tied players in the order that the director or a lot has decided."""

    order: Annotated[list[Number], IN_AN_EVENT]
    seed: Annotated[
        str,
        Field(
            max_length=LONGEST_SEED,
            description="What the lot was derived from; empty without a lot.",
        ),
    ] = ""
