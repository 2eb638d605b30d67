"""No English sentence is left on a Japanese or Chinese page of an event."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.utils.html import strip_tags

from tests import cast
from tests.visiting import OF_A_TOURNAMENT, World

SENTENCE = re.compile(r"[A-Za-z’']{2,}(?: [A-Za-z’']{2,}){2,}")
HIDDEN = re.compile(r"<(script|style|template|code)\b.*?</\1>|<!--.*?-->", re.DOTALL)
PAGES = sorted(name for name in OF_A_TOURNAMENT if not name.startswith("api-"))


@pytest.mark.parametrize("language", ["ja", "zh-hans"])
def test_japanese_and_chinese_pages_have_no_english_sentence(world: World, language: str) -> None:
    cast.record(world.sitting)
    client: Client = world.browser("director")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    found = {}
    for name in PAGES:
        answer = client.get(world.url(name))
        if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
            said = strip_tags(HIDDEN.sub(" ", answer.content.decode()))
            found[name] = SENTENCE.findall(said)
    assert len(found) > 20
    assert {name: sentences for name, sentences in found.items() if sentences} == {}
