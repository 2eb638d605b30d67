"""Each page links the style sheets of its classes, has each id once, and knows its variables."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from django.conf import settings
from django.template import engines

from tests import cast
from tests.visiting import NAMES, World, read_to_end

RULE = re.compile(r"^ {,2}\.([a-z][\w-]*)", re.MULTILINE)  # not nested in another
LINKED = re.compile(r'<link rel="stylesheet" href="[^"]*/([\w-]+)(?:\.\w+)?\.css"')
CLASSES = re.compile(r'\bclass="([^"]*)"')
IDS = re.compile(r'\sid="([^"]*)"')


def sheets_by_class() -> dict[str, set[str]]:
    """Return for each class the style sheets of pages with a rule that begins with it."""
    found = defaultdict(set)
    for sheet in Path(settings.BASE_DIR, "static", "css").glob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        if "@layer" in text:  # those of PDFs have none
            for name in RULE.findall(text):
                found[name].add(sheet.stem)
    return found


def test_pages_have_their_style_sheets_ids_of_their_own_and_known_variables(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engines["django"].engine  # type: ignore[attr-defined]
    monkeypatch.setattr(engine, "string_if_invalid", "⟨%s⟩")
    cast.record(world.sitting)
    client = world.browser("owner")
    styled = sheets_by_class()
    missing, repeated, unknown = {}, {}, {}
    for name in (name for name in NAMES if not name.startswith("api-")):
        answer = client.get(world.url(name))
        read_to_end(answer)
        if answer.status_code != 200 or not answer.headers["Content-Type"].startswith("text/html"):
            continue
        unknown[name] = re.findall("⟨(.*?)⟩", answer.text)
        repeated[name] = [
            each for each, times in Counter(IDS.findall(answer.text)).items() if times > 1
        ]
        linked = set(LINKED.findall(answer.text))
        if "site" in linked:  # neither a phone's page, which contains its styles, nor a print
            classes = {each for value in CLASSES.findall(answer.text) for each in value.split()}
            missing[name] = {
                each: sorted(styled[each])
                for each in sorted(classes & styled.keys())
                if not styled[each] & linked
            }
    assert len(missing) > 20
    assert {name: lost for name, lost in missing.items() if lost} == {}
    assert {name: words for name, words in unknown.items() if words} == {}
    assert {name: ids for name, ids in repeated.items() if ids} == {}
