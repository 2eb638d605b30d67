"""The front page."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

import scoring
from tournaments.permissions import front_page, rights, tournament_lists
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries.progress import progress_of
from tournaments.queries.sheets import with_seats
from tournaments.web.public_pages import cached_for_spectators

NEWEST_SHOWN = 20  # tournaments on the front page
ROWS_A_PAGE = 100  # in the list of all tournaments, `?all`


@requires(GET=Level.ANYBODY)
@cached_for_spectators
def home(request: HttpRequest) -> HttpResponse:
    """Show the rule sets to start a table with, this browser's tables, and the tournaments."""
    tournaments = tournament_lists.tournaments_of(request)
    is_all = "all" in request.GET
    pages = Paginator(tournaments, ROWS_A_PAGE if is_all else NEWEST_SHOWN)
    page = pages.get_page(request.GET.get("page") if is_all else 1)
    announced, live = tournament_lists.split_for_listing(request, page.object_list)
    listed = announced | {each.tournament.pk: each for each in progress_of(live)}
    shown = [listed[each.pk] for each in page.object_list if each.pk in listed]
    tables = rights.club_tables_of(request).select_related("session__tournament")
    found = front_page.open_tournaments(request, NEWEST_SHOWN)
    context = {
        "all_rules": [scoring.choose(rule_set) for rule_set in scoring.RULE_SETS],
        "tables": with_seats(tables).order_by("-pk"),
        "tournaments": shown,
        "with_seats": [
            *found.seats_only,
            *(each.tournament for each in shown if each.tournament.pk in found.seats_and_more),
        ],
        "seats_only": found.seats_only,
        "taking_registrations": found.taking_registrations,
        "is_today": any(
            each.held_on == timezone.localdate() for each in [*page.object_list, *found.seats_only]
        ),
        "removed": tournament_lists.removed_tournaments_of(request)[:NEWEST_SHOWN],
        "has_more": page.has_next() and not is_all,
        "page": page,
    }
    return render(request, "home.html", context)
