"""Posters with the QR code of a public page: to apply, to find one's seat, to follow the event."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from tournaments.i18n.times import moment
from tournaments.models import Tournament
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.web import downloads, qr_codes
from tournaments.web.origins import chosen_origin

POSTER = "print/poster.html"
MOST_LINES, SIGNS_A_LINE = 6, 40  # of what applicants should know; longer texts are left out


class Page(StrEnum):
    """The page that a poster leads to, by the name of its URL."""

    APPLICATIONS = "register"
    SEATS = "seats"
    EVENT = "tournament"


@never_cache
@requires(GET=Level.STAFF)  # laying out takes long
def registration_poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the poster with the code of the page for applicants, as a PDF."""
    found = door.tournament_of(request)
    if not found.registration:
        raise Http404
    return _print(request, found, Page.APPLICATIONS)


@never_cache
@requires(GET=Level.STAFF)
def seats_poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the poster with the code of the page where players find their seat, as a PDF."""
    return _print(request, door.tournament_of(request), Page.SEATS)


@never_cache
@requires(GET=Level.STAFF)
def event_poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the poster with the code of the public page of the tournament, as a PDF."""
    return _print(request, door.tournament_of(request), Page.EVENT)


def _print(request: HttpRequest, tournament: Tournament, page: Page) -> HttpResponse:
    from tournaments.printing import rendering  # noqa: PLC0415  takes half a second

    address = f"{chosen_origin(request)}{reverse(page, args=[tournament.slug])}"
    context = context_of(tournament, address, page)
    name = f"{tournament.slug}-{page}-poster.pdf"
    return downloads.pdf(rendering.pdf(POSTER, context), name)


def context_of(tournament: Tournament, address: str, page: Page) -> dict[str, Any]:
    """Return the template context of a poster with the code of a page at this address."""
    context = {
        "tournament": tournament,
        "page": page.value,
        "address": address,
        "code": qr_codes.inline(address, border=4),
        "printed": moment(timezone.now()),
    }
    if page != Page.APPLICATIONS:
        return context
    chosen = tournament.registration_settings
    lines = sum(-(-len(line) // SIGNS_A_LINE) or 1 for line in chosen.text.splitlines())
    text = chosen.text if lines <= MOST_LINES else ""
    return context | {"closes_at": chosen.closes_at, "text": text}
