"""Series: their season tables, their tournaments, and who is the same person."""

from __future__ import annotations

from typing import Annotated

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field
from pydantic import StrictBool, StrictInt

from scoring.season.rules import BadSeasonRules
from tournaments.api.authentication import Requires
from tournaments.api.refusals import Refused, invalid_record
from tournaments.api.request_bodies import Name, RequestBody, ShortText, Version
from tournaments.api.responses import Created, Ok, Router
from tournaments.api.schemas.refusals import ConflictOut, RefusalOut
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
from tournaments.exceptions import OperationRefused
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
    """How a season is counted; what is left out is as usual."""

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
    """All that is chosen of a series; `seen` is the version of which it is a change."""

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
    """Players to link: all of them or, if one is refused, none."""

    pairs: Annotated[list[PairIn], Field(min_length=1, max_length=same_players.MOST_LINKED)]


@router.get("/series", url_name="api-all-series", auth=Requires(Level.ANYBODY))
def all_series(request: HttpRequest) -> Ok[AllSeriesOut]:
    """List the series with a public tournament, and the client's own."""
    found = series_rights.series_listed(request)[:MOST_SERIES]
    return Ok({"series": [series_as_json(each) for each in found]})


@router.post(
    "/series",
    url_name="api-all-series",
    auth=Requires(Level.CREATE),
    response={404: RefusalOut},
)
def create_series(request: HttpRequest, payload: FirstSeriesIn) -> Created[SeriesOut]:
    """Create a series, which the client may edit, perhaps with its first tournament."""
    first = series_rights.directed_tournament(request, payload.tournament)
    if payload.tournament and first is None:
        raise Refused(404, "not_found", at="tournament")
    new = Series(**_settings(payload))
    try:
        series_service.create_series(new, by=rights.actor(request), event=first)
    except BadSeasonRules as bad:
        raise invalid_record(bad, {}) from None
    return Created(series_as_json(new))


@router.get("/series/{slug:series}", url_name="api-series", auth=Requires(Level.ANYBODY))
def series(request: HttpRequest, series: str) -> Ok[SeasonOut]:
    """Return the season table: of published results, and for staff of theirs, too."""
    found = door.series_of(request)
    season = season_of(found, series_rights.staffed_tournament_pks(request))
    return Ok(season_as_json(found, season))


@router.put(
    "/series/{slug:series}",
    url_name="api-series",
    auth=Requires(Level.SERIES),
    response={409: ConflictOut},
)
def edit_series(request: HttpRequest, series: str, payload: SeriesIn) -> Ok[SeriesOut]:
    """Change name, season and rules. The same again changes nothing."""
    found, by = door.series_of(request), rights.actor(request)
    try:
        changed = series_service.edit_series(found, _settings(payload), seen=payload.seen, by=by)
    except BadSeasonRules as bad:
        raise invalid_record(bad, {}) from None
    except OperationRefused as refused:
        raise Refused(409, refused.code, at="seen") from None
    return Ok(series_as_json(changed))


def _settings(payload: NewSeriesIn) -> dict[str, object]:
    rules = payload.rules.model_dump(exclude_none=True)
    return {"name": payload.name, "season": payload.season, "rules": rules}


@router.put(
    "/series/{slug:series}/owners",
    url_name="api-series-owners",
    auth=Requires(Level.SERIES),
    response={409: ConflictOut},
)
def set_series_owner(request: HttpRequest, series: str, payload: OwnerIn) -> Ok[SeriesOwnersOut]:
    """Let an account edit the series, or no longer."""
    found, by = door.series_of(request), rights.actor(request)
    user = User.objects.filter(username=payload.username, is_active=True).first()
    if user is None:
        raise Refused(422, "no_account", at="username")
    change = series_service.add_owner if payload.may_edit else series_service.remove_owner
    try:
        with transaction.atomic():
            change(found, user, by=by)
            owners = list(found.owners.order_by("username").values_list("username", flat=True))
    except OperationRefused as refused:
        raise Refused(409, refused.code) from None
    return Ok({"owners": owners})


@router.put(
    "/tournaments/{slug:slug}/series/{slug:series}",
    url_name="api-tournament-series",
    auth=Requires(Level.DIRECT),
    response={409: ConflictOut},
)
def add_to_series(request: HttpRequest, slug: str, series: str) -> Ok[InSeriesOut]:
    """Add a tournament that the client directs to a series that the client may edit."""
    found, by = _own_series(request, series), rights.actor(request)
    try:
        series_service.add_event(found, door.tournament_of(request), by=by)
    except OperationRefused as refused:
        raise Refused(409, refused.code) from None
    return Ok({"series": series, "tournament": slug, "is_in": True})


@router.delete(
    "/tournaments/{slug:slug}/series/{slug:series}",
    url_name="api-tournament-series",
    auth=Requires(Level.DIRECT),
    response={409: ConflictOut},
)
def take_out_of_series(request: HttpRequest, slug: str, series: str) -> Ok[InSeriesOut]:
    """Take a tournament out of a series."""
    found, by = _own_series(request, series), rights.actor(request)
    series_service.remove_event(found, door.tournament_of(request), by=by)
    return Ok({"series": series, "tournament": slug, "is_in": False})


def _own_series(request: HttpRequest, slug: str) -> Series:
    """Return a series that the client may edit. Raises `Refused` or, without it, `Http404`."""
    found = get_object_or_404(Series, slug=slug)
    if not series_rights.series_edited_by(request).filter(pk=found.pk).exists():
        raise Refused(409, "series_of_others")
    return found


@router.get(
    "/series/{slug:series}/same-players",
    url_name="api-same-players",
    auth=Requires(Level.SERIES),
)
def linked_players(request: HttpRequest, series: str) -> Ok[SamePlayersOut]:
    """List who is linked as the same person, and who may be."""
    found = door.series_of(request)
    season = season_of(found, series_rights.staffed_tournament_pks(request))
    return Ok(
        {
            "links": [link_as_json(link) for link in links_of(found, season.events)],
            "proposals": [proposal_as_json(each) for each in proposals(season)],
        }
    )


@router.post(
    "/series/{slug:series}/same-players",
    url_name="api-same-players",
    auth=Requires(Level.SERIES),
    response={409: ConflictOut},
)
def link_players(request: HttpRequest, series: str, payload: PairsIn) -> Ok[LinkedOut]:
    """Say of players that they are the same person. The same again changes nothing."""
    found, by = door.series_of(request), rights.actor(request)
    season = season_of(found, series_rights.staffed_tournament_pks(request))
    try:
        with transaction.atomic():
            linked = same_players.link_players(found, _entries_of(season, payload), by=by)
    except OperationRefused as refused:
        raise Refused(409, refused.code) from None
    return Ok({"linked": linked})


def _entries_of(season: SeasonTable, payload: PairsIn) -> list[tuple[Entry, Entry]]:
    """Return the players that are named. Raises `NotInSeries`; makes one query."""
    by_slug = {event.slug: event.pk for event in season.events}
    try:
        pairs = [
            (
                (by_slug[pair.first.tournament], pair.first.player),
                (by_slug[pair.second.tournament], pair.second.player),
            )
            for pair in payload.pairs
        ]
        known = entries_by_key(season, {who for pair in pairs for who in pair})
        return [(known[one], known[other]) for one, other in pairs]
    except KeyError:
        raise same_players.NotInSeries from None


@router.delete(
    "/series/{slug:series}/same-players/{int:link}",
    url_name="api-same-player",
    auth=Requires(Level.SERIES),
)
def part_players(request: HttpRequest, series: str, link: int) -> Ok[PartedOut]:
    """Take back that two players are the same person."""
    same_players.unlink_players(door.series_of(request), link, by=rights.actor(request))
    return Ok({"parted": link})
