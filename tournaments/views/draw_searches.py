"""A longer search for a better draw than a proposed one: started, shown while it runs, stopped."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.models import SeatProposal, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.seat_proposals import Purpose
from tournaments.server import draw_searches
from tournaments.server.draw_searches import Search
from tournaments.services import seat_proposals
from tournaments.services.seating import can_be_called
from tournaments.web.numbers import parse_number

REFRESH_SECONDS = 2


@never_cache
@requires(POST=Level.DIRECT)
def start_search(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Start a search for a better draw than that of the posted proposal, for the posted seconds.

    If another search is running, redirects to the proposal with a message.
    """
    tournament, seconds = _tournament_or_404(request, session), request.POST.get("seconds", "")
    row = _proposal(tournament, parse_number(request.POST.get("proposal", "")) or 0)
    if row is None or not row.draw or seconds not in map(str, draw_searches.CHOICES):
        return _redirect_to_new_draw(request, slug)
    subject = _subject(tournament, session)
    try:
        key = draw_searches.start(subject, row.draw, seconds=int(seconds), proposal=row.number)
    except draw_searches.SearchRunning:
        words = _(
            "Another search for a draw is running. Try again when it is done, in a minute at most."
        )
        messages.warning(request, words)
        return redirect(row)
    return redirect("draw-search", slug, session, key)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def draw_search(request: HttpRequest, slug: str, session: int, search: str) -> HttpResponse:
    """Show the progress of a search; on POST stop it, cancel it, or propose the seats it found."""
    tournament = _tournament_or_404(request, session)
    stored = draw_searches.find(_subject(tournament, session), search)
    row = _proposal(tournament, stored.proposal) if stored else None
    if stored is None or row is None:
        return _redirect_to_new_draw(request, slug)
    if request.method == "POST":
        if "cancel" in request.POST:
            stored.cancel()
            return redirect(row)
        if "take" in request.POST and seat_proposals.is_open(row):
            return redirect(_propose_found(request, stored, row))
        stored.stop()
        return redirect("draw-search", slug, session, search)
    return _show_progress(request, tournament, session, stored)


def _propose_found(request: HttpRequest, search: Search, row: SeatProposal) -> SeatProposal:
    """The new proposal replaces the one that the search began with."""
    facts = search.facts
    if facts is None:
        return row
    found = [each["tables"] for each in facts["answer"]["sessions"]]
    purpose = Purpose(row.purpose)
    return seat_proposals.propose(
        row.tournament,
        purpose,
        row.session,
        found if purpose == Purpose.PLAN else found[0],
        basis=row.basis,
        by=rights.actor(request),
        draw=facts,
        choices=row.choices,
    )


def _proposal(tournament: Tournament, number: int) -> SeatProposal | None:
    return tournament.seat_proposals.filter(number=number).first()


def _subject(tournament: Tournament, session: int) -> str:
    """Return the `subject` of searches for a session's draw, as `draw_searches.find` needs it."""
    return f"{tournament.slug}-{session}"


def _tournament_or_404(request: HttpRequest, session: int) -> Tournament:
    """Return the tournament in the URL, if the session is seated or is the next one."""
    tournament = door.tournament_of(request)
    if not can_be_called(tournament, session):
        raise Http404
    return tournament


def _redirect_to_new_draw(request: HttpRequest, slug: str) -> HttpResponse:
    messages.warning(request, _("This search is over. Draw again."))
    return redirect("seat-session", slug)


def _show_progress(
    request: HttpRequest, tournament: Tournament, session: int, search: Search
) -> HttpResponse:
    """Show the progress; until it ends the header Refresh makes the browser load the page again."""
    is_over = search.facts is not None or search.is_lost
    context = {
        "tournament": tournament,
        "number": session,
        "search": search,
        "is_over": is_over,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    response = render(request, "draw_search.html", context)
    if not is_over:
        response.headers["Refresh"] = str(REFRESH_SECONDS)
    return response
