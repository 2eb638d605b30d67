"""The award list: the first places of all, and of each class, to read out and to print."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import awards as awards_query
from tournaments.web.numbers import parse_number

USUAL_PLACES, MOST_PLACES = 3, 100


@requires(GET=Level.SEE)
def awards(request: HttpRequest, slug: str) -> HttpResponse:
    """List who has one of the first places (`places` in the query), ties as ties."""
    event = door.event_of(request)
    places = parse_number(request.GET.get("places", "")) or USUAL_PLACES
    places = min(places, MOST_PLACES)
    rows = event.standings
    lists = [(gettext("All players"), awards_query.first_of_all(rows, places))]
    by_class = awards_query.first_by_class(rows, places)
    lists += by_class.items() if len(by_class) > 1 else ()
    context = {
        "tournament": event.tournament,
        "publication": event.publication,
        "rules_fingerprint": event.tournament.rules.fingerprint,
        "lists": [(title, found) for title, found in lists if found],
        "places": places,
        "most": MOST_PLACES,
    }
    return render(request, "awards.html", context)
