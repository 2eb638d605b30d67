"""Draws of many directors at once: one runs, few wait, the others are told to come back."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast, live
from tournaments.exceptions import Busy
from tournaments.models import Tournament
from tournaments.queries import draw_turns


@contextmanager
def drawing(*events: int) -> Iterator[None]:
    """Let these events have a draw that runs or waits in other threads."""
    may_end = Event()

    def draw(event: int) -> None:
        with draw_turns.turn(event):
            assert may_end.wait(live.PATIENCE)

    with ThreadPoolExecutor(len(events)) as threads:
        draws = [threads.submit(draw, event) for event in events]
        live.wait_until(lambda: draw_turns._events == set(events))
        try:
            yield
        finally:
            may_end.set()
    assert [each.exception() for each in draws] == [None] * len(events)


def test_an_event_draws_once_at_a_time_and_few_events_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw_turns, "SECONDS_TO_WAIT", 0.01)
    with drawing(1):
        for event in (1, 2):  # at once, and after waiting
            with pytest.raises(Busy), draw_turns.turn(event):
                pass
        monkeypatch.setattr(draw_turns, "MOST_EVENTS", 1)
        with pytest.raises(Busy), draw_turns.turn(2):
            pass
    with draw_turns.turn(1):
        pass


def test_director_is_told_to_come_back(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 12)
    slug = tournament.slug
    pages = [reverse(name, args=[slug]) for name in ("seat-session", "schedule")]
    program = f"/api/tournaments/{slug}/sessions"
    body = {"seen_version": 0}
    with drawing(tournament.pk):
        answers = [director.post(page, {"method": "lot", "sessions": 2}) for page in pages]
        answers.append(director.post(program, body, content_type="application/json"))
        assert [each.status_code for each in answers] == [503, 503, 503]
        assert all(each["Retry-After"] for each in answers)
    assert director.post(program, body, content_type="application/json").status_code == 201
