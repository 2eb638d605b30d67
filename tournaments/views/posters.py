"""Posters with the QR code of a page that players open: to apply, and to find their seat."""

from __future__ import annotations

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


@never_cache
@requires(GET=Level.STAFF)  # laying out takes long
def registration_poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the poster with the code of the page for applicants, as a PDF."""
    found = door.tournament_of(request)
    if not found.registration:
        raise Http404
    return _print(found, f"{chosen_origin(request)}{reverse('register', args=[slug])}")


@never_cache
@requires(GET=Level.STAFF)
def seats_poster(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the poster with the code of the page where players find their seat, as a PDF."""
    address = f"{chosen_origin(request)}{reverse('seats', args=[slug])}"
    return _print(door.tournament_of(request), address, is_about_seats=True)


def _print(tournament: Tournament, address: str, *, is_about_seats: bool = False) -> HttpResponse:
    from tournaments.printing import rendering  # noqa: PLC0415  takes half a second

    context = context_of(tournament, address, is_about_seats=is_about_seats)
    name = f"{tournament.slug}-{'seats' if is_about_seats else 'register'}-poster.pdf"
    return downloads.pdf(rendering.pdf(POSTER, context), name)


def context_of(tournament: Tournament, address: str, *, is_about_seats: bool) -> dict[str, Any]:
    """Return the template context of a poster with the code of this address."""
    context = {
        "tournament": tournament,
        "is_about_seats": is_about_seats,
        "address": address,
        "code": qr_codes.inline(address, border=4),
        "printed": moment(timezone.now()),
    }
    if is_about_seats:
        return context
    chosen = tournament.registration_settings
    lines = sum(-(-len(line) // SIGNS_A_LINE) or 1 for line in chosen.text.splitlines())
    text = chosen.text if lines <= MOST_LINES else ""
    return context | {"closes_at": chosen.closes_at, "text": text}
