"""The desk's board: all tables at a glance, and what waits for the desk."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

import scoring
from tournaments import backups
from tournaments.forms import posted
from tournaments.forms.desk import SettleForm
from tournaments.forms.rounds import left_over
from tournaments.models import Call, Disagreement, Session, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import round_validation
from tournaments.queries.board import board_of, version_of
from tournaments.queries.corrections import differing_parts
from tournaments.queries.sheets import PlayedRound, Sheet, sheet_of
from tournaments.queries.what_if import with_round
from tournaments.services import calls as calls_service
from tournaments.services import disputes, rounds


@never_cache
@requires(GET=Level.STAFF)
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every table of the session being played, or of the one asked for."""
    tournament = door.tournament_of(request)
    session = _session(request, tournament)
    context: dict[str, Any] = {
        "tournament": tournament,
        "role": rights.role_in(request, tournament),
        "session": session,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    if session is not None:
        context |= _seen(tournament, session, version_of(tournament))
    return render(request, "board.html", context)


@requires(GET=Level.STAFF)
def board_tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer with the tables alone, or with nothing while there is nothing new."""
    tournament = door.tournament_of(request)
    session = _session(request, tournament)
    if session is None:
        raise Http404
    version = version_of(tournament)
    etag = _etag(version, session)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        role = rights.role_in(request, tournament)
        context = {"tournament": tournament, "session": session, "role": role}
        context |= _seen(tournament, session, version)
        response = render(request, "_partials/board.html", context)
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    return response


def _etag(version: int, session: Session) -> str:
    """Return what changes whenever the tables on the board do, or the minutes they have waited."""
    minute = int(timezone.now().timestamp()) // 60
    language = translation.get_language()
    return f'"{version}-{session.number}-{minute}-{backups.is_missing():d}-{language}"'


def _seen(tournament: Tournament, session: Session, version: int) -> dict[str, Any]:
    """Return the board with its version, asked for before: it may be older, never newer."""
    session.tournament = tournament
    now = timezone.now()
    return {
        "version": version,
        "board": board_of(session, now),
        "now": now,
        "backup_is_missing": backups.is_missing(),
    }


def _session(request: HttpRequest, tournament: Tournament) -> Session | None:
    """Return the session asked for, else the latest; None before anybody is seated."""
    asked_for = request.GET.get("session", "")
    if not asked_for:
        return tournament.sessions.order_by("number").last()
    sessions = {str(session.number): session for session in tournament.sessions.all()}
    if asked_for not in sessions:
        raise Http404
    return sessions[asked_for]


@requires(POST=Level.STAFF)
def answer_call(request: HttpRequest, slug: str, call: int) -> HttpResponse:
    """Say that somebody has gone to the table that called."""
    tournament = door.tournament_of(request)
    calls = Call.objects.select_related("sitting__session__tournament")
    found = get_object_or_404(calls, pk=call, sitting__session__tournament=tournament)
    calls_service.answer_call(found, by=rights.actor(request))
    messages.success(
        request, _("Table %(table)s: call answered.") % {"table": found.sitting.number}
    )
    return _back(request, found.sitting.session)


class Side(NamedTuple):
    """One of two facts about a round: what it says, what it scores, or why it cannot be."""

    sheet: Sheet
    played: PlayedRound | None
    problems: tuple[scoring.Problem, ...] = ()


@requires(GET=Level.STAFF, POST=Level.STAFF)
def settle_disagreement(request: HttpRequest, slug: str, disagreement: int) -> HttpResponse:
    """Show both facts of a round two phones tell differently, and take the desk's decision."""
    tournament = door.tournament_of(request)
    all_of_them = Disagreement.objects.select_related("sitting__session__tournament")
    found = get_object_or_404(all_of_them, pk=disagreement, sitting__session__tournament=tournament)
    sheet = sheet_of(found.sitting)
    stored = sheet.rounds[found.number - 1] if found.number <= len(sheet.rows) else None
    kept = round_validation.without_rounds_after_end(sheet, found.number, found.facts)
    initial = {"seen": stored.row.version if stored else 0}
    form = SettleForm(posted(request), initial=initial, left_over=left_over(sheet, kept))
    status = 200
    if request.method == "POST":
        if form.is_valid() and _settle(request, found, form):
            return _back(request, found.sitting.session)
        status = 422
    context = {
        "tournament": tournament,
        "disagreement": found,
        "sheet": sheet,
        "stored": Side(sheet, stored),
        "other": _other(kept, found),
        "differing": differing_parts(stored.row.facts if stored else {}, found.facts),
        "form": form,
    }
    return render(request, "settle_disagreement.html", context, status=status)


def _settle(request: HttpRequest, found: Disagreement, form: SettleForm) -> bool:
    """Carry out the decision; whatever speaks against it is laid on the form."""
    seen, reason = form.cleaned_data["seen"], form.cleaned_data["reason"]
    by = rights.actor(request)
    try:
        if form.cleaned_data["decision"] == SettleForm.OTHER:
            aside = form.cleaned_data["set_aside"]
            disputes.take_disputed_facts(found, seen=seen, by=by, reason=reason, set_aside=aside)
        else:
            disputes.keep_stored_facts(found, seen=seen, by=by, reason=reason)
    except rounds.RoundConflict:
        form.add_error(
            None, _("The round has changed since you opened this page: look at it again.")
        )
    except (scoring.InvalidRecord, round_validation.NotNext):
        form.add_error(None, _("The other facts cannot be so; correct the round by hand."))
    except disputes.SettledAlready:
        messages.info(request, _("Somebody else has settled this already."))
        return True
    except rounds.ReasonNeeded as needed:
        form.add_error("reason", needed.sentence)
    else:
        messages.success(request, _("Settled."))
        return True
    return False


def _other(sheet: Sheet, found: Disagreement) -> Side:
    try:
        other = with_round(sheet, found.number, found.facts)
    except scoring.InvalidRecord as invalid:
        return Side(sheet, None, tuple(invalid.problems))
    return Side(other, other.rounds[found.number - 1])


def _back(request: HttpRequest, session: Session) -> HttpResponse:
    """Lead to the board that was looked at; without one, to that of this session."""
    numbers = {str(each.number) for each in session.tournament.sessions.all()}
    seen = request.GET.get("session", "")
    number = seen if seen in numbers else session.number
    return redirect(f"{reverse('board', args=[session.tournament.slug])}?session={number}")
