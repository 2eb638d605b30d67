"""Style sheets come without their comments, and otherwise as they were written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command
from pytest_django.fixtures import Settings

from tournaments.server.styles import spare_style, style_in_page

SHEETS = sorted((Path(settings.BASE_DIR) / "static" / "css").glob("*.css"))


@pytest.mark.parametrize(
    ("written", "served"),
    [
        ("a{} /* why */ b{}", "a{}  b{}"),
        ("/* two\n lines */\na{}", "\na{}"),
        ('a::before { content: "/* kept */"; }', 'a::before { content: "/* kept */"; }'),
        ("a::before { content: '\\'/*'; } /* gone */", "a::before { content: '\\'/*'; } "),
        ("/*! a licence */ a{}", "/*! a licence */ a{}"),
        ("a {\n    color: red;\n\n\n}\n", "a {\ncolor: red;\n}\n"),
    ],
)
def test_comments_and_indentation_go_and_nothing_else(written: str, served: str) -> None:
    assert spare_style(written) == served


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_what_is_spared_of_a_sheet_of_ours_is_whole(sheet: Path) -> None:
    spared = spare_style(sheet.read_text("utf-8"))
    assert "/*" not in spared
    assert spared.count("{") == spared.count("}") > 0
    assert spare_style(spared) == spared


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_in_a_page_its_pictures_are_found_from_anywhere(sheet: Path) -> None:
    style = style_in_page(f"css/{sheet.name}")
    pictures = re.findall(r'url\("/static/([^"]+)"\)', style)
    assert len(pictures) == style.count("url(")
    assert all(finders.find(picture) for picture in pictures)


def test_what_is_collected_is_spared(tmp_path: Path, settings: Settings) -> None:
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
