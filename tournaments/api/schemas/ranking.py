"""The ranking rules of a tournament."""

from __future__ import annotations

from typing import Annotated

from ninja import Field
from typing_extensions import TypedDict

import scoring
from scoring.ranking.rules import CHOICES, OTHER_ABSENCES
from tournaments.i18n.units import unit_words
from tournaments.models import Tournament
from tournaments.queries.round_documents import no_other_keys

CODES = [each.code for each in scoring.TIE_BREAKS]
StepCode = Annotated[str, Field(json_schema_extra={"enum": list(CODES)})]
Withdrawn = Annotated[str, Field(json_schema_extra={"enum": ["ranked", "listed"]})]
Missed = Annotated[
    str,
    Field(json_schema_extra={"enum": ["nothing", "own_average", "session_average", "fixed"]}),
]
Substitutes = Annotated[str, Field(json_schema_extra={"enum": ["substitute", "place", "nobody"]})]

Teams = Annotated[str, Field(json_schema_extra={"enum": list(CHOICES["teams"])})]


@no_other_keys
class StepOut(TypedDict):
    """A tie-break, with its title in the reader's language."""

    code: StepCode
    title: str


@no_other_keys
class RankingOut(TypedDict):
    """The ranking rules, and the tie-breaks that the game offers (`offered`)."""

    tie_breaks: list[StepCode]
    withdrawn: Withdrawn
    missed: Missed
    missed_points: int
    absences: Annotated[
        dict[str, str | int],
        Field(
            description="What a session missed for another reason counts: as `missed`, or points."
        ),
    ]
    substitutes: Substitutes
    lot_seed: Annotated[str, Field(description="What lots are derived from; empty without lots.")]
    teams: Annotated[Teams, Field(description="Whose points count for a team.")]
    team_members: Annotated[int, Field(description="How many members count; 0 if all do.")]
    offered: list[StepOut]
    version: Annotated[int, Field(description="The `seen` of the next write.")]


def ranking_as_json(tournament: Tournament, version: int) -> RankingOut:
    chosen, rules = tournament.ranking_rules, tournament.rules
    return {
        "tie_breaks": list(chosen.tie_breaks),
        "withdrawn": chosen.withdrawn,
        "missed": chosen.missed,
        "missed_points": chosen.missed_points,
        "absences": {reason.value: chosen.counts_as(reason) for reason in OTHER_ABSENCES},
        "substitutes": chosen.substitutes,
        "lot_seed": chosen.lot_seed,
        "teams": chosen.teams,
        "team_members": chosen.team_members,
        "offered": [
            {"code": each.code, "title": unit_words(each.title, rules)}
            for each in scoring.offered_tie_breaks(rules.game.kind)
        ],
        "version": version,
    }
