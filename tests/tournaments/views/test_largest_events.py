"""Every address of an event of five thousand players; its longest pages show a part each."""

from __future__ import annotations

import pytest

from tests.large_events import confirm_the_stage, faults, make_large_world
from tests.visiting import OF_A_TOURNAMENT

PLAYERS = 4_998


@pytest.mark.usefixtures("nothing_printed")
@pytest.mark.django_db
def test_every_address_of_the_largest_events_answers_with_a_small_page() -> None:
    world = make_large_world(PLAYERS)
    assert faults(world, "owner", OF_A_TOURNAMENT) == []
    confirm_the_stage(world)
    assert faults(world, "owner", ["stage-members"]) == []
    browser = world.browser("owner")
    pages = [browser.get(world.url("board"), {"page": page}).text for page in (1, 4)]
    assert [page.count('<li class="sitting ') for page in pages] == [250, 83]
    found = browser.get(world.url("series-players"), {"find_first": f"{PLAYERS}"})
    offered = [choice.count("<option") - 1 for choice in found.text.split("<select")[1:]]
    assert offered[-2:] == [1, 0]
    assert f"{PLAYERS}番" in found.text
