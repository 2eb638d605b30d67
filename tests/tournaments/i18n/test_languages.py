"""Pages speak one language: whatever is not a name or the words of a source is in the reader's."""

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
OF_NO_READER = re.compile(
    r"<(?:form|details)[^>]*language.*?</form>|<blockquote.*?</blockquote>", re.DOTALL
)
OF_EVENT = (
    *("tournament", "edit-tournament", "publish", "close", "staff", "entries", "seat-session"),
    *("history", "board", "standings"),
)
OF_SESSION = ("session", "table-cards", "exchange-players")
OF_TABLE = ("sitting", "paper", "enter-totals")
OF_NOTHING = ("home", "choose-rules", "read-archive", "backups", "hand-over", "log-in", "join")


@pytest.fixture
def owner(db: None) -> Client:
    """Who may see everything, and reads English."""
    User.objects.create_superuser("owner", password="owner")
    return cast.in_english(cast.browser_of(User.objects.get()))


@pytest.fixture(params=["deals", "totals"])
def sitting(request: pytest.FixtureRequest, owner: Client) -> Sitting:
    """A table of people with plain names."""
    tournament: Tournament = cast.make_tournament(name="Cup", totals_only=request.param == "totals")
    people = [{"name": f"Player {each}"} for each in "ABCDEF"]
    seated = entries.add_entries(tournament, people, by=cast.SOMEBODY)
    session = seating.open_session(tournament, [seated], by=cast.SOMEBODY)
    if request.param == "deals":
        cast.record(session.sittings.get())
    return session.sittings.get()


def foreign(browser: Client, address: str) -> list[str]:
    page = OF_NO_READER.sub("", browser.get(address, follow=True).text)
    return JAPANESE.findall(re.sub(r"<[^>]*>|日本語|简体中文", " ", page))


def test_whoever_reads_english_reads_no_japanese(owner: Client, sitting: Sitting) -> None:
    slug, session, table = sitting.session.tournament.slug, 1, 1
    addresses = [reverse(name) for name in OF_NOTHING]
    addresses += [reverse(name, args=[slug]) for name in OF_EVENT]
    addresses += [reverse(name, args=[slug, session]) for name in OF_SESSION]
    addresses += [reverse(name, args=[slug, session, table]) for name in OF_TABLE]
    found = {address: foreign(owner, address) for address in addresses}
    assert {address: words for address, words in found.items() if words} == {}
