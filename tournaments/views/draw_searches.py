"""A longer search for a draw: started from a proposal, shown while it goes on, stopped."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.models import Tournament
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services.seating import next_session_number
from tournaments.views.proposed_seats import search_of, signed_draw
from tournaments.web import draw_searches
from tournaments.web.draw_searches import Search

PAGES = ("seat-session", "schedule", "reseat-session")
SECONDS_BETWEEN = 2  # two looks at the progress


@never_cache
@requires(POST=Level.DIRECT)
def start_search(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Search further from the draw that is sent, for so many seconds."""
    tournament, posted = _tournament_with(request, session), request.POST
    facts = signed_draw(tournament, session, posted.get("draw", ""))
    back, seconds = posted.get("back", ""), posted.get("seconds", "")
    if facts is None or back not in PAGES or seconds not in map(str, draw_searches.CHOICES):
        return _gone(request, slug)
    try:
        key = draw_searches.start(
            search_of(tournament, session),
            facts,
            seconds=int(seconds),
            back=back,
            query=posted.get("query", ""),
        )
    except draw_searches.SearchRunning:
        words = _("Another draw is being searched. Try again when it is done, in a minute at most.")
        messages.warning(request, words)
        return redirect(_address_of(tournament, session, back, posted.get("query", "")))
    return redirect("draw-search", slug, session, key)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def draw_search(request: HttpRequest, slug: str, session: int, search: str) -> HttpResponse:
    """Show how far a search is; lead to its draw when it has ended. Stop or cancel it."""
    tournament = _tournament_with(request, session)
    found = draw_searches.find(search_of(tournament, session), search)
    if found is None:
        return _gone(request, slug)
    if request.method == "POST":
        if "cancel" in request.POST:
            found.cancel()
            return redirect(_address_of(tournament, session, found.back, found.query))
        found.stop()
        return redirect("draw-search", slug, session, search)
    if found.facts is not None or found.is_lost:
        query = "&".join(filter(None, (found.query, f"search={search}")))
        return redirect(_address_of(tournament, session, found.back, query))
    return _show_progress(request, tournament, session, found)


def _tournament_with(request: HttpRequest, session: int) -> Tournament:
    """Return the tournament. Raises `Http404` unless the session is seated, or is the next one."""
    tournament = door.tournament_of(request)
    if not 1 <= session <= next_session_number(tournament):
        raise Http404
    return tournament


def _gone(request: HttpRequest, slug: str) -> HttpResponse:
    """Lead to a new draw where there is nothing to search, or no such search."""
    messages.warning(request, _("This search is over. Draw again."))
    return redirect("seat-session", slug)


def _show_progress(
    request: HttpRequest, tournament: Tournament, session: int, search: Search
) -> HttpResponse:
    """Show the progress; the browser asks again by itself, also without JavaScript."""
    context = {
        "tournament": tournament,
        "number": session,
        "search": search,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    response = render(request, "draw_search.html", context)
    response.headers["Refresh"] = str(SECONDS_BETWEEN)
    return response


def _address_of(tournament: Tournament, session: int, page: str, query: str) -> str:
    """Return the address of the page that a search belongs to, with its query."""
    more = [session] if page == "reseat-session" else []
    address = reverse(page, args=[tournament.slug, *more])
    return f"{address}?{query}" if query else address
