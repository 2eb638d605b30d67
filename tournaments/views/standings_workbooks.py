"""The workbook of the standings, its pages and its cache key."""

from __future__ import annotations

from functools import partial

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
from tournaments.queries.round_points import points_by_session
from tournaments.queries.stages import sessions_by_stage, stage_standings
from tournaments.queries.standings import classes_of, teams_of
from tournaments.tables import (
    AbsencesTable,
    AdjustmentsTable,
    PlayOffsTable,
    PointsTable,
    RoundsTable,
    RulesTable,
    StandingsSheetTable,
    TeamsTable,
    TeamStandingsTable,
    exports,
)
from tournaments.views.standings import check_class, rows_of
from tournaments.web import heavy_files
from tournaments.web.downloads import download
from tournaments.web.requests_in_jobs import content_from_job


@accepts_tokens
@requires(GET=Level.SEE)
def standings_workbook(request: HttpRequest, slug: str) -> HttpResponse:
    events: list[Event] = []

    def read_event() -> Event:  # for each use, so that the content is never older than its key
        events.append(rights.event_to_see(request, slug))
        return events[-1]

    division = request.GET.get("class", "")
    content = heavy_files.cache.get(
        key=lambda: _cache_key(read_event(), division),
        make=lambda: content_from_job(request, lambda: _workbook(read_event(), division)),
        quota=heavy_files.quota_of(request),
    )
    title = " ".join([gettext("Standings"), *([division] if division else [])])
    name = exports.file_name(events[0].tournament.name, title)
    return download(content, name, exports.MEDIA_TYPE)


def _cache_key(event: Event, division: str) -> tuple[str, ...] | None:
    """None if the workbook cannot be cached."""
    key = event.cache_key  # read once: each read is a query
    return (key, get_language() or "", division) if key else None


def _workbook(event: Event, division: str) -> bytes:
    """`division` is as in `_workbook_pages`."""
    return exports.workbook(
        event.tournament.name,
        _workbook_pages(event, division),
        occasion=_occasion(event.tournament),
        footer=_footer(event),
        at=event.as_of,
    )


def _occasion(tournament: Tournament) -> str:
    parts = [date_format(tournament.held_on), tournament.venue]
    return "  ".join(each for each in parts if each)


def _footer(event: Event) -> str:
    rules = gettext("Rules %(fingerprint)s") % {"fingerprint": event.tournament.rules.fingerprint}
    publication = event.publication
    if publication is None:
        return rules
    published_at = date_format(timezone.localtime(publication.at), "Y-m-d H:i")
    announced = announced_words(publication, published_at)
    return f"{rules} · {announced} {publication.short_digest}"


def _workbook_pages(event: Event, division: str) -> list[exports.Page]:
    """Return the pages of the workbook; pages without rows, such as teams, are left out.

    `division`, unless empty, limits all pages but the rules to this class.
    """
    check_class(event, division)
    tournament, facts, page = event.tournament, event.ranking_facts, exports.Page
    rules, rows = tournament.rules, rows_of(event, None, division)
    numbers = {each.number for each in event.entries if division in ("", each.division)}
    limited = (
        TeamStandingsTable(event.team_standings),
        AdjustmentsTable(facts.adjustments),
        PlayOffsTable(tournament, facts),
        RoundsTable(event.sheets, rules),
    )
    for table in limited if division else ():
        table.keep_players(numbers)
    team_standings, adjustments, play_offs, rounds = limited
    teams = [
        team
        for team in teams_of(event.sheets)
        if not numbers.isdisjoint(each.number for each in team.members)
    ]
    has_rounds = any(not sheet.is_totals_only for sheet in event.sheets)
    points = PointsTable(rows if has_rounds else [], facts)
    stages = stage_standings(facts)
    absences = AbsencesTable(rows, event.absences, tournament, stages)
    pages = [
        page(gettext("Standings of teams"), team_standings),
        page(gettext("Teams"), TeamsTable(teams, event.names)),
        page(gettext("Points given and deducted"), adjustments),
        page(unit_words("Points by round", rules), points, is_wide=True),
        page(gettext("Play-offs"), play_offs),
        page(gettext("Sessions not played"), absences),
        page(gettext("Rules"), RulesTable(event), is_wide=True),
        page(gettext("All rounds"), rounds, is_wide=True),
    ]
    return [*_pages_of_standings(event, division), *(each for each in pages if each.table.rows)]


def _pages_of_standings(event: Event, division: str) -> list[exports.Page]:
    """Of all players, of each class, and of each stage; `division` limits them."""
    facts, classes = event.ranking_facts, classes_of(event.standings)
    substitutions = event.results_substitutions
    table = partial(
        StandingsSheetTable,
        tournament=event.tournament,
        names=event.names,
        classes=classes,
        points=points_by_session(facts),
        stages=sessions_by_stage(facts),
    )
    of_all = partial(table, substitutions=substitutions)
    tables = [(gettext("Standings"), of_all(rows_of(event, None, division)))]
    if len(classes) > 1 and not division:
        tables += [(each, of_all(rows_of(event, None, each))) for each in classes]
    for stage in stage_standings(facts):
        if own := rows_of(event, stage, division):
            title = section_title(stage.section)
            beside = [each for each in substitutions if each.session_number in stage.sessions]
            sheet = table(own, sessions=stage.sessions, substitutions=beside)
            tables.append((title, sheet))
    return [exports.Page(title, table, printed_up_to="points") for title, table in tables]
