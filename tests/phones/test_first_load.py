"""The compressed size of what a phone loads before it can record a round."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests import cast

MOST = 150_000  # bytes
AT_ONCE = 14_000  # the initial congestion window: ten segments
IN_PAGE = re.compile(r'(?:(?:src|href)=|url\()"/static/([^"?#]+)"')
JOINED = re.compile(r'src="(/scripts/[^"]+)"')
LIBRARY = "qrcode-generator/qrcode.js"  # loaded by the script once it is ready


def sent(content: bytes) -> int:
    return len(gzip.compress(content, compresslevel=9))


def bytes_of(name: str) -> bytes:
    return Path(str(finders.find(name))).read_bytes()


def first_load(rule_set: str) -> dict[str, int]:
    """Return the compressed sizes of the page and of each of its files."""
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.get(reverse("join-table", args=[sitting.token]))
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    answer = client.get(reverse("play-table", args=place))
    assert answer.headers["Content-Encoding"] == "gzip"
    page = gzip.decompress(answer.content).decode()
    sizes = {"page": len(answer.content)}
    for name in IN_PAGE.findall(page):
        sizes[name] = sent(bytes_of(name))
    for address in JOINED.findall(page):
        content = gzip.decompress(client.get(address).content)  # its compression is random
        sizes[Path(address).name.partition(".")[0]] = sent(content)
    assert f'"/static/{LIBRARY}"' in page
    sizes[LIBRARY] = sent(bytes_of(LIBRARY))
    sizes["page until its form ends"] = sent(page[: page.index("</form>")].encode())
    return sizes


@pytest.mark.django_db
@pytest.mark.parametrize("rule_set", ["goninkan-association", "damarikan", "gong-zhu", "gouji"])
def test_first_load_is_at_most_150_kb(rule_set: str) -> None:
    sizes = first_load(rule_set)
    assert {"phone", LIBRARY, "img/suits.svg"} <= sizes.keys()
    assert not {name for name in sizes if name.endswith(".css")}  # it would block rendering
    assert {name for name, size in sizes.items() if size > AT_ONCE} == {"page"}
    assert sum(sizes.values()) <= MOST, sizes
