"""A session ended by the desk is over for the public once that is published."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import Publication, Session, Tournament
from tournaments.queries.events import Event
from tournaments.queries.publications.events import PublishedEvent
from tournaments.services import publications as publications_service
from tournaments.services import sessions
from tournaments.verification.publications import fault_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(tournament: Tournament) -> Session:
    """Two tables of six; at the first, one of ten rounds is recorded."""
    session = cast.make_session(tournament, tables=2)
    cast.record(session.sittings.get(number=1))
    return session


def end(session: Session) -> None:
    sessions.end_session(session, stopping=[1, 2], by=SOMEBODY)


def publish(session: Session) -> Publication:
    return publications_service.publish(session.tournament, by=SOMEBODY)


def public_progress(tournament: Tournament) -> dict[str, Any]:
    """Return the public progress of the event and its session, by where it is shown."""
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
def test_ended_session_is_over_for_the_public_when_published(
    session: Session, rounds: int | None
) -> None:
    tournament = session.tournament
    tournament.rounds_per_session = rounds
    tournament.save()
    publish(session)
    assert set(public_progress(tournament).values()) == {"playing"}
    end(session)
    assert set(public_progress(tournament).values()) == {"playing"}  # as it was published
    publication = publish(session)
    assert set(public_progress(tournament).values()) == {"done"}
    assert verification.verify(tournament) == []
    (live,) = Event(tournament).sessions
    (published,) = PublishedEvent(publication).sessions
    assert published.session.ended_at == live.session.ended_at
    assert published.progress == live.progress
    sessions.resume_session(session, by=SOMEBODY)
    publish(session)
    assert set(public_progress(tournament).values()) == {"playing"}


def test_session_that_ended_without_a_record_is_not_said_to_be_held_back(
    client: Client, session: Session
) -> None:
    tournament = session.tournament
    end(session)
    second = cast.make_session(tournament, tables=1)
    page = second.get_absolute_url()
    publish(session)
    assert "この回戦の席だけ" in client.get(page).text
    sessions.end_session(second, stopping=[1], by=SOMEBODY)
    publish(session)
    assert "この回戦の席だけ" not in client.get(page).text


def test_ending_and_resuming_a_session_are_unpublished_changes(
    director: Client, session: Session
) -> None:
    """A resumed session makes playing the next step; the change is still unpublished."""
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


def test_publication_without_ended_at_of_sessions_is_valid(session: Session) -> None:
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
def test_publication_with_an_invalid_ended_at_is_refused(
    session: Session, ended_at: object
) -> None:
    end(session)
    publication = publish(session)
    publication.content["sessions"][0]["ended_at"] = ended_at
    try:
        fault = fault_in(publication)
    except ValueError:
        return
    assert fault is not None
