"""Posters with the QR code of a public page: to apply, to find one's seat, to follow the event."""

from __future__ import annotations

from enum import StrEnum
from math import ceil
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from tournaments.i18n.times import moment
from tournaments.models import Tournament
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import rendering
from tournaments.queries.registrations import path_for_applicants
from tournaments.web import downloads, qr_codes
from tournaments.web.origins import chosen_origin

POSTER = "print/poster.html"
MOST_LINES, SIGNS_A_LINE = 6, 40  # of the text for applicants; a longer text is left out


class Page(StrEnum):
    """The page that a poster leads to, by the name of its URL."""

    APPLICATIONS = "register"
    SEATS = "seats"
    EVENT = "tournament"


NAMES = {
    Page.APPLICATIONS: gettext_lazy("Apply to play"),
    Page.SEATS: gettext_lazy("Find your seat"),
    Page.EVENT: gettext_lazy("Seats, rounds and standings on your phone"),
}


@never_cache
@requires(GET=Level.STAFF)  # laying out takes long
def registration_poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the poster with the code of the page for applicants, as a PDF.

    Raises `Http404` if the registration was never set.
    """
    tournament = door.tournament_of(request)
    if not tournament.registration:
        raise Http404
    return _poster_response(request, tournament, Page.APPLICATIONS)


@never_cache
@requires(GET=Level.STAFF)
def seats_poster(request: HttpRequest, slug: str) -> HttpResponse:
    return _poster_response(request, door.tournament_of(request), Page.SEATS)


@never_cache
@requires(GET=Level.STAFF)
def event_poster(request: HttpRequest, slug: str) -> HttpResponse:
    return _poster_response(request, door.tournament_of(request), Page.EVENT)


def _poster_response(request: HttpRequest, tournament: Tournament, page: Page) -> HttpResponse:
    if page == Page.APPLICATIONS:
        path = path_for_applicants(tournament)
    else:
        path = reverse(page, args=[tournament.slug])
    address = f"{chosen_origin(request)}{path}"
    context = context_of(tournament, address, page)
    return downloads.pdf(rendering.pdf(POSTER, context), tournament, NAMES[page])


def context_of(tournament: Tournament, address: str, page: Page) -> dict[str, Any]:
    """`address` is the absolute URL of `page`."""
    context = {
        "tournament": tournament,
        "page": page.value,
        "address": address,
        "code": qr_codes.inline(address, border=4),
        "printed": moment(timezone.now()),
    }
    if page != Page.APPLICATIONS:
        return context
    settings = tournament.registration_settings
    lines = sum(ceil(len(line) / SIGNS_A_LINE) or 1 for line in settings.text.splitlines())
    text = settings.text if lines <= MOST_LINES else ""
    return context | {"closes_at": settings.closes_at, "text": text}
