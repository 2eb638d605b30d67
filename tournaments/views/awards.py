"""The award list: the first ranks of all players, of groups, classes and teams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.cache import never_cache

from tournaments.i18n.certificates import certificates_of
from tournaments.i18n.session_names import session_words
from tournaments.i18n.times import moment
from tournaments.models import Membership
from tournaments.permissions import door, rights
from tournaments.permissions.door import requires
from tournaments.permissions.levels import Level
from tournaments.printing import rendering
from tournaments.queries.awards import (
    MOST_PLACES,
    USUAL_PLACES,
    Interim,
    award_lists,
    first_teams,
    interim_of,
    partly_published,
)
from tournaments.queries.events import Event
from tournaments.queries.publications import showing
from tournaments.views.play_offs import ties_to_settle
from tournaments.web import downloads
from tournaments.web.numbers import parse_number
from tournaments.web.requests_in_jobs import in_a_job

AWARD_LIST, CERTIFICATES = "print/award_list.html", "print/certificates.html"
MOST_LETTERS = 60  # of who hands out the certificates


@requires(GET=Level.SEE)
def awards(request: HttpRequest, slug: str) -> HttpResponse:
    """As many ranks as `places` in the query."""
    event = door.event_of(request)
    role = rights.role_in(request, event.tournament)
    last_rank = _requested_ranks(request)
    is_director = role == Membership.Role.DIRECTOR
    context = _award_context(event, last_rank) | {
        "rules_fingerprint": event.tournament.rules.fingerprint,
        "role": role,
        "ties": ties_to_settle(event, last_rank) if is_director else [],
        "most": MOST_PLACES,
    }
    return render(request, "awards.html", context)


@never_cache
@requires(GET=Level.STAFF)  # laying out a long list is slow
@in_a_job
def award_list(request: HttpRequest, slug: str) -> HttpResponse:
    event = door.event_of(request)
    context = _award_context(event, _requested_ranks(request)) | {
        "rules": event.tournament.rules,
        "printed": moment(timezone.now()),
    }
    return downloads.pdf(
        rendering.pdf(AWARD_LIST, context), gettext("Award list"), event.tournament
    )


@never_cache
@requires(GET=Level.STAFF)
@in_a_job
def certificates(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a certificate (賞状) for each award, a page each, as a PDF.

    As long as ranks can change by play it is one to fill in by hand, as without awards. `by` in the
    query names who hands them out.
    """
    event = door.event_of(request)
    awards = _award_context(event, _requested_ranks(request))
    lists, teams = (awards["lists"], awards["teams"]) if awards["is_played"] else ([], [])
    found = certificates_of(event.tournament, lists, teams)
    by = request.GET.get("by", "").strip()[:MOST_LETTERS]
    context = {
        "tournament": event.tournament,
        "certificates": found,
        "by": by,
        "is_vertical": get_language() == "ja",
    }
    return downloads.pdf(
        rendering.pdf(CERTIFICATES, context), gettext("Certificates"), event.tournament
    )


def _requested_ranks(request: HttpRequest) -> int:
    """Return `places` of the query, at most `MOST_PLACES`."""
    return min(parse_number(request.GET.get("places", "")) or USUAL_PLACES, MOST_PLACES)


def _award_context(event: Event, last_rank: int) -> dict[str, Any]:
    return {
        "tournament": event.tournament,
        "publication": event.publication,
        "names": event.names,
        "interim": _provisional_sentence(event),
        "is_played": interim_of(event) is None,
        "lists": award_lists(event, last_rank),
        "teams": first_teams(event.team_standings, last_rank),
        "places": last_rank,
    }


def _provisional_sentence(event: Event) -> str:
    """Return why ranks can still change, or are not those published; else an empty text."""
    if sentence := interim_sentence(event):
        return sentence
    shown = None if event.publication else showing.shown_publication(event.tournament)
    if shown and showing.changes_since(shown).exists():
        return gettext("Changed since the publication: everybody still sees the earlier list.")
    if event.publication or shown or event.tournament.closed_at:
        return ""
    return gettext("Not published: results can still be corrected.")


def interim_sentence(event: Event) -> str:
    """Return a sentence on the sessions that are not over, or on how many are still to be played.

    Of a publication, on the sessions that it contains. Empty once all sessions are played.
    """
    interim = interim_of(event)
    if interim is None:
        return ""
    play_offs = event.tournament.play_off_numbers
    if event.publication:
        return _sentence_on_publication(interim, play_offs)
    if interim.sessions:
        return ngettext(
            "Interim: %(session)s is not over yet.",
            "Interim: %(session)s are not over yet.",
            len(interim.sessions),
        ) % {"session": _words_of(interim.sessions, play_offs)}
    if not interim.sessions_left:
        return gettext("Interim: no seats have been assigned yet.")
    return ngettext(
        "Interim: %(count)s session is still to be played.",
        "Interim: %(count)s sessions are still to be played.",
        interim.sessions_left,
    ) % {"count": interim.sessions_left}


def _sentence_on_publication(interim: Interim, play_offs: Sequence[int]) -> str:
    """Empty if there are no results."""
    if interim.sessions:
        return _sentence_on_part(interim.sessions, play_offs)
    if interim.up_to is None:
        return ""
    session = session_words(interim.up_to, play_offs)
    return gettext("Interim: results up to %(session)s.") % {"session": session}


def partial_sentence(event: Event, session: int) -> str:
    """Return a sentence if a publication has only a part of session number `session`."""
    if session not in partly_published(event):
        return ""
    return _sentence_on_part([session], event.tournament.play_off_numbers)


def _sentence_on_part(sessions: Sequence[int], play_offs: Sequence[int]) -> str:
    words = _words_of(sessions, play_offs)
    return gettext("Interim: only a part of %(session)s is included.") % {"session": words}


def _words_of(sessions: Sequence[int], play_offs: Sequence[int]) -> str:
    return " · ".join(session_words(each, play_offs) for each in sessions)
