"""The seats of all sessions on paper, seated or planned: by name, and a card for each player."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from tournaments.i18n.times import moment
from tournaments.models import Tournament
from tournaments.permissions import door
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import rendering
from tournaments.queries import schedules
from tournaments.web import downloads

LIST, CARDS = "print/schedule_list.html", "print/schedule_cards.html"


@never_cache
@requires(GET=Level.STAFF)  # laying out a long list is slow
def schedule_list(request: HttpRequest, slug: str) -> HttpResponse:
    return _schedule_pdf(
        LIST, door.tournament_of(request), gettext("Seats of all sessions by name")
    )


@never_cache
@requires(GET=Level.STAFF)
def schedule_cards(request: HttpRequest, slug: str) -> HttpResponse:
    return _schedule_pdf(CARDS, door.tournament_of(request), gettext("A card for each player"))


def _schedule_pdf(template: str, tournament: Tournament, name: str) -> HttpResponse:
    """Raises `Http404` if no seats are planned."""
    version = schedules.count_versions(tournament)  # read before the seats, so that it is not newer
    stored = schedules.schedule_of(tournament)
    if stored is None or not schedules.planned_sessions(stored):
        raise Http404
    movements = schedules.movements(stored)
    context: dict[str, Any] = {
        "tournament": tournament,
        "rules": tournament.rules,
        "movements": movements,
        "version": version,
        "printed": moment(timezone.now()),
    }
    return downloads.pdf(rendering.pdf(template, context), name, tournament)
