"""Whoever changes the state of an event names the version that was seen; an older one is refused.

Which operations and writes change it follows from the audit entries that they append;
`test_unseen_states.py` tries all operations.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.stages.selection import Quota
from tests import api, cast, stages
from tests.races import race
from tournaments import verification
from tournaments.audit import Actor, Seen, StateChanged, state_version
from tournaments.models import Session, Tournament
from tournaments.services import stages as stages_service
from tournaments.services.publications import publish
from tournaments.services.seating import open_session


@pytest.fixture
def played() -> Tournament:
    sitting = cast.make_sitting()
    cast.record(sitting)
    return sitting.session.tournament


def version_of(tournament: Tournament) -> int:
    tournament.refresh_from_db()
    return state_version(tournament)


def last_seen(tournament: Tournament) -> Actor:
    """Return somebody who has seen the state as it is."""
    return cast.SOMEBODY._replace(seen=Seen(version_of(tournament)))


@pytest.mark.django_db
def test_page_tells_what_another_did_and_keeps_what_was_typed(played: Tournament) -> None:
    browser = cast.in_english(cast.browser_of(cast.make_staff(played, "director", "director")))
    url = reverse("publish", args=[played.slug])
    form = {"showing": "published", "seen_version": str(version_of(played))}
    assert f'name="seen_version" value="{form["seen_version"]}"' in page_at(browser, url)
    for _ in range(6):
        answer = browser.post(url, form)
    assert played.publications.count() == 1
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "director" in page
    assert "Published" in page
    assert 'name="showing" value="published"' in page
    again = {"showing": "published", "seen_version": answer.context["seen_version"]}
    assert browser.post(url, again).status_code == 302
    assert played.publications.count() == 2


def page_at(browser: Client, url: str) -> str:
    return browser.get(url).content.decode()


@pytest.mark.django_db
def test_form_without_a_version_is_refused(played: Tournament) -> None:
    browser = cast.browser_of(cast.make_staff(played, "director", "director"))
    browser.post(reverse("close", args=[played.slug]), {"do": "close", "seen_version": ""})
    played.refresh_from_db()
    assert played.closed_at is None


@pytest.mark.usefixtures("shared_database")
def test_publishing_six_times_at_once_publishes_once(played: Tournament) -> None:
    by = [last_seen(played) for _ in range(6)]
    answers = race(6, lambda number: publish(played, by=by[number]))
    assert sum(isinstance(each, StateChanged) for each in answers) == 5
    assert played.publications.count() == 1


@pytest.mark.usefixtures("shared_database")
def test_session_asked_for_twice_at_once_is_seated_once(played: Tournament) -> None:
    director = api.director_of(played)
    body = {"tables": [[1, 2, 3, 4, 5, 6]], "seen_version": version_of(played)}
    answers = race(2, lambda _: director.post(f"{api.base(played)}/sessions", body).status_code)
    assert sorted(answers, key=str) == [201, 409]
    assert played.sessions.count() == 2


@pytest.mark.usefixtures("shared_database")
def test_final_is_drawn_or_taken_back_but_not_both(played: Tournament) -> None:
    stage = stages.make_confirmed(played, stages.plan(Quota("", "", 6, None)))
    finalists = [list(played.entries.all())]
    by = [last_seen(played) for _ in range(2)]

    def act(number: int) -> object:
        if number:
            return stages_service.take_back_members(stage, by=by[1])
        return open_session(played, finalists, by=by[0], number=2)

    answers = race(2, act)
    assert sum(isinstance(each, Exception) for each in answers) == 1
    stage.refresh_from_db()
    assert stage.is_confirmed == Session.objects.filter(number=2).exists()
    assert verification.verify(played) == []


@pytest.mark.django_db
def test_verification_finds_a_final_that_was_seated_without_members(played: Tournament) -> None:
    finalists = list(played.entries.all())
    cast.make_entries(played, 6)
    stage = stages.make_confirmed(played, stages.plan(Quota("", "", 6, None)))
    stages_service.take_back_members(stage, by=cast.SOMEBODY)
    open_session(played, [finalists], by=cast.SOMEBODY)
    [fault] = verification.verify(played)
    assert fault == ("session 2", "seats the players of stage 2, taken back before")
