"""Changing the seats of a session that has not begun: by a draw, or by tables typed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms.draws import DrawForm
from tournaments.forms.seating import ReseatForm
from tournaments.models import Entry, Session
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import presence
from tournaments.queries.draw_records import last_draw
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.stages import players_of_session
from tournaments.services import closing, versions
from tournaments.services.seating import (
    HasBegun,
    PlayersAway,
    SeatingConflict,
    has_begun,
    reseat,
    seating_of,
    version_of,
)
from tournaments.views.conflicts import seen_version, unseen_change
from tournaments.views.proposed_seats import (
    board_context,
    initial_tables,
    marked_since,
    propose_seats,
    signed_draw,
    warn_of_mixed_groups,
)

Tables = list[list[Entry]]


@never_cache  # every draw is a new one
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def reseat_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Show the seats to edit, or another draw; on POST store the posted tables.

    Raises `Http404` for a play-off, which is removed and seated anew instead.
    """
    tournament = door.tournament_of(request)
    stored_session = door.session_in(tournament, session)
    if stored_session.is_play_off:
        raise Http404
    if request.method == "POST":
        return _store_seats(request, stored_session)
    if tournament.closed_at is not None:
        return redirect("close", slug)
    if has_begun(stored_session):
        messages.error(request, str(HasBegun.sentence))
        return redirect(stored_session)
    version = version_of(stored_session)  # read before the seats, so that it is not newer
    marks_version = presence.version_of(tournament)  # read before the marks
    roll, tables = _roll_call(stored_session), seating_of(stored_session)
    entries = list(roll.statuses)
    if "out" in request.GET:
        return _propose_draw(request, stored_session, roll, version, marks_version)
    form = _form_with_tables(stored_session, entries, tables, marks_version)
    out = _left_out_of_draw(roll, {entry for table in tables for entry in table})
    last = last_draw(tournament, before=session + 1)
    initial = {"out": " ".join(entry.key for entry in out)}
    draw_form = DrawForm(entries, sizes=tournament.table_sizes, last_draw=last, initial=initial)
    return _show_form(request, stored_session, form, version, roll, draw_form=draw_form)


def _roll_call(session: Session) -> RollCall:
    """Return the roll call of the session's players, and of others who have a seat in it."""
    players = players_of_session(session.tournament, session.number)
    seated = {entry.key: entry for table in seating_of(session) for entry in table}
    others = [seated[key] for key in seated.keys() - {entry.key for entry in players}]
    entries = sorted([*players, *others], key=lambda entry: entry.number)
    return presence.roll_call(session.tournament, session.number, entries)


def _left_out_of_draw(roll: RollCall, seated: set[Entry]) -> list[Entry]:
    """Return the players to leave out of another draw, by number.

    They are the players who are away, and the players without a seat who are not present. `seated`
    are the players with a seat now.
    """
    return [
        entry
        for entry, status in roll.statuses.items()
        if status in presence.AWAY or (entry not in seated and status != Status.PRESENT)
    ]


def _propose_draw(
    request: HttpRequest, session: Session, roll: RollCall, version: int, marks_version: int
) -> HttpResponse:
    """Show tables drawn without the players in `out` of the query.

    `version` is that of the stored seats, `marks_version` that of the roll call's marks.
    """
    tournament, entries = session.tournament, list(roll.statuses)
    draw_form = DrawForm(entries, request.GET, sizes=tournament.table_sizes)
    out = draw_form.cleaned_data["out"] if draw_form.is_valid() else []
    searched = request.GET.get("search", "")
    proposal = propose_seats(tournament, roll, draw_form, out, searched=searched)
    tables = initial_tables(proposal)
    initial = {"number": session.number, "roll": marks_version, **tables}
    form = ReseatForm(entries, tournament.table_sizes, initial=initial)
    return _show_form(request, session, form, version, roll, draw_form=draw_form, more=proposal)


def _store_seats(request: HttpRequest, session: Session) -> HttpResponse:
    """Store the posted tables, or show the form again with the reason why not.

    Answers 409 if the roll call or the seats have changed since the page was opened.
    """
    tournament, version = session.tournament, seen_version(request)
    roll = _roll_call(session)
    form = ReseatForm(roll.statuses, tournament.table_sizes, request.POST)
    if not form.is_valid():
        return _show_form(request, session, form, version, roll, status=422)
    if marked := marked_since(tournament, roll, form):
        more: dict[str, Any] = {"marked": marked}
        return _show_form(request, session, form, version, roll, status=409, more=more)
    try:
        reseat(
            session,
            form.cleaned_data["tables"],
            seen_version=version,
            by=rights.actor(request),
            reason=form.cleaned_data["reason"],
            draw=signed_draw(tournament, session.number, form.cleaned_data["draw"]),
        )
    except SeatingConflict:
        return reseat_session(request, tournament.slug, session.number)
    except versions.VersionConflict as conflict:
        version = conflict.version
        more = {"change": unseen_change(tournament, conflict)}
        return _show_form(request, session, form, version, roll, status=409, more=more)
    except (HasBegun, PlayersAway, closing.EventClosed) as refused:
        form.add_error(None, refused.sentence)
        return _show_form(request, session, form, version, roll, status=409)
    messages.success(
        request, _("Seats of session %(number)s are reassigned.") % {"number": session.shown_number}
    )
    message = _("Print sheets and cards anew: those printed before have the old seats on them.")
    messages.info(request, message)
    warn_of_mixed_groups(request, tournament, session.number, form.cleaned_data["tables"])
    return redirect(session)


def _form_with_tables(
    session: Session, entries: list[Entry], tables: Tables, marks_version: int
) -> ReseatForm:
    """Return the form with these tables; the other `entries` are listed as sitting out.

    `marks_version` is the version of the roll call's marks.
    """
    seated = {entry for table in tables for entry in table}
    initial = {
        "number": session.number,
        "roll": marks_version,
        "out": " ".join(entry.key for entry in entries if entry not in seated),
        "tables": "\n".join(" ".join(entry.key for entry in table) for table in tables),
    }
    return ReseatForm(entries, session.tournament.table_sizes, initial=initial)


def _show_form(
    request: HttpRequest,
    session: Session,
    form: ReseatForm,
    version: int,
    roll: RollCall,
    *,
    draw_form: DrawForm | None = None,
    status: int = 200,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Show the form; `version` is that of the seats shown, `more` is added to the context."""
    tournament = session.tournament
    context = {
        "tournament": tournament,
        "session": session,
        "number": session.number,
        "form": form,
        "draw_form": draw_form,
        "seen": version,
        "roll": roll,
        **board_context(tournament, roll),
        "entries": list(form.entries.values()),
        "allowed": tournament.table_sizes,
        "rules_fingerprint": tournament.rules.fingerprint,
        **(more or {}),
    }
    return render(request, "reseat_session.html", context, status=status)
