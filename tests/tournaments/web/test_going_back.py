"""A browser that goes back lays nothing that was typed before over what is newer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction

from tests.visiting import NAMES, World
from tournaments.permissions.levels import levels_by_url_name

TEMPLATES = Path(settings.BASE_DIR, "templates")
FORM = re.compile(r"(<form\b[^>]*>)(.*?)</form>", re.DOTALL)
VERSION = re.compile(r'name="seen"|form\.seen')


def versioned_forms() -> list[tuple[str, str]]:
    """Return the different opening tags of forms that name the version they saw, by template."""
    found = {
        (path.name, tag)
        for path in TEMPLATES.rglob("*.html")
        for tag, content in FORM.findall(path.read_text("utf-8"))
        if VERSION.search(content)
    }
    return sorted(found)


@pytest.mark.parametrize(("template", "tag"), versioned_forms())
def test_form_with_a_version_has_no_autocompletion(template: str, tag: str) -> None:
    """Otherwise Chromium fetches the page with the newest version, but restores old fields."""
    assert 'autocomplete="off"' in tag, template


def test_forms_with_a_version_exist() -> None:
    assert {"edit_tournament.html", "edit_entry.html", "record_round.html"} <= {
        template for template, _tag in versioned_forms()
    }


POSTED = [name for name, levels in levels_by_url_name().items() if "POST" in levels]
KEEPS_IT_ITSELF = {"play-table"}  # its out-box does


def answers(world: World, role: str, method: str, name: str) -> str:
    """Return the page of a response, "" for other responses; changes are rolled back."""
    browser = world.browser(role)
    with transaction.atomic():
        send = browser.post if method == "POST" else browser.get
        answer = send(world.url(name), {"x": "1"})
        transaction.set_rollback(True)
    is_page = answer.headers["Content-Type"].startswith("text/html") and not answer.streaming
    is_own = answer.status_code in {200, 409, 422} and "<main" in answer.text
    return answer.text if is_page and is_own else ""


@pytest.mark.parametrize("role", ["owner", "table"])
def test_every_page_that_answers_a_form_keeps_what_was_typed(world: World, role: str) -> None:
    """Its address is read instead, where it may be; Chromium follows in `…_in_browser.py`."""
    told, levels = set(), levels_by_url_name()
    for name in {*POSTED} & {*NAMES} - KEEPS_IT_ITSELF:
        if page := answers(world, role, "POST", name):
            told.add(name)
            assert 'data-answers="POST"' in page, name
            assert ("data-may-be-read" in page) == ("GET" in levels[name]), name
        page = answers(world, role, "GET", name) if "GET" in levels[name] else ""
        _head, _main, content = page.partition("<main")
        if 'method="post"' in content.partition("</main>")[0]:
            assert 'data-answers="GET"' in page, name
    expected = {"table": {"record-round"}}.get(role, {"edit-tournament", "entries", "edit-stage"})
    assert expected <= told
