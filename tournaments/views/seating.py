"""Seating the next session: by a draw, or by tables typed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms.draws import DrawForm
from tournaments.forms.seating import TablesForm
from tournaments.i18n.ranking import missed_counts
from tournaments.models import Entry, Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import presence, progress, schedules
from tournaments.queries import stages as stage_queries
from tournaments.queries.draw_records import last_draw
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.progress import current_plan
from tournaments.queries.schedules import PlannedSeats
from tournaments.services import closing
from tournaments.services.seating import (
    AlreadySeated,
    BeyondPlan,
    NotSeatedBefore,
    OneTable,
    PlayersAway,
    SeatingConflict,
    next_session_number,
    open_session,
)
from tournaments.views.plans import ask_for_extra_session
from tournaments.views.proposed_seats import (
    board_context,
    initial_tables,
    marked_since,
    propose_seats,
    sign_draw,
    signed_draw,
    warn_of_mixed_groups,
)

DRAW_PARAMETERS = {"out", "new", "search"}  # request a draw even if seats are planned
REFUSALS = (
    *(AlreadySeated, BeyondPlan, NotSeatedBefore),
    *(OneTable, PlayersAway, closing.EventClosed),
)


@never_cache  # every draw is a new one
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def seat_session(request: HttpRequest, slug: str) -> HttpResponse:
    """Propose the planned seats or a draw; on POST seat the next session at the posted tables.

    If all sessions planned for the stage are seated, ask what comes next.
    """
    tournament = door.tournament_of(request)
    if request.method == "GET" and tournament.closed_at is not None:
        return redirect("close", slug)
    if "number" not in request.POST and (plan := current_plan(tournament)).needs_choice:
        return ask_for_extra_session(request, tournament, plan)
    if request.method == "POST":
        return _store_seats(request, tournament)
    version = presence.version_of(tournament)  # read before the marks, so that it is not newer
    entries = stage_queries.players_of_session(tournament, next_session_number(tournament))
    roll = presence.roll_call(tournament, next_session_number(tournament), entries)
    wants_draw = bool(DRAW_PARAMETERS & request.GET.keys())
    if not wants_draw and (seats := _planned_seats(request, tournament, roll)):
        return _propose_planned(request, tournament, roll, seats, version)
    draw_form, out = _draw_form_and_out(request, tournament, roll)
    searched = request.GET.get("search", "")
    proposal = propose_seats(tournament, roll, draw_form, out, searched=searched)
    tables = initial_tables(proposal)
    initial = {"number": roll.session, "roll": version, **tables}
    form = TablesForm(entries, tournament.table_sizes, initial=initial)
    proposal["is_next"] = True
    return _show_form(request, tournament, draw_form, form, roll, more=proposal)


def _planned_seats(
    request: HttpRequest, tournament: Tournament, roll: RollCall
) -> PlannedSeats | None:
    """Return the planned seats of the next session, adapted to the players who play.

    None if no seats are planned for it.
    """
    schedule = schedules.schedule_of(tournament)
    planned = schedules.planned_session(schedule, roll.session)
    if schedule is None or planned is None:
        return None
    playing = roll.to_be_seated(only_present=request.GET.get("seat") == Status.PRESENT)
    return schedules.seats_for(schedule, planned, roll, playing)


def _propose_planned(
    request: HttpRequest,
    tournament: Tournament,
    roll: RollCall,
    seats: PlannedSeats,
    version: int,
) -> HttpResponse:
    """Show the planned seats as the proposal; `version` is that of the roll call's marks."""
    entries = list(roll.statuses)
    seated = {entry for table in seats.tables for entry in table}
    out = [entry for entry in entries if entry not in seated]
    initial = {
        "number": roll.session,
        "roll": version,
        "out": " ".join(entry.key for entry in out),
        "tables": "\n".join(" ".join(entry.key for entry in table) for table in seats.tables),
        "draw": sign_draw(tournament, roll.session, seats.facts),
    }
    form = TablesForm(entries, tournament.table_sizes, initial=initial)
    more = {
        "planned": seats,
        "tables": seats.tables,
        "left_out": out,
        "sitting_out": roll.not_away(out),
        "missed_counts": missed_counts(tournament.ranking_rules),
        "is_next": True,
    }
    return _show_form(request, tournament, DrawForm(entries), form, roll, more=more)


def _draw_form_and_out(
    request: HttpRequest, tournament: Tournament, roll: RollCall
) -> tuple[DrawForm, list[Entry]]:
    """Return the form of a draw, and the players who sit out.

    With `out` in the query the form is bound to the query. By default every player sits out who is
    not among `roll.to_be_seated()`; with `seat=present` only players who are present are seated.
    """
    entries, sizes = list(roll.statuses), tournament.table_sizes
    if "out" in request.GET:
        draw_form = DrawForm(entries, request.GET, sizes=sizes)
        return draw_form, draw_form.cleaned_data["out"] if draw_form.is_valid() else []
    seated = set(roll.to_be_seated(only_present=request.GET.get("seat") == Status.PRESENT))
    out = [entry for entry in entries if entry not in seated]
    last = last_draw(tournament, before=roll.session)
    initial = {"out": " ".join(entry.key for entry in out)}
    return DrawForm(entries, sizes=sizes, last_draw=last, initial=initial), out


def _store_seats(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Seat the next session at the posted tables, or show the form again with the reason why not.

    Answers 409 if the roll call has changed since the page was opened.
    """
    entries = stage_queries.players_of_session(tournament, next_session_number(tournament))
    form = TablesForm(entries, tournament.table_sizes, request.POST)
    roll = presence.roll_call(tournament, next_session_number(tournament), entries)
    if form.is_valid():
        if marked := marked_since(tournament, roll, form):
            draw_form, more = DrawForm(entries), {"marked": marked}
            return _show_form(request, tournament, draw_form, form, roll, status=409, more=more)
        number = form.cleaned_data["number"]
        try:
            session = open_session(
                tournament,
                form.cleaned_data["tables"],
                by=rights.actor(request),
                number=number,
                draw=signed_draw(tournament, number, form.cleaned_data["draw"]),
            )
        except SeatingConflict:
            return seat_session(request, tournament.slug)
        except REFUSALS as refused:
            form.add_error(None, refused.sentence)
        else:
            messages.success(request, _success_message(session))
            warn_of_mixed_groups(request, tournament, number, form.cleaned_data["tables"])
            return redirect(session)
    return _show_form(request, tournament, DrawForm(entries), form, roll, status=422)


def _success_message(session: Session) -> str:
    """Return the message that a session is seated; if seats are public, also that all see it."""
    assigned = _("Seats of session %(number)s are assigned.") % {"number": session.shown_number}
    if not session.tournament.has_public_seats:
        return assigned
    visible = _("Everybody sees them at once.")
    return f"{assigned} {visible}"


def _show_form(
    request: HttpRequest,
    tournament: Tournament,
    draw_form: DrawForm,
    form: TablesForm,
    roll: RollCall,
    *,
    status: int = 200,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Show the form; `more` is added to the context, such as the proposal of a draw."""
    context = {
        "tournament": tournament,
        "draw_form": draw_form,
        "form": form,
        "entries": list(form.entries.values()),
        "allowed": tournament.table_sizes,
        "number": next_session_number(tournament),
        "roll": roll,
        **board_context(tournament, roll),
        "unfinished": progress.unfinished_sessions(progress.sessions_of(tournament)),
        "rules_fingerprint": tournament.rules.fingerprint,
        **(more or {}),
    }
    return render(request, "seat_session.html", context, status=status)
