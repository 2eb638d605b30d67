"""A longer search for a draw: its progress, its best so far, and its end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import cast
from tests.live import wait_until
from tests.proposals import propose
from tournaments.models import Schedule, Tournament


@pytest.fixture
def form(
    director: Client, tournament: Tournament, settings: Settings, tmp_path: Path
) -> dict[str, Any]:
    """The form that searches further for four sessions of 36 players."""
    settings.DATA_DIR = tmp_path
    cast.make_entries(tournament, 36)
    page = propose(director, reverse("schedule", args=[tournament.slug]))
    assert page.context["draw"].may_improve
    return {"proposal": "1", "seconds": "60"}


def started(director: Client, tournament: Tournament, form: dict[str, Any]) -> str:
    """Start a search and return its address."""
    answer = director.post(reverse("start-search", args=[tournament.slug, 1]), form)
    return answer.headers["Location"]


def test_best_so_far_is_taken(
    director: Client, tournament: Tournament, form: dict[str, Any]
) -> None:
    address = started(director, tournament, form)
    page = director.get(address)
    assert page.headers["Refresh"]
    assert page.context["search"].pairs > 0
    assert "2回以上同卓する組" in page.text
    director.post(address, {"stop": "1"})
    wait_until(lambda: director.get(address).context["is_over"])
    assert "Refresh" not in director.get(address).headers
    found = director.post(address, {"take": "1"}, follow=True)
    facts = found.context["draw"].facts
    assert facts["request"]["steps"] == facts["answer"]["steps"] > 0
    director.post(reverse("schedule", args=[tournament.slug]), {"keep": "2"})
    assert Schedule.objects.get().answer == facts["answer"]


def test_one_search_runs_at_a_time_until_it_is_cancelled(
    director: Client, tournament: Tournament, form: dict[str, Any]
) -> None:
    address = started(director, tournament, form)
    assert "search" not in started(director, tournament, form)
    back = director.post(address, {"cancel": "1"}).headers["Location"]
    assert back == f"{reverse('schedule', args=[tournament.slug])}?proposal=1#proposed"
    assert "search" not in director.get(address).headers["Location"]


@pytest.mark.parametrize("wrong", [{"proposal": "x"}, {"proposal": "9"}, {"seconds": "9999"}])
def test_only_a_draw_of_ours_is_searched(
    director: Client, tournament: Tournament, form: dict[str, Any], wrong: dict[str, str]
) -> None:
    answer = director.post(reverse("start-search", args=[tournament.slug, 1]), form | wrong)
    assert answer.headers["Location"] == reverse("seat-session", args=[tournament.slug])
