"""Series: their season tables, tournaments and owners, and which players are the same person."""

from __future__ import annotations

from typing import Annotated

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field
from pydantic import StrictBool, StrictInt

from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused
from tournaments.api.request_bodies import Name, RequestBody, ShortText, Version, example
from tournaments.api.responses import Created, Ok, Router
from tournaments.api.schemas.series import (
    AllSeriesOut,
    InSeriesOut,
    LinkedOut,
    PartedOut,
    SamePlayersOut,
    SeasonOut,
    SeriesOut,
    SeriesOwnersOut,
    link_as_json,
    proposal_as_json,
    season_as_json,
    series_as_json,
)
from tournaments.models import Entry, Series
from tournaments.permissions import door, rights, series_rights
from tournaments.permissions.levels import Level
from tournaments.queries.same_players import entries_by_key, links_of, proposals
from tournaments.queries.season import Season as SeasonTable
from tournaments.queries.season import season_of
from tournaments.services import same_players
from tournaments.services import series as series_service
from tournaments.web.numbers import MAX_NUMBER

router = Router(tags=["series"])

MOST_SERIES = 1000  # listed in one answer
Season = Annotated[str, Field(max_length=60)]


class SeasonRulesIn(RequestBody):
    """How a season is counted. A setting that is left out has its usual value."""

    counting: ShortText | None = None
    place_points: Annotated[list[StrictInt], Field(max_length=1000)] | None = None
    best: StrictInt | None = None
    least: StrictInt | None = None
    tie_breaks: Annotated[list[ShortText], Field(max_length=100)] | None = None


class NewSeriesIn(RequestBody):
    """A series and how it is counted."""

    name: Name
    season: Season = ""
    rules: SeasonRulesIn = Field(default_factory=SeasonRulesIn)


class FirstSeriesIn(NewSeriesIn):
    """A new series, perhaps with its first tournament."""

    tournament: Annotated[
        ShortText, Field(description="Its first tournament, which the client directs.")
    ] = ""


class SeriesIn(NewSeriesIn):
    """All settings of a series; `seen` is the version that was read."""

    seen: Version


class OwnerIn(RequestBody):
    """An account, and whether it may edit the series."""

    username: Annotated[str, Field(min_length=1, max_length=150)]
    may_edit: StrictBool


class PlayerIn(RequestBody):
    """A player of a tournament in the series."""

    tournament: Annotated[str, Field(max_length=40)]
    player: Annotated[StrictInt, Field(ge=1, le=MAX_NUMBER)]


class PairIn(RequestBody):
    """Two players, in different tournaments, who are the same person."""

    first: PlayerIn
    second: PlayerIn


class PairsIn(RequestBody):
    """Pairs of players to link: all pairs, or none if one is refused."""

    pairs: Annotated[list[PairIn], Field(min_length=1, max_length=same_players.MOST_LINKED)]


@router.get("/series", url_name="api-all-series", auth=Requires(Level.ANYBODY))
def all_series(request: HttpRequest) -> Ok[AllSeriesOut]:
    """List the series with a public tournament, and the client's own series, the newest first."""
    listed = series_rights.series_listed(request)[:MOST_SERIES]
    return Ok({"series": [series_as_json(each) for each in listed]})


@router.post(
    "/series",
    url_name="api-all-series",
    auth=Requires(Level.CREATE),
    openapi_extra=example(
        {
            "name": "五所川原シリーズ",
            "season": "2026年度",
            "rules": {"counting": "places", "place_points": [10, 7, 5, 3, 2, 1], "best": 3},
        }
    ),
)
def create_series(request: HttpRequest, payload: FirstSeriesIn) -> Created[SeriesOut]:
    """Create a series, optionally with its first tournament. The client becomes its owner."""
    first_event = series_rights.directed_tournament(request, payload.tournament)
    if payload.tournament and first_event is None:
        raise Refused("not_found", at="tournament")
    new_series = Series(**_settings(payload))
    series_service.create_series(new_series, by=rights.actor(request), event=first_event)
    return Created(series_as_json(new_series))


@router.get("/series/{slug:series}", url_name="api-series", auth=Requires(Level.ANYBODY))
def series(request: HttpRequest, series: str) -> Ok[SeasonOut]:
    """Return the season table.

    It counts published results, and for the staff of a tournament also its unpublished results.
    """
    found_series = door.series_of(request)
    season = season_of(found_series, series_rights.staffed_tournament_pks(request))
    return Ok(season_as_json(found_series, season))


@router.put(
    "/series/{slug:series}",
    url_name="api-series",
    auth=Requires(Level.SERIES),
    openapi_extra=example(
        {"name": "五所川原シリーズ", "rules": {"best": 4, "least": 2}, "seen": 2}
    ),
)
def edit_series(request: HttpRequest, series: str, payload: SeriesIn) -> Ok[SeriesOut]:
    """Replace the name, the season and the rules of a series. Idempotent."""
    found_series, by = door.series_of(request), rights.actor(request)
    changed = series_service.edit_series(
        found_series, _settings(payload), seen_version=payload.seen, by=by
    )
    return Ok(series_as_json(changed))


def _settings(payload: NewSeriesIn) -> dict[str, object]:
    """Return values of `models.Series` by name; `rules` has only the settings that were sent."""
    rules = payload.rules.model_dump(exclude_none=True)
    return {"name": payload.name, "season": payload.season, "rules": rules}


@router.put(
    "/series/{slug:series}/owners",
    url_name="api-series-owners",
    auth=Requires(Level.SERIES),
    openapi_extra=example({"username": "owner", "may_edit": True}),
)
def set_series_owner(request: HttpRequest, series: str, payload: OwnerIn) -> Ok[SeriesOwnersOut]:
    """Add an account to the owners, who may edit the series, or remove it. Idempotent.

    409 for the last owner.
    """
    found_series, by = door.series_of(request), rights.actor(request)
    user = User.objects.filter(username=payload.username, is_active=True).first()
    if user is None:
        raise Refused("no_account", at="username")
    change = series_service.add_owner if payload.may_edit else series_service.remove_owner
    with transaction.atomic():
        change(found_series, user, by=by)
        owners = found_series.owners.order_by("username")
        usernames = list(owners.values_list("username", flat=True))
    return Ok({"owners": usernames})


@router.put(
    "/tournaments/{slug:slug}/series/{slug:series}",
    url_name="api-tournament-series",
    auth=Requires(Level.DIRECT),
)
def add_to_series(request: HttpRequest, slug: str, series: str) -> Ok[InSeriesOut]:
    """Add a tournament that the client directs to a series that the client may edit."""
    own_series, by = _own_series(request, series), rights.actor(request)
    series_service.add_event(own_series, door.tournament_of(request), by=by)
    return Ok({"series": series, "tournament": slug, "is_in": True})


@router.delete(
    "/tournaments/{slug:slug}/series/{slug:series}",
    url_name="api-tournament-series",
    auth=Requires(Level.DIRECT),
)
def take_out_of_series(request: HttpRequest, slug: str, series: str) -> Ok[InSeriesOut]:
    """Take a tournament that the client directs out of a series that the client may edit."""
    own_series, by = _own_series(request, series), rights.actor(request)
    series_service.remove_event(own_series, door.tournament_of(request), by=by)
    return Ok({"series": series, "tournament": slug, "is_in": False})


def _own_series(request: HttpRequest, slug: str) -> Series:
    """Return a series that the client may edit. Raises `Http404` if there is none of this slug.

    Raises `Refused` (409) if the client may not edit it.
    """
    found_series = get_object_or_404(Series, slug=slug)
    if not series_rights.series_edited_by(request).filter(pk=found_series.pk).exists():
        raise Refused("series_of_others")
    return found_series


@router.get(
    "/series/{slug:series}/same-players",
    url_name="api-same-players",
    auth=Requires(Level.SERIES),
)
def linked_players(request: HttpRequest, series: str) -> Ok[SamePlayersOut]:
    """List the pairs of players linked as the same person, and proposed pairs."""
    found_series = door.series_of(request)
    season = season_of(found_series, series_rights.staffed_tournament_pks(request))
    return Ok(
        {
            "links": [link_as_json(link) for link in links_of(found_series, season.events)],
            "proposals": [proposal_as_json(each) for each in proposals(season)],
        }
    )


@router.post(
    "/series/{slug:series}/same-players",
    url_name="api-same-players",
    auth=Requires(Level.SERIES),
    openapi_extra=example(
        {
            "pairs": [
                {
                    "first": {"tournament": "7q2m-x4kd", "player": 1},
                    "second": {"tournament": "c3hv-9wpt", "player": 4},
                }
            ]
        }
    ),
)
def link_players(request: HttpRequest, series: str, payload: PairsIn) -> Ok[LinkedOut]:
    """Link pairs of players as the same person, all pairs or none. Idempotent."""
    found_series, by = door.series_of(request), rights.actor(request)
    season = season_of(found_series, series_rights.staffed_tournament_pks(request))
    with transaction.atomic():
        linked = same_players.link_players(found_series, _named_pairs(season, payload), by=by)
    return Ok({"linked": linked})


def _named_pairs(season: SeasonTable, payload: PairsIn) -> list[tuple[Entry, Entry]]:
    """Return the pairs of players that the payload names, in its order; makes one query.

    Raises `NotInSeries` for a player or tournament that is not in the season table.
    """
    pk_by_slug = {event.slug: event.pk for event in season.events}
    try:
        key_pairs = [
            (
                (pk_by_slug[pair.first.tournament], pair.first.player),
                (pk_by_slug[pair.second.tournament], pair.second.player),
            )
            for pair in payload.pairs
        ]
        entries = entries_by_key(season, {key for pair in key_pairs for key in pair})
        return [(entries[first], entries[second]) for first, second in key_pairs]
    except KeyError:
        raise same_players.NotInSeries from None


@router.delete(
    "/series/{slug:series}/same-players/{int:link}",
    url_name="api-same-player",
    auth=Requires(Level.SERIES),
)
def part_players(request: HttpRequest, series: str, link: int) -> Ok[PartedOut]:
    """Delete a link between two players: they are no longer the same person."""
    same_players.unlink_players(door.series_of(request), link, by=rights.actor(request))
    return Ok({"parted": link})
