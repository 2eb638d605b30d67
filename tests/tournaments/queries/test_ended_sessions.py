"""A session that the desk has ended is over for everybody, also where results are announced."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import Publication, Session, Tournament
from tournaments.queries.events import Event, PublishedEvent
from tournaments.services import publications as publications_service
from tournaments.services import seating, sessions
from tournaments.verification.announced import fault_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Two tables of six; at the first, one of ten rounds is recorded."""
    entries = cast.make_entries(tournament, 12)
    session = seating.open_session(tournament, [entries[:6], entries[6:]], by=SOMEBODY)
    cast.record(session.sittings.get(number=1))
    return session


def end(session: Session) -> None:
    sessions.end_session(session, stopping=[1, 2], by=SOMEBODY)


def publish(session: Session) -> Publication:
    return publications_service.publish(session.tournament, by=SOMEBODY)


def told_everybody(tournament: Tournament) -> dict[str, Any]:
    """Return what anybody is told of how far the event and its session have come."""
    anybody = Client()
    (listed,) = anybody.get("/").context["tournaments"]
    page = anybody.get(tournament.get_absolute_url())
    (seen,) = page.context["sessions"]
    (told,) = anybody.get(reverse("api-sessions", args=[tournament.slug])).json()["sessions"]
    return {
        "front page": listed.state,
        "own page": "done" if 'class="sitting is-done"' in page.text else "playing",
        "session": "done" if seen.is_over else "playing",
        "API": "done" if told["ended_at"] else "playing",
    }


@pytest.mark.parametrize("rounds", [10, None])
def test_an_ended_session_is_over_for_everybody_once_it_is_published(
    session: Session, rounds: int | None
) -> None:
    tournament = session.tournament
    tournament.rounds_per_session = rounds
    tournament.save()
    publish(session)
    assert set(told_everybody(tournament).values()) == {"playing"}
    end(session)
    assert set(told_everybody(tournament).values()) == {"playing"}  # as it was published
    publication = publish(session)
    assert set(told_everybody(tournament).values()) == {"done"}
    assert verification.verify(tournament) == []
    (live,) = Event(tournament).sessions
    (published,) = PublishedEvent(publication).sessions
    assert published.session.ended_at == live.session.ended_at
    assert published.progress == live.progress
    sessions.resume_session(session, by=SOMEBODY)
    publish(session)
    assert set(told_everybody(tournament).values()) == {"playing"}


def test_ending_and_resuming_a_session_are_changes_to_publish(
    director: Client, session: Session
) -> None:
    """A session that goes on leads to its tables; what is not published yet stands below."""
    page = session.tournament.get_absolute_url()
    publish(session)
    steps = []
    for change in (end, lambda each: sessions.resume_session(each, by=SOMEBODY)):
        change(session)
        context = director.get(page).context
        steps.append((context["next_step"], context["unannounced"]))
        publish(session)
        context = director.get(page).context
        steps.append((context["next_step"], context["unannounced"]))
    assert steps == [("announce_again", 1), ("close", 0), ("play", 1), ("play", 0)]


def test_a_publication_from_before_sessions_were_told_as_ended_is_whole(session: Session) -> None:
    end(session)
    publication = publish(session)
    assert publication.content["progress"]["planned"] == 1  # of an ended session, what is recorded
    del publication.content["sessions"][0]["ended_at"]
    assert fault_in(publication) is not None
    publication.content["progress"]["planned"] = 20
    assert fault_in(publication) is None
    (seen,) = PublishedEvent(publication).sessions
    assert not seen.is_over


@pytest.mark.parametrize("ended_at", ["", "yesterday", "2026-11-21", 1, True, "2026-11-21T99:00"])
def test_a_session_ended_at_no_moment_is_refused(session: Session, ended_at: object) -> None:
    end(session)
    publication = publish(session)
    publication.content["sessions"][0]["ended_at"] = ended_at
    try:
        fault = fault_in(publication)
    except ValueError:
        return
    assert fault is not None
