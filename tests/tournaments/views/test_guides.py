"""The guides: in every language, with the words of the pages, and on paper with the addresses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils.html import escape
from django.utils.translation import gettext, override, pgettext

import scoring
from tests import cast
from tests.guide_pictures import FOLDER, words_of_pages
from tests.tournaments.printing import page_faults
from tournaments.i18n.sentences import translated
from tournaments.models import Tournament
from tournaments.models.people import search_key
from tournaments.queries.awards import USUAL_PLACES
from tournaments.web.guides import SECTIONS, Guide

TEMPLATES = Path(settings.BASE_DIR) / "templates"
PRESS = re.compile(r'{% press "([^"]+)"(?: "([^"]+)")? %}')
PICTURE = re.compile(r'{% picture "([^"]+)" "[^"]+" %}')
STEP = re.compile(r"<li>(.*?)</li>", re.DOTALL)
RENEW = "Run `make screenshots`, and look at the pictures."
BEGINS = {
    Guide.DESK: "大会の前の晩",
    Guide.TABLE: "卓の1人が",
    Guide.SPECTATORS: "スマホで見られる",
    Guide.OFFICE: "まき役をインストール",
    Guide.RULINGS: "得点と進め方",
}
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def texts(language: str) -> list[Path]:
    """Return the templates of the guides in a language."""
    return sorted(
        [
            *TEMPLATES.glob(f"guides/{language}/*.html"),
            *TEMPLATES.glob(f"games/*/guide/{language}.html"),
        ]
    )


def pressed(path: Path) -> Iterator[tuple[str, str]]:
    """Yield message and context of each button that a text names, in order."""
    for found in PRESS.finditer(path.read_text("utf-8")):
        yield found[1], found[2] or ""


def in_words(message: str, context: str) -> str:
    return pgettext(context, message) if context else gettext(message)


def lines_of_pages() -> set[str]:
    """Return the lines, and what stands in quotes, of the code and of all other templates."""
    guides = {path for language in LANGUAGES for path in texts(language)}
    pages = [path for path in TEMPLATES.rglob("*.html") if path not in guides]
    code = Path(settings.BASE_DIR, "tournaments").rglob("*.py")
    lines = "\n".join(path.read_text("utf-8") for path in [*pages, *code])
    return {line.strip() for line in lines.splitlines()} | {*re.findall(r'"([^"\n]+)"', lines)}


def test_every_language_names_the_same_buttons() -> None:
    """Each text names those of the Japanese one, as often, though maybe in another order."""
    for path in texts("ja"):
        for language in LANGUAGES:
            same = Path(f"/{language}".join(str(path).rsplit("/ja", 1)))
            assert sorted(pressed(same)) == sorted(pressed(path)), same


def test_every_button_is_on_a_page_and_translated() -> None:
    """A button that gets another name, or goes, is missed in the guides."""
    shown = lines_of_pages()
    for path in texts("ja"):
        for message, context in pressed(path):
            assert message in shown, message
            with override("ja"):
                words = in_words(message, context)
            assert words != message or message == "Excel", message


def test_ties_and_names_are_as_the_guide_says() -> None:
    """Which ties the tournament's page offers to decide, and which names are taken for the same."""
    text = (TEMPLATES / "guides/ja/desk.html").read_text("utf-8")
    assert re.findall(r"(\d)位までに並んだ人", text) == [str(USUAL_PLACES)]
    ((one, other),) = re.findall(r"漢字の形だけが違う名前（(\w+)と(\w+)など）", text)
    assert one != other
    assert search_key(one) == search_key(other)


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_show_the_buttons_that_their_steps_name(language: str) -> None:
    shown = json.loads((FOLDER / "pictures.json").read_text("utf-8"))[language]
    used = set()
    for path in texts(language):
        for step in STEP.findall(path.read_text("utf-8")):
            for name in PICTURE.findall(step):
                used.add(name)
                with override(language):
                    named = {in_words(*each) for each in PRESS.findall(step)}
                assert named <= set(shown[name]["words"]), (path, name, RENEW)
    files = {path.stem for path in FOLDER.glob(f"{language}/*")}
    assert used == files == shown.keys(), RENEW


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_have_the_present_words_of_the_pages(language: str) -> None:
    shown = json.loads((FOLDER / "pictures.json").read_text("utf-8"))[language]
    old = {name: {*each["words"]} - words_of_pages(language) for name, each in shown.items()}
    assert not any(old.values()), (old, RENEW)


def test_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.*")) < 900_000


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_guides_are_shown_in_every_language(client: Client, language: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    page = client.get(reverse("guides")).text
    for guide in Guide:
        assert reverse("guide", args=[guide]) in page
        with override(language):
            assert f"<h1>{guide.heading}" in client.get(reverse("guide", args=[guide])).text
    for rule_set in scoring.RULE_SETS:
        table = client.get(reverse("guide", args=["table"]), {"rules": rule_set.slug})
        sources = reverse("rule-set", args=[rule_set.slug])
        assert sources in table.text
        assert sources in client.get(reverse("chart", args=[rule_set.slug])).text
    assert client.get(reverse("guide", args=["no-such"])).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("rule_set", [each.slug for each in scoring.RULE_SETS])
def test_guide_of_a_table_names_what_its_phone_has(client: Client, rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    client.get(reverse("join-table", args=[sitting.token]))
    page = client.get(reverse("play-table", args=[sitting.session.tournament.slug, 1, 1])).text
    shown = {" ".join(each.split()) for each in re.findall(r">([^<>]+)<", page)}
    guide = client.get(reverse("guide", args=["table"]), {"rules": rule_set}).text
    pressed = set(re.findall(r'<b class="press">(.*?)</b>', guide))
    assert pressed - shown == set()
    assert ("配り役" in guide) == ('data-asks="dealer"' in page)


@pytest.mark.django_db
def test_rulings_cite_every_sentence_below_its_rule_set(client: Client) -> None:
    page = client.get(reverse("guide", args=["rulings"])).text
    index, *parts = page.split("<h2 ")
    for rule_set, part in zip(scoring.RULE_SETS, parts, strict=True):
        assert f'href="#{rule_set.slug}"' in index
        assert part.startswith(f'id="{rule_set.slug}"')
        cited = {each.source for each in scoring.choose(rule_set).possible}
        cited |= {each.source for each in rule_set.customs}
        cited |= {each.source for each in rule_set.rulings}
        cited |= {each.source for each in rule_set.options}
        assert {each for each in cited if f"「{escape(each.words)}」" not in part} == set()
        assert all(escape(translated(each.sentence)) in part for each in rule_set.rulings)


@pytest.mark.django_db
@pytest.mark.parametrize("guide", Guide)
def test_booklet_has_the_name_and_address_of_the_event(
    director: Client, tournament: Tournament, guide: Guide
) -> None:
    pdf = director.get(reverse("tournament-guide", args=[tournament.slug, guide])).content
    text = page_faults.text_of(pdf)
    assert "".join(tournament.name.split()) in text
    assert f"/tournaments/{tournament.slug}/" in text
    assert page_faults.faults_of(pdf) == []
    words = page_faults.words_of(pdf, 1)
    begins = next(height for word, height in words if BEGINS[guide] in word)
    assert all(height < begins for word, height in words if tournament.slug in word)
    if guide in {Guide.TABLE, Guide.SPECTATORS}:
        assert page_faults.pages_of(pdf) == 1
    else:  # something of it stands below its title already, and on no page a heading alone
        first, *later = page_faults.text_of_pages(pdf)
        assert len(first) > 300
        assert min(map(len, later)) > 150


@pytest.mark.django_db
def test_table_guide_fits_one_page_for_every_rule_set(client: Client) -> None:
    for rule_set in scoring.RULE_SETS:
        pdf = client.get(reverse("guide-pdf", args=["table"]), {"rules": rule_set.slug}).content
        assert page_faults.pages_of(pdf) == 1, rule_set.slug


def test_pages_link_the_section_that_explains_them(
    director: Client, tournament: Tournament
) -> None:
    assert SECTIONS.keys() <= {name for name in get_resolver().reverse_dict if name is not None}
    for guide, section in SECTIONS.values():
        for language in LANGUAGES:
            text = (TEMPLATES / f"guides/{language}/{guide}.html").read_text("utf-8")
            assert f'id="{section}"' in text
    page = reverse("entries", args=[tournament.slug])
    explained = reverse("guide", args=["desk"]) + "#players"
    assert explained in director.get(page).text
    cast.make_sitting(tournament)
    seen = reverse("awards", args=[tournament.slug])
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    assert "#awards" in director.get(seen).text
    assert "#awards" not in Client().get(seen).text
