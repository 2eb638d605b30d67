"""A machine without fonts says what to install, and prints no boxes instead of words."""

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape

from tournaments.management.commands.serve import Command
from tournaments.printing import installed_fonts
from tournaments.printing.installed_fonts import FONTCONFIG_NAMES, REMEDY, languages_without_font
from tournaments.web import heavy_files

LANGUAGES = [code for code, _name in settings.LANGUAGES]
TEMPLATES = settings.BASE_DIR / "templates"
PDF = re.compile(r"\(PDF\)|\"PDF to print\"")
WARNING = "_partials/missing_fonts.html"


@pytest.fixture
def without_fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hide all fonts from fontconfig."""
    hidden = tmp_path / "fonts.conf"
    hidden.write_text("<fontconfig></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(hidden))
    heavy_files.cache.clear()
    languages_without_font.cache_clear()
    yield
    languages_without_font.cache_clear()


def with_everything(template: str) -> str:
    """Return the source of a template with those that it includes."""
    source = (TEMPLATES / template).read_text(encoding="utf-8")
    included = re.findall(r'{% include "([\w/.]+)"', source)
    return source + "".join(with_everything(each) for each in included if each != template)


def test_every_language_has_fonts_here() -> None:
    assert set(FONTCONFIG_NAMES) == set(LANGUAGES)
    assert languages_without_font() == set()


def test_named_package_is_one_that_is_installed_for_printing() -> None:
    makefile = (settings.BASE_DIR / "Makefile").read_text(encoding="utf-8")
    for language in LANGUAGES:
        with translation.override(language):
            [package] = re.findall("fonts-[a-z-]+", str(REMEDY))
        assert package in makefile


@pytest.mark.usefixtures("without_fonts")
@pytest.mark.parametrize("language", LANGUAGES)
def test_pdf_of_boxes_is_refused(client: Client, language: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    refused = client.get(reverse("chart-pdf", args=["goninkan-association"]))
    assert refused.status_code == 503
    assert refused["Cache-Control"] == "no-store"
    pages = [
        reverse(name, args=["goninkan-association"]) for name in ("rule-set", "chart", "sheet")
    ]
    offered = [client.get(page).content.decode() for page in pages]
    with translation.override(language):
        assert escape(str(REMEDY)) in refused.content.decode()
        assert all(escape(str(REMEDY)) in each for each in offered)


def test_print_in_a_language_with_fonts_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed_fonts, "languages_without_font", lambda: {"ja", "zh-hans"})
    with translation.override("en"):
        installed_fonts.check_fonts()
    with translation.override("ja"), pytest.raises(installed_fonts.FontsMissing):
        installed_fonts.check_fonts()


def test_machine_without_fontconfig_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    languages_without_font.cache_clear()
    assert languages_without_font() == set()
    languages_without_font.cache_clear()


@pytest.mark.usefixtures("without_fonts")
def test_serve_says_what_to_install() -> None:
    printed = StringIO()
    Command(stdout=printed, no_color=True).announce("127.0.0.1", 8000, None)
    assert str(REMEDY) in printed.getvalue()


def test_every_page_that_offers_a_pdf_has_the_warning() -> None:
    sources = {each.name: with_everything(each.name) for each in TEMPLATES.glob("*.html")}
    offering = {name for name, source in sources.items() if PDF.search(source)}
    assert len(offering) > 8
    assert {name for name in offering if WARNING not in sources[name]} == set()
