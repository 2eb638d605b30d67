"""The desk reseats a table that a phone has joined, or changes its players."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import Phone
from tournaments import verification
from tournaments.models import AuditEntry, Round, Sitting
from tournaments.queries.sheets import sheet_of
from tournaments.services import seating, table_players

pytestmark = pytest.mark.django_db(transaction=True)


def test_phone_shows_new_players_and_records_their_round(phone: Phone, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    phone.kankei(2, 4)
    phone.count(1, 5, 8)  # a draft of the former players
    others = cast.make_entries(tournament, 5)
    table = [*others, tournament.entries.get(number=2)]
    seen = seating.version_of(sitting.session)
    seating.reseat(sitting.session, [table], seen_version=seen, by=cast.SOMEBODY)
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.page.locator(".ring .seat").first).to_contain_text(others[0].name)
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    expect(phone.page.locator("#id_deal_1_kankei")).to_have_value("")
    phone.kankei(2, 6)
    phone.count(1, 5, 9)
    phone.save()
    wait_until(Round.objects.exists)
    assert Round.objects.get().facts["kankei"] == [others[1].key, "2"]
    phone.expect_unsent(0)
    assert phone.page_errors == []


def test_phone_stays_with_the_table_when_players_change(phone: Phone, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    cast.record(sitting)
    [joining] = cast.make_entries(tournament, 1)
    seated = sheet_of(sitting)
    players = [*seated.entries[:5], joining]
    following = table_players.change_players(
        sitting, players, seen_players=seated.players, by=cast.SOMEBODY
    )
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.page.wait_for_url(f"**{following.get_absolute_url()}play/")
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    expect(phone.page.locator(".phone-head")).to_contain_text("第1卓")
    expect(phone.page.locator("#round-title")).to_have_text("第2役")
    expect(phone.page.locator(".ring .seat.is-dealer")).to_contain_text(seated.entries[0].name)
    expect(phone.page.locator(".ring")).to_contain_text(joining.name)
    phone.kankei(3, 5)
    phone.count(1, 5, 9)
    phone.save()
    wait_until(Round.objects.filter(sitting=following).exists)
    [stored] = Round.objects.filter(sitting=following)
    assert (stored.facts["dealer"], stored.facts["trump"]) == (seated.players[0], "diamonds")
    phone.expect_unsent(0)
    assert tournament.audit_entries.filter(kind=AuditEntry.Kind.PHONE_JOINED).count() == 1
    phone.page.locator("[data-sheet=ledger]").first.click()
    expect(phone.page.locator("[data-of-sheet=ledger] thead th")).to_have_text(
        ["名前", "合計", "1", "2"]
    )
    assert verification.verify(tournament) == []
    assert phone.page_errors == []
