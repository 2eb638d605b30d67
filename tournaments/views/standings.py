"""The standings as a page and a workbook, and the page of a player."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import groupby
from math import ceil
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import SimpleLazyObject
from django.utils.translation import get_language, gettext

import scoring
from scoring.ranking.absence import Absence
from tournaments.api.authentication import accepts_tokens
from tournaments.i18n.facts_in_words import labelled
from tournaments.i18n.publications import announced_words
from tournaments.i18n.ranking import ABSENCES, CHOICES, LABELS, counts_as_words
from tournaments.i18n.stages import section_title
from tournaments.i18n.units import unit_words
from tournaments.models import Entry, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import running_score
from tournaments.queries.events import Event, NotThere
from tournaments.queries.player_rounds import PlayerRound, by_table, rounds_of
from tournaments.queries.stages import StageStandings, stage_standings, standings_of_stage
from tournaments.queries.standings import (
    Standing,
    classes_of,
    compare_tie_breaks,
    named_in,
    sessions_played,
    standings_of_class,
    teams_of,
)
from tournaments.queries.team_standings import has_teams
from tournaments.tables import (
    AbsencesTable,
    AdjustmentsTable,
    PlayOffsTable,
    PointsTable,
    ProjectorTable,
    RoundsTable,
    RulesTable,
    StandingsTable,
    TeamsTable,
    TeamStandingsTable,
    exports,
)
from tournaments.views.awards import interim_sentence
from tournaments.web import cached_parts, heavy_files
from tournaments.web.downloads import download
from tournaments.web.origins import qr_code
from tournaments.web.public_pages import cached_for_spectators

ROWS_A_PAGE = 100
ROWS_ON_WALL = 17  # in each of two columns: they fill a projector's picture


@requires(GET=Level.SEE)
@cached_for_spectators
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of the event as the reader sees it.

    The query selects a class, a stage and a name, or with `wall=1` the page for a projector. Lazy
    objects are evaluated only if the cached part of the page, which uses them, is rendered again.
    """
    event = door.event_of(request, allow_older=True)
    tournament = event.tournament
    division, name = request.GET.get("class", ""), request.GET.get("name", "").strip()
    stage_code = request.GET.get("stage", "")
    context: dict[str, Any] = {
        "tournament": tournament,
        "publication": event.publication,
        "rules_fingerprint": tournament.rules.fingerprint,
        "progress": SimpleLazyObject(lambda: event.tally),
        "chosen_class": division,
        "chosen_stage": stage_code,
        "stages": SimpleLazyObject(lambda: stage_standings(event.ranking_facts)),
    }
    _check_class(event, division)
    if request.GET.get("wall") == "1":
        rows = named_in(_rows_of(event, _stage_of(event, stage_code), division), name)
        return show_wall(request, rows, lambda part: ProjectorTable(part, tournament), context)
    context |= {
        "role": rights.role_in(request, tournament),
        "table": SimpleLazyObject(
            lambda: _standings_table(request, event, _stage_of(event, stage_code), division, name)
        ),
        "teams": SimpleLazyObject(lambda: TeamsTable(teams_of(event.sheets))),
        "has_teams": SimpleLazyObject(lambda: has_teams(event.entries)),
        "classes": SimpleLazyObject(lambda: classes_of(event.standings)),
        "chosen_name": name,
        "to_come": interim_sentence(event) if event.publication else "",
        **cached_parts.cache_context(event.parts_cache_key),
    }
    return render(request, "standings.html", context)


@requires(GET=Level.SEE)
@cached_for_spectators
def mark(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a text that changes with the event, for pages that follow it (`follow.js`)."""
    key = door.event_of(request, allow_older=True).cache_key
    return HttpResponse(hashlib.sha256(key.encode()).hexdigest()[:16], "text/plain")


def _check_class(event: Event, division: str) -> None:
    """Raise `NotThere` for an unknown class; an empty text is no class."""
    if division and division not in classes_of(event.standings):
        raise NotThere


def _rows_of(event: Event, stage: StageStandings | None, division: str) -> list[Standing]:
    """Return the standings of a stage, or of all; with `division` those of this class."""
    rows = stage.rows if stage else event.standings
    return standings_of_class(rows, division, event.ranking_facts.steps) if division else rows


def _stage_of(event: Event, code: str) -> StageStandings | None:
    """Return the standings of a stage, or of one of its groups; None without a code.

    Raises `NotThere` for an unknown code.
    """
    stage = standings_of_stage(event.ranking_facts, code) if code else None
    if code and stage is None:
        raise NotThere
    return stage


def _standings_table(
    request: HttpRequest, event: Event, stage: StageStandings | None, division: str, name: str
) -> StandingsTable:
    """Return the table of the players with names that contain `name`; all if it is empty.

    `stage` and `division` are as in `_rows_of`. Order and page are as in the query; `all=1`
    shows one long page.
    """
    shown = named_in(_rows_of(event, stage, division), name)
    facts = event.ranking_facts
    table = StandingsTable(
        shown,
        event.tournament,
        classes=classes_of(event.standings),
        substitutions=event.substitutions,
        played=sessions_played(facts, stage.sessions) if stage else event.sessions_played,
    )
    table.order_by = request.GET.getlist("sort")
    table.paginate(per_page=max(1, len(shown)) if request.GET.get("all") == "1" else ROWS_A_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    return table


def show_wall(
    request: HttpRequest,
    rows: Sequence[Any],
    table_of: Callable[[Sequence[Any]], Any],
    context: dict[str, Any],
) -> HttpResponse:
    """Show standings in large type for a projector, in two columns.

    The browser loads the next page by itself. `table_of` returns the table of a column's rows. If
    the tournament is public, the page shows a QR code of its own URL.
    """
    pages = max(1, ceil(len(rows) / (2 * ROWS_ON_WALL)))
    page = Paginator(rows, max(1, ceil(len(rows) / pages))).get_page(request.GET.get("page"))
    next_page = page.next_page_number() if page.has_next() else 1
    shown = list(page.object_list)
    half = ceil(len(shown) / 2) if len(shown) > ROWS_ON_WALL else len(shown)
    tables = [table_of(column) for column in (shown[:half], shown[half:]) if column]
    context |= {"page": page, "next_page": next_page, "tables": tables}
    if context["tournament"].is_public:
        context["code"] = qr_code(request, request.path)
    return render(request, "standings_wall.html", context)


@requires(GET=Level.SEE)
@cached_for_spectators
def player(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a player's rounds with their score lines, the rank and the running score."""
    event = door.event_of(request, allow_older=True)
    tournament, sheets = event.tournament, event.sheets
    entry = event.entry(number)
    in_stages = _stages_of(event, entry)
    carried = {stage.sessions: row.carried or 0 for stage, row in in_stages[1:]}
    rounds = rounds_of(entry.key, sheets, carried)
    standing = _standing_context(event, number)
    rows = [row for _stage, row in in_stages] or [standing["standing"]]
    context = {
        "tournament": tournament,
        "publication": event.publication,
        "rules_fingerprint": tournament.rules.fingerprint,
        "breadcrumbs": [
            (tournament.get_absolute_url(), tournament.name),
            (reverse("standings", args=[slug]), gettext("Standings")),
        ],
        "entry": entry,
        **standing,
        "role": rights.role_in(request, tournament),
        "stages": rows if in_stages else [],
        "credit_label": LABELS["substitutes"],
        "credit": CHOICES["substitutes"][event.ranking_facts.rules.substitutes],
        "replaced_by": [each for each in event.substitutions if each.entry.number == number],
        "plays_for": [each for each in event.substitutions if each.substitute.number == number],
        "tables": by_table(rounds),
        "typed": [sheet for sheet in sheets if sheet.typed_totals and entry.key in sheet.players],
        "lines": _lines_beside_rounds(event, rows),
        "absences": _absences_without_points(event, entry, rows),
        "chart": running_score.running_score(_totals_by_session(rounds)),
        "rules": tournament.rules,
    }
    return render(request, "player.html", context)


def _standing_context(event: Event, number: int) -> dict[str, Any]:
    """Return the template context of a player's row in the standings.

    - `standing`: the row; None for a substitute who is not in the standings
    - `above`, `below`: the rows next to it; None at the ends, and below without a rank
    - `steps`: how the tie-breaks compare the player with these rows
    """
    rows = event.standings
    index = next((i for i, row in enumerate(rows) if row.entry.number == number), None)
    if index is None:
        return {"standing": None, "above": None, "below": None, "steps": ()}
    return {
        "standing": rows[index],
        "above": rows[index - 1] if index > 0 else None,
        "below": next((row for row in rows[index + 1 : index + 2] if row.place), None),
        "steps": compare_tie_breaks(rows, index, event.ranking_facts.steps),
    }


def _stages_of(event: Event, entry: Entry) -> list[tuple[StageStandings, Standing]]:
    """Return the player's stages, each with the player's row in its standings."""
    return [
        (each, row)
        for each in stage_standings(event.ranking_facts)
        for row in each.rows
        if row.entry.number == entry.number
    ]


def _absences_without_points(
    event: Event, entry: Entry, rows: Sequence[Standing | None]
) -> list[tuple[int, str]]:
    """Return the sessions that a player did not play and that count nothing, each with the reason.

    Those that count points have a line in one of the player's `rows`.
    """
    return [
        (session, str(ABSENCES[reason]))
        for session, reason in event.absences.get(entry.key, {}).items()
        if all(row is None or row.missed_points(session) is None for row in rows)
    ]


def _lines_beside_rounds(
    event: Event, rows: Sequence[Standing | None]
) -> list[tuple[scoring.SumLine, str]]:
    """Return the lines of a player's totals besides rounds, each with its reason in words.

    They are missed sessions and adjustments. Rows without a rank have none.
    """
    reasons = {each.number: each.reason for each in event.ranking_facts.adjustments}
    rules = event.ranking_facts.rules
    return [
        (
            line,
            _absence_words(line.reason, rules)
            if line.reason
            else reasons.get(line.adjustment or 0, ""),
        )
        for row in rows
        if row and row.place
        for line in row.place.lines
    ]


def _absence_words(reason: Absence, rules: scoring.RankingRules) -> str:
    """Return why a session was missed and, unless points are fixed, what it counts as."""
    counts_as = rules.counts_as(reason)
    if isinstance(counts_as, int):
        return str(ABSENCES[reason])
    return labelled(str(ABSENCES[reason]), counts_as_words(counts_as))


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
    _check_class(event, division)
    rows, classes = _rows_of(event, None, division), classes_of(event.standings)
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
                StandingsTable(_rows_of(event, each, division), tournament, classes=classes),
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


def _totals_by_session(rounds: Sequence[PlayerRound]) -> list[list[int]]:
    """Return a player's totals after complete rounds, a list for each session, no play-offs."""
    counting = [each for each in rounds if each.is_complete and not each.sheet.is_play_off]
    return [
        [each.total for each in rounds_of_session]
        for _pk, rounds_of_session in groupby(counting, lambda each: each.sheet.sitting.session_id)
    ]
