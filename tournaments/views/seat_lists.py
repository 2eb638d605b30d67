"""The seat list for the wall (座席表), and the changes since it was printed (席の変更点)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache

from tournaments.i18n.session_names import session_name
from tournaments.i18n.times import moment
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import rendering, seat_columns
from tournaments.queries import seat_lists, seated_tables
from tournaments.queries.draw_records import draw_record
from tournaments.queries.events import Event
from tournaments.queries.substitutions import replaced_in
from tournaments.views.sessions import without_seat
from tournaments.web import downloads
from tournaments.web.numbers import parse_number
from tournaments.web.requests_in_jobs import in_a_job

SEAT_LIST = "print/seat_list.html"


@never_cache
@requires(GET=Level.STAFF)  # laying out a long list is slow
@in_a_job
def seat_list(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    tournament = door.tournament_of(request)
    stored_session = door.session_in(tournament, session)
    versions = seat_lists.versions_of(
        stored_session
    )  # read before the seats, so that none is newer
    tables = seat_lists.tables_of(stored_session)
    seated = seated_tables.tables_of(stored_session.sittings.all())
    event = Event(tournament)
    steads = seat_columns.Steads(replaced_in(session, event.substitutions), event.names)
    context = {
        "tournament": tournament,
        "session": stored_session,
        "rules": tournament.rules,
        "by_name": seat_columns.by_name(tables, without_seat(event, session, seated), steads),
        "by_table": seat_columns.by_table(tables, steads),
        "record": draw_record(tournament, session, seated_tables.assigned_seats(seated)),
        "version": versions[-1].number if versions else 0,
        "printed": moment(timezone.now()),
    }
    parts = (
        pgettext("on the wall", "Seat list"),
        tournament,
        session_name(session, tournament.play_off_numbers),
    )
    return downloads.pdf(rendering.pdf(SEAT_LIST, context, tags=False), *parts)


@never_cache
@requires(GET=Level.STAFF)
def seat_changes(request: HttpRequest, slug: str, session: int) -> HttpResponse:
    """List the players whose seat differs from an earlier version of the session's seats.

    The version is that with the number `since` in the query, by default the first.
    """
    tournament = door.tournament_of(request)
    stored_session = door.session_in(tournament, session)
    versions = seat_lists.versions_of(stored_session)
    if not versions:
        raise Http404
    since = parse_number(request.GET.get("since", ""))
    before = next((each for each in versions if each.number == since), versions[0])
    changes = seat_lists.changes_between(before, versions[-1], list(tournament.entries.all()))
    context = {
        "tournament": tournament,
        "session": stored_session,
        "versions": versions,
        "before": before,
        "now": versions[-1],
        "changes": changes,
        "rules_fingerprint": tournament.rules.fingerprint,
    }
    return render(request, "seat_changes.html", context)
