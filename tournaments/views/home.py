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
from tournaments.queries.seated_tables import with_seats
from tournaments.web.public_pages import cached_for_spectators

NEWEST_SHOWN = 20  # tournaments on the front page
ROWS_A_PAGE = 100  # in the list of all tournaments, `?all`


@requires(GET=Level.ANYBODY)
@cached_for_spectators
def home(request: HttpRequest) -> HttpResponse:
    """Show the rule sets to start a club table with, this browser's tables, and the tournaments.

    The newest tournaments are shown; all of them, in pages, with `all` in the query.
    """
    tournaments = tournament_lists.tournaments_of(request)
    shows_all = "all" in request.GET
    pages = Paginator(tournaments, ROWS_A_PAGE if shows_all else NEWEST_SHOWN)
    page = pages.get_page(request.GET.get("page") if shows_all else 1)
    published, live = tournament_lists.split_for_listing(request, page.object_list)
    progress_by_pk = published | {each.tournament.pk: each for each in progress_of(live)}
    listed = [progress_by_pk[each.pk] for each in page.object_list if each.pk in progress_by_pk]
    tables = rights.club_tables_of(request).select_related("session__tournament")
    offered = front_page.open_tournaments(request, NEWEST_SHOWN)
    context = {
        "all_rules": [scoring.choose(rule_set) for rule_set in scoring.RULE_SETS],
        "tables": with_seats(tables).order_by("-pk"),
        "tournaments": listed,
        "with_seats": [
            *offered.seats_only,
            *(each.tournament for each in listed if each.tournament.pk in offered.seats_and_more),
        ],
        "seats_only": offered.seats_only,
        "taking_registrations": offered.taking_registrations,
        "is_today": any(
            each.held_on == timezone.localdate()
            for each in [*page.object_list, *offered.seats_only]
        ),
        "removed": tournament_lists.removed_tournaments_of(request)[:NEWEST_SHOWN],
        "has_more": page.has_next() and not shows_all,
        "page": page,
    }
    return render(request, "home.html", context)
