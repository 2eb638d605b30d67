"""Publishing and withdrawing, each said and meant."""

import pytest
from django.test import Client
from django.urls import reverse

from tournaments.models import Tournament


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("publish", args=[tournament.slug])


def test_looking_at_it_changes_nothing(
    director: Client, tournament: Tournament, address: str
) -> None:
    assert director.get(address).status_code == 200
    tournament.refresh_from_db()
    assert not tournament.is_published


def test_it_publishes_and_withdraws(director: Client, tournament: Tournament, address: str) -> None:
    for sent, expected in (("yes", True), ("yes", True), ("no", False), ("no", False)):
        director.post(address, {"published": sent})
        tournament.refresh_from_db()
        assert tournament.is_published is expected


def test_others_do_not_find_it(
    client: Client, stranger: Client, scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    for browser in (client, stranger, scorekeeper):
        assert browser.post(address, {"published": "yes"}).status_code == 404
    tournament.refresh_from_db()
    assert not tournament.is_published
