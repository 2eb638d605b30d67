"""Whatever the desk does, a waiting phone shows the server's totals within one poll."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests import cast
from tests.live import wait_until
from tests.phones.conftest import Phone
from tests.phones.steps import free_seats
from tournaments.models import Disagreement, Round, Session, Sitting
from tournaments.queries.sheets import sheet_of
from tournaments.services import disputes, sessions

pytestmark = pytest.mark.django_db(transaction=True)

POLL = 10_000  # ms
SHOWN = """() => {
  const isShown = (id) => !document.getElementById(id).hidden;
  const numbers = (boxes) => [...boxes].map((each) => each.textContent.replace('−', '-'));
  const { players } = makiyaku.phone.table;
  return {
    ...(isShown('panel-form') && { ring: numbers(players.map((player) =>
      document.querySelector(`[data-total-of="${player}"]`))) }),
    ...(isShown('panel-pass') && { pass: numbers(
      document.querySelectorAll('#pass-points tbody td:last-child')) }),
    ledger: numbers(document.querySelectorAll('[data-of-sheet=ledger] td.total')),
  };
}"""


def shown_totals(page: Page) -> dict[str, list[int]]:
    """Return the totals on the ring, on the panel for passing the phone on, and in the ledger."""
    page.locator(".phone-head [data-sheet=ledger]").click()
    shown = page.evaluate(SHOWN)
    page.keyboard.press("Escape")
    return {place: [int(each) for each in texts] for place, texts in shown.items()}


def expect_totals_of_server(phone: Phone) -> None:
    expected = list(sheet_of(phone.sitting).score.totals.values())
    seen: list[dict[str, list[int]]] = []

    def agree() -> bool:
        seen.append(shown_totals(phone.page))
        return all(totals == expected for totals in seen[-1].values())

    wait_until(agree)
    assert len(seen[-1]) > 1 or phone.page.locator("#panel-end").is_visible()


def random_facts(dice: Random, sitting: Sitting) -> dict[str, Any]:
    """Return facts of a finished round."""
    dealer, *kankei = dice.sample(cast.keys(sitting), 3)
    deals = dice.choice([[(5, 8)], [(9, 0), (3, 9)], [(9, 3), (8, 2), (9, 1)], [(0, 10)]])
    return {
        "dealer": dealer,
        "kankei": kankei,
        "deals": [{"kankei": won, "mukankei": lost} for won, lost in deals],
    }


def correct(dice: Random, sitting: Sitting) -> None:
    row = dice.choice(sheet_of(sitting).rows)
    facts = random_facts(dice, sitting)
    cast.record(sitting, facts, number=row.number, seen=row.version, reason="数え間違い")


def record_next(dice: Random, sitting: Sitting) -> None:
    number = sheet_of(sitting).next_number
    cast.record(sitting, random_facts(dice, sitting), number=number)


def end(_dice: Random, sitting: Sitting) -> None:
    sessions.end_session(sitting.session, stopping=[sitting.number], by=cast.SOMEBODY)


def resume(_dice: Random, sitting: Sitting) -> None:
    sessions.resume_session(sitting.session, by=cast.SOMEBODY)


@pytest.fixture
def watched_phone(
    new_context: Callable[[], BrowserContext], address: str, sitting: Sitting
) -> Phone:
    """A phone whose clock the test moves on."""
    phone = Phone(new_context(), address, sitting)
    phone.page.clock.install()
    phone.admit()
    phone.play()
    return phone


def test_ring_panel_and_ledger_follow_the_desk(watched_phone: Phone) -> None:
    phone, sitting = watched_phone, watched_phone.sitting
    dice = Random(3)  # noqa: S311  repeatable
    phone.kankei(*free_seats(phone))
    phone.count(1, 9, 0)
    phone.count(2, 3, 9)
    phone.save()
    wait_until(Round.objects.exists)
    for act in (correct, correct, record_next, correct, end, correct, resume, correct):
        act(dice, sitting)
        phone.page.clock.fast_forward(POLL)
        expect_totals_of_server(phone)
        if phone.page.locator("#pass-taken").is_visible() and dice.random() < 0.5:
            phone.take_phone()
            expect_totals_of_server(phone)
    assert phone.page_errors == []
    assert Session.objects.get().ended_at is None


def test_dispute_shows_the_points_of_the_desk_at_once(watched_phone: Phone) -> None:
    phone, sitting = watched_phone, watched_phone.sitting
    phone.kankei(2, 4)
    phone.count(1, 9, 0)
    phone.count(2, 3, 9)
    cast.record(sitting)
    phone.page.route(f"**/api/sittings/{sitting.pk}", lambda route: route.abort())
    phone.save()
    wait_until(Disagreement.objects.exists)
    expect(phone.page.locator("#pass-state")).to_contain_text("得点は本部の記録")
    expect_totals_of_server(phone)
    phone.take_phone()
    expect_totals_of_server(phone)
    phone.page.unroute(f"**/api/sittings/{sitting.pk}")
    seen = Round.objects.get().version
    disputes.take_disputed_facts(
        Disagreement.objects.get(), seen_version=seen, by=cast.SOMEBODY, reason="票で確かめた"
    )
    phone.page.clock.fast_forward(POLL)
    expect_totals_of_server(phone)
    expect(phone.page.locator("#decision")).to_be_visible()
