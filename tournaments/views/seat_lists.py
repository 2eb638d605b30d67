"""The seat list for the wall (座席表), and what has changed since one was printed (席の変更点)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from tournaments.i18n.times import moment
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import seat_lists, stages
from tournaments.queries.draw_records import draw_record
from tournaments.web import downloads
from tournaments.web.numbers import parse_number

SEAT_LIST = "print/seat_list.html"


@never_cache
@requires(GET=Level.STAFF)  # laying out a long list is slow
def seat_list(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """Return the seats of a session by name and by table, as a PDF."""
    tournament = door.tournament_of(request)
    found = door.session_in(tournament, session)
    versions = seat_lists.versions_of(found)  # read before the seats, so that none is newer
    tables = seat_lists.tables_of(found)
    from tournaments.printing import rendering  # noqa: PLC0415  takes half a second

    keys = [[entry.key for entry in table] for table in tables.values()]
    context = {
        "tournament": tournament,
        "session": found,
        "rules": tournament.rules,
        **seat_lists.columns_of(tables),
        "out": stages.without_seat(found, {entry for each in tables.values() for entry in each}),
        "record": draw_record(tournament, session, keys),
        "version": versions[-1].number if versions else 0,
        "printed": moment(timezone.now()),
    }
    return downloads.pdf(rendering.pdf(SEAT_LIST, context), f"{slug}-{session}-seats.pdf")


@never_cache
@requires(GET=Level.STAFF)
def seat_changes(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """List who sits elsewhere than in an earlier version of the seats, by default the first."""
    tournament = door.tournament_of(request)
    found = door.session_in(tournament, session)
    versions = seat_lists.versions_of(found)
    if not versions:
        raise Http404
    asked = parse_number(request.GET.get("since", ""))
    before = next((each for each in versions if each.number == asked), versions[0])
    changes = seat_lists.changes_between(before, versions[-1], list(tournament.entries.all()))
    context = {
        "tournament": tournament,
        "session": found,
        "versions": versions,
        "before": before,
        "now": versions[-1],
        "changes": changes,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "seat_changes.html", context)
