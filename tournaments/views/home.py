"""The front page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import scoring
from tournaments.access import rights
from tournaments.facts.progress import progress_of
from tournaments.facts.sheets import with_seats

# The front page shows this many tournaments; the rest are one click away.
NEWEST = 20


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Offer tonight's table, this browser's tables, and the tournaments the reader may see."""
    tournaments = rights.tournaments_of(request)
    newest = tournaments if "all" in request.GET else tournaments[: NEWEST + 1]
    found = progress_of(newest)
    has_more = "all" not in request.GET and len(found) > NEWEST
    tables = rights.tables_of(request).select_related("session__tournament")
    context = {
        "all_rules": [rule_set.choose() for rule_set in scoring.RULE_SETS],
        "tables": with_seats(tables).order_by("-pk"),
        "tournaments": rights.listed(request, found[:NEWEST] if has_more else found),
        "has_more": has_more,
    }
    return render(request, "home.html", context)
