"""The workbook of the standings, its pages and its cache key."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext

from tournaments.api.authentication import accepts_tokens
from tournaments.i18n.publications import announced_words
from tournaments.i18n.stages import section_title
from tournaments.i18n.units import unit_words
from tournaments.models import Tournament
from tournaments.permissions import rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.events import Event
from tournaments.queries.stages import stage_standings
from tournaments.queries.standings import (
    Standing,
    classes_of,
    teams_of,
)
from tournaments.tables import (
    AbsencesTable,
    AdjustmentsTable,
    PlayOffsTable,
    PointsTable,
    RoundsTable,
    RulesTable,
    StandingsTable,
    TeamsTable,
    TeamStandingsTable,
    exports,
)
from tournaments.views.standings import check_class, rows_of
from tournaments.web import heavy_files
from tournaments.web.downloads import download

ROWS_A_PAGE = 100
ROWS_ON_WALL = 17  # in each of two columns: they fill a projector's picture


@accepts_tokens
@heavy_files.busy_as_503
@requires(GET=Level.SEE)
def standings_workbook(request: HttpRequest, slug: str) -> HttpResponse:
    """Download the standings, all rounds and the rules as a workbook."""
    events: list[Event] = []

    def read_event() -> Event:  # for each use, so that the content is never older than its key
        events.append(rights.event_to_see(request, slug))
        return events[-1]

    division = request.GET.get("class", "")
    content = heavy_files.cache.get(
        key=lambda: _cache_key(read_event(), division),
        make=lambda: _workbook(read_event(), division),
        quota=heavy_files.quota_of(request),
    )
    title = " ".join([gettext("Standings"), *([division] if division else [])])
    name = exports.file_name(events[0].tournament.name, title)
    return download(content, name, exports.MEDIA_TYPE)


def _cache_key(event: Event, division: str) -> tuple[str, ...] | None:
    """Return everything that the workbook's content depends on; None if it cannot be cached."""
    key = event.cache_key  # read once: each read is a query
    return (key, get_language() or "", division) if key else None


def _workbook(event: Event, division: str) -> bytes:
    """Return the workbook of an event; `division` is as in `_workbook_pages`."""
    return exports.workbook(
        event.tournament.name,
        _workbook_pages(event, division),
        occasion=_occasion(event.tournament),
        footer=_footer(event),
        at=event.as_of,
    )


def _occasion(tournament: Tournament) -> str:
    """Return the date, and the venue if it is known."""
    parts = [date_format(tournament.held_on), tournament.venue]
    return "  ".join(each for each in parts if each)


def _footer(event: Event) -> str:
    """Return the footer of printed pages: the rules, and the publication if there is one."""
    rules = gettext("Rules %(fingerprint)s") % {"fingerprint": event.tournament.rules.fingerprint}
    publication = event.publication
    if publication is None:
        return rules
    published_at = date_format(timezone.localtime(publication.at), "Y-m-d H:i")
    announced = announced_words(publication, published_at)
    return f"{rules} · {announced} {publication.short_digest}"


def _workbook_pages(event: Event, division: str) -> list[exports.Page]:
    """Return the pages of the workbook; pages without content, such as teams, are left out.

    `division`, unless empty, limits the pages of standings and of points to this class.
    """
    tournament, sheets = event.tournament, event.sheets
    check_class(event, division)
    rows, classes = rows_of(event, None, division), classes_of(event.standings)
    teams = teams_of(sheets)
    page = exports.Page
    return [
        page(
            gettext("Standings"),
            StandingsTable(rows, tournament, classes=classes, played=event.sessions_played),
        ),
        *(
            page(
                section_title(each.section),
                StandingsTable(rows_of(event, each, division), tournament, classes=classes),
            )
            for each in stage_standings(event.ranking_facts)
        ),
        *(
            [page(gettext("Standings of teams"), TeamStandingsTable(event.team_standings))]
            if event.team_standings
            else []
        ),
        *([page(gettext("Teams"), TeamsTable(teams))] if teams else []),
        *(
            [page(gettext("Points given and deducted"), AdjustmentsTable(adjustments))]
            if (adjustments := event.ranking_facts.adjustments)
            else []
        ),
        *_pages_of_rounds(event, rows),
        *(
            [page(gettext("Sessions not played"), absences)]
            if (absences := AbsencesTable(rows, event.absences, tournament.play_off_numbers)).rows
            else []
        ),
        page(gettext("Rules"), RulesTable(event), is_wide=True),
    ]


def _pages_of_rounds(event: Event, rows: Sequence[Standing]) -> list[exports.Page]:
    """Return the pages with points by round or session, with play-offs and with all rounds.

    `rows` are the players on the page with points. Pages of rounds are left out if all tables have
    typed totals only.
    """
    rules, sheets = event.tournament.rules, event.sheets
    has_rounds = not sheets or any(not sheet.is_totals_only for sheet in sheets)
    title = unit_words("Points by round", rules) if has_rounds else gettext("Points by session")
    pages = [exports.Page(title, PointsTable(rows, event.ranking_facts), is_wide=True)]
    if event.ranking_facts.play_offs:
        table = PlayOffsTable(event.tournament, event.ranking_facts)
        pages.append(exports.Page(gettext("Play-offs"), table))
    if has_rounds:
        pages.append(exports.Page(gettext("All rounds"), RoundsTable(sheets, rules), is_wide=True))
    return pages
