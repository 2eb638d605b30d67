"""No Japanese is left on an English page, except names and quotations."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.models import Sitting, Tournament
from tournaments.services import entries, seating

JAPANESE = re.compile("[ぁ-ゖァ-ヺ一-鿿]+")
QUOTATIONS_AND_LANGUAGES = re.compile(
    r"<(?:form|details)[^>]*language.*?</form>|<blockquote.*?</blockquote>", re.DOTALL
)
EVENT_PAGES = (
    *("tournament", "edit-tournament", "publish", "close", "staff", "entries", "seat-session"),
    *("history", "board", "standings"),
)
SESSION_PAGES = ("session", "table-cards", "exchange-players")
TABLE_PAGES = ("sitting", "enter-sheet", "enter-totals")
OTHER_PAGES = ("home", "choose-rules", "read-archive", "backups", "hand-over", "log-in", "join")


@pytest.fixture
def owner(db: None) -> Client:
    """In English."""
    User.objects.create_superuser("owner", password="owner")
    return cast.in_english(cast.browser_of(User.objects.get()))


@pytest.fixture(params=["deals", "totals"])
def sitting(request: pytest.FixtureRequest, owner: Client) -> Sitting:
    """A table of players with English names."""
    tournament: Tournament = cast.make_tournament(name="Cup", totals_only=request.param == "totals")
    people = [{"name": f"Player {each}"} for each in "ABCDEF"]
    seated = entries.add_entries(tournament, people, by=cast.SOMEBODY)
    session = seating.open_session(tournament, [seated], by=cast.SOMEBODY)
    if request.param == "deals":
        cast.record(session.sittings.get())
    return session.sittings.get()


def japanese_words(browser: Client, address: str) -> list[str]:
    page = QUOTATIONS_AND_LANGUAGES.sub("", browser.get(address, follow=True).text)
    return JAPANESE.findall(re.sub(r"<[^>]*>|日本語|简体中文", " ", page))


def test_english_pages_have_no_japanese(owner: Client, sitting: Sitting) -> None:
    slug, session, table = sitting.session.tournament.slug, 1, 1
    addresses = [reverse(name) for name in OTHER_PAGES]
    addresses += [reverse(name, args=[slug]) for name in EVENT_PAGES]
    addresses += [reverse(name, args=[slug, session]) for name in SESSION_PAGES]
    addresses += [reverse(name, args=[slug, session, table]) for name in TABLE_PAGES]
    found = {address: japanese_words(owner, address) for address in addresses}
    assert {address: words for address, words in found.items() if words} == {}
