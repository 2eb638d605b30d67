"""PINs of tables: stored hashed, and wrong ones throttled per table."""

from __future__ import annotations

from datetime import timedelta
from threading import BoundedSemaphore
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


def test_pin_is_stored_hashed(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    stored = Sitting.objects.get()
    assert len(pin) == 6
    assert pin.isdigit()
    assert pin not in stored.pin
    assert phones.join_by_number_alone(stored.number, pin).phone.sitting == stored
    told = AuditEntry.objects.get(kind=AuditEntry.Kind.PIN_MADE)
    assert (told.old, told.new) == (None, {"pins": [digest(stored.pin)]})


def test_new_pin_replaces_the_old_one(sitting: Sitting) -> None:
    old, new = (table_links.make_pin(sitting, by=cast.SOMEBODY) for _ in range(2))
    stored = Sitting.objects.get()
    if old != new:
        with pytest.raises(WrongPin):
            phones.join_by_number_alone(stored.number, old)
    phones.join_by_number_alone(stored.number, new)


def test_table_without_a_pin_refuses_every_pin(sitting: Sitting) -> None:
    for pin in ("", "000000"):
        with pytest.raises(WrongPin):
            phones.join_by_number_alone(sitting.number, pin)


def wrong_pin(pin: str) -> str:
    return f"{(int(pin) + 1) % 10**6:06}"


def test_time_to_wait_doubles_with_each_wrong_pin(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks.stop(monkeypatch)
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    stored = Sitting.objects.get()
    waits = []
    for guess in range(8):
        with pytest.raises(WrongPin):
            phones.join_by_number_alone(stored.number, wrong_pin(pin))
        if guess >= 4:
            with pytest.raises(guesses.TooManyGuesses) as throttled:
                phones.join_by_number_alone(stored.number, pin)  # even the right one
            waits.append(throttled.value.seconds)
            Guesses.objects.update(closed_until=timezone.now() - timedelta(seconds=1))
    assert waits == [30, 60, 120, 240]
    phones.join_by_number_alone(stored.number, pin)
    assert Guesses.objects.get().count == 0


def test_nobody_is_throttled_after_the_clock_was_set_back(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    stored, now = Sitting.objects.get(), timezone.now()
    clocks.stop(monkeypatch, now + timedelta(days=365))
    for _ in range(5):
        with pytest.raises(WrongPin):
            phones.join_by_number_alone(stored.number, wrong_pin(pin))
    clocks.stop(monkeypatch, now)
    phones.join_by_number_alone(stored.number, pin)


def test_wrong_pins_at_one_table_do_not_throttle_others(tournament: Tournament) -> None:
    tables = cast.make_session(tournament, tables=2).sittings.all()
    first, second = [table_links.make_pin(each, by=cast.SOMEBODY) for each in tables]
    for _ in range(5):
        with pytest.raises(WrongPin):
            phones.join_by_number_alone(1, wrong_pin(first))
    phones.join_by_number_alone(2, second)


@pytest.fixture
def two_events(sitting: Sitting) -> tuple[tuple[Sitting, str], tuple[Sitting, str]]:
    """Return table 1 and its PIN of two events; the event tried last comes first."""
    older, newer = sitting, cast.make_sitting(cast.make_tournament(name="秋季大会"))
    first = table_links.make_pin(older, by=cast.SOMEBODY)
    second = table_links.make_pin(newer, by=cast.SOMEBODY, pin=other_pin(first))
    return (older, first), (newer, second)


def other_pin(than: str) -> pins.Pin:
    """Return a PIN that is not `than`, nor wrong in the same way."""
    while True:
        drawn = pins.generate_pin()
        if len({drawn.plain, wrong_pin(drawn.plain), than, wrong_pin(than)}) == 4:
            return drawn


def counted(sitting: Sitting) -> int:
    row = Guesses.objects.filter(subject=guesses.pin_subject(sitting)).first()
    return row.count if row else 0


def test_right_pin_of_one_table_is_not_counted_at_others(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, other) = two_events
    for _ in range(8):
        assert phones.join_by_number_alone(1, pin).phone.sitting == older
    assert (counted(older), counted(newer)) == (0, 0)
    assert phones.join_by_number_alone(1, other).phone.sitting == newer


def test_right_pin_of_one_table_does_not_reset_the_count_of_others(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, other) = two_events
    for _ in range(4):
        with pytest.raises(WrongPin):
            phones.join_by_number_alone(1, wrong_pin(other))
    for _ in range(3):  # would be the fifth wrong PIN if it were counted
        phones.join_by_number_alone(1, pin)
    assert (counted(older), counted(newer)) == (0, 4)
    phones.join_by_number_alone(1, other)


def test_pin_of_a_throttled_table_has_to_wait_without_its_tournament(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, other) = two_events
    for _ in range(4):
        with pytest.raises(WrongPin):
            phones.join_by_number_alone(1, wrong_pin(other))
    phones.join_by_number_alone(1, pin)
    with pytest.raises(WrongPin):
        phones.join_by_number_alone(1, wrong_pin(other))
    assert (counted(older), counted(newer)) == (1, 5)
    with pytest.raises(guesses.TooManyGuesses):
        phones.join_by_number_alone(1, other)
    assert counted(older) == 2
    assert phones.join_by_number_alone(1, pin).phone.sitting == older


def test_wrong_pin_without_its_tournament_counts_at_every_table_of_that_number(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, _other) = two_events
    for _ in range(5):
        with pytest.raises(WrongPin):
            phones.join_by_number_alone(1, wrong_pin(pin))
    assert (counted(older), counted(newer)) == (5, 5)
    with pytest.raises(guesses.TooManyGuesses):
        phones.join_by_number_alone(1, pin)


def count(subject: str) -> None:
    guesses.Guess(guesses.UNKNOWN_GUESSER, [subject]).count(subject)


@pytest.mark.django_db
def test_stale_guesses_are_deleted() -> None:
    for name in ("long ago", "lately"):
        count(name)
    Guesses.objects.filter(subject="long ago").update(
        counted_at=timezone.now() - guesses.STALE_AFTER - timedelta(seconds=1)
    )
    count("now")
    assert set(Guesses.objects.values_list("subject", flat=True)) == {"lately", "now"}


@pytest.mark.django_db
def test_stale_guesses_are_not_counted() -> None:
    for _ in range(guesses.LIMIT):
        count("account")
    long_ago = timezone.now() - guesses.STALE_AFTER - timedelta(seconds=1)
    Guesses.objects.update(counted_at=long_ago, closed_until=long_ago)
    count("account")
    assert Guesses.objects.get().count == 1


@pytest.mark.usefixtures("shared_database")
def test_guesses_during_deletion_of_stale_rows_are_counted() -> None:
    names = [f"account {number % 4}" for number in range(16)]
    for name in names:
        count(name)
    Guesses.objects.update(counted_at=timezone.now() - 2 * guesses.STALE_AFTER)
    assert race(16, lambda number: count(names[number])) == [None] * 16
    assert sorted(Guesses.objects.values_list("count", flat=True)) == [4] * 4


@pytest.mark.usefixtures("shared_database")
def test_20_concurrent_guesses_are_all_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.stop(monkeypatch)
    # Room to hash all at once; otherwise some are refused as `Crowded` and uncounted.
    monkeypatch.setattr(guesses, "STRANGERS", BoundedSemaphore(20))
    sitting = cast.make_sitting()
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    stored = Sitting.objects.get()
    answers = race(20, lambda _number: phones.join_by_number_alone(stored.number, wrong_pin(pin)))
    assert sum(isinstance(answer, WrongPin) for answer in answers) == 5, answers
    assert sum(isinstance(answer, guesses.TooManyGuesses) for answer in answers) == 15


def card_of(sitting: Sitting, pin: str, **other: object) -> dict[str, object]:
    place = {"session": sitting.session.number, "table": sitting.number}
    return {"tournament": sitting.session.tournament.slug, **place, "pin": pin, **other}


@pytest.mark.parametrize(
    "other",
    [{"table": 77}, {"tournament": "nowhere"}, {"session": 9}],
    ids=str,
)
def test_missing_table_is_answered_like_a_wrong_pin(
    sitting: Sitting, other: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many queries and hashes, and the same delay."""
    clocks.stop(monkeypatch)
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    fits = Mock(wraps=pins.matches)
    monkeypatch.setattr(pins, "matches", fits)
    answers = []
    for card in (card_of(sitting, wrong_pin(pin)), card_of(sitting, wrong_pin(pin), **other)):
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


def test_table_without_a_pin_or_closed_is_answered_like_a_wrong_pin(sitting: Sitting) -> None:
    without = Program().post("/api/join", card_of(sitting, "000000"))
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    wrong = Program().post("/api/join", card_of(sitting, wrong_pin(pin)))
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    closed = Program().post("/api/join", card_of(sitting, pin))
    for answer in (without, closed):
        assert (answer.status_code, answer.content) == (wrong.status_code, wrong.content)


def test_new_pin_resets_the_throttle(sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    for _ in range(6):
        answer = Program().post("/api/join", card_of(sitting, wrong_pin(pin)))
    assert answer.status_code == 429
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    assert Program().post("/api/join", card_of(sitting, pin)).status_code == 201


def test_missing_table_number_is_answered_like_a_wrong_pin_on_the_page(
    client: Client, sitting: Sitting
) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    pages = []
    for number in (sitting.number, 77):
        Guesses.objects.all().delete()
        typed = {"table": number, "pin": wrong_pin(pin)}
        pages.append([client.post(reverse("join"), typed).status_code for _ in range(8)])
    assert pages[0] == pages[1]
    assert set(pages[0]) == {422, 429}
