"""The standings as a page and on a wall."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from math import ceil
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject

from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.clocks import session_on_wall
from tournaments.queries.events import Event, NotThere
from tournaments.queries.round_points import sessions_played
from tournaments.queries.stages import StageStandings, stage_standings, standings_of_stage
from tournaments.queries.standings import (
    Standing,
    Tally,
    classes_of,
    named_in,
    standings_of_class,
    tally_of,
    teams_of,
)
from tournaments.queries.team_standings import has_teams
from tournaments.tables import (
    ProjectorTable,
    StandingsTable,
    TeamsTable,
)
from tournaments.views.awards import interim_sentence
from tournaments.web import cached_parts
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
    chosen_stage = cache(lambda: _stage_of(event, stage_code))
    context: dict[str, Any] = {
        "tournament": tournament,
        "publication": event.publication,
        "rules_fingerprint": tournament.rules.fingerprint,
        "progress": SimpleLazyObject(lambda: _tally_of(event, chosen_stage())),
        "chosen_class": division,
        "chosen_stage": stage_code,
        "stages": SimpleLazyObject(lambda: stage_standings(event.ranking_facts)),
    }
    check_class(event, division)
    if request.GET.get("wall") == "1":
        rows = named_in(rows_of(event, chosen_stage(), division), name)
        names = event.names
        return show_wall(
            request, rows, lambda part: ProjectorTable(part, tournament, names), context
        )
    context |= {
        "role": rights.role_in(request, tournament),
        "table": SimpleLazyObject(
            lambda: _standings_table(request, event, chosen_stage(), division, name)
        ),
        "teams": SimpleLazyObject(lambda: TeamsTable(teams_of(event.sheets), event.names)),
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


def check_class(event: Event, division: str) -> None:
    """Raise `NotThere` for an unknown class; an empty text is no class."""
    if division and division not in classes_of(event.standings):
        raise NotThere


def rows_of(event: Event, stage: StageStandings | None, division: str) -> list[Standing]:
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


def _tally_of(event: Event, stage: StageStandings | None) -> Tally:
    if stage is None:
        return event.tally
    return tally_of(each for each in event.sheets if each.sitting.session.number in stage.sessions)


def _standings_table(
    request: HttpRequest, event: Event, stage: StageStandings | None, division: str, name: str
) -> StandingsTable:
    """Return the table of the players with names that contain `name`; all if it is empty.

    `stage` and `division` are as in `_rows_of`. Order and page are as in the query; `all=1`
    shows one long page.
    """
    shown = named_in(rows_of(event, stage, division), name)
    facts = event.ranking_facts
    table = StandingsTable(
        shown,
        event.tournament,
        event.names,
        classes=classes_of(event.standings),
        substitutions=[
            each
            for each in event.results_substitutions
            if stage is None or each.session_number in stage.sessions
        ],
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

    The browser loads the next page by itself. `table_of` returns the table of a column's rows. The
    clock is the same as on `/clock/`, whatever the standings include. If the tournament is public,
    the page shows a QR code of its own URL.
    """
    tournament = context["tournament"]
    pages = max(1, ceil(len(rows) / (2 * ROWS_ON_WALL)))
    page = Paginator(rows, max(1, ceil(len(rows) / pages))).get_page(request.GET.get("page"))
    next_page = page.next_page_number() if page.has_next() else 1
    shown = list(page.object_list)
    half = ceil(len(shown) / 2) if len(shown) > ROWS_ON_WALL else len(shown)
    tables = [table_of(column) for column in (shown[:half], shown[half:]) if column]
    live = rights.event_with_seats(request, tournament, allow_older=True)
    context |= {"page": page, "next_page": next_page, "tables": tables}
    context["clock_session"] = session_on_wall(live.tournament, live.sessions)
    if tournament.is_public:
        context["code"] = qr_code(request, request.path)
    return render(request, "standings_wall.html", context)
