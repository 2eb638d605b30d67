"""Texts without a secret are compressed, for browsers that accept it; pages with one are not."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import cast
from tournaments.models import Sitting
from tournaments.server import scripts

pytestmark = pytest.mark.django_db
GZIP = {"Accept-Encoding": "gzip, deflate"}
PLAIN = {"Accept-Encoding": "identity"}
PAGES = ("standings", "tournament", "session", "player", "home", "rules")


@pytest.fixture
def sitting() -> Sitting:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    return sitting


def address(name: str, sitting: Sitting) -> str:
    if name in {"home", "rules"}:
        return reverse(name)
    places: dict[str, list[Any]] = {"session": [1], "player": [1]}
    return reverse(name, args=[sitting.session.tournament.slug, *places.get(name, [])])


def unpacked(response: Any) -> bytes:
    assert response.headers["Content-Encoding"] == "gzip"
    return gzip.decompress(response.content)


@pytest.mark.parametrize("seconds", [0, 3600])
@pytest.mark.parametrize("name", PAGES)
def test_shared_page_is_the_same_with_and_without_compression(
    name: str, seconds: int, sitting: Sitting, settings: Settings
) -> None:
    settings.PUBLIC_CACHE_SECONDS = seconds
    cache.clear()
    url = address(name, sitting)
    for _ in range(2):
        packed, plain = Client().get(url, headers=GZIP), Client().get(url, headers=PLAIN)
        assert "Content-Encoding" not in plain.headers
        assert unpacked(packed) == plain.content
        assert packed.headers["ETag"] == plain.headers["ETag"]
        assert packed.headers["ETag"].startswith('W/"')  # not equal byte for byte
        for answer in (packed, plain):
            assert answer.headers["Content-Length"] == str(len(answer.content))
            assert "Accept-Encoding" in answer.headers["Vary"]
            assert "Cookie" in answer.headers["Vary"]


@pytest.mark.parametrize("headers", [GZIP, PLAIN], ids=["gzip", "plain"])
def test_unchanged_page_is_304_whatever_the_browser_accepts(
    headers: dict[str, str], sitting: Sitting
) -> None:
    url = address("standings", sitting)
    etag = Client().get(url, headers=PLAIN).headers["ETag"]
    answer = Client().get(url, headers={**headers, "If-None-Match": etag})
    assert (answer.status_code, answer.content) == (304, b"")
    assert "Content-Encoding" not in answer.headers
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_page_is_compressed_once_for_all_readers(
    sitting: Sitting, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUBLIC_CACHE_SECONDS = 3600
    cache.clear()
    compressed, compress = [], gzip.compress

    def noting(content: bytes, *args: Any, **named: Any) -> bytes:
        compressed.append(content)
        return compress(content, *args, **named)

    monkeypatch.setattr(gzip, "compress", noting)
    for headers in (GZIP, PLAIN, GZIP, GZIP):
        assert Client().get(address("standings", sitting), headers=headers).status_code == 200
    assert len(compressed) == 1


@pytest.mark.parametrize("name", ["standings", "tournament", "session", "player"])
def test_pages_for_staff_are_not_compressed(name: str, sitting: Sitting) -> None:
    keeper = cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))
    assert "Content-Encoding" not in keeper.get(address(name, sitting), headers=GZIP).headers


def test_page_with_a_token_is_not_compressed() -> None:
    answer = Client().get(reverse("log-in"), headers=GZIP)
    assert "csrfmiddlewaretoken" in answer.text
    assert "Content-Encoding" not in answer.headers
    again = Client()
    again.cookies["csrftoken"] = "x" * 32  # of an earlier page
    assert "Content-Encoding" not in again.get(reverse("log-in"), headers=GZIP).headers


def test_standings_are_compressed_for_the_phone_of_a_table(sitting: Sitting) -> None:
    phone = Client()
    phone.get(reverse("join-table", args=[sitting.token]), follow=True)
    answer = phone.get(address("standings", sitting), headers=GZIP)
    assert b"csrfmiddlewaretoken" not in unpacked(answer)
    assert answer.headers["Cache-Control"] == "no-store, private"


def test_json_is_compressed_unless_its_etag_is_a_version(sitting: Sitting) -> None:
    table = f"/api/sittings/{sitting.pk}"
    assert unpacked(Client().get(table, headers=GZIP)) == Client().get(table).content
    one = Client().get(f"/api/sittings/{sitting.pk}/rounds/1", headers=GZIP)
    assert one.headers["ETag"] == '"1"'
    assert "Content-Encoding" not in one.headers


def test_scripts_are_compressed_and_pdfs_are_not(sitting: Sitting) -> None:
    assert unpacked(Client().get(scripts.address_of("phone"), headers=GZIP))
    chart = Client().get(reverse("chart-pdf", args=["gouji"]), headers=GZIP)
    assert "Content-Encoding" not in chart.headers
