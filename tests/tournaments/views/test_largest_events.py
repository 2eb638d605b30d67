"""The longest pages of an event of five thousand players, of which each shows a part."""

from __future__ import annotations

import pytest

from tests.large_events import confirm_the_stage, faults, make_large_world

PLAYERS = 4_998
LONGEST = [
    "board",
    "exchange-players",
    "registrations",
    "seat-session",
    "series-players",
    "stage-members",
]


@pytest.mark.django_db
def test_pages_of_the_largest_events_are_small() -> None:
    world = make_large_world(PLAYERS, rounds=1)
    assert faults(world, "owner", LONGEST) == []
    confirm_the_stage(world)
    assert faults(world, "owner", ["stage-members"]) == []
    browser = world.browser("owner")
    pages = [browser.get(world.url("board"), {"page": page}).text for page in (1, 4)]
    assert [page.count('<li class="sitting ') for page in pages] == [250, 83]
    found = browser.get(world.url("series-players"), {"find_first": f"{PLAYERS}"})
    assert [each.result.number for each in found.context["firsts"]] == [PLAYERS]
    assert not found.context["seconds"]
