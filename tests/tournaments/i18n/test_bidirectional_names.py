"""Names with right-to-left letters or marks do not reverse the text beside them."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page
from pypdf import PdfReader
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tournaments.models import Sitting, Tournament
from tournaments.services import seating
from tournaments.services.entries import add_entries

RIGHT_TO_LEFT = ("Mallory\u202e", "\u05e9\u05dc\u05d5\u05dd", "Eve\u2069\u202e", "Trudy\u2067")

# Returns the words outside names that are displayed from right to left.
REVERSED_WORDS = """names => {
    const reversedWords = []
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
        const node = walker.currentNode
        let text = node.data
        for (const name of names) text = text.replaceAll(name, "\\n".repeat(name.length))
        for (const run of text.matchAll(/[A-Za-z]{2,}/g)) {
            const [first, last] = [run.index, run.index + run[0].length - 1].map(at => {
                const range = document.createRange()
                range.setStart(node, at)
                range.setEnd(node, at + 1)
                return range.getBoundingClientRect()
            })
            const isSeen = first.width > 0 && first.top === last.top
            if (isSeen && last.left < first.left) reversedWords.push(run[0])
        }
    }
    return reversedWords
}"""


@pytest.fixture
def sitting(transactional_db: None) -> Sitting:
    tournament = cast.make_tournament(published=True)
    people = [{"name": name, "club": f"Club {name}", "division": "Open"} for name in RIGHT_TO_LEFT]
    people += [{"name": "Alice", "club": "Club"}, {"name": "Bob"}]
    entries = add_entries(tournament, people, by=cast.SOMEBODY)
    session = seating.open_session(tournament, [entries], by=cast.SOMEBODY)
    sitting = session.sittings.get()
    facts = {"dealer": "2", "kankei": ["1", "3"], "deals": [{"kankei": 5, "mukankei": 9}]}
    cast.record(sitting, facts)
    return sitting


def director_of(tournament: Tournament) -> Client:
    return cast.browser_of(cast.make_staff(tournament, "director", "director"))


PAGES: list[tuple[str, tuple[int, ...]]] = [
    ("sitting", (1, 1)),
    ("session", (1,)),
    ("player", (1,)),
    ("player", (4,)),
    ("entries", ()),
    ("standings", ()),
    ("history", ()),
    ("exchange-players", (1,)),
    ("enter-sheet", (1, 1)),
    ("round-history", (1, 1, 1)),
    ("seat-session", ()),
    ("board", ()),
]


def test_text_beside_a_name_is_not_reversed(
    page: Page, live_server: LiveServer, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    key = director_of(tournament).cookies["sessionid"].value
    page.context.add_cookies(
        [
            {"name": "sessionid", "value": key, "url": live_server.url},
            {"name": settings.LANGUAGE_COOKIE_NAME, "value": "en", "url": live_server.url},
        ]
    )
    page.set_viewport_size({"width": 1280, "height": 900})
    for name, numbers in PAGES:
        address = reverse(name, args=[tournament.slug, *numbers])
        answer = page.goto(live_server.url + address)
        assert answer is not None
        assert answer.status == 200, address
        page.locator("details").evaluate_all("all => all.forEach(each => { each.open = true })")
        assert page.evaluate(REVERSED_WORDS, list(RIGHT_TO_LEFT)) == [], address


def test_reversed_text_is_detected(page: Page) -> None:
    page.set_content("<main><p>Mallory\u202e deals next.</p></main>")
    assert page.evaluate(REVERSED_WORDS, ["Mallory\u202e"]) == ["deals", "next"]


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_name_is_shown_and_edited_unchanged(sitting: Sitting, number: int) -> None:
    tournament = sitting.session.tournament
    name = RIGHT_TO_LEFT[number - 1]
    client = director_of(tournament)
    assert f"<bdi>{name}</bdi>" in client.get(sitting.get_absolute_url()).content.decode()
    edit = client.get(reverse("edit-entry", args=[tournament.slug, number])).content.decode()
    assert f'value="{name}"' in edit


PRINTED_NAME = re.compile(
    r"(?:<bdi[^>]*>\s*)?"
    r"\{\{ (?:tournament|[\w.]+\.(?:name|reading|club|team)|name|names\|lookup:[\w.]+) \}\}"
)
TITLE = re.compile(
    r"<title>.*?</title>|\{% block (?:whole_)?title %\}.*?\{% endblock %\}", re.DOTALL
)


def test_printed_names_stand_in_bdi() -> None:
    names = [
        (file.name, name)
        for pattern in ("print/*.html", "games/*/sheet.html", "games/*/chart.html")
        for file in (settings.BASE_DIR / "templates").glob(pattern)
        for name in PRINTED_NAME.findall(TITLE.sub("", file.read_text(encoding="utf-8")))
    ]
    assert len(names) > 20
    assert [each for each in names if "<bdi" not in each[1]] == []


def test_printed_sheet_has_every_name_and_heading(sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    client = cast.in_english(director_of(tournament))
    sheets = client.get(reverse("session-sheets", args=[tournament.slug, 1])).content
    told = PdfReader(BytesIO(sheets)).pages[0].extract_text()
    for word in ("Mallory", "Eve", "Trudy", "Alice", "Bob", "Round", "Check"):
        assert word in told
