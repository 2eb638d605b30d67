"""Series: the list, and the season table as a page and a workbook."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from scoring.season.rules import BY_PLACES, SeasonRules
from scoring.season.table import Cell, SeasonRow
from tournaments.api.authentication import accepts_tokens
from tournaments.i18n.series import STATES, STEPS, numbers_in_words, rules_in_words, season_points
from tournaments.models import Series
from tournaments.permissions import door, rights, series_rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.events import NotThere
from tournaments.queries.same_players import proposals
from tournaments.queries.season import Person, Season, SeasonEvent, State, season_events, season_of
from tournaments.tables import SeasonTable, exports
from tournaments.web import heavy_files
from tournaments.web.downloads import download
from tournaments.web.public_pages import cached_for_spectators
from tournaments.web.requests_in_jobs import content_from_job

ROWS_A_PAGE = 100


class ShownCell(NamedTuple):
    """A player's result in one event: the number of the event, points and rank as HTML."""

    number: int
    html: SafeString


class ShownRow(NamedTuple):
    """A row of the season table as the page shows it.

    `ranked` is the row as ranked among those shown, all or a class. `cells` has None for missed
    events. `decided_by` names the steps that decided the rank between this player and the
    neighbours. `number` is empty unless it tells people of one name apart.
    """

    person: Person
    ranked: SeasonRow
    total: str
    cells: list[ShownCell | None]
    decided_by: list[str]
    number: str


@requires(GET=Level.ANYBODY)
def all_series(request: HttpRequest) -> HttpResponse:
    listed = series_rights.series_listed(request)
    context = {"listed": listed, "may_create": rights.may_create(request)}
    return render(request, "all_series.html", context)


@requires(GET=Level.ANYBODY)
@cached_for_spectators
def series(request: HttpRequest, series: str) -> HttpResponse:
    """Show the season table; `class` in the query selects a class, `all=1` shows one long page.

    The staff of an event also sees its unpublished results, which are marked.
    """
    shown_series = door.series_of(request)
    season = _season(request, shown_series)
    division = request.GET.get("class", "")
    people = [each for each in season.people if division in ("", each.division)]
    if division and not people:
        raise NotThere
    rows = max(1, len(people)) if request.GET.get("all") == "1" else ROWS_A_PAGE
    page = Paginator(people, rows).get_page(request.GET.get("page"))
    player_numbers = numbers_in_words(season)
    is_owner = series_rights.series_edited_by(request).filter(pk=shown_series.pk).exists()
    context: dict[str, Any] = {
        "series": shown_series,
        "rules": rules_in_words(season.rules),
        "events": shown_events(season),
        "counted": [(n, event) for n, event in numbered(season) if event.state != State.WAITING],
        "page": page,
        "classes": season.classes,
        "chosen_class": division,
        "rows": [
            _shown_row(
                person,
                (division and person.in_class) or person.row,
                season,
                player_numbers.get(person.row.who, ""),
            )
            for person in page.object_list
        ],
        "has_staff_event": any(event.state == State.STAFF for event in season.events),
        "is_owner": is_owner,
        "proposed": len(proposals(season)) if is_owner else 0,
    }
    return render(request, "series.html", context)


def _season(request: HttpRequest, series: Series) -> Season:
    return season_of(series, series_rights.staffed_tournament_pks(request))


def numbered(season: Season) -> list[tuple[int, SeasonEvent]]:
    """Return the events, each with its number on pages and in workbooks: 1, 2 and so on."""
    return list(enumerate(season.events, 1))


def shown_events(season: Season) -> list[tuple[int, SeasonEvent, str]]:
    """Return each event as (number, event, state in words)."""
    return [(number, event, str(STATES[event.state])) for number, event in numbered(season)]


def _shown_row(person: Person, ranked: SeasonRow, season: Season, number: str) -> ShownRow:
    """Has a cell for each event with results."""
    numbers = [n for n, event in numbered(season) if event.state != State.WAITING]
    cells = [
        ShownCell(number, _cell_html(cell, season.rules)) if cell else None
        for number, cell in zip(numbers, ranked.cells, strict=True)
    ]
    step_names = [str(STEPS[code]) for code in ranked.deciding_steps]
    total = season_points(ranked.total, season.rules)
    return ShownRow(person, ranked, total, cells, step_names, number)


def _cell_html(cell: Cell, rules: SeasonRules) -> SafeString:
    """Return the points and the rank of a cell as HTML; points that do not count in `<del>`.

    A template would be slower.
    """
    points = season_points(cell.points, rules)
    shown = format_html("{}" if cell.counts else "<del>{}</del>", points)
    if cell.rank is None:
        return shown
    return format_html('{} <small class="muted">({})</small>', shown, cell.rank)


@accepts_tokens
@requires(GET=Level.ANYBODY)
def series_workbook(request: HttpRequest, series: str) -> HttpResponse:
    shown_series = door.series_of(request)

    def make() -> bytes:
        return _workbook(shown_series, _season(request, shown_series))

    content = heavy_files.cache.get(
        key=lambda: _cache_key(request, shown_series.pk),
        make=lambda: content_from_job(request, make),
        quota=heavy_files.quota_of(request),
    )
    name = exports.file_name(str(shown_series), gettext("Season table"))
    return download(content, name, exports.MEDIA_TYPE)


def _cache_key(request: HttpRequest, pk: int) -> Hashable:
    """Return everything that the workbook's content depends on, read from the database."""
    current = Series.objects.get(pk=pk)
    events = season_events(current, series_rights.staffed_tournament_pks(request))
    marks = tuple((each.pk, each.state, each.mark, each.name, each.held_on) for each in events)
    return pk, current.created_at, current.version, get_language(), marks


def _workbook(series: Series, season: Season) -> bytes:
    is_by_places = season.rules.counting == BY_PLACES
    table = SeasonTable(season, numbered(season), is_by_places=is_by_places)
    footer = " ".join(rules_in_words(season.rules))
    page = exports.Page(gettext("Season table"), table, is_wide=True)
    return exports.workbook(str(series), [page], footer=footer, at=timezone.now())
