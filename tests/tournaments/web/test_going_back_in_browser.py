"""Nothing typed is lost when a form was refused, or another one was sent.

Going back to such a page, the browser asks nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tournaments.models import Tournament
from tournaments.services import versions
from tournaments.services.entries import correct_entry
from tournaments.services.publications import set_shows_seats, show_live

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def tournament(transactional_db: None) -> Tournament:
    found = cast.make_tournament()
    cast.make_staff(found, "keeper", "director")
    return found


@pytest.fixture
def desk(page: Page, live_server: LiveServer, tournament: Tournament) -> Page:
    page.goto(f"{live_server.url}{reverse('log-in')}")
    page.fill("[name=username]", "keeper")
    page.fill("[name=password]", "keeper")
    page.click("main button")
    return page


def change_language(page: Page, code: str) -> None:
    page.click(".language summary")
    page.click(f".language [value={code}]")
    expect(page.locator("html")).to_have_attribute("lang", code)


def leave_and_return(page: Page) -> None:
    page.click(".site-logo")
    page.wait_for_url("**/")
    page.go_back()


def test_refused_form_is_as_it_was_left(
    desk: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    address = live_server.url + reverse("edit-tournament", args=[tournament.slug])
    desk.goto(address)
    desk.fill("[name=name]", "")
    desk.fill("[name=venue]", "市民体育館")
    desk.click("main form .button-primary >> nth=0")
    expect(desk.locator(".error-summary")).to_be_visible()
    desk.fill("[name=venue]", "市民体育館 2階")
    change_language(desk, "en")
    expect(desk.locator("[name=venue]")).to_have_value("市民体育館 2階")
    leave_and_return(desk)
    for _ in range(2):
        expect(desk.locator("[name=venue]")).to_have_value("市民体育館 2階")
        expect(desk.locator("[name=name]")).to_have_value("")
        desk.reload()
    desk.fill("[name=name]", "秋の大会")
    desk.click("main form .button-primary >> nth=0")
    expect(desk.locator(".message, .messages, [role=status]").first).to_be_visible()
    tournament.refresh_from_db()
    assert (tournament.name, tournament.venue) == ("秋の大会", "市民体育館 2階")
    desk.go_back()
    expect(desk.locator("[name=name]")).to_have_value("秋の大会")  # as stored, it was accepted


def test_preview_is_shown_again_by_a_button_or_in_another_language(
    desk: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    desk.goto(live_server.url + reverse("entries", args=[tournament.slug]))
    desk.fill("[name=people]", "成田 キヨ\n工藤 正")
    desk.click("form:has([name=people]) [name=preview]")
    expect(desk.locator("[name=looked]")).to_have_count(1)
    first = desk.locator("[name=leave_out]").first
    for language, is_left_out in (("en", True), ("ja", False)):
        first.set_checked(is_left_out)
        change_language(desk, language)
        expect(first).to_be_checked(checked=is_left_out)
    leave_and_return(desk)
    desk.click("main [role=status] button")
    expect(desk.locator("[name=looked]")).to_have_count(1)
    assert not tournament.entries.exists()
    desk.click("main .button-primary")
    expect(desk.locator(".ledger tbody tr")).to_have_count(2)


def test_refused_button_leaves_no_word_of_typed_text(
    desk: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    """The page of the conflict reads well after a mere press, too; text is offered again."""
    show_live(tournament, by=cast.SOMEBODY)
    desk.goto(live_server.url + reverse("publish", args=[tournament.slug]))
    for reason, offers in (("", 0), ("名簿の確認", 1)):
        desk.fill("[name=reason]", reason)
        set_shows_seats(tournament, shows=not offers, by=cast.SOMEBODY)
        desk.click("[name=showing][value=staff]")
        expect(desk.locator("main")).to_contain_text("それでも実行する")
        expect(desk.locator("main")).not_to_contain_text("入力")
        desk.reload()
        expect(desk.locator("#id_reason")).to_be_visible()
        expect(desk.locator("main [role=status]")).to_have_count(offers)


def test_typed_text_outlives_sending_the_form_beside_it(
    desk: Page, live_server: LiveServer, tournament: Tournament, tmp_path: Path
) -> None:
    """Whether the other form is refused, shown first or accepted, and in another language, too."""
    file = tmp_path / "players.csv"
    file.write_text("名前\n三上 マサ", "utf-8")
    desk.goto(live_server.url + reverse("entries", args=[tournament.slug]))
    desk.fill("[name=people]", "成田 キヨ\n工藤 正")
    desk.fill("[name=club]", "金木")
    desk.click("form:has([name=file]) [name=preview]")
    expect(desk.locator(".error-summary")).to_be_visible()
    desk.set_input_files("[name=file]", file)
    desk.click("form:has([name=file]) [name=preview]")
    expect(desk.locator("[name=looked]")).to_have_count(1)
    desk.click("main form .button-primary")
    expect(desk.locator(".ledger tbody tr")).to_have_count(1)
    change_language(desk, "en")
    expect(desk.locator("[name=club]")).to_be_visible()
    desk.click("form:has([name=club]) .button-primary")  # refused: no name
    expect(desk.locator(".error-summary")).to_be_visible()
    desk.click("form:has([name=people]) .button-primary")
    expect(desk.locator(".ledger tbody tr")).to_have_count(3)
    expect(desk.locator("[name=club]")).to_have_value("金木")
    expect(desk.locator("[name=people]")).to_have_value("")


def test_typed_text_replaces_nothing_that_was_not_seen(
    desk: Page, live_server: LiveServer, tournament: Tournament
) -> None:
    """It is laid into the page as it is now, but is refused if that field has changed."""
    (entry,) = cast.make_entries(tournament, 1)
    address = live_server.url + reverse("edit-entry", args=[tournament.slug, entry.number])
    for language, changed in (("en", "team"), ("ja", "club")):
        desk.goto(address)
        desk.fill("[name=club]", "金木")
        seen = versions.version_of(entry)
        correct_entry(entry, {changed: "板柳"}, seen_version=seen, by=cast.SOMEBODY)
        change_language(desk, language)
        expect(desk.locator("[name=club]")).to_have_value("金木")
        expect(desk.locator("[name=team]")).to_have_value("板柳")
    desk.click("main form .button-primary >> nth=0")
    expect(desk.locator("main")).to_contain_text("このページを開いたあとに")
    entry.refresh_from_db()
    assert entry.club == "板柳"
