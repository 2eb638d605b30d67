"""The desk's board: the state of every table of a session, and the calls and disputes to answer.

The page polls the tables and gets in full only those that have changed. Each table has a mark, a
digest of everything that is shown of it; the browser sends the marks of the tables that it shows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

import scoring
from tournaments import __version__, backups
from tournaments.models import Call, Membership, Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import board as board_queries
from tournaments.queries import live_events, progress
from tournaments.queries.presence import Status, away_at_tables
from tournaments.queries.run_sheet import RunSheet, day_of, run_sheet
from tournaments.server.peer_limits import HeldBack
from tournaments.services import calls as calls_service
from tournaments.views.play_offs import ties_to_settle
from tournaments.web import standby

MARKS = "Board-Tables"  # the header with the marks that the browser has, in the tables' order
TABLES_A_PAGE = 250
# The token differs each time and is not shown, so it is left out of the mark.
CSRF_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')


class ShownTable(NamedTuple):
    """Everything that the board shows of one table: its mark is a digest of these values."""

    number: int
    address: str
    typing_address: str  # where the desk types in the paper sheet; empty if all is in
    names: tuple[str, ...]  # of the players, in seat order
    state: str
    minutes: int | None
    is_slow: bool
    recorded: int
    planned: int | None
    is_totals_only: bool
    has_totals: bool
    has_calls: bool
    has_disputes: bool
    unaccepted: tuple[int, ...]  # numbers of rounds
    away: tuple[tuple[str, str], ...]  # players who are away by the roll call: status and name
    players_address: str  # where players leave and join

    @property
    def has_status(self) -> bool:
        return bool(
            self.is_slow
            or self.has_calls
            or self.has_disputes
            or self.unaccepted
            or self.away
            or self.typing_address
        )


class Part(NamedTuple):
    """The head of the board or one of its tables, as HTML with its mark."""

    mark: str
    html: SafeString


@never_cache
@requires(GET=Level.STAFF)
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables of the latest session, or of the session in the query, in pages."""
    tournament = door.tournament_of(request)
    session = _requested_session(request, tournament)
    context: dict[str, Any] = {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "session": session,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    if session is not None:
        version = board_queries.board_version(tournament)
        context |= _board_context(request, tournament, session, version)
    return render(request, "board.html", context)


@requires(GET=Level.STAFF)
def board_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the board for polling, with the changed tables in full; 304 if nothing has changed."""
    tournament = door.tournament_of(request)
    session = _requested_session(request, tournament)
    if session is None:
        raise Http404
    version = board_queries.board_version(tournament)
    etag = _etag(session, version, request.GET.get("page", ""))
    response = get_conditional_response(request, etag=etag)
    if response is None:
        context = _board_context(request, tournament, session, version)
        response = render(request, "_partials/board.html", context)
        patch_vary_headers(response, [MARKS])
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response


def _etag(session: Session, version: int, page: str) -> str:
    """Return the ETag of the board; `version` is the number of the last audit entry.

    The ETag contains the minute, as the board shows waiting times.
    """
    minute = int(timezone.now().timestamp()) // 60
    language = translation.get_language()
    lacks_backup = backups.is_automatic_backup_missing()
    held_back = len(HeldBack(settings.HELD_BACK_DIR).recent())
    copies = _digest(repr(standby.notice()))
    about = (version, session.number, minute, int(lacks_backup), held_back, copies, language)
    return '"' + "-".join(map(str, (*about, _digest(page)))) + '"'


def _board_context(
    request: HttpRequest, tournament: Tournament, session: Session, version: int
) -> dict[str, Any]:
    """Return the template context of the board.

    `version` is the number of the last audit entry, read by the caller before anything else, so
    that it is never newer than what is shown.
    """
    session.tournament = tournament  # saves a query
    now = timezone.now()
    _session, sheets = live_events.events.get(tournament).session(session.number)
    state = board_queries.board_of(session, now, sheets)
    role = rights.role_in(request, tournament)
    current = live_events.events.current(tournament)
    context = {
        "tournament": tournament,
        "session": session,
        "board": state,
        "role": role,
        "run_sheet": _run_sheet(state, now) if role == Membership.Role.DIRECTOR else None,
        "selections": current.selection_changes,
        "ties": ties_to_settle(current) if role == Membership.Role.DIRECTOR else [],
        "backup_is_missing": backups.is_automatic_backup_missing(),
        "held_back": HeldBack(settings.HELD_BACK_DIR).recent(),
    }
    html = render_to_string("_partials/board_head.html", context, request)
    head = Part(_digest(CSRF_TOKEN.sub("", html)), html)
    page = Paginator(state.tables, TABLES_A_PAGE).get_page(request.GET.get("page"))
    marks = request.headers.get(MARKS, "").split()
    shown = list(page)
    away = away_at_tables(tournament, session.number, [table.sheet for table in shown])
    tables = _table_parts(shown, tournament, marks, away)
    about = {"version": version, "board": state, "now": now, "head": head}
    return {**about, "page": page, "tables": tables}


def _run_sheet(state: board_queries.Board, now: datetime) -> RunSheet | None:
    """Return the run sheet of the day, once all results of the session are in.

    None before that, for a club table and in a closed tournament.
    """
    tournament = state.session.tournament
    is_club_table = tournament.kind == Tournament.Kind.TABLE
    if state.unfinished or is_club_table or tournament.closed_at is not None:
        return None
    return run_sheet(day_of(live_events.events.current(tournament), now), ())


def _table_parts(
    tables: Sequence[board_queries.Table],
    tournament: Tournament,
    known_marks: list[str],
    away: Mapping[str, Status],
) -> list[Part]:
    """Return these tables; a table whose mark the browser has is an empty element.

    `known_marks` are those of the tables in the browser, in the tables' order. They are ignored if
    the number of tables has changed. `away` are the players who are away, by key.
    """
    rules, language = tournament.rules, translation.get_language()
    shown_tables = [_shown_table(table, tournament, away) for table in tables]
    parts = [_render_table(shown, rules, language) for shown in shown_tables]
    if len(known_marks) != len(parts):
        return parts
    return [
        part if part.mark != known else part._replace(html=_empty_element(shown.number, known))
        for part, known, shown in zip(parts, known_marks, shown_tables, strict=True)
    ]


def _empty_element(table: int, mark: str) -> SafeString:
    """Tells the script that a table has not changed."""
    return format_html('<li id="board-table-{}" data-mark="{}"></li>', table, mark)


@lru_cache(4000)  # of 1 kB
def _render_table(shown: ShownTable, rules: scoring.Rules, language: str | None) -> Part:
    """Return a table as HTML; `language` is the active one, and part of the cache key."""
    mark = _digest(repr((__version__, shown, rules.fingerprint, language)))
    context = {"table": shown, "rules": rules, "mark": mark}
    return Part(mark, render_to_string("_partials/board_table.html", context))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _shown_table(
    table: board_queries.Table, tournament: Tournament, away: Mapping[str, Status]
) -> ShownTable:
    sheet = table.sheet
    session, number = sheet.sitting.session.number, sheet.sitting.number
    url_args = (tournament.slug, session, number)
    may_be_typed_in = not sheet.is_finished and tournament.kind == Tournament.Kind.TOURNAMENT
    typing_view = "enter-totals" if sheet.is_totals_only else "enter-sheet"
    return ShownTable(
        number=sheet.sitting.shown_number,
        address=_url("sitting", *url_args),
        typing_address=_url(typing_view, *url_args) if may_be_typed_in else "",
        names=tuple(sheet.names.values()),
        state=sheet.state,
        away=tuple(
            (str(away[key].label), name) for key, name in sheet.names.items() if key in away
        ),
        players_address=_url("table-players", *url_args),
        minutes=table.minutes,
        is_slow=table.is_slow,
        recorded=sheet.recorded_at_table,
        planned=sheet.planned_at_table,
        is_totals_only=sheet.is_totals_only,
        has_totals=sheet.typed_totals is not None,
        has_calls=bool(table.calls),
        has_disputes=bool(table.disagreements),
        unaccepted=table.unaccepted,
    )


@lru_cache(4000)
def _url(view: str, slug: str, session: int, table: int) -> str:
    """Cached, since `reverse` is slow for a whole hall."""
    return reverse(view, args=[slug, session, table])


def _requested_session(request: HttpRequest, tournament: Tournament) -> Session | None:
    """Return the session in the query, or the one being played; None if there is none yet.

    Raises `Http404` for a session that does not exist.
    """
    current = progress.current_session(live_events.events.current(tournament).sessions)
    if current is None:
        return None
    number = request.GET.get("session", "") or str(current.number)
    sessions = {str(session.number): session for session in tournament.sessions.all()}
    if number not in sessions:
        raise Http404
    return sessions[number]


@requires(POST=Level.STAFF)
def answer_call(request: HttpRequest, slug: str, call: int) -> HttpResponse:
    """Answer a table's call to the desk, and redirect to the board."""
    tournament = door.tournament_of(request)
    calls = Call.objects.select_related("sitting__session__tournament")
    answered = get_object_or_404(calls, pk=call, sitting__session__tournament=tournament)
    calls_service.answer_call(answered, by=rights.actor(request))
    messages.success(
        request, _("Table %(table)s: call answered.") % {"table": answered.sitting.shown_number}
    )
    return redirect_to_board(request, answered.sitting.session)


def redirect_to_board(request: HttpRequest, session: Session) -> HttpResponse:
    """Redirect to the board of the session in the query; of `session` if that does not exist."""
    numbers = {str(each.number) for each in session.tournament.sessions.all()}
    requested = request.GET.get("session", "")
    number = requested if requested in numbers else session.number
    return redirect(f"{reverse('board', args=[session.tournament.slug])}?session={number}")
