"""A session seated anew before it has begun: drawn again, or its seats typed otherwise."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms.seating import ReseatForm, SitOutForm
from tournaments.models import Entry, Session
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.services import closing, draws, versions
from tournaments.services.seating import (
    HasBegun,
    SeatingConflict,
    has_begun,
    reseat,
    seating_of,
    version_of,
)
from tournaments.views.stale import change_of, seen_by

Tables = list[list[Entry]]


@never_cache  # every draw is a new one
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def reseat_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Show who sits where, to be typed otherwise or drawn again; seat them so once settled."""
    tournament = door.tournament_of(request)
    found = get_object_or_404(tournament.sessions, number=session)
    found.tournament = tournament
    if request.method == "POST":
        return _seat(request, found)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    if has_begun(found):
        messages.error(request, str(HasBegun.sentence))
        return redirect(found)
    version = version_of(found)  # no newer than what is shown
    everybody, now = list(tournament.entries.all()), seating_of(found)
    if "out" in request.GET:
        return _draw(request, found, everybody, version)
    form = _form(found, everybody, now)
    sit_out = SitOutForm(everybody, initial={"out": form.initial["out"]})
    return _show(request, found, form, version, sit_out=sit_out)


def _draw(
    request: HttpRequest, session: Session, everybody: list[Entry], version: int
) -> HttpResponse:
    """Propose tables by lot, without those who sit out."""
    sit_out = SitOutForm(everybody, request.GET)
    out = sit_out.cleaned_data["out"] if sit_out.is_valid() else []
    playing = [entry for entry in everybody if entry not in out]
    allowed = session.tournament.table_sizes
    tables = [] if sit_out.errors else draws.draw(playing, allowed, random.SystemRandom())
    nearest = None
    if not tables and draws.table_sizes(len(playing), allowed) is None:
        nearest = draws.nearest(len(playing), allowed)
    proposal = {"tables": tables, "left_out": out, "playing": len(playing), "nearest": nearest}
    form = _form(session, everybody, tables)
    return _show(request, session, form, version, sit_out=sit_out, also=proposal)


def _seat(request: HttpRequest, session: Session) -> HttpResponse:
    """Seat them as was settled; where that cannot be, what was typed stays on the page."""
    tournament, version = session.tournament, seen_by(request)
    form = ReseatForm(tournament.entries.all(), tournament.table_sizes, request.POST)
    if not form.is_valid():
        return _show(request, session, form, version, status=422)
    tables, reason = form.cleaned_data["tables"], form.cleaned_data["reason"]
    try:
        reseat(session, tables, seen=version, by=rights.actor(request), reason=reason)
    except SeatingConflict:
        return reseat_session(request, tournament.slug, session.number)
    except versions.VersionConflict as stale:
        version = stale.audit_entry.number if stale.audit_entry else 0
        change = change_of(tournament, stale)
        return _show(request, session, form, version, status=409, also={"change": change})
    except (HasBegun, closing.EventClosed) as refused:
        form.add_error(None, refused.sentence)
        return _show(request, session, form, version, status=409)
    messages.success(
        request, _("Seats of session %(number)s are reassigned.") % {"number": session.number}
    )
    said = _("Print sheets and cards anew: those printed before have the old seats on them.")
    messages.info(request, said)
    return redirect(session)


def _form(session: Session, everybody: list[Entry], tables: Tables) -> ReseatForm:
    """Return the form with these tables; whoever is at none of them is left out knowingly."""
    seated = {entry for table in tables for entry in table}
    proposal = {
        "number": session.number,
        "out": " ".join(entry.key for entry in everybody if entry not in seated),
        "tables": "\n".join(" ".join(entry.key for entry in table) for table in tables),
    }
    return ReseatForm(everybody, session.tournament.table_sizes, initial=proposal)


def _show(
    request: HttpRequest,
    session: Session,
    form: ReseatForm,
    version: int,
    *,
    sit_out: SitOutForm | None = None,
    status: int = 200,
    also: Mapping[str, Any] | None = None,
) -> HttpResponse:
    tournament = session.tournament
    context = {
        "tournament": tournament,
        "session": session,
        "number": session.number,
        "form": form,
        "sit_out": sit_out,
        "seen": version,
        "entries": list(form.entries.values()),
        "allowed": tournament.table_sizes,
        "rules_fingerprint": tournament.rules.fingerprint,
        **(also or {}),
    }
    return render(request, "reseat_session.html", context, status=status)
