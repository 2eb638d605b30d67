"""A database that goes on from an earlier state, and one that another computer has replaced."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import cast
from tests.api import code, phone
from tournaments.middleware import EpochMiddleware
from tournaments.models import Epoch
from tournaments.services import epochs

pytestmark = pytest.mark.django_db

RESTORED, CONTINUED = Epoch.Reason.RESTORED, Epoch.Reason.CONTINUED


def owner_at_a_browser() -> Client:
    return cast.browser_of(User.objects.create(username="owner", is_superuser=True))


def test_epochs_rise_above_that_of_the_replaced_database() -> None:
    assert epochs.current_epoch().number == 0
    assert epochs.begin(CONTINUED).number == 1
    assert epochs.begin(RESTORED, above=5, sends_again=False).number == 6
    assert epochs.cached_epoch().number == 6
    assert not epochs.cached_epoch().sends_again


def test_primary_keys_of_the_later_state_are_not_used_again() -> None:
    first = cast.make_sitting()
    epochs.begin(RESTORED, last_sitting=first.pk + 70)
    assert cast.make_sitting().pk == first.pk + 71
    epochs.begin(RESTORED)  # as without a later state
    assert cast.make_sitting().pk == first.pk + 72
    epochs.begin(CONTINUED, last_sitting=epochs.last_sitting() + 50)
    epochs.begin(CONTINUED, last_sitting=epochs.last_sitting() + 50)  # nothing was seated here
    assert cast.make_sitting().pk == first.pk + 173


def test_responses_name_the_epoch() -> None:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    browser, address = Client(), reverse("api-sitting", args=[sitting.pk])
    assert browser.get(address)["Makiyaku-Epoch"] == "0"
    epochs.begin(CONTINUED)
    answer = browser.get(address)
    assert answer["Makiyaku-Epoch"] == "1"
    assert EpochMiddleware.COOKIE not in answer.cookies  # pages of spectators stay alike for all


def test_requests_for_another_table_of_the_same_number_are_refused() -> None:
    sitting = cast.make_sitting()
    program = phone(sitting)
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    table, table_round = (
        reverse("api-sitting", args=[sitting.pk]),
        reverse("api-round", args=[sitting.pk, 1]),
    )
    other = cast.make_sitting().key
    assert code(program.ask("GET", table, Makiyaku_Table=other)) == (409, "other_table")
    assert code(program.put(table_round, body, Makiyaku_Table=other)) == (409, "other_table")
    assert not sitting.rounds.exists()
    assert program.put(table_round, body, Makiyaku_Table=sitting.key).status_code == 201
    assert program.get(table, Makiyaku_Table=sitting.key)["key"] == sitting.key


def test_correction_that_the_replaced_database_had_is_stored_when_sent_again() -> None:
    """The phone corrected round 1 before round 2; the copy has round 2 but not the correction."""
    sitting = cast.make_sitting()
    program = phone(sitting)
    first = cast.plain_round(sitting)
    cast.record(sitting, first)
    cast.record(sitting, number=2)
    address = reverse("api-round", args=[sitting.pk, 1])
    corrected = {
        "facts": first | {"deals": [{"kankei": 4, "mukankei": 9}]},
        "seen": 1,
        "reason": "4",
    }
    assert code(program.put(address, corrected, Makiyaku_Sent_Again="1")) == (403, "not_yours")
    epochs.begin(CONTINUED)
    assert code(program.put(address, corrected)) == (403, "not_yours")
    assert program.put(address, corrected, Makiyaku_Sent_Again="1").status_code == 200
    assert sitting.rounds.filter(number=1).count() == 2


def test_a_higher_epoch_from_a_browser_ends_the_service() -> None:
    tournament = cast.make_tournament(published=True)
    epochs.begin(CONTINUED)
    on_the_other = epochs.signed(Epoch(number=2))
    browser = Client()
    home, table = reverse("home"), tournament.get_absolute_url()
    for forged in ("2", "2:xyz", on_the_other[:-1], "", epochs.signed(Epoch(number=1))):
        browser.cookies[EpochMiddleware.COOKIE] = forged
        assert browser.get(home).status_code == 200
    browser.cookies[EpochMiddleware.COOKIE] = on_the_other
    assert browser.get(home).status_code == 503
    assert "別のパソコン" in Client().get(table).text
    refused = Client().get(reverse("api-tournaments"))
    assert (refused.status_code, refused.json()["code"]) == (503, "elsewhere")
    assert Client().get(reverse("healthz")).status_code == 503
    owner = owner_at_a_browser()
    assert owner.get(reverse("backups")).status_code == 200
    assert epochs.begin(CONTINUED).number == 3  # it goes on here after all
    assert Client().get(home).status_code == 200


@pytest.mark.parametrize(
    ("host", "address", "shown"),
    [
        ("localhost:8000", "", "いつものアドレスを開き直して"),
        ("192.168.1.7:8000", "", "大会のアドレスは http://192.168.1.7:8000 です"),
        ("192.168.1.7:8000", "192.168.1.250", "大会のアドレスは http://192.168.1.250:8000 です"),
        ("localhost:8000", "192.168.1.250", "大会のアドレスは http://192.168.1.250:8000 です"),
    ],
)
def test_page_of_a_computer_that_has_ended_says_where_the_tournament_is(
    host: str, address: str, shown: str, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS, settings.ADDRESS = ["*"], address
    epochs.end(2)
    assert shown in Client().get(reverse("home"), headers={"host": host}).text


def test_staff_and_phones_keep_the_epoch_in_a_cookie(settings: Settings) -> None:
    owner = owner_at_a_browser()
    assert EpochMiddleware.COOKIE not in owner.get(reverse("home")).cookies
    epochs.begin(CONTINUED)
    cookie = owner.get(reverse("home")).cookies[EpochMiddleware.COOKIE]
    assert epochs.number_in(cookie.value) == 1
    assert cookie["httponly"]
    assert EpochMiddleware.COOKIE not in owner.get(reverse("home")).cookies  # once
    assert cookie["max-age"] == settings.SESSION_COOKIE_AGE


def test_an_epoch_of_the_phones_is_shown_and_changed_by_the_owner() -> None:
    owner = owner_at_a_browser()
    epochs.begin(RESTORED, sends_again=False)
    assert "送り直してもらう" in owner.get(reverse("backups")).text
    owner.post(reverse("set-sends-again"), {"sends_again": "yes"})
    assert epochs.current_epoch().sends_again
    owner.post(reverse("set-sends-again"), {"sends_again": "no"})
    assert not epochs.current_epoch().sends_again
