"""PINs of tables and passwords: whoever guesses waits, at the one table guessed at."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests import cast, clocks
from tests.api import Program
from tests.races import race
from tournaments.models import AuditEntry, Guesses, Sitting, Tournament
from tournaments.models.tokens import digest
from tournaments.services import guesses, phones, pins, table_links
from tournaments.services.phones import WrongPin


def test_a_pin_is_kept_hashed(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    stored = Sitting.objects.get()
    assert len(pin) == 6
    assert pin.isdigit()
    assert pin not in stored.pin
    assert phones.join_with_pin(stored, pin).phone.sitting == stored
    told = AuditEntry.objects.get(kind=AuditEntry.Kind.PIN_MADE)
    assert (told.old, told.new) == (None, {"pins": [digest(stored.pin)]})


def test_a_new_pin_ends_the_old_one(sitting: Sitting) -> None:
    old, new = (table_links.make_pin(sitting, by=cast.SOMEBODY) for _ in range(2))
    stored = Sitting.objects.get()
    if old != new:
        with pytest.raises(WrongPin):
            phones.join_with_pin(stored, old)
    phones.join_with_pin(stored, new)


def test_without_a_pin_none_is_right(sitting: Sitting) -> None:
    for pin in ("", "000000"):
        with pytest.raises(WrongPin):
            phones.join_with_pin(sitting, pin)


def other_than(pin: str) -> str:
    return f"{(int(pin) + 1) % 10**6:06}"


def test_wrong_pins_close_a_table_for_a_time_that_doubles(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks.stop(monkeypatch)
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    stored = Sitting.objects.get()
    waits = []
    for guess in range(8):
        with pytest.raises(WrongPin):
            phones.join_with_pin(stored, other_than(pin))
        if guess >= 4:
            with pytest.raises(guesses.TooManyGuesses) as throttled:
                phones.join_with_pin(stored, pin)  # even the right one
            waits.append(throttled.value.seconds)
            Guesses.objects.update(closed_until=timezone.now() - timedelta(seconds=1))
    assert waits == [30, 60, 120, 240]
    phones.join_with_pin(stored, pin)
    assert Guesses.objects.get().count == 0


def test_nobody_waits_for_a_clock_that_was_put_right(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    stored, now = Sitting.objects.get(), timezone.now()
    clocks.stop(monkeypatch, now + timedelta(days=365))
    for _ in range(5):
        with pytest.raises(WrongPin):
            phones.join_with_pin(stored, other_than(pin))
    clocks.stop(monkeypatch, now)
    phones.join_with_pin(stored, pin)


def test_one_table_being_guessed_at_leaves_the_others_open(sitting: Sitting) -> None:
    other = cast.make_sitting(sitting.session.tournament)
    told = [table_links.make_pin(each, by=cast.SOMEBODY) for each in (sitting, other)]
    first, second = Sitting.objects.order_by("pk")
    for _ in range(5):
        with pytest.raises(WrongPin):
            phones.join_with_pin(first, other_than(told[0]))
    phones.join_with_pin(second, told[1])


@pytest.fixture
def two_events(sitting: Sitting) -> tuple[tuple[Sitting, str], tuple[Sitting, str]]:
    """Table 1 of two events and their PINs; the one that is tried last comes first."""
    older, newer = sitting, cast.make_sitting(cast.make_tournament(name="秋季大会"))
    first = table_links.make_pin(older, by=cast.SOMEBODY)
    second = table_links.make_pin(newer, by=cast.SOMEBODY, pin=other_pin(first))
    return (older, first), (newer, second)


def other_pin(than: str) -> pins.Pin:
    while (drawn := pins.generate_pin()).plain in {than, other_than(than)}:
        pass
    return drawn


def counted(sitting: Sitting) -> int:
    row = Guesses.objects.filter(subject=guesses.pin_subject(sitting)).first()
    return row.count if row else 0


def test_a_pin_that_opens_one_table_was_no_guess_at_the_others(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, other) = two_events
    for _ in range(8):
        assert phones.join_by_number_alone(1, pin).phone.sitting == older
    assert (counted(older), counted(newer)) == (0, 0)
    assert phones.join_by_number_alone(1, other).phone.sitting == newer


def test_what_was_guessed_wrongly_before_stays_counted(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, other) = two_events
    stored = Sitting.objects.get(pk=newer.pk)
    for _ in range(4):
        with pytest.raises(WrongPin):
            phones.join_with_pin(stored, other_than(other))
    for _ in range(3):  # each would have been the fifth
        phones.join_by_number_alone(1, pin)
    assert (counted(older), counted(newer)) == (0, 4)
    phones.join_with_pin(stored, other)


def test_whose_table_may_be_closed_to_guesses_is_told_to_wait(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, other) = two_events
    stored = Sitting.objects.get(pk=newer.pk)
    for _ in range(5):
        with pytest.raises(WrongPin):
            phones.join_with_pin(stored, other_than(other))
    with pytest.raises(guesses.TooManyGuesses):
        phones.join_by_number_alone(1, other)
    assert counted(older) == 1
    assert phones.join_by_number_alone(1, pin).phone.sitting == older


def test_a_wrong_pin_counts_at_every_table_it_may_have_meant(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, _other) = two_events
    for _ in range(5):
        with pytest.raises(WrongPin):
            phones.join_by_number_alone(1, other_than(pin))
    assert (counted(older), counted(newer)) == (5, 5)
    with pytest.raises(guesses.TooManyGuesses):
        phones.join_by_number_alone(1, pin)


def count(subject: str) -> None:
    guesses.Guess(guesses.UNKNOWN_GUESSER, [subject]).count(subject)


@pytest.mark.django_db
def test_a_day_after_the_last_guess_its_row_goes() -> None:
    for name in ("long ago", "lately"):
        count(name)
    Guesses.objects.filter(subject="long ago").update(
        counted_at=timezone.now() - guesses.STALE_AFTER - timedelta(seconds=1)
    )
    count("now")
    assert set(Guesses.objects.values_list("subject", flat=True)) == {"lately", "now"}


@pytest.mark.django_db
def test_guesses_long_ago_are_not_counted_with_those_of_today() -> None:
    for _ in range(guesses.LIMIT):
        count("account")
    long_ago = timezone.now() - guesses.STALE_AFTER - timedelta(seconds=1)
    Guesses.objects.update(counted_at=long_ago, closed_until=long_ago)
    count("account")
    assert Guesses.objects.get().count == 1


@pytest.mark.usefixtures("shared_database")
def test_who_guesses_while_old_rows_go_is_counted() -> None:
    names = [f"account {number % 4}" for number in range(16)]
    for name in names:
        count(name)
    Guesses.objects.update(counted_at=timezone.now() - 2 * guesses.STALE_AFTER)
    assert race(16, lambda number: count(names[number])) == [None] * 16
    assert sorted(Guesses.objects.values_list("count", flat=True)) == [4] * 4


@pytest.mark.usefixtures("shared_database")
def test_20_guesses_at_once_are_still_20(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.stop(monkeypatch)
    sitting = cast.make_sitting()
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    stored = Sitting.objects.get()
    answers = race(20, lambda _number: phones.join_with_pin(stored, other_than(pin)))
    assert sum(isinstance(answer, WrongPin) for answer in answers) == 5, answers
    assert sum(isinstance(answer, guesses.TooManyGuesses) for answer in answers) == 15


def test_number_and_pin_open_a_table(client: Client, sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    typed = {"table": "1", "pin": f"{pin[:3]} {pin[3:]}"}
    answer = client.post(reverse("join"), typed)
    assert answer.headers["Location"] == f"{sitting.get_absolute_url()}play/"


def other_events(**fields: Any) -> None:
    """Set up as many events with a table 1 and a PIN as are tried."""
    for _ in range(phones.MOST_TRIED):
        other = cast.make_sitting(cast.make_tournament(**fields))
        table_links.make_pin(other, by=cast.SOMEBODY)


@pytest.mark.parametrize(
    "others",
    [
        {},  # of today as well
        {"kind": Tournament.Kind.TABLE},
        {"held_on": timezone.localdate() + timedelta(days=1)},
        {"held_on": timezone.localdate() - timedelta(days=1)},
    ],
    ids=["later set up", "single tables", "tomorrow", "yesterday"],
)
def test_other_events_do_not_capture_the_tables_of_today(
    client: Client, sitting: Sitting, others: dict[str, Any]
) -> None:
    today = sitting.session.tournament
    if others.get("held_on", timezone.localdate()) < timezone.localdate():
        other_events(**others)
        today = cast.make_tournament()
        sitting = cast.make_sitting(today)
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    other_events(**others)
    typed = {"table": "1", "pin": pin}
    answer = cast.in_english(client).post(reverse("join"), typed)
    assert answer.headers["Location"] == f"{sitting.get_absolute_url()}play/"
    page = client.get(answer.headers["Location"]).text
    assert f"This phone is at table 1 of {today.name}." in page


def test_phone_is_told_that_an_event_is_not_todays(client: Client, db: None) -> None:
    tomorrow = timezone.localdate() + timedelta(days=1)
    sitting = cast.make_sitting(cast.make_tournament(held_on=tomorrow))
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    typed = {"table": "1", "pin": pin}
    assert (
        "That is not today"
        in cast.in_english(client).post(reverse("join"), typed, follow=True).text
    )


def test_a_wrong_pin_opens_none(client: Client, sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    typed = {"table": "1", "pin": other_than(pin)}
    assert [client.post(reverse("join"), typed).status_code for _ in range(6)] == [422] * 5 + [429]
    assert 1 <= int(client.post(reverse("join"), typed).headers["Retry-After"]) <= 30
    assert client.post(reverse("join"), {"table": "7", "pin": pin}).status_code == 422


def test_wrong_passwords_close_an_account_for_a_while(client: Client, db: None) -> None:
    cast.make_user("director")
    cast.make_user("other")
    wrong = {"username": "director", "password": "guess"}
    statuses = [client.post(reverse("log-in"), wrong).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    right = {"username": "director", "password": "director"}
    refused = client.post(reverse("log-in"), right)
    assert (refused.status_code, "Retry-After" in refused.headers) == (429, True)
    other = {"username": "other", "password": "other"}
    assert client.post(reverse("log-in"), other).status_code == 302


def card_of(sitting: Sitting, pin: str, **other: object) -> dict[str, object]:
    place = {"session": sitting.session.number, "table": sitting.number}
    return {"tournament": sitting.session.tournament.slug, **place, "pin": pin, **other}


@pytest.mark.parametrize(
    "other",
    [{"table": 77}, {"tournament": "nowhere"}, {"session": 9}],
    ids=str,
)
def test_a_table_that_is_not_there_is_answered_as_a_wrong_pin(
    sitting: Sitting, other: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in what it asks of the database, in what it hashes, and in when it has to wait."""
    clocks.stop(monkeypatch)
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    fits = Mock(wraps=pins.matches)
    monkeypatch.setattr(pins, "matches", fits)
    answers = []
    for card in (card_of(sitting, other_than(pin)), card_of(sitting, other_than(pin), **other)):
        Guesses.objects.all().delete()
        fits.reset_mock()
        told = []
        for _ in range(8):
            with CaptureQueriesContext(connection) as asked:
                answer = Program().post("/api/join", card)
            told.append((answer.status_code, answer.content, answer.get("Retry-After"), len(asked)))
        answers.append((told, fits.call_count))
    assert answers[0] == answers[1]
    assert {status for status, *_ in answers[0][0]} == {403, 429}


def test_a_table_without_a_pin_or_closed_is_answered_alike(sitting: Sitting) -> None:
    without = Program().post("/api/join", card_of(sitting, "000000"))
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    wrong = Program().post("/api/join", card_of(sitting, other_than(pin)))
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    closed = Program().post("/api/join", card_of(sitting, pin))
    for answer in (without, closed):
        assert (answer.status_code, answer.content) == (wrong.status_code, wrong.content)


def test_a_new_pin_opens_at_once_whatever_was_guessed_before(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    for _ in range(6):
        answer = Program().post("/api/join", card_of(sitting, other_than(pin)))
    assert answer.status_code == 429
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    assert Program().post("/api/join", card_of(sitting, pin)).status_code == 201


def test_a_number_that_no_table_has_is_answered_as_a_wrong_pin(
    client: Client, sitting: Sitting
) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    pages = []
    for number in (sitting.number, 77):
        Guesses.objects.all().delete()
        typed = {"table": number, "pin": other_than(pin)}
        pages.append([client.post(reverse("join"), typed).status_code for _ in range(8)])
    assert pages[0] == pages[1]
    assert set(pages[0]) == {422, 429}
