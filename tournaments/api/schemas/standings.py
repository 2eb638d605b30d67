"""Standings."""

from __future__ import annotations

from typing import Annotated, NotRequired

from django.http import HttpRequest
from ninja import Field
from typing_extensions import TypedDict

from tournaments.api.schemas.entries import EntryOut, entry_as_json
from tournaments.api.schemas.tournaments import PublicationOut, publication_as_json
from tournaments.queries.events import Event
from tournaments.queries.round_documents import no_other_keys
from tournaments.queries.standings import Standing


@no_other_keys
class StandingOut(EntryOut):
    """A player's place; null until a round of theirs counts."""

    place: int | None
    place_in_class: int | None
    points: int | None
    rounds_played: int
    separated_by: Annotated[str | None, Field(description="The step that broke a tie above.")]


def standing_as_json(standing: Standing) -> StandingOut:
    """Return a player's standing; places and points are null until a round of theirs counts."""
    place = standing.place
    return {
        **entry_as_json(standing.entry),
        "place": place.rank if place else None,
        "place_in_class": standing.rank_in_class,
        "points": place.points if place else None,
        "rounds_played": place.rounds_played if place else 0,
        "separated_by": place.separated_by if place else None,
    }


@no_other_keys
class StandingsOut(TypedDict):
    """Everybody in the order of their places."""

    tournament: str
    fingerprint: str
    publication: NotRequired[
        Annotated[
            PublicationOut | None,
            Field(description="The announcement shown; null where it is live."),
        ]
    ]
    rounds_counted: int
    rounds_under_way: int
    standings: list[StandingOut]


def standings_as_json(request: HttpRequest, event: Event) -> StandingsOut:
    """Return the standings of a tournament as the reader sees it."""
    tally = event.tally
    publication = event.publication
    return {
        "tournament": event.tournament.slug,
        "fingerprint": event.tournament.rules.fingerprint,
        "publication": publication_as_json(request, publication) if publication else None,
        "rounds_counted": tally.counted,
        "rounds_under_way": tally.under_way,
        "standings": [standing_as_json(standing) for standing in event.standings],
    }
