"""What a phone loads before it can take down a round, compressed as it is served."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.styles import spare_style

MOST = 150_000  # bytes
IN_PAGE = re.compile(r'(?:src|href)="/static/([^"?#]+)"')
JOINED = re.compile(r'src="(/scripts/[^"]+)"')
LIBRARY = "qrcode-generator/qrcode.js"  # asked for by the page's script once it is ready
IN_STYLE = re.compile(r'url\("?\.\./([^")]+)"?\)')


def files_of(page: str) -> set[str]:
    """Every file the page asks for, and every file their style sheets ask for."""
    found = set(IN_PAGE.findall(page))
    for name in [name for name in found if name.endswith(".css")]:
        found |= set(IN_STYLE.findall((static() / name).read_text()))
    return found


def static() -> Path:
    return Path(settings.BASE_DIR) / "static"


def bytes_of(name: str) -> bytes:
    """The contents of a static file as it is served, wherever it is kept."""
    content = Path(str(finders.find(name))).read_bytes()
    return spare_style(content.decode()).encode() if name.endswith(".css") else content


def first_load(rule_set: str) -> dict[str, int]:
    """Return the bytes of the page and of each of its files, as they are sent."""
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.get(reverse("join-table", args=[sitting.token]))
    place = [sitting.session.tournament.slug, sitting.session.number, sitting.number]
    answer = client.get(reverse("play-table", args=place))
    assert answer.headers["Content-Encoding"] == "gzip"
    page = gzip.decompress(answer.content).decode()
    sizes = {"page": len(answer.content)}
    for name in files_of(page):
        sizes[name] = len(gzip.compress(bytes_of(name), compresslevel=9))
    for address in JOINED.findall(page):
        sizes[Path(address).name.partition(".")[0]] = len(client.get(address).content)
    assert f'"/static/{LIBRARY}"' in page
    sizes[LIBRARY] = len(gzip.compress(bytes_of(LIBRARY), compresslevel=9))
    return sizes


@pytest.mark.django_db
@pytest.mark.parametrize("rule_set", ["goninkan-association", "damarikan", "gong-zhu", "gouji"])
def test_the_first_load_is_small(rule_set: str) -> None:
    sizes = first_load(rule_set)
    assert {"phone", LIBRARY, "css/site.css", "img/suits.svg"} <= sizes.keys()
    assert sum(sizes.values()) <= MOST, sizes
