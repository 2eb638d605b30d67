"""The phone computes totals and the end of a game without the server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from scoring.variants.gong_zhu import scoring_cards
from tests import cast
from tests.phones.conftest import MakePhone, Phone
from tests.phones.steps import record_round
from tournaments.models import Round
from tournaments.queries.sheets import sheet_of
from tournaments.services.table_players import change_players

pytestmark = pytest.mark.django_db(transaction=True)


def test_total_that_ends_the_game_is_detected_offline(make_phone: MakePhone) -> None:
    """The third has lost 540 in a deal, and the second has left since."""
    sitting = cast.make_sitting(cast.make_tournament("gong-zhu"), 4)
    hand = ["SQ", "C10", "HK", "HQ"]
    rest = [card for card in scoring_cards(4) if card not in hand]
    cast.record(sitting, {"captured": {"3": hand, "1": rest}, "exposed": ["SQ"]})
    sheet = sheet_of(sitting)
    players = [*sheet.entries, *cast.make_entries(sitting.session.tournament, 1)]
    sitting = change_players(
        sitting, [players[n] for n in (0, 4, 2, 3)], seen_players=sheet.players, by=cast.SOMEBODY
    )
    phone = make_phone(sitting)
    keys = cast.keys(sitting)
    phone.context.set_offline(True)
    phone.page.locator(".exposure:has([value=SQ])").click()
    for card in ("SQ", "C10", "HK", "HQ"):
        phone.page.locator(f"[data-card={card}]").click()
    phone.page.locator(f"[data-taker-button='{keys[2]}']").click()
    phone.page.locator("[data-take-rest]").click()
    phone.page.locator(f"[data-taker-button='{keys[0]}']").click()
    phone.save()
    expect(phone.page.locator("#panel-end")).to_be_visible()
    expect(phone.page.locator("#end-points")).to_contain_text("−1080")
    expect(phone.page.locator("#panel-form")).to_be_hidden()
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert sheet_of(sitting).is_finished
    expect(phone.page.locator("#panel-end")).to_be_visible()
    expect(phone.page.locator("#end-advice")).to_contain_text("−1080")


def test_refused_round_is_not_in_totals(phone: Phone) -> None:
    def refuse(route: Route) -> None:
        said = {"ok": False, "code": "no", "message": "まちがいです", "errors": []}
        route.fulfill(status=422, json=said)

    phone.page.route("**/api/sittings/*/rounds/1", refuse)
    record_round(phone)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    record_round(phone)
    points = phone.page.evaluate("""() => {
      const { table } = makiyaku.phone;
      const [refused, next] = table.rounds();
      return [table.points(refused), table.points(next), table.totals()];
    }""")
    assert points[2] == points[1] != points[0]
    assert not Round.objects.exists()
