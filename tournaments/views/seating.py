"""Seating the next session: by lot, or by tables typed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import draws
from tournaments.forms.seating import SitOutForm, TablesForm
from tournaments.models import Entry, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import presence, progress
from tournaments.queries.presence import RollCall, Status
from tournaments.services import closing
from tournaments.services.seating import (
    AlreadySeated,
    NotSeatedBefore,
    OneTable,
    SeatingConflict,
    draw_by_lot,
    next_session_number,
    open_session,
)

REFUSALS = (AlreadySeated, NotSeatedBefore, OneTable, closing.EventClosed)


@never_cache  # every draw is a new one
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def seat_session(request: HttpRequest, slug: str) -> HttpResponse:
    """Propose tables by lot; seat the next session at the tables that are sent."""
    tournament = door.tournament_of(request)
    if request.method == "POST":
        return _store_seats(request, tournament)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    entries = list(tournament.entries.all())
    roll = presence.roll_call(tournament, next_session_number(tournament), entries)
    sit_out, out = _who_sits_out(request, roll)
    playing = [entry for entry in entries if entry not in out]
    tables = draw_by_lot(playing, tournament.table_sizes)
    if sit_out.errors:  # it is not known who sits out
        tables = []
    proposal = {
        "number": roll.session,
        "out": " ".join(entry.key for entry in out),
        "tables": "\n".join(" ".join(entry.key for entry in table) for table in tables),
    }
    form = TablesForm(entries, tournament.table_sizes, initial=proposal)
    return _show_form(
        request,
        tournament,
        sit_out,
        form,
        tables=tables,
        playing=playing,
        more={"roll": roll, "is_next": True},
    )


def _who_sits_out(request: HttpRequest, roll: RollCall) -> tuple[SitOutForm, list[Entry]]:
    """Return the form and the players who sit out: as it was sent, else as the roll call says."""
    entries = list(roll.statuses)
    if "out" in request.GET:
        sit_out = SitOutForm(entries, request.GET)
        return sit_out, sit_out.cleaned_data["out"] if sit_out.is_valid() else []
    seated = set(roll.to_be_seated(only_present=request.GET.get("seat") == Status.PRESENT))
    out = [entry for entry in entries if entry not in seated]
    return SitOutForm(entries, initial={"out": " ".join(entry.key for entry in out)}), out


def _store_seats(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Open the next session with the tables sent, or show them again with their errors."""
    entries = list(tournament.entries.all())
    form = TablesForm(entries, tournament.table_sizes, request.POST)
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
        except REFUSALS as refused:
            form.add_error(None, refused.sentence)
        else:
            messages.success(
                request, _("Seats of session %(number)s are assigned.") % {"number": session.number}
            )
            return redirect(session)
    return _show_form(
        request, tournament, SitOutForm(entries), form, tables=[], playing=entries, status=422
    )


def _show_form(
    request: HttpRequest,
    tournament: Tournament,
    sit_out: SitOutForm,
    form: TablesForm,
    *,
    tables: list[list[Entry]],
    playing: list[Entry],
    status: int = 200,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Show the proposed tables; without any, the nearest numbers of players that can play.

    `more` is further context.
    """
    allowed_sizes = tournament.table_sizes
    context = {
        "tournament": tournament,
        "sit_out": sit_out,
        "form": form,
        "tables": tables,
        "playing": len(playing),
        "left_out": [entry for entry in form.entries.values() if entry not in playing],
        "entries": list(form.entries.values()),
        "allowed": allowed_sizes,
        "number": next_session_number(tournament),
        "unfinished": progress.unfinished_sessions(progress.sessions_of(tournament)),
        "rules_fingerprint": tournament.rules.fingerprint,
        **(more or {}),
    }
    if not tables and draws.divide_into_tables(len(playing), allowed_sizes) is None:
        context["nearest"] = draws.nearest_seatable(len(playing), allowed_sizes)
    return render(request, "seat_session.html", context, status=status)
