"""A browser that goes back lays nothing that was typed before over what is newer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

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
    """Else Chromium fetches the page anew, with the newest version, and restores old fields."""
    assert 'autocomplete="off"' in tag, template


def test_forms_with_a_version_exist() -> None:
    assert {"edit_tournament.html", "edit_entry.html", "record_round.html"} <= {
        template for template, _tag in versioned_forms()
    }
