"""Table cards: the page that explains them, and the PDF to print and cut."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.table_cards import TableCardsForm
from tournaments.i18n.session_names import session_name
from tournaments.models import Session
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import rendering
from tournaments.printing.contents import PrintRun
from tournaments.queries.events import Event
from tournaments.queries.sheets import Sheet, tables_in_play
from tournaments.server import jobs
from tournaments.services import closing
from tournaments.services.table_cards import (
    Card,
    CardOutdated,
    issue_cards,
    last_printed,
    prepare_cards,
)
from tournaments.web import downloads, qr_codes
from tournaments.web import origins as origins_web
from tournaments.web.origins import chosen_origin, is_unreachable

CARDS = "print/table_cards.html"
ON_A_PAGE = 4
PAGES_IN_A_CHUNK = 10


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def table_cards(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Explain the table cards; on POST return the cards of the chosen tables as a PDF."""
    event = Event(door.tournament_of(request))
    stored_session, every_sheet = event.session(session)
    sheets = tables_in_play(every_sheet)
    origins = origins_web.phone_origins(request)
    numbers = [sheet.sitting.shown_number for sheet in sheets]
    is_reprint = any(sheet.sitting.first.pin for sheet in sheets)
    form = TableCardsForm(numbers, origins, posted_data(request), is_reprint=is_reprint)
    is_closed = event.tournament.closed_at is not None
    if not is_closed and request.method == "POST" and form.is_valid():
        tables = form.cleaned_data["tables"]
        chosen = [sheet for sheet in sheets if sheet.sitting.shown_number in tables]
        try:
            return _print_cards(
                request, stored_session, chosen, new_links=form.cleaned_data["new_links"]
            )
        except CardOutdated:
            message = _(
                "A link or a PIN has changed since you opened this page. Nothing is printed: "
                "check whether somebody "
                "else has printed these cards, or try again."
            )
            form.add_error(None, message)
        except closing.EventClosed:
            is_closed = True
    context = {
        "tournament": event.tournament,
        "session": stored_session,
        "form": form,
        "origins": origins,
        "is_unreachable": is_unreachable(request),
        "tables": len(sheets),
        "pages": ceil(len(sheets) / ON_A_PAGE),
        "is_closed": is_closed,
        "is_reprint": is_reprint,
        "last_printed": last_printed(stored_session),
        "revoked_links": sum(sheet.sitting.is_link_revoked for sheet in sheets),
        "rules_fingerprint": event.tournament.rules.fingerprint,
    }
    refused = 409 if is_closed else 422
    return render(request, "table_cards.html", context, status=refused if form.is_bound else 200)


def _print_cards(
    request: HttpRequest, session: Session, sheets: Sequence[Sheet], *, new_links: bool
) -> HttpResponse:
    """Return the PDF of the cards of these tables.

    The new PINs, and with `new_links` the new links, are stored after the PDF is made: if making it
    fails, the old PINs and links stay valid. Raises `CardOutdated` and `closing.EventClosed`.
    """
    sittings = [sheet.sitting.first for sheet in sheets]
    cards = jobs.run_short(prepare_cards, sittings, new_links=new_links)
    run = print_run(session, sheets, cards, chosen_origin(request))
    content = rendering.stamped_pdf(CARDS, *run)
    issue_cards(session, cards, by=rights.actor(request))
    number = session_name(session.number, session.tournament.play_off_numbers)
    parts = (_("Table cards"), session.tournament, number)
    return downloads.pdf(content, *parts)


def print_run(
    session: Session, sheets: Sequence[Sheet], cards: Sequence[Card], origin: str
) -> PrintRun:
    """Return the print run of `print/table_cards.html`: pages of up to four cards.

    A blank page is laid out once for full pages, and once for a last page with fewer cards; the
    texts of the cards are printed over it. `origin` is for the QR codes.
    """
    contexts = [
        _card_context(sheet, card, origin) for sheet, card in zip(sheets, cards, strict=True)
    ]
    pages = [contexts[i : i + ON_A_PAGE] for i in range(0, len(contexts), ON_A_PAGE)]
    cards_on_pages = list(dict.fromkeys(len(page) for page in pages))
    chunks = [pages[i : i + PAGES_IN_A_CHUNK] for i in range(0, len(pages), PAGES_IN_A_CHUNK)]
    blanks = {
        "tournament": session.tournament,
        "session": session,
        "rules": session.tournament.rules,
        "by_hand": f"{origin}{reverse('join')}",
        "pages": [[{}] * count for count in cards_on_pages],
        "is_blank": True,
    }
    return PrintRun(
        blanks=blanks,
        form_indexes=tuple(cards_on_pages.index(len(page)) for page in pages),
        fillings=tuple({"pages": chunk} for chunk in chunks),
    )


def _card_context(sheet: Sheet, card: Card, origin: str) -> dict[str, Any]:
    """The PIN is in two groups of digits."""
    return {
        "table": sheet.sitting.shown_number,
        "entries": sheet.entries,
        "pin": f"{card.pin[:3]} {card.pin[3:]}",
        "code": qr_codes.inline(f"{origin}{reverse('join-table', args=[card.token])}", border=4),
    }
