"""The clock's pages: the desk sets and runs it, the wall, the board and phones count down."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import cast
from tests import clocks as stopped_time
from tests.cast import SOMEBODY
from tournaments.models import Clock, Session, Tournament
from tournaments.queries.clocks import ClockSettings
from tournaments.services import sessions
from tournaments.services.publications import show_live


@pytest.fixture
def session(tournament: Tournament) -> Session:
    return cast.make_sitting(tournament).session


def desk_page(session: Session) -> str:
    return reverse("set-clock", args=[session.tournament.slug, session.number])


def api_address(session: Session) -> str:
    return reverse("api-clock", args=[session.tournament.slug, session.number])


def press(client: Client, session: Session, do: str, **typed: Any) -> Any:
    """Press a button of the page as shown now."""
    seen = client.get(desk_page(session)).context["version"]
    return client.post(desk_page(session), {"do": do, "seen": seen} | typed)


def test_clock_is_set_and_started_at_once(scorekeeper: Client, session: Session) -> None:
    page = scorekeeper.get(desk_page(session))
    assert page.context["form"]["minutes"].value() == 60
    press(scorekeeper, session, "set_and_start", minutes=75, last_minutes=10)
    clock = Clock.objects.get()
    assert (clock.seconds, clock.last_round) == (4500, 600)
    assert clock.started_at is not None
    next_session = cast.make_sitting(session.tournament).session
    page = scorekeeper.get(desk_page(next_session))
    assert page.context["form"]["minutes"].value() == 75  # as the session before


def test_every_button_does_what_it_says(scorekeeper: Client, session: Session) -> None:
    press(scorekeeper, session, "set", minutes=60, last_minutes="")
    assert Clock.objects.get().started_at is None
    press(scorekeeper, session, "start")
    steps = scorekeeper.get(desk_page(session)).context["steps"]
    assert [label for label, _seconds in steps] == ["−5", "−1", "+1", "+5"]
    press(scorekeeper, session, "add", seconds=steps[-1][1])
    press(scorekeeper, session, "extra", table=1, extra_minutes=2)
    clock = Clock.objects.get()
    assert (clock.seconds, clock.extra, clock.last_round) == (3900, {"1": 120}, None)
    press(scorekeeper, session, "pause")
    assert Clock.objects.get().paused_at is not None
    press(scorekeeper, session, "resume")
    assert Clock.objects.get().paused_at is None
    press(scorekeeper, session, "reset", reason="ベルを鳴らし忘れた")
    assert Clock.objects.get().started_at is None
    assert session.tournament.audit_entries.latest("number").reason == "ベルを鳴らし忘れた"


def test_second_desk_is_told_of_the_first(scorekeeper: Client, session: Session) -> None:
    press(scorekeeper, session, "set", minutes=60)
    seen = scorekeeper.get(desk_page(session)).context["version"]
    press(scorekeeper, session, "add", seconds=3900)
    late = {"do": "add", "seen": seen, "seconds": 3300}
    answer = scorekeeper.post(desk_page(session), late, follow=True)
    assert "タイマーが変わりました" in answer.text
    assert Clock.objects.get().seconds == 3900


@pytest.mark.parametrize(
    "typed",
    [
        {"do": "set"},
        {"do": "set", "minutes": 0},
        {"do": "set", "minutes": 1441},
        {"do": "extra", "table": 7, "extra_minutes": 1},
        {"do": "extra", "extra_minutes": 1},
        {"do": "add", "seconds": -60},
        {"do": "stop"},
    ],
)
def test_nonsense_is_refused(scorekeeper: Client, session: Session, typed: dict[str, Any]) -> None:
    answer = scorekeeper.post(desk_page(session), {"seen": 0} | typed)
    assert answer.status_code == 422
    assert not Clock.objects.exists()


def test_club_table_has_no_clock(client: Client, db: None) -> None:
    sitting = cast.make_sitting(cast.make_tournament(kind=Tournament.Kind.TABLE))
    client.get(reverse("join-table", args=[sitting.token]), follow=True)
    answer = client.get(api_address(sitting.session))
    assert (answer.status_code, answer.json()["code"]) == (409, "one_table")
    assert (
        "data-clock"
        not in client.get(reverse("play-table", args=[sitting.session.tournament.slug, 1, 1])).text
    )


def test_anybody_may_ask_how_much_time_is_left(
    client: Client, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped_time.stop(monkeypatch)
    show_live(session.tournament, by=SOMEBODY)
    asked = client.get(api_address(session)).json()
    assert (asked["state"], asked["ends_at"]) == ("none", None)
    cast.start_clock(session, ClockSettings(3600, 300, {"1": 60}))
    now = timezone.now() + timedelta(minutes=20)
    stopped_time.stop(monkeypatch, now)
    asked = client.get(api_address(session)).json()
    assert (asked["state"], asked["left"], asked["extra"]) == ("running", 2400, {"1": 60})
    assert asked["now"] == now.isoformat()
    sessions.end_session(session, stopping=[1], by=SOMEBODY)
    assert client.get(api_address(session)).json()["state"] == "ended"


def test_time_that_is_up_makes_ending_the_next_step(
    director: Client, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    show_live(session.tournament, by=SOMEBODY)
    cast.start_clock(session, ClockSettings(60))
    overview = session.tournament.get_absolute_url()
    assert director.get(overview).context["next_step"] == "play"
    stopped_time.stop(monkeypatch, timezone.now() + timedelta(seconds=61))
    assert director.get(overview).context["next_step"] == "end"
    assert session.ended_at is None
    sessions.end_session(session, stopping=[1], by=SOMEBODY)
    assert director.get(overview).context["next_step"] == "seat"


WALLS = ("clock", "standings", "board", "tournament")


@pytest.mark.parametrize("name", WALLS)
def test_clock_stands_on_the_pages_of_the_day(
    director: Client, session: Session, name: str
) -> None:
    address = reverse(name, args=[session.tournament.slug])
    query = "?wall=1" if name == "standings" else ""
    text = director.get(address + query).text
    assert f'data-clock="{api_address(session)}"' in text
    assert re.search(r'<script src="[^"]*clock[^"]*\.js"', text)
