"""The desk reseats a table that a phone has joined, or changes its players."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import Phone
from tests.phones.steps import record_round
from tournaments import verification
from tournaments.i18n.sentences import signed
from tournaments.models import AuditEntry, Disagreement, Entry, Round, Sitting
from tournaments.queries.sheets import sheet_of
from tournaments.services import disputes, seating, table_players

pytestmark = pytest.mark.django_db(transaction=True)


def test_phone_shows_new_players_and_records_their_round(phone: Phone, sitting: Sitting) -> None:
    tournament = sitting.session.tournament
    phone.kankei(2, 4)
    phone.count(1, 5, 8)  # a draft of the former players
    others = cast.make_entries(tournament, 5)
    table = [*others, tournament.entries.get(number=2)]
    seen = seating.seats_version(sitting.session)
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


def play_unseen(phone: Phone, table: Sitting, joining: Entry) -> Sitting:
    """Record a round without the network, while somebody takes the place of the last player."""
    phone.expect_unsent(0)
    phone.context.set_offline(True)
    record_round(phone)
    phone.expect_unsent(1)
    seated = sheet_of(table).entries
    return table_players.change_players(
        table,
        [*seated[:5], joining],
        seen_players=[each.key for each in seated],
        by=cast.SOMEBODY,
    )


def test_unsent_round_of_players_before_a_change_is_stored_or_disputed(
    phone: Phone, sitting: Sitting
) -> None:
    tournament = sitting.session.tournament
    seventh, eighth = cast.make_entries(tournament, 2)
    record_round(phone)
    second = play_unseen(phone, sitting, seventh)
    phone.context.set_offline(False)
    phone.page.wait_for_url(f"**{second.get_absolute_url()}play/")
    assert [row.number for row in sitting.rounds.all()] == [1, 2]  # by those who played it
    expect(phone.page.locator("html[data-phone=ready]")).to_have_count(1)
    expect(phone.page.locator("#round-title")).to_have_text("第3役")
    record_round(phone)
    third = play_unseen(phone, second, eighth)
    cast.record(third)
    phone.context.set_offline(False)
    expect(phone.page.locator("#queue-words")).to_have_text("本部が決めます")
    dispute = Disagreement.objects.get()
    assert (dispute.sitting, dispute.number) == (second, 2)
    disputes.keep_stored_facts(dispute, seen_version=0, by=cast.SOMEBODY)
    phone.page.evaluate("makiyaku.phone.refresh()")
    phone.page.wait_for_url(f"**{third.get_absolute_url()}play/")
    assert second.rounds.count() == third.rounds.count() == 1
    assert verification.verify(tournament) == []
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
    dealer_total = phone.page.locator(".ring .seat.is-dealer .seat-total")
    expect(dealer_total).to_have_text(signed(seated.score.totals[seated.players[0]]))
    expect(dealer_total).to_be_visible()
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
