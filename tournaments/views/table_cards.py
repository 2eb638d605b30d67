"""Table cards: the page that explains them, and the PDF to print and cut."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
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
from tournaments.queries.player_names import player_names
from tournaments.queries.seated_tables import SeatedTable, tables_in_play, tables_of
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
    tournament = door.tournament_of(request)
    stored_session = get_object_or_404(tournament.sessions, number=session)
    every_table = tables_in_play(tables_of(stored_session.sittings.all()))  # without rounds
    origins = origins_web.phone_origins(request)
    numbers = [table.sitting.shown_number for table in every_table]
    is_reprint = any(table.sitting.first.pin for table in every_table)
    form = TableCardsForm(numbers, origins, posted_data(request), is_reprint=is_reprint)
    is_closed = tournament.closed_at is not None
    if not is_closed and request.method == "POST" and form.is_valid():
        tables = form.cleaned_data["tables"]
        chosen = [table for table in every_table if table.sitting.shown_number in tables]
        try:
            return _print_cards(
                request, stored_session, chosen, new_links=form.cleaned_data["new_links"]
            )
        except CardOutdated:
            message = _(
                "A link or a PIN has changed since you opened this page, so nothing was printed. "
                "Check whether somebody else has printed these cards, or try again."
            )
            form.add_error(None, message)
        except closing.EventClosed:
            is_closed = True
    context = {
        "tournament": tournament,
        "session": stored_session,
        "form": form,
        "origins": origins,
        "is_unreachable": is_unreachable(request),
        "tables": len(every_table),
        "pages": ceil(len(every_table) / ON_A_PAGE),
        "is_closed": is_closed,
        "is_reprint": is_reprint,
        "last_printed": last_printed(stored_session),
        "revoked_links": sum(table.sitting.is_link_revoked for table in every_table),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    refused = 409 if is_closed else 422
    return render(request, "table_cards.html", context, status=refused if form.is_bound else 200)


def _print_cards(
    request: HttpRequest, session: Session, tables: Sequence[SeatedTable], *, new_links: bool
) -> HttpResponse:
    """Return the PDF of the cards of these tables.

    The new PINs, and with `new_links` the new links, are stored after the PDF is made: if making it
    fails, the old PINs and links stay valid. Raises `CardOutdated` and `closing.EventClosed`.
    """
    origin = chosen_origin(request)
    cards, content = jobs.run(_make_cards, session, tables, origin, new_links=new_links)
    issue_cards(session, cards, by=rights.actor(request))
    number = session_name(session.number, session.tournament.play_off_numbers)
    parts = (_("Table cards"), session.tournament, number)
    return downloads.pdf(content, *parts)


def _make_cards(
    session: Session, tables: Sequence[SeatedTable], origin: str, *, new_links: bool
) -> tuple[list[Card], bytes]:
    """Return new cards of these tables, and their PDF."""
    cards = prepare_cards([table.sitting.first for table in tables], new_links=new_links)
    run = print_run(session, tables, cards, origin)
    return cards, rendering.stamped_pdf(CARDS, *run)


def print_run(
    session: Session, tables: Sequence[SeatedTable], cards: Sequence[Card], origin: str
) -> PrintRun:
    """Return the print run of `print/table_cards.html`: pages of up to four cards.

    A blank page is laid out once for full pages, and once for a last page with fewer cards; the
    texts of the cards are printed over it. `origin` is for the QR codes.
    """
    contexts = [
        _card_context(table, card, origin) for table, card in zip(tables, cards, strict=True)
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


def _card_context(table: SeatedTable, card: Card, origin: str) -> dict[str, Any]:
    """The PIN is in two groups of digits."""
    return {
        "table": table.sitting.shown_number,
        "names": list(player_names(table.entries).values()),
        "pin": f"{card.pin[:3]} {card.pin[3:]}",
        "code": qr_codes.inline(f"{origin}{reverse('join-table', args=[card.token])}", border=4),
    }
