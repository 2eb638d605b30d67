"""Correcting a recorded round as a line of shorthand."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tournaments import verification
from tournaments.models import AuditEntry, Sitting
from tournaments.queries.sheets import sheet_of

FACTS = {
    "dealer": "6",
    "trump": "hearts",
    "kankei": ["1", "3"],
    "deals": [{"kankei": 9, "mukankei": 4}, {"kankei": 4, "mukankei": 9}],
}


def recorded() -> Sitting:
    sitting = cast.make_sitting()
    cast.record(sitting, FACTS)
    return sitting


def recorded_deal(rule_set: str) -> Sitting:
    """Return a table with one deal of Gong Zhu or Gouji."""
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    cast.record(sitting)
    return sitting


def keeper_of(sitting: Sitting) -> Client:
    return cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))


def address(sitting: Sitting) -> str:
    return f"{sitting.get_absolute_url()}rounds/1/"


def sent_by(page: str) -> dict[str, list[str]]:
    """Return the data that the form of this page sends, with a reason."""
    hidden = re.findall(r'<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?', page)
    sent: dict[str, list[str]] = {"reason": ["数え違い"]}
    for name, value in hidden:
        sent.setdefault(name, []).append(value)
    return sent


@pytest.mark.django_db
def test_correction_stores_no_trump_that_nobody_stated() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting, {key: value for key, value in FACTS.items() if key != "trump"})
    browser = keeper_of(sitting)
    page = browser.get(address(sitting), {"line": "6 13 94 59"})
    assert browser.post(address(sitting), sent_by(page.text)).status_code == 302
    assert sheet_of(sitting).rows[0].version == 2
    assert "trump" not in sheet_of(sitting).rows[0].facts
    page = browser.get(address(sitting), {"line": "6 13 94h 59"})
    assert browser.post(address(sitting), sent_by(page.text)).status_code == 302
    assert sheet_of(sitting).rows[0].facts["trump"] == "hearts"


@pytest.mark.django_db
def test_line_previews_its_effect_and_is_saved_with_a_reason() -> None:
    sitting = recorded()
    browser = cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))
    assert "?line=" in browser.get(address(sitting)).text
    page = browser.get(address(sitting), {"line": ""})
    assert page.context["line"] == "6 13 94h 49"
    page = browser.get(address(sitting), {"line": "6 13 94h 59"})
    assert page.context["correction"] is not None
    answer = browser.post(address(sitting), sent_by(page.text))
    assert answer.status_code == 302, answer.context["form"].errors
    [row] = sheet_of(sitting).rows
    assert row.facts == FACTS | {"deals": [FACTS["deals"][0], {"kankei": 5, "mukankei": 9}]}
    act = sitting.session.tournament.audit_entries.latest("number")
    assert (act.kind, act.reason) == (AuditEntry.Kind.ROUND_CORRECTED, "数え違い")
    assert verification.verify(sitting.session.tournament) == []


@pytest.mark.django_db
@pytest.mark.parametrize("line", ["6 13 94h 50", "9 13 94", "x", "6 13 55"])
def test_wrong_line_cannot_be_saved(line: str) -> None:
    sitting = recorded()
    browser = cast.browser_of(cast.make_staff(sitting.session.tournament, "keeper"))
    page = browser.get(address(sitting), {"line": line})
    assert page.context["problems"]
    assert 'name="reason"' not in page.text


@pytest.mark.django_db
def test_only_the_desk_corrects_by_line(client: Client) -> None:
    sitting = recorded()
    assert client.get(address(sitting), {"line": ""}).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rule_set", "before", "after", "said"),
    [
        ("gong-zhu", "1-", "2- 14", {"exposed": ["SQ", "HA"]}),
        ("gouji", "123456", "213456 246", {"finish": ["2", "1", "3", "4", "5", "6"]}),
    ],
)
def test_a_deal_of_the_other_games_is_corrected_as_a_line(
    rule_set: str, before: str, after: str, said: dict[str, list[str]]
) -> None:
    sitting = recorded_deal(rule_set)
    browser = keeper_of(sitting)
    assert "?line=" in browser.get(address(sitting)).text
    assert browser.get(address(sitting), {"line": ""}).context["line"] == before
    page = browser.get(address(sitting), {"line": after})
    answer = browser.post(address(sitting), sent_by(page.text))
    assert answer.status_code == 302, answer.context["form"].errors
    [row] = sheet_of(sitting).rows
    assert row.facts.items() >= said.items()
    assert browser.get(address(sitting), {"line": ""}).context["line"] == after
    assert browser.get(address(sitting), {"line": "7"}).context["problems"]


@pytest.mark.django_db
def test_a_line_that_ends_the_game_asks_about_the_deals_after_it() -> None:
    sitting = recorded_deal("gong-zhu")
    cast.record(sitting, number=2)
    browser = keeper_of(sitting)
    page = browser.get(address(sitting), {"line": "121111111111112 1234"})
    assert not page.context["problems"]
    assert 'name="set_aside"' in page.text
    assert browser.post(address(sitting), sent_by(page.text)).status_code == 422
    answer = browser.post(address(sitting), sent_by(page.text) | {"set_aside": ["on"]})
    assert answer.status_code == 302
    assert len(sheet_of(sitting).rows) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("rule_set", "line"),
    [(None, "6 13 94h 97 88"), ("gong-zhu", "122512341234123 14"), ("gouji", "213456 246")],
)
def test_it_is_one_screen_on_a_laptop(
    rule_set: str | None, line: str, page: Page, live_server: LiveServer
) -> None:
    sitting = recorded_deal(rule_set) if rule_set else recorded()
    browser = keeper_of(sitting)
    value = browser.cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": value, "url": live_server.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{live_server.url}{address(sitting)}?line=")
    page.fill("#line", line)
    page.keyboard.press("Enter")
    expect(page.locator(".button-primary")).to_be_in_viewport(ratio=1)
    for part in ("#line", "[name=reason]", "#follows-title", ".desk-moves, .ledger"):
        found = page.locator(part).all()
        assert found, part
        for each in found:
            expect(each).to_be_in_viewport(ratio=1)
    wide = "all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length"
    assert page.locator(".table-scroll").evaluate_all(wide) == 0
