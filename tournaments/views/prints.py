"""The printed forms: the chart and the score sheet, to look at and as PDF."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import scoring
from tournaments.access import rights
from tournaments.edge import codes, downloads, heavy, reaching
from tournaments.models import Session, Tournament
from tournaments.paper import contents
from tournaments.views.rules import find_rules

CHART = "print/quick_reference.html"
SHEET = "print/score_sheet.html"


@require_safe
def chart(request: HttpRequest, rule_set: str) -> HttpResponse:
    rules = find_rules(rule_set)
    return render(
        request,
        CHART,
        contents.chart_context(rules)
        | {
            "pdf_url": reverse("chart-pdf", args=[rule_set]),
            "sheet_url": reverse("sheet", args=[rule_set]),
        },
    )


@heavy.or_busy
@require_safe
def chart_pdf(request: HttpRequest, rule_set: str) -> HttpResponse:
    rules = find_rules(rule_set)
    context = contents.chart_context(rules)
    lane = heavy.lane_of(request)
    return _as_pdf(f"{rule_set}-chart.pdf", CHART, context, lane, key=rules.fingerprint)


@require_safe
def sheet(request: HttpRequest, rule_set: str) -> HttpResponse:
    rules = find_rules(rule_set)
    players = _players_or_404(request, rules)
    return render(
        request,
        SHEET,
        contents.sheet_context(rules, players)
        | {
            "pdf_url": f"{reverse('sheet-pdf', args=[rule_set])}?players={players}",
            "chart_url": reverse("chart", args=[rule_set]),
            "players": players,
        },
    )


@heavy.or_busy
@require_safe
def sheet_pdf(request: HttpRequest, rule_set: str) -> HttpResponse:
    rules = find_rules(rule_set)
    players = _players_or_404(request, rules)
    context = contents.sheet_context(rules, players)
    key = (rules.fingerprint, players)
    lane = heavy.lane_of(request)
    return _as_pdf(f"{rule_set}-sheet-{players}.pdf", SHEET, context, lane, key=key)


@never_cache
@require_safe
def session_sheets(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Answer with a prefilled sheet for every table of a session."""
    rights.tournament_to_keep(request, slug)  # long runs are for those who need them
    event = rights.event_to_see(request, slug)
    tournament = event.tournament
    seated, tables = event.session(session)
    rules = tournament.rules
    sheets = [
        sheet
        for filled in tables
        for sheet in contents.sheets(
            rules,
            [entry.name for entry in filled.entries],
            tournament.rounds_per_session,
            tournament=tournament.name,
            session=_session_on_paper(seated),
            table=str(filled.sitting.number),
            date=date_format(tournament.held_on),
            partners=tournament.partners,
            qr=_code(request, seated, filled.sitting.number),
        )
    ]
    if not sheets:
        raise Http404
    from tournaments.paper import printing  # noqa: PLC0415  half a second, for those who print

    run = contents.run_of(rules, sheets)
    return downloads.pdf(printing.stamped_pdf(SHEET, *run), f"{slug}-{session}.pdf")


def _session_on_paper(session: Session) -> str:
    """Return the session's number, and that only its totals are taken, if that is so."""
    marked = gettext("%(number)s (totals only)") if session.totals_only else "%(number)s"
    return marked % {"number": session.number}


def _code(request: HttpRequest, session: Session, table: int) -> SafeString:
    """Return the code that opens the page on which the desk types this sheet in."""
    place = [session.tournament.slug, session.number, table]
    address = f"{reaching.origin(request)}{reverse('paper', args=place)}"
    return codes.inline(address, border=2)


@require_safe
def tournament_chart(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = rights.event_to_see(request, slug).tournament
    return render(
        request,
        CHART,
        contents.chart_context(tournament.rules)
        | {
            "tournament": tournament,
            "pdf_url": reverse("tournament-chart-pdf", args=[slug]),
        },
    )


@heavy.or_busy
@require_safe
def tournament_chart_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = rights.event_to_see(request, slug).tournament
    context = contents.chart_context(tournament.rules) | {"tournament": tournament}
    key = (tournament.rules.fingerprint, tournament.name)
    lane = heavy.lane_of(request)
    if lane is heavy.Lane.ANYBODY and tournament.kind == Tournament.Kind.TABLE:
        lane = heavy.Lane.CLUB_TABLE
    return _as_pdf(f"{slug}-chart.pdf", CHART, context, lane, key=key)


def _players_or_404(request: HttpRequest, rules: scoring.Rules) -> int:
    """Return for how many the sheet is: as asked for, else as many as usually play."""
    known = {str(players): players for players in rules.rule_set.players}
    usual = min if rules.game.kind == "captures" else max  # 003: 4人の個人戦が普通です
    asked_for = request.GET.get("players", str(usual(known.values())))
    if asked_for not in known:
        raise Http404
    return known[asked_for]


def _as_pdf(
    filename: str, template: str, context: Mapping[str, Any], lane: heavy.Lane, *, key: Hashable
) -> HttpResponse:
    """Answer with a form; `key` is all that what stands on it hangs on, but for the language."""

    def laid_out() -> bytes:
        from tournaments.paper import printing  # noqa: PLC0415  half a second, for those who print

        return printing.pdf(template, context)

    whole = (template, key, get_language())
    return downloads.pdf(heavy.ready.get(lambda: whole, laid_out, lane), filename)
