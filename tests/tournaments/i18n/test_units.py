"""Each rule set has its own word for a round, on pages and in workbooks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import translation
from openpyxl import load_workbook

import scoring
from tests import cast
from tournaments.i18n import units
from tournaments.models import Sitting

pytestmark = pytest.mark.django_db

# The character for a round, and words with it that mean something else.
ROUND = {"ja": "役", "zh-hans": "轮"}
OTHER_WORDS = re.compile("まき役|配り役|役割|決め役|轮换|轮空")
CAPITAL_INSIDE = re.compile(r"[a-z,] (?:Round|Deal|Session|Table) [0-9]")
UNITS = {"goninkan-classic": "ラウンド", "yoninkan": "ゲーム"}  # what their texts call a round

PAGES = (
    *("tournament", "edit-tournament", "entries", "standings", "history", "board"),
    *("publish", "staff", "seat-session", "rule-set"),
    *("session", "exchange-players", "sitting", "enter-sheet", "record-round", "round-history"),
    *("player", "edit-entry", "settle-disagreement"),
)
BOOKS = ("standings-workbook", "history-workbook")


class Words(HTMLParser):
    """The visible text, ARIA labels and titles of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in {"aria-label", "title"}]


def page_texts(content: bytes) -> Iterator[str]:
    words = Words()
    words.feed(content.decode())
    yield from words.found


def workbook_texts(content: bytes) -> Iterator[str]:
    for sheet in load_workbook(BytesIO(content)):
        yield sheet.title
        yield from (str(cell) for row in sheet.values for cell in row if cell is not None)


def mentions_of_rounds(words: Iterator[str], language: str) -> list[str]:
    return [each for each in words if ROUND[language] in OTHER_WORDS.sub("", each)]


def make_played(rule_set: str) -> Sitting:
    """Return a table that has played, has a call open, and two versions of its last round."""
    tournament = cast.make_tournament(rule_set, rounds_per_session=3)
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    cast.record(sitting, number=2)
    cast.make_call(sitting, kind="correction")
    cast.make_disagreement(sitting, number=2)
    return sitting


@pytest.fixture(params=["gong-zhu", "gouji"])
def sitting(request: pytest.FixtureRequest) -> Sitting:
    return make_played(request.param)


@pytest.fixture
def reader(sitting: Sitting) -> Client:
    return cast.browser_of(cast.make_staff(sitting.session.tournament, "director", "director"))


def address(name: str, sitting: Sitting) -> str:
    session = sitting.session
    known = {
        "slug": session.tournament.slug,
        "session": session.number,
        "table": sitting.number,
        "number": 1,
        "rule_set": session.tournament.rule_set,
    }
    wanted = {
        "rule-set": ("rule_set",),
        "session": ("slug", "session"),
        "exchange-players": ("slug", "session"),
        "sitting": ("slug", "session", "table"),
        "enter-sheet": ("slug", "session", "table"),
        "record-round": ("slug", "session", "table", "number"),
        "round-history": ("slug", "session", "table", "number"),
        "player": ("slug", "number"),
        "edit-entry": ("slug", "number"),
    }.get(name, ("slug",))
    if name == "settle-disagreement":
        return reverse(name, args=[known["slug"], sitting.disagreements.get().pk])
    return reverse(name, kwargs={key: known[key] for key in wanted})


@pytest.mark.parametrize("language", ROUND)
@pytest.mark.parametrize("name", PAGES)
def test_pages_of_games_of_deals_do_not_mention_rounds(
    sitting: Sitting, reader: Client, name: str, language: str
) -> None:
    reader.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    answer = reader.get(address(name, sitting))
    assert answer.status_code == 200
    assert not mentions_of_rounds(page_texts(answer.content), language)


@pytest.mark.parametrize("language", ROUND)
@pytest.mark.parametrize("name", BOOKS)
def test_workbooks_of_games_of_deals_do_not_mention_rounds(
    sitting: Sitting, reader: Client, name: str, language: str
) -> None:
    reader.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    assert not mentions_of_rounds(
        workbook_texts(reader.get(address(name, sitting)).content), language
    )


@pytest.mark.parametrize("rule_set", ["goninkan-association", "gong-zhu"])
def test_english_has_no_capital_inside_a_sentence(rule_set: str) -> None:
    sitting = make_played(rule_set)
    reader = cast.browser_of(cast.make_staff(sitting.session.tournament, "director", "director"))
    cast.in_english(reader)
    pages = {
        name: [
            " ".join(each.split())
            for each in page_texts(reader.get(address(name, sitting)).content)
        ]
        for name in PAGES
    }
    unit = "deal" if sitting.session.tournament.rules.game.rounds_are_deals else "round"
    assert f"Correct {unit} 1" in pages["record-round"]
    found = [each for texts in pages.values() for each in texts if CAPITAL_INSIDE.search(each)]
    assert not found


def test_only_rounds_of_one_deal_are_called_deals() -> None:
    kankei = scoring.choose(scoring.get_rule_set("yoninkan"))
    captures = scoring.choose(scoring.get_rule_set("gong-zhu"))
    for text in units.TEXTS_ABOUT_DEALS:
        assert "ディール" not in units.unit_words(text, kankei)
        assert "ディール" in units.unit_words(text, captures)
    assert units.round_title(3, kankei) == "第3ゲーム"
    assert units.round_title(3, captures) == "第3ディール"
    with translation.override("en"):
        assert units.round_title(3, captures) == "Deal 3"
        assert units.round_in_sentence(3, captures) == "deal 3"
        assert units.round_in_sentence(3, kankei) == "round 3"


@pytest.mark.parametrize("rule_set", UNITS)
def test_japanese_pages_use_the_unit_of_the_rule_set(rule_set: str) -> None:
    sitting = make_played(rule_set)
    reader = cast.browser_of(cast.make_staff(sitting.session.tournament, "director", "director"))
    words = {name: list(page_texts(reader.get(address(name, sitting)).content)) for name in PAGES}
    assert f"第1{UNITS[rule_set]}" in "".join(words["sitting"])
    own = {
        name: [each for each in found if not each.startswith("「")] for name, found in words.items()
    }
    spoken = {name: mentions_of_rounds(iter(found), "ja") for name, found in own.items()}
    assert not {name: found for name, found in spoken.items() if found}
