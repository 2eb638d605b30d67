"""The printed forms: the chart and the score sheet, to look at and as PDF."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache

import scoring
from tournaments.i18n.times import moment
from tournaments.models import Session, Tournament
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import contents, serials
from tournaments.queries.sheets import Sheet
from tournaments.views.rules import find_rules
from tournaments.web import downloads, heavy_files, origins, qr_codes

CHART = "print/quick_reference.html"
SHEET = "print/score_sheet.html"


@requires(GET=Level.ANYBODY)
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


@heavy_files.or_busy
@requires(GET=Level.ANYBODY)
def chart_pdf(request: HttpRequest, rule_set: str) -> HttpResponse:
    rules = find_rules(rule_set)
    context = contents.chart_context(rules)
    lane = heavy_files.lane_of(request)
    return _as_pdf(f"{rule_set}-chart.pdf", CHART, context, lane, key=rules.fingerprint)


@requires(GET=Level.ANYBODY)
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
            "sizes": rules.rule_set.players,
        },
    )


@heavy_files.or_busy
@requires(GET=Level.ANYBODY)
def sheet_pdf(request: HttpRequest, rule_set: str) -> HttpResponse:
    rules = find_rules(rule_set)
    players = _players_or_404(request, rules)
    context = contents.sheet_context(rules, players)
    key = (rules.fingerprint, players)
    lane = heavy_files.lane_of(request)
    return _as_pdf(f"{rule_set}-sheet-{players}.pdf", SHEET, context, lane, key=key)


@never_cache
@requires(GET=Level.STAFF)  # long runs are for those who need them
def session_sheets(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Answer with a prefilled sheet for every table of a session, or for the one asked for."""
    event = door.event_of(request)
    seated, tables = event.session(session)
    table = request.GET.get("table", "")
    if table:
        tables = [each for each in tables if str(each.sitting.number) == table]
    if not tables:
        raise Http404
    from tournaments.printing import rendering  # noqa: PLC0415  half a second, for those who print

    printed = moment(timezone.now())
    sheets = [page for each in tables for page in _pages(request, seated, each, printed)]
    run = contents.run_of(event.tournament.rules, sheets)
    name = f"{slug}-{session}-{table}.pdf" if table else f"{slug}-{session}.pdf"
    return downloads.pdf(rendering.stamped_pdf(SHEET, *run), name)


def _pages(
    request: HttpRequest, session: Session, filled: Sheet, printed: str
) -> tuple[contents.Sheet, ...]:
    """Return the pages of one table's sheet."""
    tournament, number = session.tournament, filled.sitting.number
    return contents.sheets(
        tournament.rules,
        [entry.name for entry in filled.entries],
        tournament.rounds_per_session,
        numbers=[entry.number for entry in filled.entries],
        tournament=tournament.name,
        session=str(session.number),
        table=str(number),
        date=date_format(tournament.held_on),
        serial=serials.serial_of(filled.sitting, filled.entries),
        printed=printed,
        partners=tournament.partners,
        totals_only=session.totals_only,
        qr=_code(request, session, number),
    )


def _code(request: HttpRequest, session: Session, table: int) -> SafeString:
    """Return the code that opens the page on which the desk types this sheet in."""
    place = [session.tournament.slug, session.number, table]
    address = f"{origins.origin(request)}{reverse('paper', args=place)}"
    return qr_codes.inline(address, border=2)


@requires(GET=Level.SEE)
def tournament_chart(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = door.event_of(request).tournament
    return render(
        request,
        CHART,
        _event_chart(tournament)
        | {
            "pdf_url": reverse("tournament-chart-pdf", args=[slug]),
            "sheet_url": reverse("tournament-sheet", args=[slug]),
        },
    )


@heavy_files.or_busy
@requires(GET=Level.SEE)
def tournament_chart_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = door.event_of(request).tournament
    key = (tournament.rules.fingerprint, tournament.name, tournament.rounds_per_session)
    lane = _lane(request, tournament)
    return _as_pdf(f"{slug}-chart.pdf", CHART, _event_chart(tournament), lane, key=key)


def _lane(request: HttpRequest, tournament: Tournament) -> heavy_files.Lane:
    lane = heavy_files.lane_of(request)
    if lane is heavy_files.Lane.ANYBODY and tournament.kind == Tournament.Kind.TABLE:
        return heavy_files.Lane.CLUB_TABLE
    return lane


def _event_chart(tournament: Tournament) -> dict[str, Any]:
    """Return what the chart of an event shows: its rules, its own number of rounds, its name."""
    context = contents.chart_context(tournament.rules, tournament.rounds_per_session or 0)
    return context | {"tournament": tournament}


@requires(GET=Level.SEE)
def tournament_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the blank sheet of an event: its rules and its own number of rounds."""
    tournament = door.event_of(request).tournament
    players = _players_or_404(request, tournament.rules, tournament.table_sizes)
    return render(
        request,
        SHEET,
        _event_sheet(tournament, players)
        | {
            "pdf_url": f"{reverse('tournament-sheet-pdf', args=[slug])}?players={players}",
            "chart_url": reverse("tournament-chart", args=[slug]),
            "players": players,
            "sizes": tournament.table_sizes,
        },
    )


@heavy_files.or_busy
@requires(GET=Level.SEE)
def tournament_sheet_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = door.event_of(request).tournament
    players = _players_or_404(request, tournament.rules, tournament.table_sizes)
    context = _event_sheet(tournament, players)
    said = (tournament.name, tournament.held_on, tournament.rounds_per_session, tournament.partners)
    key = (tournament.rules.fingerprint, players, *said, tournament.totals_only)
    name = f"{slug}-sheet-{players}.pdf"
    return _as_pdf(name, SHEET, context, _lane(request, tournament), key=key)


def _event_sheet(tournament: Tournament, players: int) -> dict[str, Any]:
    """Return what the blank sheet of an event shows."""
    return contents.sheet_context(
        tournament.rules,
        players,
        rounds=tournament.rounds_per_session,
        tournament=tournament.name,
        date=date_format(tournament.held_on),
        partners=tournament.partners,
        totals_only=tournament.totals_only,
    )


def _players_or_404(request: HttpRequest, rules: scoring.Rules, sizes: Sequence[int] = ()) -> int:
    """Return for how many the sheet is: as asked for, else as many as usually play."""
    known = {str(players): players for players in sizes or rules.rule_set.players}
    usual = min if rules.game.kind == "captures" else max  # 003: 4人の個人戦が普通です
    asked_for = request.GET.get("players", str(usual(known.values())))
    if asked_for not in known:
        raise Http404
    return known[asked_for]


def _as_pdf(
    filename: str,
    template: str,
    context: Mapping[str, Any],
    lane: heavy_files.Lane,
    *,
    key: Hashable,
) -> HttpResponse:
    """Answer with a form; `key` is all that what stands on it hangs on, but for the language."""

    def laid_out() -> bytes:
        from tournaments.printing import rendering  # noqa: PLC0415  half a second, for those who print

        return rendering.pdf(template, context)

    whole = (template, key, get_language())
    return downloads.pdf(heavy_files.ready.get(lambda: whole, laid_out, lane), filename)
