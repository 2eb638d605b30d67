"""The roll call of a session."""

from __future__ import annotations

from typing import Annotated

from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.fields import one_of
from tournaments.models import Presence
from tournaments.queries.presence import RollCall
from tournaments.queries.round_documents import no_other_keys

PresenceStatus = Annotated[str, one_of(Presence.Status)]


@no_other_keys
class PresenceOut(TypedDict):
    """The status of every player in a session; `statuses` are by player number as text."""

    session: int
    version: Annotated[int, Field(description="The `seen` of a restart.")]
    statuses: dict[str, PresenceStatus]


def presence_as_json(roll: RollCall, version: int) -> PresenceOut:
    """`version` is the version of all marks of the tournament."""
    return {
        "session": roll.session,
        "version": version,
        "statuses": {entry.key: str(status) for entry, status in roll.statuses.items()},
    }


@no_other_keys
class MarkOut(TypedDict):
    """A player's status in the roll call of a session."""

    number: int
    status: PresenceStatus
