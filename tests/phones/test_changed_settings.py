"""Settings that the desk changes while a phone is open: number of rounds, rules."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

import scoring
from tests import cast
from tests.phones.conftest import MakePhone, Phone
from tests.phones.steps import free_seats, wait_for_versions
from tournaments.models import Round, Sitting
from tournaments.queries.sheets import sheet_of
from tournaments.services import tournaments, versions

pytestmark = pytest.mark.django_db(transaction=True)

RULE_SETS = ["goninkan-association", "goninkan-classic", "yoninkan"]


def change(sitting: Sitting, rounds: int | None = None, **options: bool) -> None:
    """Change number of rounds and options, as the page of the settings does."""
    tournament = sitting.session.tournament
    tournament.refresh_from_db()
    tournament.rounds_per_session = rounds or tournament.rounds_per_session
    rules = scoring.choose(tournament.rules.rule_set, tournament.options | options)
    seen = versions.version_of(tournament)
    tournaments.change_rules(tournament, rules, seen_version=seen, by=cast.SOMEBODY)


def refresh(phone: Phone) -> None:
    """Reload the table's state, as the page does every few seconds."""
    phone.page.evaluate("makiyaku.phone.refresh()")


def chosen_trump(phone: Phone) -> Locator:
    return phone.page.locator("[name=trump]:checked")


def choose_trump(phone: Phone, trump: str) -> None:
    phone.page.locator(".who-deals > summary").click()
    phone.page.locator(f".chip:has([name=trump][value={trump}])").click()


@pytest.fixture(params=RULE_SETS)
def phone(request: pytest.FixtureRequest, make_phone: MakePhone) -> Phone:
    """A phone in round 2 of three, where spades are trump in the last one."""
    options = {"last_round_spades": True}
    tournament = cast.make_tournament(request.param, options=options, rounds_per_session=3)
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    phone = make_phone(sitting)
    expect(phone.page.locator("#round-title")).to_contain_text("2")
    expect(chosen_trump(phone)).not_to_have_value("spades")
    return phone


def record_round_2(phone: Phone, *, is_picked: bool = False) -> None:
    if not is_picked:
        pick_kankei(phone)
    phone.count(1, 5, 9)
    phone.save()
    wait_for_versions(2)


def pick_kankei(phone: Phone) -> None:
    """Choose two who need not change places, whoever deals."""
    seats = phone.page.locator(".ring .seat")
    phone.kankei(*(free_seats(phone) if seats.count() == 6 else (1, 3)))


def stored_trump() -> str:
    trump: str = Round.objects.get(number=2).facts["trump"]
    return trump


@pytest.mark.parametrize("is_typed", [False, True])
def test_preselected_trump_follows_the_number_of_rounds(phone: Phone, *, is_typed: bool) -> None:
    """The round that has become the last one ends the table, also on the phone."""
    if is_typed:
        pick_kankei(phone)
    change(phone.sitting, rounds=2)
    refresh(phone)
    expect(chosen_trump(phone)).to_have_value("spades")
    record_round_2(phone, is_picked=is_typed)
    expect(phone.page.locator("#panel-end")).to_be_visible()
    assert stored_trump() == "spades"
    assert sheet_of(phone.sitting).is_finished


def test_trump_chosen_by_hand_stays(phone: Phone) -> None:
    choose_trump(phone, "clubs")
    change(phone.sitting, rounds=2)
    refresh(phone)
    phone.page.wait_for_function("() => !makiyaku.phone.table.isPlannedAnew()")
    expect(chosen_trump(phone)).to_have_value("clubs")
    phone.expect_draft("trump", "clubs")
    phone.play()
    expect(chosen_trump(phone)).to_have_value("clubs")


@pytest.mark.parametrize("is_reloaded", [False, True])
def test_draft_made_without_network_follows(phone: Phone, *, is_reloaded: bool) -> None:
    phone.context.set_offline(True)
    pick_kankei(phone)
    phone.expect_draft("trump", chosen_trump(phone).input_value())
    change(phone.sitting, rounds=2)
    phone.context.set_offline(False)
    if is_reloaded:
        phone.play()
    else:
        refresh(phone)
    expect(chosen_trump(phone)).to_have_value("spades")
    expect(phone.page.locator(".ring [name=kankei]:checked")).to_have_count(2)


def test_round_saved_without_network_stays_as_recorded(phone: Phone) -> None:
    """The phone then says that the table has finished."""
    trump = chosen_trump(phone).input_value()
    phone.context.set_offline(True)
    pick_kankei(phone)
    phone.count(1, 5, 9)
    phone.save()
    expect(phone.page.locator("#panel-pass")).to_be_visible()
    change(phone.sitting, rounds=2)
    phone.context.set_offline(False)
    wait_for_versions(2)
    expect(phone.page.locator("#panel-end, #panel-pass:visible")).not_to_have_count(0)
    refresh(phone)
    phone.page.wait_for_function("() => makiyaku.phone.table.isFinished()")
    assert stored_trump() == trump


def test_table_goes_on_when_rounds_are_added(phone: Phone) -> None:
    change(phone.sitting, rounds=2)
    refresh(phone)
    record_round_2(phone)
    expect(phone.page.locator("#panel-end")).to_be_visible()
    phone.sitting.session.rounds_planned = 4  # as the table's page has it, once it is over
    phone.sitting.session.save()
    refresh(phone)
    expect(phone.page.locator("#panel-end")).to_be_hidden()
    phone.page.wait_for_function("() => !makiyaku.phone.table.isPlannedAnew()")
    trumps = phone.page.evaluate("makiyaku.phone.table.playbook.trumps")
    assert [trump == "spades" for trump in trumps[2:4]] == [False, True]
    expect(chosen_trump(phone)).to_have_value(trumps[2])


def test_page_is_loaded_again_for_other_rules(make_phone: MakePhone) -> None:
    """Rules can change until a round is recorded."""
    tournament = cast.make_tournament(options={"last_round_spades": False}, rounds_per_session=1)
    phone = make_phone(cast.make_sitting(tournament))
    expect(chosen_trump(phone)).not_to_have_value("spades")
    change(phone.sitting, last_round_spades=True)
    refresh(phone)
    expect(chosen_trump(phone)).to_have_value("spades")
