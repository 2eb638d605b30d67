"""A player's contact, year of birth and notes are for the staff of that tournament.

`test_reading.py` searches every response to other people for them.
"""

from __future__ import annotations

import pytest
from pytest_django import DjangoDbBlocker

from tests import cast
from tests.private_data import PRIVATE, PUBLISHER, make_private_world, private_in, text_of
from tests.visiting import World
from tournaments.services import entries, versions


@pytest.fixture(scope="module")
def lasting_world(lasting_database: DjangoDbBlocker) -> World:
    """Two tournaments, one with private data, made once for this file."""
    with lasting_database.unblock():
        return make_private_world()


@pytest.mark.parametrize("name", ["api-publications", "api-publication", "history"])
def test_account_names_are_shown_to_staff(world: World, name: str) -> None:
    assert PUBLISHER in text_of(world.browser("scorekeeper").get(world.url(name)))


def test_private_data_are_shown_to_staff(world: World) -> None:
    for role in ("scorekeeper", "director", "owner"):  # the owner of the installation
        answer = world.browser(role).get(world.url("api-entries"))
        assert private_in(text_of(answer)) == set(PRIVATE)


def test_deleted_private_data_are_gone(world: World) -> None:
    """Only a digest remains, and the salt that could test a guess is deleted."""
    tournament = world.tournament
    entry = tournament.entries.get(number=1)
    seen = versions.version_of(entry)
    before = entry.audit_values()["private"]
    nothing = {"contact": "", "birth_year": None, "notes": ""}
    entries.correct_entry(entry, nothing, seen_version=seen, by=cast.SOMEBODY)
    changed = tournament.audit_entries.latest("number")
    assert (changed.old or {})["private"] == before
    assert (changed.new or {})["private"] is None
    assert tournament.entries.get(number=1).salt == ""


def test_audit_entries_contain_no_private_data(world: World) -> None:
    """Nor does their `repr`."""
    entry = world.tournament.entries.earliest("pk")
    assert private_in(f"{entry!r} {entry} {entry.public_values()}") == set()
