"""Planned seats of sessions to come."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.fields import StateVersion
from tournaments.models import Tournament
from tournaments.queries import schedules
from tournaments.queries.round_documents import no_other_keys


@no_other_keys
class PlannedSessionOut(TypedDict):
    """The planned seats of a session: the numbers of each table's players, in seat order.

    `changed` is the number of players who no longer sit as drawn. `not_playing` are the numbers of
    those at the tables who do not play, by the roll call as it is now; empty once it is seated.
    """

    session: int
    tables: list[list[int]]
    sits_out: list[int]
    changed: int
    not_playing: list[int]


@no_other_keys
class PlanDrawOut(TypedDict):
    """How the seats were drawn."""

    request: Annotated[dict[str, Any], Field(description="What `manage.py draw` reads.")]
    answer: Annotated[dict[str, Any], Field(description="What it prints.")]


@no_other_keys
class ScheduleOut(TypedDict):
    """The planned seats, if any; `version` is the `seen` of the next change."""

    version: int
    sessions: list[PlannedSessionOut]
    draw: PlanDrawOut | None
    state_version: NotRequired[StateVersion]


def current_schedule(tournament: Tournament) -> ScheduleOut:
    version = schedules.schedule_version(tournament)  # read before the seats
    schedule = schedules.schedule_of(tournament)
    if schedule is None:
        return {"version": version, "sessions": [], "draw": None}
    planned = schedules.planned_sessions(schedule)
    to_come = schedules.sessions_to_come(schedule, planned=planned)
    not_playing = {each.number: each.not_playing for each in to_come}
    return {
        "version": version,
        "sessions": [
            {
                "session": each.number,
                "tables": [[int(key) for key in table] for table in each.seats],
                "sits_out": [int(key) for key in each.sits_out],
                "changed": each.changed,
                "not_playing": [int(key) for key in not_playing.get(each.number, ())],
            }
            for each in planned
        ],
        "draw": {"request": schedule.request, "answer": schedule.answer},
    }
