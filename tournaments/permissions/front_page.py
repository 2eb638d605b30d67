"""The tournaments that the front page shows beside those that a reader may see."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest
from django.utils import timezone

from tournaments.models import Schedule, Session, Tournament
from tournaments.permissions import rights

DAYS_WITH_SEATS = 7  # after its day, where nobody closes a tournament


class OpenTournaments(NamedTuple):
    """Tournaments that take applications, and those whose seats everybody may look up.

    Of those in `seats_only` this reader may see nothing else; `seats_and_more` are primary keys.
    """

    taking_registrations: list[Tournament]
    seats_only: list[Tournament]
    seats_and_more: set[int]


def open_tournaments(request: HttpRequest, most: int) -> OpenTournaments:
    """Return what is open to everybody, at most so many tournaments, found in one query.

    Seats are looked up until the tournament is closed, whatever is announced meanwhile. Those that
    are public before there are any do not count: it may be a copy that is still being set up.
    """
    since = timezone.localdate() - timedelta(days=DAYS_WITH_SEATS)
    seats_are_public = Q(shows_seats=True) | ~Q(showing=Tournament.Showing.STAFF)
    is_planned = Exists(Schedule.objects.filter(tournament=OuterRef("pk"), is_shown=True))
    is_seated = Q(Exists(Session.objects.filter(tournament=OuterRef("pk")))) | Q(is_planned)
    is_seen = Exists(rights.tournaments_of(request).filter(pk=OuterRef("pk")))
    going_on = Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT, closed_at=None)
    found = going_on.annotate(
        has_seats=seats_are_public & Q(held_on__gte=since) & is_seated, is_seen=is_seen
    )
    may_take = Q(registration__open=True, held_on__gte=timezone.localdate())
    concerned = found.filter(may_take | Q(has_seats=True))
    listed = [each for each in concerned if each.has_seats or each.takes_registrations][:most]
    with_seats = [each for each in listed if each.has_seats]
    return OpenTournaments(
        [each for each in listed if each.takes_registrations],
        [each for each in with_seats if not each.is_seen],
        {each.pk for each in with_seats if each.is_seen},
    )
