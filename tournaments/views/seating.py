"""Sessions: seating everybody, and how far the tables have come."""

from __future__ import annotations

import random

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms.seating import SitOutForm, TablesForm
from tournaments.models import Entry, Membership, Seat, Sitting, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import progress
from tournaments.queries.sheets import Sheet
from tournaments.services import closing, draws
from tournaments.services.seating import (
    AlreadySeated,
    NotSeatedBefore,
    OneTable,
    SeatingConflict,
    has_begun,
    next_session,
    open_session,
)
from tournaments.web import origins

NOT_SEATED = (
    *(AlreadySeated, NotSeatedBefore, OneTable),
    closing.EventClosed,
)


@never_cache  # every draw is a new one
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def seat_session(request: HttpRequest, slug: str) -> HttpResponse:
    """Propose a draw, or take tables as typed, and seat the next session."""
    tournament = door.tournament_of(request)
    if request.method == "POST":
        return _seat(request, tournament)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    everybody = list(tournament.entries.all())
    sit_out = SitOutForm(everybody, request.GET if "out" in request.GET else None)
    out = sit_out.cleaned_data["out"] if sit_out.is_bound and sit_out.is_valid() else []
    playing = [entry for entry in everybody if entry not in out]
    tables = draws.draw(playing, tournament.table_sizes, random.SystemRandom())
    if sit_out.errors:  # nobody would know who of these is meant to sit out
        tables = []
    proposal = {
        "number": next_session(tournament),
        "out": " ".join(entry.key for entry in out),
        "tables": "\n".join(" ".join(entry.key for entry in table) for table in tables),
    }
    form = TablesForm(everybody, tournament.table_sizes, initial=proposal)
    return _propose(request, tournament, sit_out, form, tables, playing)


def _seat(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    everybody = list(tournament.entries.all())
    form = TablesForm(everybody, tournament.table_sizes, request.POST)
    if form.is_valid():
        try:
            session = open_session(
                tournament,
                form.cleaned_data["tables"],
                by=rights.actor(request),
                number=form.cleaned_data["number"],
            )
        except SeatingConflict:
            return seat_session(request, tournament.slug)
        except NOT_SEATED as refused:
            form.add_error(None, refused.sentence)
        else:
            messages.success(
                request, _("Seats of session %(number)s are assigned.") % {"number": session.number}
            )
            return redirect(session)
    return _propose(request, tournament, SitOutForm(everybody), form, [], everybody, status=422)


def _propose(
    request: HttpRequest,
    tournament: Tournament,
    sit_out: SitOutForm,
    form: TablesForm,
    tables: list[list[Entry]],
    playing: list[Entry],
    status: int = 200,
) -> HttpResponse:
    allowed = tournament.table_sizes
    context = {
        "tournament": tournament,
        "sit_out": sit_out,
        "form": form,
        "tables": tables,
        "playing": len(playing),
        "left_out": [entry for entry in form.entries.values() if entry not in playing],
        "entries": list(form.entries.values()),
        "allowed": allowed,
        "number": next_session(tournament),
        "unfinished": progress.unfinished(progress.sessions_of(tournament)),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    if not tables and draws.table_sizes(len(playing), allowed) is None:
        context["nearest"] = draws.nearest(len(playing), allowed)
    return render(request, "seat_session.html", context, status=status)


@never_cache
@requires(GET=Level.SEE)
def session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Show a session's tables: who sits where, how far they are, and to staff their links."""
    event = door.event_of(request)
    tournament = event.tournament
    found, sheets = event.session(session)
    role = rights.role_in(request, tournament)
    # Not on a screen that everybody sees; and of what was announced nothing opens a table.
    shows_links = role is not None and "links" in request.GET and event.publication is None
    context = {
        "tournament": tournament,
        "session": found,
        "role": role,
        "sheets": sheets,
        "publication": event.publication,
        "seats": _seats(sheets),
        "has_begun": any(sheet.rows or sheet.typed for sheet in sheets),
        "may_reseat": role == Membership.Role.DIRECTOR
        and event.publication is None
        and tournament.closed_at is None
        and not has_begun(found),
        "is_last": found.number == max(each.session.number for each in event.sessions),
        **(_links(request, sheets) if shows_links else {}),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "session.html", context)


def _seats(sheets: list[Sheet]) -> list[Seat]:
    """Return everybody's seat, for people to find theirs."""
    seats = [
        Seat(sitting=sheet.sitting, position=position, entry=entry)
        for sheet in sheets
        for position, entry in enumerate(sheet.entries, 1)
    ]
    return sorted(seats, key=lambda seat: seat.entry.number)


def _links(request: HttpRequest, sheets: list[Sheet]) -> dict[str, object]:
    """Return what the page shows of the links: those that open a table, and under which address."""
    opening = [sheet.sitting for sheet in sheets if sheet.sitting.closed_at is None]
    return {
        "links": [_link(request, sitting) for sitting in opening],
        "closed_links": len(sheets) - len(opening),
        "origin": origins.origin(request),
        "origins": origins.origins(request),
        "is_unreachable": origins.is_for_this_machine_only(request),
    }


def _link(request: HttpRequest, sitting: Sitting) -> dict[str, object]:
    """Return a table's link and its picture: whoever opens it may record at that table."""
    code = origins.code_of(request, reverse("join-table", args=[sitting.token]))
    return {"number": sitting.number, **code._asdict()}
