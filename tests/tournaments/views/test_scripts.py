"""Joined scripts: cached by browsers for good, under an address that carries their hash."""

import pytest
from django.test import Client
from django.urls import reverse

from tournaments.server import scripts


@pytest.mark.parametrize("name", scripts.SOURCES)
def test_a_script_is_cached_for_good(client: Client, name: str) -> None:
    answer = client.get(scripts.address_of(name))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.content == scripts.script(name).content


@pytest.mark.parametrize(("name", "digest"), [("phone", "0123456789ab"), ("nothing", "0")])
def test_another_hash_or_name_is_not_found(client: Client, name: str, digest: str) -> None:
    assert client.get(reverse("script", args=[name, digest])).status_code == 404
