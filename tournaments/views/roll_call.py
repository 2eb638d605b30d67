"""The roll call (点呼) of a session: a line for each player. Several people mark at once."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.exceptions import OperationRefused
from tournaments.forms import posted_data
from tournaments.forms.presence import MarkForm, RestartForm
from tournaments.i18n import romaji
from tournaments.i18n.sentences import isolated
from tournaments.models import Entry, Membership, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import board, free_seats, live_events, presence
from tournaments.queries import stages as stage_queries
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.substitutions import seats_given
from tournaments.services import presence as presence_service
from tournaments.services import seating
from tournaments.services.presence import MarkedOtherwise
from tournaments.views import roll_call_lines
from tournaments.web import json_responses
from tournaments.web.refusals import refusal_in

LINES_A_PAGE = 400
MOST_UNSEATED, MOST_SEATS = 8, 4  # players listed without a seat, and seats for each


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def roll_call(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """List the players to mark; on POST store a mark.

    `q` in the query searches for players, `show` selects a status. Up to `LINES_A_PAGE` players
    are one page, in which the script searches; more are searched by the server, page by page.
    """
    tournament = tournament_with_roll_call(request, session)
    form = MarkForm(posted_data(request))
    if form.is_valid():
        return _store_mark(request, tournament, session, form)
    version = board.board_version(tournament)  # read before the marks, so that it is not newer
    roll = stage_queries.roll_call_of(tournament, session)
    typed, shown = request.GET.get("q", ""), request.GET.get("show", "")
    given = seats_given(tournament, session)
    lines = roll_call_lines.lines_of(roll, typed, shown, given)
    listed = [line for line in lines if line.is_listed]
    page = Paginator(listed, LINES_A_PAGE).get_page(request.GET.get("page"))
    is_whole = len(lines) <= LINES_A_PAGE
    lines_of_page = lines if is_whole else page.object_list
    context = {
        "tournament": tournament,
        "role": (role := rights.role_in(request, tournament)),
        "session": session,
        "next_number": (next_number := seating.next_session_number(tournament)),
        "following": _following_roll_call(tournament, session),
        "counts": list(roll.counts.items()),
        "roll": roll,
        "seats": (seats := presence.seats_to_change(roll, tournament)),
        "places": _free_seats(request, tournament, session, seats),
        "is_drawn": (is_drawn := _is_drawn(tournament, session)),
        "may_reseat": is_drawn and session < next_number and role == Membership.Role.DIRECTOR,
        "stage": stage_queries.stage_of_session(tournament, session),
        "version": version,
        "lines": lines_of_page,
        "html_of_lines": roll_call_lines.html_of(lines_of_page, tournament, session),
        "is_whole": is_whole,
        "page": page,
        "typed": typed,
        "shown": shown,
        "folds": romaji.PAGE_FOLDS,
        "has_readings": any(line.entry.reading for line in lines),
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "roll_call.html", context, status=422 if form.is_bound else 200)


def _following_roll_call(tournament: Tournament, session: int) -> int | None:
    """Return the number of the session whose roll is called after this one's; None without one.

    That is the next seated session other than a play-off, else the next to be seated, unless the
    plan has to be asked first whether there is one.
    """
    later = tournament.sessions.filter(number__gt=session, tied__isnull=True)
    if seated := later.order_by("number").first():
        return seated.number
    next_number = seating.next_session_number(tournament)
    if session == next_number or tournament.closed_at is not None:
        return None
    return None if live_events.events.current(tournament).plan.needs_choice else next_number


def _is_drawn(tournament: Tournament, session: int) -> bool:
    """Return whether seats of this session can be drawn, or drawn again.

    A seated session must have no records, and be no play-off.
    """
    if tournament.closed_at is not None:
        return False
    stored_session = tournament.sessions.filter(number=session).first()
    return stored_session is None or not (
        stored_session.is_play_off or seating.has_begun(stored_session)
    )


def tournament_with_roll_call(request: HttpRequest, session: int) -> Tournament:
    """Return the tournament in the URL, if the roll can be called for this session.

    Raises `Http404` unless the session is seated or is the next one.
    """
    tournament = door.tournament_with_sessions(request)
    if not seating.can_be_called(tournament, session):
        raise Http404
    return tournament


def _store_mark(
    request: HttpRequest, tournament: Tournament, session: int, form: MarkForm
) -> HttpResponse:
    """Store the mark that a button has posted.

    Redirects to the player's line; a script that does not accept HTML gets all marks as JSON.
    """
    refused = ""
    entry = get_object_or_404(tournament.entries, number=form.cleaned_data["number"])
    try:
        presence_service.mark_presence(
            entry,
            session,
            form.cleaned_data["status"],
            seen_status=form.cleaned_data["seen"],
            by=rights.actor(request),
        )
    except MarkedOtherwise as marked:
        words = _(
            "The mark of %(name)s has changed since you opened this page: %(status)s. Mark again "
            "if that is wrong."
        )
        refused = words % {"name": isolated(entry.name), "status": marked.mark.label}
    except Entry.DoesNotExist:
        raise Http404 from None
    except OperationRefused as refusal:
        refused = str(refusal)
    if request.accepts("text/html"):
        if refused:
            messages.error(request, refused)
        query = request.GET.urlencode()
        return redirect(f"{request.path}{'?' if query else ''}{query}#p{entry.number}")
    return json_responses.reply(
        _marks(request, tournament, session) | {"refused": refused}, status=409 if refused else 200
    )


@requires(GET=Level.STAFF)
def roll_call_marks(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """For polling; 304 if nothing has happened in the tournament."""
    tournament = tournament_with_roll_call(request, session)
    etag = f'"{tournament.last_act}-{session}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = json_responses.reply(_marks(request, tournament, session))
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response


def _free_seats(
    request: HttpRequest, tournament: Tournament, session: int, seats: presence.SeatsToChange
) -> str:
    """Return as HTML where those who are present without a seat can sit down, by one tap.

    Empty if everybody has a seat.
    """
    if not seats.unseated:
        return ""
    stored_session = door.session_in(tournament, session)
    context = {
        "tournament": tournament,
        "session": stored_session,
        "unseated": seats.unseated[:MOST_UNSEATED],
        "free": free_seats.free_seats(stored_session, [*seats.away, *seats.released])[:MOST_SEATS],
    }
    return render_to_string("_partials/free_seats.html", context, request)


def _marks(request: HttpRequest, tournament: Tournament, session: int) -> dict[str, Any]:
    """Return the JSON document of the roll call.

    It has a `version`, the `statuses` by number, `seats`: the numbers of the players whose seats
    have to change, their `names` by number, and `places`, see `_free_seats`. The version is not
    newer than the rest.
    """
    version = board.board_version(tournament)
    roll = stage_queries.roll_call_of(tournament, session)
    statuses = {entry.key: str(status) for entry, status in roll.statuses.items()}
    seats = presence.seats_to_change(roll, tournament)
    numbers = {kind: [each.number for each in players] for kind, players in seats._asdict().items()}
    places = _free_seats(request, tournament, session, seats)
    names = {each.key: each.name for players in seats for each in players}
    return {
        "version": version,
        "statuses": statuses,
        "seats": numbers,
        "names": names,
        "places": places,
    }


@never_cache
@requires(GET=Level.STAFF, POST=Level.STAFF)
def restart_roll_call(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Ask for confirmation; on POST mark everybody as expected who has not withdrawn."""
    tournament = tournament_with_roll_call(request, session)
    version = presence.marks_version(tournament)  # read before the marks, so that it is not newer
    form = RestartForm(posted_data(request))
    if form.is_valid():
        with refusal_in(form):
            presence_service.restart_roll_call(
                tournament,
                session,
                seen_version=form.cleaned_data["seen"],
                by=rights.actor(request),
                reason=form.cleaned_data["reason"],
            )
            messages.success(request, _("The roll call has been restarted."))
            return redirect(reverse("roll-call", args=[slug, session]))
    roll = stage_queries.roll_call_of(tournament, session)
    return _show_restart(request, tournament, roll, form, version)


def _show_restart(
    request: HttpRequest, tournament: Tournament, roll: RollCall, form: RestartForm, version: int
) -> HttpResponse:
    """`version` is that of the marks."""
    context = {
        "tournament": tournament,
        "session": roll.session,
        "roll": roll,
        "form": form,
        "seen": version,
        "statuses": Status,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "restart_roll_call.html", context, status=422 if form.is_bound else 200)
