"""The clock of a session."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Field
from typing_extensions import TypedDict

from tournaments.models import Clock, Session
from tournaments.queries import clocks
from tournaments.queries.round_documents import Moment, no_other_keys


@no_other_keys
class ClockOut(TypedDict):
    """The clock of a session; durations are in seconds. `now` is the server's time."""

    session: int
    state: Annotated[
        str,
        Field(
            description="`ended`: the desk has ended the session, or the tournament is closed;"
            " `none`: no clock is set.",
            json_schema_extra={"enum": ["none", "ready", "running", "paused", "ended"]},
        ),
    ]
    seconds: Annotated[int, Field(description="0 if no clock is set.")]
    last_round: Annotated[
        int | None, Field(description="The last round is called so long before the end.")
    ]
    extra: Annotated[
        dict[str, int], Field(description="Time added to single tables, by table number.")
    ]
    ends_at: Annotated[
        Moment | None, Field(description="The end without `extra`; null unless it is running.")
    ]
    left: Annotated[int, Field(description="Time left at `now` without `extra`, at least 0.")]
    now: Moment
    version: Annotated[int, Field(description="The `seen` of the next write.")]


def clock_as_json(session: Session, clock: Clock | None, now: datetime, version: int) -> ClockOut:
    """`clock` is None if it was never set."""
    settings = clocks.settings_of(clock) if clock else clocks.ClockSettings(0)
    ends_at = clocks.ends_at(clock) if clock else None
    state = clocks.state_of(clock) if clock else "none"
    return {
        "session": session.number,
        "state": "ended" if clock and session.is_ended else state,
        "seconds": settings.seconds,
        "last_round": settings.last_round,
        "extra": dict(settings.extra),
        "ends_at": ends_at.isoformat() if ends_at else None,
        "left": max(0, round(clocks.seconds_left(clock, now))) if clock else 0,
        "now": now.isoformat(),
        "version": version,
    }
