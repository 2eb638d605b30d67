"""Linking the players of several events of a series who are the same person."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TypeVar

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from tournaments.exceptions import OperationRefused
from tournaments.forms.series import read_pairs
from tournaments.i18n import romaji
from tournaments.i18n.player_search import Finder, finder_of
from tournaments.models import Series
from tournaments.permissions import door, rights, series_rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.same_players import SeriesPlayer, latest_players, links_of, proposals
from tournaments.queries.season import Result, Season, season_of
from tournaments.services.same_players import MOST_LINKED, link_players, unlink_players
from tournaments.web.numbers import parse_number

T = TypeVar("T")

ROWS_A_PAGE = 200  # of players of the same name, and of links
MOST_LISTED = 500  # players to choose from; of more, those are listed who are searched for


@never_cache
@requires(GET=Level.SERIES, POST=Level.SERIES)
def series_players(request: HttpRequest, series: str) -> HttpResponse:
    """Propose pairs of players who may be the same person; on POST link pairs, or unlink one.

    If there are many players, `find_first` and `find_second` in the query search for those to
    choose from.
    """
    edited = door.series_of(request)
    season = season_of(edited, series_rights.staffed_tournament_pks(request))
    error = ""
    if request.method == "POST":
        try:
            message = _link_or_unlink(request, edited, season)
        except OperationRefused as refused:
            error = str(refused)
        else:
            if message:
                messages.success(request, message)
                return redirect("series-players", edited.slug)
            error = _("Nobody has been chosen: tick or choose players, then save.")
    context = {
        "series": edited,
        "error": error,
        "proposals": _page_of(request, proposals(season)),
        "everybody": (everybody := latest_players(season)),
        "is_searched": len(everybody) > MOST_LISTED,
        "has_readings": any(each.result.reading for each in everybody),
        "firsts": _found(everybody, request.GET.get("find_first", "")),
        "seconds": _found(everybody, request.GET.get("find_second", "")),
        "links": _page_of(request, links_of(edited, season.events)),
        "ticked": request.POST.getlist("pair") if error else None,
        "first": request.POST.get("first", ""),
        "second": request.POST.get("second", ""),
    }
    return render(request, "series_players.html", context, status=422 if error else 200)


def _page_of(request: HttpRequest, rows: Sequence[T]) -> Page[T]:
    return Paginator(rows, ROWS_A_PAGE).get_page(request.GET.get("page"))


def _found(everybody: Sequence[SeriesPlayer], typed: str) -> Sequence[SeriesPlayer]:
    """Return the players to choose from: all, or those of many who are searched for."""
    if len(everybody) <= MOST_LISTED:
        return everybody
    finds = finder_of(typed.strip())
    found = (each for each in everybody if typed.strip() and _is_found(each.result, finds))
    return list(islice(found, MOST_LISTED))


def _is_found(result: Result, finds: Finder) -> bool:
    text = f"{result.name} {result.reading} {result.club}"
    return finds(str(result.number), text, romaji.romaji_of(result.reading))


def _link_or_unlink(request: HttpRequest, series: Series, season: Season) -> str:
    """Remove the posted link (`part`), or link the chosen or the ticked pairs.

    Return the success message; empty if no pair or an unknown player was posted. Raises
    `OperationRefused`.
    """
    by = rights.actor(request)
    link = parse_number(request.POST.get("part", ""))
    if link is not None:
        unlink_players(series, link, by=by)
        return _("They are separate players again.")
    values = request.POST.getlist("pair")[:MOST_LINKED]
    first, second = request.POST.get("first", ""), request.POST.get("second", "")
    if first and second:
        values = [f"{first}={second}"]
    pairs = read_pairs(season, values)
    if not pairs:
        return ""
    number = link_players(series, pairs, by=by)
    words = ngettext("%(number)s player linked.", "%(number)s players linked.", number)
    return words % {"number": number}
