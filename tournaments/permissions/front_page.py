"""The tournaments that the front page shows to readers who may not see them yet."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q
from django.http import HttpRequest

from tournaments.models import Session, Tournament
from tournaments.permissions import rights


def open_tournaments(request: HttpRequest, most: int) -> tuple[list[Tournament], list[Tournament]]:
    """Return the tournaments that take applications, and those of which only the seats are public.

    For the front page, at most so many together, found in one query. Seats that are public before
    there are any do not count: it may be a copy that its director is still setting up.
    """
    is_seen = Exists(rights.tournaments_of(request).filter(pk=OuterRef("pk")))
    is_seated = Exists(Session.objects.filter(tournament=OuterRef("pk")))
    going_on = Tournament.objects.filter(kind=Tournament.Kind.TOURNAMENT, closed_at=None)
    found = going_on.annotate(is_guest=Q(shows_seats=True) & ~Q(is_seen) & Q(is_seated))
    listed = found.filter(Q(registration__open=True) | Q(is_guest=True))[:most]
    with_seats: list[Tournament] = [each for each in listed if each.is_guest]
    return [each for each in listed if each.takes_registrations], with_seats
