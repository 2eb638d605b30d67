"""The page for phones that have ended: the table is closed, or its event is over or removed.

The phone keeps its unsent rounds. If a plain form without JavaScript posts a round too late, the
page shows the round in words, so that it can be read out at the desk.
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
from tournaments.forms.rounds import round_form
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
    """Decorate a view of a table to explain to former phones why they get 404.

    If the view raises `Http404` or `EventOver`, a browser that once was a phone of the table gets
    the page for ended phones, with status 404; other browsers get the usual 404.
    """

    @wraps(view)
    def answer(
        request: HttpRequest, slug: str, session: int, table: int, **more: Any
    ) -> HttpResponse:
        try:
            return view(request, slug, session, table, **more)
        except (Http404, EventOver):
            sitting = _table_of_ended_phone(request, slug, session, table)
            if sitting is None:
                raise Http404 from None
            return _show_ended(request, sitting, round_number=more.get("number"))

    return answer


def _table_of_ended_phone(
    request: HttpRequest, slug: str, session: int, table: int
) -> Sitting | None:
    """None if this browser has no ended phone there."""
    lookup = {"session__tournament__slug": slug, "session__number": session, "number": table}
    if max(session, table) >= MAX_NUMBER:  # the database could not compare it
        return None
    sitting = Sitting.objects.select_related("session__tournament").filter(**lookup).first()
    if sitting is None or rights.former_phone_at(request, sitting) is None:
        return None
    return sitting


def explain_ended_link(request: HttpRequest, token: str) -> HttpResponse:
    """Explain, with status 404, why the link with this token opens its table no longer.

    Raises `Http404` for an unknown token.
    """
    sitting = Sitting.objects.select_related("session__tournament").filter(token=token).first()
    if sitting is None:
        raise Http404
    return _show_ended(request, sitting)


@never_cache
def _show_ended(
    request: HttpRequest, sitting: Sitting, *, round_number: int | None = None
) -> HttpResponse:
    """Return the page for ended phones, with status 404.

    `round_number` is that of the posted round, if one was posted. `kept` in the context is for the
    script, which shows the rounds that the phone has kept.
    """
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
    """Return the posted round in words; None if none was posted, or if it cannot be recorded.

    Without `with_names` players are shown as numbers: an ended phone may not see who sits there
    now.
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
        "title": units.round_title(round_number, sheet.sitting),
        "facts": audit_entries.round_in_words(form.facts(), EntryContext(names, sheet.rules)),
        "reason": str(form["reason"].value() or ""),
    }
