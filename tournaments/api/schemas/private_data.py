"""What is stored of people, when it ends, and where copies of it are left."""

from __future__ import annotations

from typing import Annotated

from ninja import Field
from typing_extensions import TypedDict

from tournaments.models import Tournament
from tournaments.queries import private_data
from tournaments.queries.round_documents import Moment, no_other_keys
from tournaments.services import versions

AsDay = Field(json_schema_extra={"format": "date"})


@no_other_keys
class ErasureOut(TypedDict):
    """The last erasure: when, by whom, of how much, and the backups from before it, by name."""

    at: Moment
    who: str
    players: int
    applications: int
    automatic_backups: list[str]
    automatic_backups_kept_until: Moment
    other_backups: Annotated[
        list[str], Field(description="Whoever runs the server has to delete these.")
    ]


@no_other_keys
class PrivateDataOut(TypedDict):
    """Until when private data are stored, and how many players and applications have some now."""

    last_day: Annotated[str, AsDay]
    until: Annotated[str | None, AsDay, Field(description="The chosen day; null: the usual one.")]
    version: Annotated[int, Field(description="Of the chosen day: `seen` of the next change.")]
    players: int
    applications: int
    erased: ErasureOut | None


def private_data_as_json(tournament: Tournament) -> PrivateDataOut:
    """The version is read first, so that it is never too new."""
    version = versions.number_of(versions.last_private_end_change(tournament))
    tournament.refresh_from_db(fields=["private_until"])
    holdings, left = private_data.holdings_of(tournament), private_data.left_of(tournament)
    return {
        "last_day": str(tournament.private_data_end),
        "until": str(tournament.private_until) if tournament.private_until else None,
        "version": version,
        "players": holdings.players,
        "applications": holdings.applications,
        "erased": left
        and {
            "at": left.erasure.at.isoformat(),
            "who": left.erasure.who,
            "players": left.erased.players,
            "applications": left.erased.applications,
            "automatic_backups": left.automatic,
            "automatic_backups_kept_until": left.kept_until.isoformat(),
            "other_backups": left.others,
        },
    }
