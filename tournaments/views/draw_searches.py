"""A longer search for a better draw than a proposed one: started, shown while it runs, stopped."""

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
from tournaments.services.seating import can_be_called
from tournaments.views.proposed_seats import search_subject, signed_draw
from tournaments.web import draw_searches
from tournaments.web.draw_searches import Search

PAGES = ("seat-session", "schedule", "reseat-session")  # which can start a search
REFRESH_SECONDS = 2


@never_cache
@requires(POST=Level.DIRECT)
def start_search(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Start a search for a better draw than the posted one, for the posted number of seconds.

    `back` and `query` are the page that has proposed the draw. If another search is running,
    redirects to that page with a message.
    """
    tournament, posted = _tournament_or_404(request, session), request.POST
    facts = signed_draw(tournament, session, posted.get("draw", ""))
    back, seconds = posted.get("back", ""), posted.get("seconds", "")
    if facts is None or back not in PAGES or seconds not in map(str, draw_searches.CHOICES):
        return _redirect_to_new_draw(request, slug)
    try:
        key = draw_searches.start(
            search_subject(tournament, session),
            facts,
            seconds=int(seconds),
            back=back,
            query=posted.get("query", ""),
        )
    except draw_searches.SearchRunning:
        words = _("Another draw is being searched. Try again when it is done, in a minute at most.")
        messages.warning(request, words)
        return redirect(_page_url(tournament, session, back, posted.get("query", "")))
    return redirect("draw-search", slug, session, key)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def draw_search(request: HttpRequest, slug: str, session: int, search: str) -> HttpResponse:
    """Show the progress of a search; on POST stop it, or cancel it with `cancel`.

    Once the search has ended, redirects to the page that started it, with the key of the search in
    the query. That page shows the draw that was found.
    """
    tournament = _tournament_or_404(request, session)
    stored = draw_searches.find(search_subject(tournament, session), search)
    if stored is None:
        return _redirect_to_new_draw(request, slug)
    if request.method == "POST":
        if "cancel" in request.POST:
            stored.cancel()
            return redirect(_page_url(tournament, session, stored.back, stored.query))
        stored.stop()
        return redirect("draw-search", slug, session, search)
    if stored.facts is not None or stored.is_lost:
        query = "&".join(filter(None, (stored.query, f"search={search}")))
        return redirect(_page_url(tournament, session, stored.back, query))
    return _show_progress(request, tournament, session, stored)


def _tournament_or_404(request: HttpRequest, session: int) -> Tournament:
    """Return the tournament in the URL, if the session is seated or is the next one."""
    tournament = door.tournament_of(request)
    if not can_be_called(tournament, session):
        raise Http404
    return tournament


def _redirect_to_new_draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the page that draws the next session: there is no such draw or search."""
    messages.warning(request, _("This search is over. Draw again."))
    return redirect("seat-session", slug)


def _show_progress(
    request: HttpRequest, tournament: Tournament, session: int, search: Search
) -> HttpResponse:
    """Show the progress; the header Refresh makes the browser load the page again."""
    context = {
        "tournament": tournament,
        "number": session,
        "search": search,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    response = render(request, "draw_search.html", context)
    response.headers["Refresh"] = str(REFRESH_SECONDS)
    return response


def _page_url(tournament: Tournament, session: int, page: str, query: str) -> str:
    """Return the URL of one of `PAGES` with a query, which may be empty."""
    session_args = [session] if page == "reseat-session" else []
    url = reverse(page, args=[tournament.slug, *session_args])
    return f"{url}?{query}" if query else url
