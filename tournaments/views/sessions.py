"""A session: its page, ending it early, resuming it, and removing it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.forms import posted_data
from tournaments.forms.sessions import EndSessionForm, ReasonForm
from tournaments.i18n.session_names import session_name
from tournaments.models import Entry, Membership, Seat, Session, Sitting
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import stages
from tournaments.queries.draw_records import draw_record
from tournaments.queries.events import Event
from tournaments.queries.sheets import Sheet, continued_tables
from tournaments.queries.substitutions import replaced_in
from tournaments.services import closing, seating, sessions
from tournaments.web import cached_parts, origins
from tournaments.web.public_pages import cached_for_spectators

REMOVAL_REFUSALS = (seating.HasBegun, sessions.NotLastSession, closing.EventClosed)


@requires(GET=Level.SEE)
@cached_for_spectators
def session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Show a session's tables: who sits where, their progress, and to the staff their links."""
    event = door.event_of(request, allow_older=True)
    tournament = event.tournament
    found, sheets = event.session(session)
    role = rights.role_in(request, tournament)
    # Only on request, as the screen may be public; a publication has no links.
    shows_links = role is not None and "links" in request.GET and event.publication is None
    record: Any = SimpleLazyObject(
        lambda: draw_record(tournament, session, [sheet.players for sheet in sheets])
    )
    context = {
        "tournament": tournament,
        "session": found,
        "role": role,
        "record": record,
        "repeats": SimpleLazyObject(
            lambda: (
                reverse("draw-file", args=[slug, session])
                if record and rights.may_repeat_draw(request, tournament, record)
                else ""
            )
        ),
        "sheets": sheets,
        "stopped": {table: at for (_, table), at in continued_tables(sheets).items()},
        "publication": event.publication,
        "seats": SimpleLazyObject(lambda: _seats_by_player(sheets)),
        "without_seat": SimpleLazyObject(lambda: _without_seat(event, found, sheets)),
        "replaced": replaced_in(found.number, event.substitutions),
        "has_begun": any(sheet.rows or sheet.typed for sheet in sheets),
        "may_reseat": SimpleLazyObject(lambda: _may_reseat(event, found, role)),
        "is_last": SimpleLazyObject(
            lambda: found.number == max(each.session.number for each in event.sessions)
        ),
        **(_links(request, sheets) if shows_links else {}),
        "rules_fingerprint": tournament.rules.fingerprint,
        **cached_parts.cache_context("" if shows_links else event.mark),
    }
    return render(request, "session.html", context)


def _may_reseat(event: Event, found: Session, role: str | None) -> bool:
    """Return whether this reader may draw a session again."""
    return (
        role == Membership.Role.DIRECTOR
        and event.publication is None
        and event.tournament.closed_at is None
        and not seating.has_begun(found)
    )


def _without_seat(event: Event, found: Session, sheets: list[Sheet]) -> list[Entry]:
    """Return who is to play without a seat; nobody in a publication, which has no marks."""
    if event.publication is not None:
        return []
    seated = {seat.entry for seat in _seats_by_player(sheets)}
    return stages.without_seat(found, seated)


def _seats_by_player(sheets: list[Sheet]) -> list[Seat]:
    """Return all seats by player number, without tables that go on elsewhere."""
    stopped = continued_tables(sheets)
    seats = [
        Seat(sitting=sheet.sitting, position=position, entry=entry)
        for sheet in sheets
        if (sheet.sitting.session.number, sheet.sitting.number) not in stopped
        for position, entry in enumerate(sheet.entries, 1)
    ]
    return sorted(seats, key=lambda seat: seat.entry.number)


def _links(request: HttpRequest, sheets: list[Sheet]) -> dict[str, object]:
    """Return the template context for the tables' links, without revoked ones."""
    open_sittings = [sheet.sitting for sheet in sheets if not sheet.sitting.is_link_revoked]
    return {
        "links": [_link(request, sitting) for sitting in open_sittings],
        "revoked_links": len(sheets) - len(open_sittings),
        "origin": origins.chosen_origin(request),
        "origins": origins.phone_origins(request),
        "is_unreachable": origins.is_unreachable(request),
    }


def _link(request: HttpRequest, sitting: Sitting) -> dict[str, object]:
    """Return a table's number, its link and the QR code of that link."""
    code = origins.qr_code(request, reverse("join-table", args=[sitting.token]))
    return {"number": sitting.number, **code._asdict()}


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def end_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """List the unfinished tables, each with a tick box; end the session, or resume it."""
    found = door.session_in(door.tournament_with_sessions(request), session)
    if request.method != "POST":
        return _show_end_form(request, found)
    try:
        if request.POST.get("do") == "resume":
            return _resume_session(request, found)
        return _end_session(request, found)
    except closing.EventClosed as refused:
        messages.error(request, str(refused))
        return redirect(found)


def _resume_session(request: HttpRequest, session: Session) -> HttpResponse:
    """Take back that the session was ended, and lead to its page."""
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _show_end_form(request, session, form)
    reason = form.cleaned_data["reason"]
    sessions.resume_session(session, by=rights.actor(request), reason=reason)
    messages.success(request, _("%(session)s goes on.") % {"session": _name_of(session)})
    return redirect(session)


def _name_of(session: Session) -> str:
    return session_name(session.number, session.tournament.play_off_numbers)


def _end_session(request: HttpRequest, session: Session) -> HttpResponse:
    """End the session if each unfinished table is ticked; else show the form again."""
    unfinished = [sheet.sitting.number for sheet in sessions.unfinished_sheets(session)]
    form = EndSessionForm(unfinished, request.POST)
    if form.is_valid():
        try:
            sessions.end_session(
                session,
                stopping=form.cleaned_data["stopping"],
                by=rights.actor(request),
                reason=form.cleaned_data["reason"],
            )
        except sessions.Unfinished:  # another table has begun since the form was validated
            form.add_error("stopping", EndSessionForm.STILL_PLAYING)
        else:
            messages.success(request, _("%(session)s has ended.") % {"session": _name_of(session)})
            return redirect(session)
    return _show_end_form(request, session, form)


def _show_end_form(
    request: HttpRequest, session: Session, form: ReasonForm | None = None
) -> HttpResponse:
    """Show the unfinished tables of a session, none if it has ended; 422 with a bound form."""
    sheets = sessions.unfinished_sheets(session) if session.ended_at is None else []
    context = {
        "tournament": session.tournament,
        "session": session,
        "sheets": sheets,
        "form": form or EndSessionForm([sheet.sitting.number for sheet in sheets]),
        "ticked": request.POST.getlist("stopping"),
        "rules_fingerprint": session.tournament.rules.fingerprint,
    }
    return render(request, "end_session.html", context, status=422 if form else 200)


@never_cache
@requires(GET=Level.DIRECT, POST=Level.DIRECT)
def remove_session(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Ask for confirmation; remove the last session if it has no records."""
    found = door.session_in(door.tournament_with_sessions(request), session)
    form, name = ReasonForm(posted_data(request)), _name_of(found)
    if form.is_valid():
        by, reason = rights.actor(request), form.cleaned_data["reason"]
        try:
            sessions.remove_session(found, by=by, reason=reason)
        except REMOVAL_REFUSALS as refused:
            form.add_error(None, refused.sentence)
        else:
            message = _("%(session)s is removed. The history keeps who sat where.")
            messages.success(request, message % {"session": name})
            return redirect(found.tournament)
    context = {
        "tournament": found.tournament,
        "session": found,
        "form": form,
        "rules_fingerprint": found.tournament.rules.fingerprint,
    }
    return render(request, "remove_session.html", context, status=422 if form.is_bound else 200)
