"""Name cards (名札): their PDF, and the URL in the QR code on a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from tournaments.models import Entry, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import rendering
from tournaments.printing.contents import PrintRun
from tournaments.queries.stages import players_of_session
from tournaments.services import seating
from tournaments.web import downloads, qr_codes
from tournaments.web.origins import chosen_origin
from tournaments.web.requests_in_jobs import in_a_job

CARDS = "print/name_cards.html"
ON_A_PAGE = 10
PAGES_IN_A_CHUNK = 5


@never_cache
@requires(GET=Level.SEE)
def name_card(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Redirect from the QR code on a card: the staff to the roll call, others to the player's page.

    The roll call is that of the next session. If the player is not to play in that session, for
    example a final of other players, the staff is redirected to the player's page, too.
    """
    event = door.event_of(request)
    entry, tournament = event.entry(number), event.tournament
    has_roll_call = tournament.kind == Tournament.Kind.TOURNAMENT and tournament.closed_at is None
    if rights.role_in(request, tournament) is None or not has_roll_call:
        return redirect("player", slug, entry.number)
    current = door.tournament_of(request)  # with the settings of now, not as published
    session = seating.next_session_number(current)
    if all(each.number != number for each in players_of_session(current, session)):
        return redirect("player", slug, entry.number)
    return redirect(f"{reverse('roll-call', args=[slug, session])}?q={number}#p{number}")


@never_cache
@requires(GET=Level.STAFF)
@in_a_job
def name_cards(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the cards of all players as a PDF, or of the player `number` in the query."""
    tournament = door.tournament_of(request)
    entries = list(tournament.entries.all())
    if "number" in request.GET:
        entries = [each for each in entries if each.key == request.GET["number"]]
    if not entries:
        raise Http404
    content = rendering.stamped_pdf(CARDS, *print_run(tournament, entries, chosen_origin(request)))
    return downloads.pdf(content, gettext("Name cards"), tournament)


def print_run(tournament: Tournament, entries: Sequence[Entry], origin: str) -> PrintRun:
    """Return the print run of `print/name_cards.html`: pages of up to ten cards.

    A blank page is laid out once for full pages, and once for a last page with fewer cards; the
    texts of the cards are printed over it. `origin` is for the QR codes.
    """
    cards = [_card_context(tournament, entry, origin) for entry in entries]
    pages = [cards[i : i + ON_A_PAGE] for i in range(0, len(cards), ON_A_PAGE)]
    cards_on_pages = list(dict.fromkeys(len(page) for page in pages))
    chunks = [pages[i : i + PAGES_IN_A_CHUNK] for i in range(0, len(pages), PAGES_IN_A_CHUNK)]
    blank_pages: list[list[dict[str, Any]]] = [[{}] * count for count in cards_on_pages]
    return PrintRun(
        blanks={"tournament": tournament, "pages": blank_pages, "is_blank": True},
        form_indexes=tuple(cards_on_pages.index(len(page)) for page in pages),
        fillings=tuple({"pages": chunk} for chunk in chunks),
    )


def _card_context(tournament: Tournament, entry: Entry, origin: str) -> dict[str, Any]:
    """`belongs` is club, team and class in one line."""
    address = f"{origin}{reverse('name-card', args=[tournament.slug, entry.number])}"
    return {
        "entry": entry,
        "belongs": " · ".join(filter(None, (entry.club, entry.team, entry.division))),
        "code": qr_codes.stamped(address, border=4),
    }
