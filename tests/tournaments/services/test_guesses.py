"""Throttling of guesses: an attacker has to wait, everybody else can log in and join."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from threading import Barrier, BoundedSemaphore
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests import cast, clocks, live
from tests.api import Program, code
from tests.races import ConcurrencyCounter, race
from tournaments.exceptions import OperationRefused
from tournaments.models import Guesses, Sitting
from tournaments.permissions import guessers
from tournaments.services import guesses, phones, table_links
from tournaments.services.guesses import Guesser
from tournaments.services.phones import WrongPin

DIRECTORS, ATTACKERS = "192.168.1.2", "192.168.1.66"

pytestmark = pytest.mark.django_db


@pytest.fixture
def venue(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve a venue's own network, where each peer has its own address; stop the clock."""
    settings.VENUE = True
    clocks.stop(monkeypatch)
    cast.make_user("director")
    cast.make_user("keeper")


def log_in(address: str, name: str, password: str, client: Client | None = None) -> int:
    sent = {"username": name, "password": password}
    answer: Any = (client or Client()).post(reverse("log-in"), sent, REMOTE_ADDR=address)
    return int(answer.status_code)


def attack(name: str = "director", times: int = 7, address: str = ATTACKERS) -> list[int]:
    return [log_in(address, name, f"guess {time}") for time in range(times)]


@pytest.mark.usefixtures("venue")
def test_wrong_password_is_throttled_per_account_and_peer() -> None:
    assert attack() == [200] * 5 + [429] * 2
    assert log_in(ATTACKERS, "director", "director") == 429
    assert log_in(ATTACKERS, "keeper", "keeper") == 302
    assert log_in(DIRECTORS, "director", "director") == 302


@pytest.mark.usefixtures("venue")
def test_api_token_is_throttled_per_account_and_peer() -> None:
    def ask(address: str, password: str) -> Any:
        sent = {"username": "director", "password": password}
        return Client().post("/api/token", sent, "application/json", REMOTE_ADDR=address)

    assert [ask(ATTACKERS, "guess").status_code for _ in range(6)] == [401] * 5 + [429]
    assert ask(DIRECTORS, "director").status_code == 201


@pytest.mark.usefixtures("venue")
def test_peer_is_throttled_over_all_accounts() -> None:
    tried = [log_in(ATTACKERS, f"name {number}", "guess") for number in range(25)]
    assert tried == [200] * guesses.LIMIT_OF_AN_ADDRESS + [429] * 5
    assert log_in(ATTACKERS, "keeper", "keeper") == 429
    assert log_in(DIRECTORS, "director", "director") == 302


def botnet(name: str) -> list[int]:
    return [attack(name, 1, f"10.0.{each // 250}.{each % 250}")[0] for each in range(101)]


@pytest.fixture
def delays(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Let the clock stand still but in delayed answers; return their seconds."""
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        clocks.stop(monkeypatch, timezone.now() + timedelta(seconds=seconds))

    clocks.stop(monkeypatch)
    monkeypatch.setattr(guesses, "sleep", sleep)
    return slept


@pytest.mark.usefixtures("venue")
def test_many_attackers_slow_down_strangers_and_lock_out_nobody(delays: list[float]) -> None:
    assert log_in(DIRECTORS, "director", "director") == 302
    assert botnet("director") == [200] * (guesses.LIMIT_OF_STRANGERS + 1)
    assert delays == [8]
    assert log_in(DIRECTORS, "director", "director") == 302
    assert log_in("127.0.0.1", "director", "director") == 302
    assert delays == [8]
    assert log_in("192.168.1.3", "director", "director") == 302  # a stranger as well
    assert delays == [8, 8]


@pytest.mark.usefixtures("venue")
def test_wrong_passwords_from_localhost_are_not_throttled() -> None:
    assert attack(address="127.0.0.1", times=30) == [200] * 30
    assert log_in("127.0.0.1", "director", "director") == 302


@pytest.mark.usefixtures("venue")
def test_throttled_known_peer_does_not_lock_out_others() -> None:
    assert log_in(DIRECTORS, "director", "director") == 302
    assert attack(address=DIRECTORS) == [200] * 5 + [429] * 2
    assert log_in("192.168.1.3", "director", "director") == 302


def test_known_browser_is_not_throttled_behind_a_shared_address(delays: list[float]) -> None:
    cast.make_user("director")
    browser, other = Client(), Client()
    assert log_in("10.0.0.1", "director", "director", browser) == 302
    browser.post(reverse("log-out"))
    assert attack(address="10.0.0.1") == [200] * 7
    assert delays == [8] * 2
    assert log_in("10.0.0.1", "director", "director", browser) == 302
    assert delays == [8] * 2
    assert log_in("10.0.0.1", "director", "director", other) == 302
    assert delays == [8] * 3


@pytest.mark.usefixtures("delays")
def test_one_answer_of_a_process_is_delayed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    cast.make_user("director")
    attack(times=5)
    with guesses.SLOW_ANSWERS:
        assert log_in("10.0.0.1", "director", "director") == 429
    monkeypatch.setattr(guesses, "sleep", lambda _: None)  # others are always faster
    assert log_in("10.0.0.1", "director", "director") == 429


def test_browser_is_known_for_its_own_account_only(delays: list[float]) -> None:
    for name in ("director", "keeper"):
        cast.make_user(name)
    browser = Client()
    assert log_in("10.0.0.1", "keeper", "keeper", browser) == 302
    attack(address="10.0.0.1", times=5)
    assert log_in("10.0.0.1", "director", "director", browser) == 302
    assert delays == [8]


def test_secret_of_a_browser_is_stored_hashed() -> None:
    cast.make_user("director")
    client = Client()
    log_in("10.0.0.1", "director", "director", client)
    cookie = client.cookies[guessers.COOKIE]
    assert cookie["httponly"]
    assert not Guesses.objects.filter(who__contains=cookie.value).exists()


def peers(count: int) -> Iterator[Guesser]:
    return (Guesser(address=f"10.0.{each // 250}.{each % 250}") for each in range(count))


def guess_pins(sitting: Sitting, by: Guesser, times: int = 1) -> list[type[OperationRefused]]:
    raised = []
    for _ in range(times):
        with pytest.raises((WrongPin, guesses.TooManyGuesses)) as error:
            phones.join_by_number_alone(sitting.number, "wrong", guesser=by)
        raised.append(error.type)
    return raised


def test_wrong_pin_is_throttled_per_table_and_peer(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    sitting.refresh_from_db()
    attacker, player = peers(2)
    assert guess_pins(sitting, attacker, 6) == [WrongPin] * 5 + [guesses.TooManyGuesses]
    phones.join_by_number_alone(sitting.number, pin, guesser=player)


def test_pin_guessed_by_many_peers_is_throttled_until_a_new_pin_is_made(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    sitting.refresh_from_db()
    known, stranger = Guesser(address="192.168.1.2"), Guesser(address="192.168.1.3")
    phones.join_by_number_alone(sitting.number, pin, guesser=known)
    told = [guess_pins(sitting, by)[0] for by in peers(guesses.LIMIT_OF_STRANGERS + 1)]
    assert told == [WrongPin] * guesses.LIMIT_OF_STRANGERS + [guesses.TooManyGuesses]
    phones.join_by_number_alone(sitting.number, pin, guesser=known)
    with pytest.raises(guesses.TooManyGuesses):
        phones.join_by_number_alone(sitting.number, pin, guesser=stranger)
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    sitting.refresh_from_db()
    phones.join_by_number_alone(sitting.number, pin, guesser=stranger)


def test_wrong_pins_at_many_tables_are_throttled_per_peer() -> None:
    tournament = cast.make_tournament()
    sittings = cast.make_session(tournament, tables=6).sittings.all()
    attacker, player = peers(2)
    told = [error for each in sittings for error in guess_pins(each, attacker, 4)]
    assert told == [WrongPin] * guesses.LIMIT_OF_AN_ADDRESS + [guesses.TooManyGuesses] * 4
    assert guess_pins(sittings[0], player) == [WrongPin]


def test_right_pin_resets_the_count_of_its_peer(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    sitting.refresh_from_db()
    (player,) = peers(1)
    guess_pins(sitting, player, 4)
    phones.join_by_number_alone(sitting.number, pin, guesser=player)
    assert Guesses.objects.get(subject=guesses.ANY_SUBJECT).count == 4
    assert guess_pins(sitting, player, 5) == [WrongPin] * 5


def test_known_guesser_is_forgotten_after_a_while(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    sitting.refresh_from_db()
    (player,) = peers(1)
    phones.join_by_number_alone(sitting.number, pin, guesser=player)
    long_ago = timezone.now() - guesses.KNOWN_FOR - timedelta(seconds=1)
    Guesses.objects.update(succeeded_at=long_ago, counted_at=long_ago)
    guess_pins(sitting, Guesser())
    assert [each.who for each in Guesses.objects.all()] == [guesses.UNKNOWN_ADDRESS]


def test_too_many_log_ins_at_once_are_refused_except_from_known_browsers() -> None:
    cast.make_user("director")
    browser = Client()
    assert log_in("10.0.0.1", "director", "director", browser) == 302
    with ExitStack() as crowd:
        for _ in range(3):
            crowd.enter_context(guesses.STRANGERS)
        sent = {"username": "director", "password": "director"}
        refused = Client().post(reverse("log-in"), sent)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "2")
        assert code(Program().post("/api/token", sent)) == (429, "crowded")
        assert log_in("10.0.0.1", "director", "director", browser) == 302
    assert not Guesses.objects.filter(count__gt=0).exists()
    assert log_in("10.0.0.1", "director", "director", Client()) == 302


@pytest.mark.usefixtures("shared_database")
def test_at_most_two_passwords_are_hashed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "STRANGERS", BoundedSemaphore(20))
    two = Barrier(2)
    monkeypatch.setattr(guesses, "authenticate", lambda **_: two.wait(live.PATIENCE))
    hashing = ConcurrencyCounter(monkeypatch, guesses, "authenticate")
    answers = race(20, lambda number: guesses.authenticate_account(f"name {number}", "guess"))
    assert answers == [None] * 20
    assert hashing.most == 2


@pytest.mark.usefixtures("shared_database")
def test_concurrent_guesses_of_one_peer_are_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.stop(monkeypatch)
    monkeypatch.setattr(guesses, "STRANGERS", BoundedSemaphore(30))
    monkeypatch.setattr(guesses, "authenticate", lambda **_: None)
    by = Guesser(address=ATTACKERS)
    answers = race(
        30, lambda number: guesses.authenticate_account(f"name {number % 10}", "guess", guesser=by)
    )
    limit = guesses.LIMIT_OF_AN_ADDRESS
    assert Counter(map(type, answers)) == {type(None): limit, guesses.TooManyGuesses: 30 - limit}
