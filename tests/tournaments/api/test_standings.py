"""The standings of the API."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import cast


@pytest.mark.django_db
def test_unchanged_standings_are_not_sent_again(client: Client) -> None:
    tournament = cast.make_tournament(published=True)
    sitting = cast.make_sitting(tournament)
    address = f"/api/tournaments/{tournament.slug}/standings"
    known = {"If-None-Match": client.get(address)["ETag"]}
    assert client.get(address, headers=known).status_code == 304
    cast.record(sitting)
    assert client.get(address, headers=known).status_code == 200
