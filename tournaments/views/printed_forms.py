"""Points charts and score sheets to print: as pages and as PDF files.

There are two kinds of printed forms in `templates/print/`, each with an address in `urls.py`:

* Forms of a rule set, shown as a page and as a PDF: the template extends `print/base.html`, a
  function of `printing/contents.py` returns its context, and this module has the view of its page
  and that of its PDF. The `key` of `_as_pdf` holds everything that the form shows.
* Lists and cards of a tournament, as a PDF only: the template extends `print/_document.html`, and
  the view, in a module of its own such as `seat_lists.py`, makes the context.

Tests name the other places: the levels of the addresses in `permissions/expected.py`, and the
forms that `every_form` in `tests/tournaments/printing/forms.py` yields. The tests lay out only some
of these forms. `tests/every_form.py`, which is run by hand, lays out all of them, or those that its
arguments name: `.venv/bin/python tests/every_form.py seat list`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, pgettext
from django.views.decorators.cache import never_cache

import scoring
from tournaments.i18n import sentences
from tournaments.i18n.sentences import isolated
from tournaments.i18n.session_names import session_name
from tournaments.i18n.stages import stage_of_session
from tournaments.i18n.times import moment
from tournaments.models import Session, Tournament
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import contents, rendering, serials
from tournaments.queries.seated_tables import tables_in_play
from tournaments.queries.sheets import Sheet
from tournaments.views.rules import find_rules
from tournaments.web import downloads, heavy_files, origins, qr_codes
from tournaments.web.requests_in_jobs import in_a_job

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


@requires(GET=Level.ANYBODY)
def chart_pdf(request: HttpRequest, rule_set: str) -> HttpResponse:
    rules = find_rules(rule_set)
    context = contents.chart_context(rules)
    quota = heavy_files.quota_of(request)
    parts = (pgettext("title", "Points chart"), sentences.translated(rules.rule_set.title))
    return _as_pdf(parts, CHART, context, quota, key=rules.fingerprint)


@requires(GET=Level.ANYBODY)
def sheet(request: HttpRequest, rule_set: str) -> HttpResponse:
    """Uses the number of players in the query."""
    rules = find_rules(rule_set)
    player_count = _player_count_or_404(request, rules)
    return render(
        request,
        SHEET,
        contents.sheet_context(rules, player_count)
        | {
            "pdf_url": f"{reverse('sheet-pdf', args=[rule_set])}?players={player_count}",
            "chart_url": reverse("chart", args=[rule_set]),
            "players": player_count,
            "sizes": rules.rule_set.players,
        },
    )


@requires(GET=Level.ANYBODY)
def sheet_pdf(request: HttpRequest, rule_set: str) -> HttpResponse:
    """Uses the number of players in the query."""
    rules = find_rules(rule_set)
    player_count = _player_count_or_404(request, rules)
    context = contents.sheet_context(rules, player_count)
    key = (rules.fingerprint, player_count)
    quota = heavy_files.quota_of(request)
    parts = (
        gettext("Score sheet"),
        sentences.translated(rules.rule_set.title),
        _seats(player_count),
    )
    return _as_pdf(parts, SHEET, context, quota, key=key)


@never_cache
@requires(GET=Level.STAFF)  # laying out many sheets is slow
@in_a_job
def session_sheets(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Return the prefilled sheets of all tables of a session, or of `table` in the query, as a PDF.

    Raises `Http404` if there is no such table.
    """
    event = door.event_of(request)
    shown_session, every_sheet = event.session(session)
    table_sheets = tables_in_play(every_sheet)
    table = request.GET.get("table", "")
    if table:
        table_sheets = [each for each in table_sheets if str(each.sitting.shown_number) == table]
    if not table_sheets:
        raise Http404
    printed_at = moment(timezone.now())
    pages = [
        page
        for table_sheet in table_sheets
        for page in _sheet_pages(request, shown_session, table_sheet, printed_at)
    ]
    run = contents.print_run_of(event.tournament.rules, pages)
    tournament = event.tournament
    number = session_name(session, tournament.play_off_numbers)
    only = (gettext("Table"), table) if table else ()
    parts = (gettext("Score sheet"), tournament, number, *only)
    return downloads.pdf(rendering.stamped_pdf(SHEET, *run), *parts)


def _sheet_pages(
    request: HttpRequest, session: Session, table_sheet: Sheet, printed_at: str
) -> tuple[contents.ScoreSheet, ...]:
    """Return the pages of one table's prefilled score sheet; `printed_at` is in words."""
    tournament, number = session.tournament, table_sheet.sitting.shown_number
    return contents.sheets(
        tournament.rules,
        [entry.name for entry in table_sheet.entries],
        rounds=table_sheet.planned_at_table or session.rounds_per_table,
        rounds_before=table_sheet.rounds_before,
        numbers=[entry.number for entry in table_sheet.entries],
        tournament=_occasion(session),
        session=str(session.shown_number),
        is_play_off=session.is_play_off,
        table=str(number),
        date=date_format(tournament.held_on),
        serial=serials.serial_of(table_sheet.sitting, table_sheet.entries),
        printed=printed_at,
        partners=tournament.partners,
        totals_only=session.totals_only,
        qr=_paper_entry_code(request, session, number),
    )


def _occasion(session: Session) -> str:
    """Return the names of tournament and stage; only the tournament's if there is one stage."""
    tournament = session.tournament
    names = tournament.name, stage_of_session(session.number, tournament)
    return " · ".join(isolated(name) for name in names if name)


def _paper_entry_code(request: HttpRequest, session: Session, table: int) -> SafeString:
    """Return the QR code of the page where the sheet of this table is typed in."""
    url_args = [session.tournament.slug, session.number, table]
    address = f"{origins.chosen_origin(request)}{reverse('enter-sheet', args=url_args)}"
    return qr_codes.inline(address, border=2)


@requires(GET=Level.SEE)
def tournament_chart(request: HttpRequest, slug: str) -> HttpResponse:
    """With the trumps of its planned rounds."""
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


@requires(GET=Level.SEE)
def tournament_chart_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = door.event_of(request).tournament
    key = (tournament.rules.fingerprint, tournament.name, tournament.rounds_per_session)
    quota = _event_quota(request, tournament)
    parts = (pgettext("title", "Points chart"), tournament)
    return _as_pdf(parts, CHART, _event_chart(tournament), quota, key=key)


def _event_quota(request: HttpRequest, tournament: Tournament) -> heavy_files.Quota:
    """Return the quota of threads that make files of this event for this reader.

    Without a log-in it is smaller for a club table, since anybody can start club tables.
    """
    quota = heavy_files.quota_of(request)
    if quota is heavy_files.Quota.ANYBODY and tournament.kind == Tournament.Kind.TABLE:
        return heavy_files.Quota.CLUB_TABLE
    return quota


def _event_chart(tournament: Tournament) -> dict[str, Any]:
    context = contents.chart_context(
        tournament.rules, planned_rounds=tournament.rounds_per_session or 0
    )
    return context | {"tournament": tournament}


@requires(GET=Level.SEE)
def tournament_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """Uses the number of players in the query."""
    event = door.event_of(request)
    tournament = event.tournament
    player_count = _player_count_or_404(
        request, tournament.rules, tournament.table_sizes, event.usual_table_size
    )
    return render(
        request,
        SHEET,
        _event_sheet(tournament, player_count)
        | {
            "pdf_url": f"{reverse('tournament-sheet-pdf', args=[slug])}?players={player_count}",
            "chart_url": reverse("tournament-chart", args=[slug]),
            "players": player_count,
            "sizes": tournament.table_sizes,
        },
    )


@requires(GET=Level.SEE)
def tournament_sheet_pdf(request: HttpRequest, slug: str) -> HttpResponse:
    event = door.event_of(request)
    tournament = event.tournament
    player_count = _player_count_or_404(
        request, tournament.rules, tournament.table_sizes, event.usual_table_size
    )
    context = _event_sheet(tournament, player_count)
    key = (
        *(tournament.rules.fingerprint, player_count, tournament.name, tournament.held_on),
        *(tournament.rounds_per_session, tournament.partners, tournament.totals_only),
    )
    parts = (gettext("Score sheet"), tournament, _seats(player_count))
    return _as_pdf(parts, SHEET, context, _event_quota(request, tournament), key=key)


def _event_sheet(tournament: Tournament, player_count: int) -> dict[str, Any]:
    return contents.sheet_context(
        tournament.rules,
        player_count,
        rounds=tournament.rounds_per_session,
        tournament=tournament.name,
        date=date_format(tournament.held_on),
        partners=tournament.partners,
        totals_only=tournament.totals_only,
    )


def _player_count_or_404(
    request: HttpRequest,
    rules: scoring.Rules,
    table_sizes: Sequence[int] = (),
    usual_size: int | None = None,
) -> int:
    """Return the number of players in the query, by default `usual_size` or that of these rules.

    Raises `Http404` unless it is one of `table_sizes`, by default those of the rule set.
    """
    allowed = {str(size): size for size in table_sizes or rules.rule_set.players}
    usual = usual_size or rules.rule_set.usual_size(allowed.values())
    requested = request.GET.get("players", str(usual))
    if requested not in allowed:
        raise Http404
    return allowed[requested]


def _seats(count: int) -> str:
    """Return a number of players as words of a file name."""
    return ngettext("%(count)s player", "%(count)s players", count) % {"count": count}


def _as_pdf(
    parts: Sequence[object],
    template: str,
    context: Mapping[str, Any],
    quota: heavy_files.Quota,
    *,
    key: Hashable,
) -> HttpResponse:
    """Return the PDF of a template, from the cache if it was made before.

    `parts` are those of its file name.

    `key` holds everything that the PDF shows, except the language, which is added. Raises
    `heavy_files.Busy` if the quota is used up.
    """

    def make() -> bytes:
        return rendering.pdf(template, context)

    cache_key = (template, key, get_language())
    content = heavy_files.cache.get(key=lambda: cache_key, make=make, quota=quota)
    return downloads.pdf(content, *parts)
