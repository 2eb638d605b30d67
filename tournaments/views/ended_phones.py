"""The page for phones that have ended: the table is closed, or its event is over or removed.

The phone keeps its unsent rounds. A round that comes too late by a plain form is shown in words, to
be read out at the desk.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.games import round_form
from tournaments.i18n import audit_entries, units
from tournaments.i18n.facts_in_words import EntryContext
from tournaments.models import Sitting, Tournament
from tournaments.permissions import rights
from tournaments.queries.sheets import sheet_of
from tournaments.server.scripts import qr_library_url
from tournaments.services import closing, handover
from tournaments.services.closing import EventOver
from tournaments.web.numbers import MAX_NUMBER

View = Callable[..., HttpResponse]


def explain_ended_phone(view: View) -> View:
    """Where a view answers 404, explain why to a browser that was once a phone of the table.

    The status stays 404.
    """

    @wraps(view)
    def answer(
        request: HttpRequest, slug: str, session: int, table: int, **others: Any
    ) -> HttpResponse:
        try:
            return view(request, slug, session, table, **others)
        except (Http404, EventOver):
            sitting = _table_of_ended_phone(request, slug, session, table)
            if sitting is None:
                raise Http404 from None
            return _show_ended(request, sitting, round_number=others.get("number"))

    return answer


def _table_of_ended_phone(
    request: HttpRequest, slug: str, session: int, table: int
) -> Sitting | None:
    """Return the table if this browser once was a phone of it; else None."""
    place = {"session__tournament__slug": slug, "session__number": session, "number": table}
    if max(session, table) >= MAX_NUMBER:
        return None
    sitting = Sitting.objects.select_related("session__tournament").filter(**place).first()
    if sitting is None or rights.former_phone_at(request, sitting) is None:
        return None
    return sitting


def explain_ended_link(request: HttpRequest, token: str) -> HttpResponse:
    """Explain why a table's link, which opens it no more, has ended.

    Raises `Http404` for a token that is no table's.
    """
    sitting = Sitting.objects.select_related("session__tournament").filter(token=token).first()
    if sitting is None:
        raise Http404
    return _show_ended(request, sitting)


@never_cache
def _show_ended(
    request: HttpRequest, sitting: Sitting, *, round_number: int | None = None
) -> HttpResponse:
    """Answer 404 with the page for ended phones; `round_number` is that of a posted round."""
    tournament = sitting.session.tournament
    is_over = closing.is_over(tournament)
    context = {
        "sitting": sitting,
        "tournament": tournament,
        "is_over": is_over,
        "is_removed": tournament.removed_at is not None,
        "typed": _typed_round(request, sitting, round_number, with_names=is_over),
        "kept": {
            "event_key": handover.event_key(sitting),
            "desk": reverse("hand-over") if tournament.kind == Tournament.Kind.TOURNAMENT else "",
            "qr": qr_library_url(),
        },
    }
    return render(request, "ended_phone.html", context, status=404)


def _typed_round(
    request: HttpRequest, sitting: Sitting, round_number: int | None, *, with_names: bool
) -> dict[str, str] | None:
    """Return the posted round in words; None where there is none, or it cannot be recorded.

    Without names players are numbers: an ended phone may not see who sits there now.
    """
    typed = posted_data(request)
    if not typed or round_number is None:
        return None
    sheet = sheet_of(sitting)
    form = round_form(sheet, round_number, typed)
    if form is None:
        return None
    names = sheet.names if with_names else {}
    return {
        "title": units.round_title(round_number, sheet.rules),
        "facts": audit_entries.round_in_words(form.facts(), EntryContext(names, sheet.rules)),
        "reason": str(form["reason"].value() or ""),
    }
