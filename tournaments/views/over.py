"""What a phone is told whose table is closed, or whose event is over or removed.

It keeps what it has.

What came too late by a plain form stands on that page in words, to be shown at the desk.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from tournaments.forms import posted
from tournaments.forms.games import round_form
from tournaments.i18n import audit_entries, units
from tournaments.i18n.audit_entries import EntryContext
from tournaments.models import Sitting, Tournament
from tournaments.permissions import rights
from tournaments.queries.sheets import sheet_of
from tournaments.server.scripts import qr_library
from tournaments.services import closing, handover
from tournaments.services.closing import EventOver
from tournaments.web.numbers import HIGHEST

View = Callable[..., HttpResponse]


def for_former_phones(view: View) -> View:
    """Where a view finds nothing, tell a phone that was this table's why, and show what it keeps.

    The status is the same as for everybody else: 404.
    """

    @wraps(view)
    def answer(
        request: HttpRequest, slug: str, session: int, table: int, **others: Any
    ) -> HttpResponse:
        try:
            return view(request, slug, session, table, **others)
        except (Http404, EventOver):
            sitting = _former_table(request, slug, session, table)
            if sitting is None:
                raise Http404 from None
            return _tell(request, sitting, others.get("number"))

    return answer


def _former_table(request: HttpRequest, slug: str, session: int, table: int) -> Sitting | None:
    place = {"session__tournament__slug": slug, "session__number": session, "number": table}
    if max(session, table) >= HIGHEST:
        return None
    sitting = Sitting.objects.select_related("session__tournament").filter(**place).first()
    if sitting is None or rights.former_phone_at(request, sitting) is None:
        return None
    return sitting


def tell_of_link(request: HttpRequest, token: str) -> HttpResponse:
    """Tell whoever opens a table's link that opens nothing any more why that is.

    Raises `Http404` for what never was one.
    """
    sitting = Sitting.objects.select_related("session__tournament").filter(token=token).first()
    if sitting is None:
        raise Http404
    return _tell(request, sitting, None)


@never_cache
def _tell(request: HttpRequest, sitting: Sitting, number: int | None) -> HttpResponse:
    tournament = sitting.session.tournament
    is_over = closing.is_over(tournament)
    context = {
        "sitting": sitting,
        "tournament": tournament,
        "is_over": is_over,
        "is_removed": tournament.removed_at is not None,
        "typed": _typed(request, sitting, number, with_names=is_over),
        "kept": {
            "event": handover.event_key(sitting),
            "desk": reverse("hand-over") if tournament.kind == Tournament.Kind.TOURNAMENT else "",
            "qr": qr_library(),
        },
    }
    return render(request, "over.html", context, status=404)


def _typed(
    request: HttpRequest, sitting: Sitting, number: int | None, *, with_names: bool
) -> dict[str, str] | None:
    """Return a round as it was sent, in words; None where none was.

    Without names players are numbers: who sits there by now is not this phone's to see any more.
    """
    typed = posted(request)
    if not typed or number is None:
        return None
    sheet = sheet_of(sitting)
    form = round_form(sheet, number, typed)
    if form is None:
        return None
    names = sheet.names if with_names else {}
    return {
        "title": units.round_title(number, sheet.rules),
        "facts": audit_entries.round_in_words(form.facts(), EntryContext(names, sheet.rules)),
        "reason": str(form["reason"].value() or ""),
    }
