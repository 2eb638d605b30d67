"""The desk's board: the state of every table of a session, and the calls and disputes to answer.

A poll gets the tables that have changed. Each has a mark, a digest of what is shown of it; the
browser sends the marks that it has.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.contrib import messages
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
from tournaments.models import Call, Membership, Session, Sitting, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import board as board_queries
from tournaments.queries import live_events
from tournaments.queries.run_sheet import RunSheet, day_of, run_sheet
from tournaments.queries.sheets import continued_tables
from tournaments.services import calls as calls_service
from tournaments.views.play_offs import ties_to_settle

MARKS = "Board-Tables"  # the header with the marks that the browser has, in the tables' order
# The token differs each time, and says nothing that is shown.
CSRF_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')


class TableCard(NamedTuple):
    """Everything that the board shows of one table; what is not in it cannot be shown."""

    number: int
    address: str
    typing_address: str  # where the desk types in its sheet; empty if it is done
    names: tuple[str, ...]
    state: str
    minutes: int | None
    is_slow: bool
    recorded: int
    planned: int | None
    is_totals_only: bool
    has_totals: bool
    calls: bool
    disputes: bool
    unaccepted: tuple[int, ...]  # numbers of rounds
    goes_on_at: int | None = None  # where players joined or left; `continues` is the table before
    continues: int | None = None

    @property
    def has_marks(self) -> bool:
        """Return whether anything is to be said, or done, about the table."""
        return bool(
            self.is_slow or self.calls or self.disputes or self.unaccepted or self.state != "done"
        )


class Part(NamedTuple):
    """A part of the board with its mark."""

    mark: str
    html: SafeString


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
        version = board_queries.version_of(tournament)
        context |= _board_context(request, tournament, session, version)
    return render(request, "board.html", context)


@requires(GET=Level.STAFF)
def board_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the tables for polling, those that have changed in full; 304 if nothing has."""
    tournament = door.tournament_of(request)
    session = _requested_session(request, tournament)
    if session is None:
        raise Http404
    version = board_queries.version_of(tournament)
    etag = _etag(session, version)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        context = _board_context(request, tournament, session, version)
        response = render(request, "_partials/board.html", context)
        patch_vary_headers(response, [MARKS])
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


def _board_context(
    request: HttpRequest, tournament: Tournament, session: Session, version: int
) -> dict[str, Any]:
    """Return the template context of the board.

    `version` is the number of the last audit entry, read by the caller before anything else, so
    that it is never newer than what is shown.
    """
    session.tournament = tournament  # saves the query
    now = timezone.now()
    _session, sheets = live_events.events.get(tournament).session(session.number)
    found, role = board_queries.board_of(session, now, sheets), rights.role_in(request, tournament)
    current = live_events.events.current(tournament)
    context = {"tournament": tournament, "session": session, "board": found}
    context |= {
        "role": role,
        "run_sheet": _run_sheet(found, now) if role == Membership.Role.DIRECTOR else None,
        "ties": ties_to_settle(current) if role == Membership.Role.DIRECTOR else [],
        "backup_is_missing": backups.is_automatic_backup_missing(),
    }
    html = render_to_string("_partials/board_head.html", context, request)
    head = Part(_digest(CSRF_TOKEN.sub("", html)), html)
    tables = _tables(found, tournament, request.headers.get(MARKS, "").split())
    return {"version": version, "board": found, "now": now, "head": head, "tables": tables}


def _run_sheet(found: board_queries.Board, now: datetime) -> RunSheet | None:
    """Return the run sheet once all of a session is in; None before, and in closed tournaments."""
    tournament = found.session.tournament
    is_table = tournament.kind == Tournament.Kind.TABLE
    if found.unfinished or is_table or tournament.closed_at is not None:
        return None
    return run_sheet(day_of(live_events.events.current(tournament), now), ())


def _tables(
    found: board_queries.Board, tournament: Tournament, known_marks: list[str]
) -> list[Part]:
    """Return the tables; the browser has those with their marks among `known_marks`, in order."""
    rules, language = tournament.rules, translation.get_language()
    stopped = continued_tables(table.sheet for table in found.tables)
    parts = [_table(_card(table, tournament, stopped), rules, language) for table in found.tables]
    if len(known_marks) != len(parts):
        return parts
    return [
        part if part.mark != known else part._replace(html=_unchanged(table.sheet.sitting, known))
        for part, known, table in zip(parts, known_marks, found.tables, strict=True)
    ]


def _unchanged(sitting: Sitting, mark: str) -> SafeString:
    """Return what stands for a table that the browser has."""
    return format_html('<li id="board-table-{}" data-mark="{}"></li>', sitting.number, mark)


@lru_cache(4000)  # of 1 kB
def _table(card: TableCard, rules: scoring.Rules, language: str | None) -> Part:
    """Return a table in the language in use."""
    mark = _digest(repr((__version__, card, rules.fingerprint, language)))
    context = {"table": card, "rules": rules, "mark": mark}
    return Part(mark, render_to_string("_partials/board_table.html", context))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _card(
    table: board_queries.Table, tournament: Tournament, stopped: Mapping[tuple[int, int], int]
) -> TableCard:
    """Return what is shown of a table; `stopped` are those that go on with other players."""
    sheet = table.sheet
    session, number = sheet.sitting.session.number, sheet.sitting.number
    place = (tournament.slug, session, number)
    is_typed_in = table.state != "done" and tournament.kind == Tournament.Kind.TOURNAMENT
    typing = "enter-totals" if sheet.is_totals_only else "enter-sheet"
    return TableCard(
        number=number,
        address=_address("sitting", *place),
        typing_address=_address(typing, *place) if is_typed_in else "",
        names=tuple(entry.name for entry in sheet.entries),
        state=table.state,
        minutes=table.minutes,
        is_slow=table.is_slow,
        recorded=len(sheet.rows),
        planned=sheet.planned,
        is_totals_only=sheet.is_totals_only,
        has_totals=sheet.typed is not None,
        calls=bool(table.calls),
        disputes=bool(table.disagreements),
        unaccepted=tuple(played.row.number for played in table.unaccepted),
        goes_on_at=stopped.get((session, number)),
        continues=sheet.sitting.continues.number if sheet.sitting.continues else None,
    )


@lru_cache(4000)
def _address(view: str, slug: str, session: int, table: int) -> str:
    return reverse(view, args=[slug, session, table])


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
