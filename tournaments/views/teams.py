"""The standings of teams."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.i18n.ranking import CHOICES
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.tables import TeamProjectorTable
from tournaments.views.standings import show_wall
from tournaments.web.public_pages import cached_for_spectators

TEAMS_A_PAGE = 200


@requires(GET=Level.SEE)
@cached_for_spectators
def teams(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of teams, with their members, of the event as the reader sees it.

    With `wall=1` in the query, show the page for a projector.
    """
    event = door.event_of(request, allow_older=True)
    rules = event.tournament.ranking_rules
    context: dict[str, Any] = {
        "tournament": event.tournament,
        "publication": event.publication,
        "rules_fingerprint": event.tournament.rules.fingerprint,
    }
    if request.GET.get("wall") == "1":
        context |= {"progress": event.tally, "of_teams": True}
        return show_wall(request, event.team_standings, TeamProjectorTable, context)
    page = Paginator(event.team_standings, TEAMS_A_PAGE).get_page(request.GET.get("page"))
    context |= {
        "role": rights.role_in(request, event.tournament),
        "rows": page.object_list,
        "page": page,
        "has_teams": bool(event.team_standings),
        "counting": CHOICES["teams"][rules.teams],
        "team_members": rules.team_members,
        "has_stages": bool(event.ranking_facts.played_stages),
    }
    return render(request, "teams.html", context)
