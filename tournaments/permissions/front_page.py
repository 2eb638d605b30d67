"""The tournaments that the front page offers to everybody, also before they are published."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest
from django.utils import timezone

from tournaments.models import Schedule, Session, Tournament
from tournaments.permissions import tournament_lists

DAYS_WITH_SEATS = 7  # after the day of a tournament that nobody has closed


class OpenTournaments(NamedTuple):
    """Tournaments that take applications, and tournaments whose seats everybody may look up.

    Tournaments with public seats are in two parts: `seats_only` has the tournaments of which this
    reader may see only the seats, `seats_and_more` the primary keys of the other tournaments.
    """

    taking_registrations: list[Tournament]
    seats_only: list[Tournament]
    seats_and_more: set[int]


def open_tournaments(request: HttpRequest, limit: int) -> OpenTournaments:
    """Return the tournaments that are open to everybody, `limit` at most, found in one query.

    Seats can be looked up until the tournament is closed, also while results are published. A
    tournament without seats is left out, even if seats are public: it may still be set up.
    """
    earliest_day = timezone.localdate() - timedelta(days=DAYS_WITH_SEATS)
    seats_are_public = Q(shows_seats=True) | ~Q(showing=Tournament.Showing.STAFF)
    has_session = Exists(Session.objects.filter(tournament=OuterRef("pk")))
    has_public_plan = Exists(Schedule.objects.filter(tournament=OuterRef("pk"), is_shown=True))
    are_there_seats = Q(has_session) | Q(has_public_plan)
    may_see_more = Exists(tournament_lists.tournaments_of(request).filter(pk=OuterRef("pk")))
    unclosed = Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT, closed_at=None)
    annotated = unclosed.annotate(
        has_seats=seats_are_public & Q(held_on__gte=earliest_day) & are_there_seats,
        may_see_more=may_see_more,
    )
    may_take_registrations = Q(registration__open=True, held_on__gte=timezone.localdate())
    candidates = annotated.filter(may_take_registrations | Q(has_seats=True))
    tournaments = [each for each in candidates if each.has_seats or each.takes_registrations]
    shown = tournaments[:limit]
    with_seats = [each for each in shown if each.has_seats]
    return OpenTournaments(
        taking_registrations=[each for each in shown if each.takes_registrations],
        seats_only=[each for each in with_seats if not each.may_see_more],
        seats_and_more={each.pk for each in with_seats if each.may_see_more},
    )
