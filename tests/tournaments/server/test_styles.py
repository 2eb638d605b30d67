"""Style sheets come without comments and needless white space, and otherwise as written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from pytest_django.fixtures import Settings

from tournaments.server.styles import inline_style, stripped_style

SHEETS = sorted((Path(settings.BASE_DIR) / "static" / "css").glob("*.css"))


@pytest.mark.parametrize(
    ("written", "served"),
    [
        ("a{} /* why */ b{}", "a{}b{}"),
        ("/* two\n lines */\na{}", "\na{}"),
        ('a::before { content: "/* kept */"; }', 'a::before{content: "/* kept */";}'),
        ("a::before { content: '\\'/*'; } /* gone */", "a::before{content: '\\'/*';}"),
        ("/*! a licence */ a{}", "/*! a licence */ a{}"),
        ('a::after { content: "{  ; }"; }', 'a::after{content: "{  ; }";}'),
        ("a > b :is(c,\n  d) { top: calc(1px + 2px) }", "a > b :is(c,\nd){top: calc(1px + 2px)}"),
        ("a {\n    color: red;\n\n\n}\n", "a{color: red;}"),
    ],
)
def test_only_comments_and_needless_white_space_are_removed(written: str, served: str) -> None:
    assert stripped_style(written) == served


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_stripped_style_sheets_are_complete(sheet: Path) -> None:
    spared = stripped_style(sheet.read_text("utf-8"))
    assert "/*" not in spared
    assert spared.count("{") == spared.count("}") > 0
    assert stripped_style(spared) == spared


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_pictures_of_an_inline_style_sheet_have_absolute_urls(sheet: Path) -> None:
    style = inline_style(f"css/{sheet.name}")
    pictures = re.findall(r'url\("/static/([^"]+)"\)', style)
    assert len(pictures) == style.count("url(")
    assert all(finders.find(picture) for picture in pictures)


def test_collected_style_sheets_have_no_comments(tmp_path: Path, settings: Settings) -> None:
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "tournaments.server.styles.StaticFiles"},
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    kept = [path for path in tmp_path.glob("css/site.*css") if path.name != "site.css"]
    assert len(kept) == 1
    for path in (*kept, tmp_path / "css" / "site.css"):
        style = path.read_text("utf-8")
        assert "/*" not in style
        assert ".skip-link" in style
