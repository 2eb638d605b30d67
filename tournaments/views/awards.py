"""The award list: first places of all, of groups, classes and teams, to read out and print."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache

from tournaments.i18n.session_names import session_words
from tournaments.i18n.times import moment
from tournaments.models import Membership, Tournament
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.queries import publications
from tournaments.queries.awards import (
    MOST_PLACES,
    USUAL_PLACES,
    award_lists,
    first_teams,
    interim_of,
)
from tournaments.queries.events import Event
from tournaments.views.play_offs import ties_to_settle
from tournaments.web import downloads
from tournaments.web.numbers import parse_number

AWARD_LIST = "print/award_list.html"


@requires(GET=Level.SEE)
def awards(request: HttpRequest, slug: str) -> HttpResponse:
    """List who has one of the first places (`places` in the query), ties as ties."""
    event = door.event_of(request)
    role = rights.role_in(request, event.tournament)
    context = _context(event, _places(request)) | {
        "rules_fingerprint": event.tournament.rules.fingerprint,
        "role": role,
        "ties": ties_to_settle(event) if role == Membership.Role.DIRECTOR else [],
        "most": MOST_PLACES,
    }
    return render(request, "awards.html", context)


@never_cache
@requires(GET=Level.STAFF)  # laying out a long list is slow
def award_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the same in large type, as a PDF."""
    event = door.event_of(request)
    from tournaments.printing import rendering  # noqa: PLC0415  takes half a second

    context = _context(event, _places(request)) | {
        "rules": event.tournament.rules,
        "printed": moment(timezone.now()),
    }
    return downloads.pdf(rendering.pdf(AWARD_LIST, context), f"{slug}-awards.pdf")


def _places(request: HttpRequest) -> int:
    """Return the number of places that is asked for."""
    return min(parse_number(request.GET.get("places", "")) or USUAL_PLACES, MOST_PLACES)


def _context(event: Event, places: int) -> dict[str, Any]:
    """Return what the page and the PDF show."""
    return {
        "tournament": event.tournament,
        "publication": event.publication,
        "interim": _interim_words(event),
        "lists": award_lists(event, places),
        "teams": first_teams(event.team_standings, places),
        "places": places,
    }


def _interim_words(event: Event) -> str:
    """Return why the places can still change; empty once they are announced or final."""
    if words := what_is_to_come(event):
        return words
    if event.publication or event.tournament.closed_at or _is_announced(event.tournament):
        return ""
    return gettext("Not published yet: results can still be corrected.")


def what_is_to_come(event: Event) -> str:
    """Return which session is not over, or how many are to be played; empty if all are played."""
    found = interim_of(event)
    if found is None:
        return ""
    if found.session is not None:
        session = session_words(found.session, event.tournament.play_off_numbers)
        return gettext("Interim: %(session)s is not over yet.") % {"session": session}
    return ngettext(
        "Interim: %(count)s session is still to be played.",
        "Interim: %(count)s sessions are still to be played.",
        found.sessions_left,
    ) % {"count": found.sessions_left}


def _is_announced(tournament: Tournament) -> bool:
    """Return whether the results are published, and nothing has changed since."""
    announced = publications.shown_publication(tournament)
    return announced is not None and not publications.changes_since(announced).exists()
