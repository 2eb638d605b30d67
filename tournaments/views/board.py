"""The desk's board: the state of every table of a session, and the calls and disputes to answer."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments import backups
from tournaments.models import Call, Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import board as board_queries
from tournaments.queries import live_events
from tournaments.services import calls as calls_service


@never_cache
@requires(GET=Level.STAFF)
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every table of the latest session, or of the one in the query."""
    tournament = door.tournament_of(request)
    session = _requested_session(request, tournament)
    context: dict[str, Any] = {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "session": session,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    if session is not None:
        context |= _board_context(tournament, session, board_queries.version_of(tournament))
    return render(request, "board.html", context)


@requires(GET=Level.STAFF)
def board_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the tables alone, for polling; 304 while nothing has changed."""
    tournament = door.tournament_of(request)
    session = _requested_session(request, tournament)
    if session is None:
        raise Http404
    version = board_queries.version_of(tournament)
    etag = _etag(session, version)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        role = rights.role_in(request, tournament)
        context = {"tournament": tournament, "session": session, "role": role}
        context |= _board_context(tournament, session, version)
        response = render(request, "_partials/board.html", context)
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response


def _etag(session: Session, version: int) -> str:
    """Return the ETag of the board of a version, the number of the last audit entry.

    It contains the minute, as the board shows waiting times.
    """
    minute = int(timezone.now().timestamp()) // 60
    language = translation.get_language()
    lacks_backup = backups.is_automatic_backup_missing()
    return f'"{version}-{session.number}-{minute}-{lacks_backup:d}-{language}"'


def _board_context(tournament: Tournament, session: Session, version: int) -> dict[str, Any]:
    """Return the template context of the board.

    `version` is the number of the last audit entry, read by the caller before anything else, so
    that it is never newer than what is shown.
    """
    session.tournament = tournament  # saves the query
    now = timezone.now()
    _session, sheets = live_events.events.get(tournament).session(session.number)
    return {
        "version": version,
        "board": board_queries.board_of(session, now, sheets),
        "now": now,
        "backup_is_missing": backups.is_automatic_backup_missing(),
    }


def _requested_session(request: HttpRequest, tournament: Tournament) -> Session | None:
    """Return the session in the query, or the latest; None if there is none yet.

    Raises `Http404` for a session that does not exist.
    """
    requested = request.GET.get("session", "")
    if not requested:
        return tournament.sessions.order_by("number").last()
    sessions = {str(session.number): session for session in tournament.sessions.all()}
    if requested not in sessions:
        raise Http404
    return sessions[requested]


@requires(POST=Level.STAFF)
def answer_call(request: HttpRequest, slug: str, call: int) -> HttpResponse:
    """Mark a table's call as answered."""
    tournament = door.tournament_of(request)
    calls = Call.objects.select_related("sitting__session__tournament")
    found = get_object_or_404(calls, pk=call, sitting__session__tournament=tournament)
    calls_service.answer_call(found, by=rights.actor(request))
    messages.success(
        request, _("Table %(table)s: call answered.") % {"table": found.sitting.number}
    )
    return redirect_to_board(request, found.sitting.session)


def redirect_to_board(request: HttpRequest, session: Session) -> HttpResponse:
    """Redirect to the board of the session in the query, or of this one."""
    numbers = {str(each.number) for each in session.tournament.sessions.all()}
    requested = request.GET.get("session", "")
    number = requested if requested in numbers else session.number
    return redirect(f"{reverse('board', args=[session.tournament.slug])}?session={number}")
