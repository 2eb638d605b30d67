"""Phones at a table: joining by link and PIN, taking over, accepting, calling; and being closed."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import api, cast, clocks
from tests.races import race
from tournaments import audit, verifying
from tournaments.desk import writes
from tournaments.facts import recording
from tournaments.models import (
    Acceptance,
    Act,
    Call,
    Disagreement,
    Guesses,
    Round,
    Sitting,
    TableSession,
    Tournament,
)
from tournaments.models.tokens import digest
from tournaments.phones import guesses, joining, links, pins, saying
from tournaments.phones.joining import NoSuchLink, NotTheWriter, WrongPin
from tournaments.phones.saying import AnotherPhone, NothingToAccept


def acts(sitting: Sitting) -> list[str]:
    return list(sitting.session.tournament.acts.order_by("number").values_list("kind", flat=True))


def accepting(sitting: Sitting, how: str) -> Sitting:
    Tournament.objects.filter(pk=sitting.session.tournament_id).update(accepting=how)
    return Sitting.objects.select_related("session__tournament").get(pk=sitting.pk)


# Joining


def test_a_link_is_exchanged_for_a_secret_of_which_only_a_digest_is_kept(sitting: Sitting) -> None:
    joined = joining.join(sitting.token)
    stored = TableSession.objects.get()
    assert stored.digest == hashlib.sha256(joined.secret.encode()).hexdigest()
    assert len(joined.secret) >= 128 // 6
    assert joining.phone_of(joined.secret) == stored
    assert acts(sitting)[-1] == Act.Kind.PHONE_JOINED


def test_the_first_phone_writes_and_the_others_may_take_over(sitting: Sitting) -> None:
    first, second = (joining.join(sitting.token).phone for _ in range(2))
    assert (first.is_writer, second.is_writer) == (True, False)
    joining.check_writer(first)
    with pytest.raises(NotTheWriter):
        joining.check_writer(second)
    joining.take_over(second)
    joining.check_writer(second)
    with pytest.raises(NotTheWriter):
        joining.check_writer(first)
    assert acts(sitting)[-1] == Act.Kind.PHONE_TOOK_OVER


def test_taking_over_from_oneself_is_nothing(sitting: Sitting) -> None:
    phone = joining.join(sitting.token).phone
    before = acts(sitting)
    assert joining.take_over(phone).is_writer
    assert acts(sitting) == before


def test_the_first_phone_that_does_not_write_ends_where_there_are_too_many(
    sitting: Sitting,
) -> None:
    writer, first, second, *_others = [
        joining.join(sitting.token).phone for _ in range(joining.MOST_PHONES + 1)
    ]
    assert joining.living(sitting).count() == joining.MOST_PHONES
    first.refresh_from_db()
    assert first.ended_at is not None
    joining.take_over(second)
    joining.join(sitting.token)
    assert not joining.living(sitting).filter(pk=writer.pk).exists()
    assert joining.living(sitting).filter(pk=second.pk).exists()
    assert verifying.verify(sitting.session.tournament) == []
    TableSession.objects.filter(pk=first.pk).update(ended_at=None)
    [fault] = verifying.verify(sitting.session.tournament)
    assert str(first.pk) in str(fault)


@pytest.mark.usefixtures("shared_database")
def test_of_20_phones_at_once_one_writes() -> None:
    sitting = cast.make_sitting()
    joined = race(20, lambda _number: joining.join(sitting.token))
    assert all(isinstance(each, joining.Joined) for each in joined), joined
    assert TableSession.objects.filter(is_writer=True).count() == 1
    everyone = list(TableSession.objects.all())
    race(20, lambda number: joining.take_over(everyone[number]))
    assert TableSession.objects.filter(is_writer=True).count() == 1


def test_no_link_opens_nothing(sitting: Sitting) -> None:
    for token in ("", "guessed", sitting.token[:-1]):
        with pytest.raises(NoSuchLink):
            joining.join(token)


# Closing


def test_a_revoked_table_is_closed_to_everything(sitting: Sitting) -> None:
    pin = links.make_pin(sitting, by=cast.SOMEBODY)
    joined = joining.join(sitting.token)
    links.revoke(sitting, by=cast.SOMEBODY)
    assert joining.phone_of(joined.secret) is None
    with pytest.raises(NoSuchLink):
        joining.join(sitting.token)
    with pytest.raises(NoSuchLink):
        joining.take_over(joined.phone)
    with pytest.raises(WrongPin):
        joining.join_with_pin(Sitting.objects.get(), pin)
    with pytest.raises(NotTheWriter):
        joining.check_writer(joined.phone)


def test_a_new_link_opens_the_table_again_and_the_old_one_nothing(sitting: Sitting) -> None:
    old, phone = sitting.token, joining.join(sitting.token)
    new = links.make_link(sitting, by=cast.SOMEBODY)
    assert new != old
    with pytest.raises(NoSuchLink):
        joining.join(old)
    assert joining.join(new).phone.is_writer
    assert joining.phone_of(phone.secret) is None
    assert acts(sitting)[-3:-1] == [Act.Kind.LINK_REVOKED, Act.Kind.LINK_MADE]


# PINs


def test_a_pin_is_kept_hashed(sitting: Sitting) -> None:
    pin = links.make_pin(sitting, by=cast.SOMEBODY)
    stored = Sitting.objects.get()
    assert len(pin) == 6
    assert pin.isdigit()
    assert pin not in stored.pin
    assert joining.join_with_pin(stored, pin).phone.sitting == stored
    told = Act.objects.get(kind=Act.Kind.PIN_MADE)
    assert (told.old, told.new) == (None, {"pins": [digest(stored.pin)]})


def test_a_new_pin_ends_the_old_one(sitting: Sitting) -> None:
    old, new = (links.make_pin(sitting, by=cast.SOMEBODY) for _ in range(2))
    stored = Sitting.objects.get()
    if old != new:
        with pytest.raises(WrongPin):
            joining.join_with_pin(stored, old)
    joining.join_with_pin(stored, new)


def test_without_a_pin_none_is_right(sitting: Sitting) -> None:
    for pin in ("", "000000"):
        with pytest.raises(WrongPin):
            joining.join_with_pin(sitting, pin)


def other_than(pin: str) -> str:
    return f"{(int(pin) + 1) % 10**6:06}"


def test_wrong_pins_close_a_table_for_a_time_that_doubles(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks.stop(monkeypatch)
    pin = links.make_pin(sitting, by=cast.SOMEBODY)
    stored = Sitting.objects.get()
    waits = []
    for guess in range(8):
        with pytest.raises(WrongPin):
            joining.join_with_pin(stored, other_than(pin))
        if guess >= 4:
            with pytest.raises(guesses.TooManyGuesses) as throttled:
                joining.join_with_pin(stored, pin)  # even the right one
            waits.append(throttled.value.seconds)
            Guesses.objects.update(closed_until=timezone.now() - timedelta(seconds=1))
    assert waits == [30, 60, 120, 240]
    joining.join_with_pin(stored, pin)
    assert Guesses.objects.get().count == 0


def test_one_table_being_guessed_at_leaves_the_others_open(sitting: Sitting) -> None:
    other = cast.make_sitting(sitting.session.tournament)
    told = [links.make_pin(each, by=cast.SOMEBODY) for each in (sitting, other)]
    first, second = Sitting.objects.order_by("pk")
    for _ in range(5):
        with pytest.raises(WrongPin):
            joining.join_with_pin(first, other_than(told[0]))
    joining.join_with_pin(second, told[1])


# PINs typed with a table's number alone


@pytest.fixture
def two_events(sitting: Sitting) -> tuple[tuple[Sitting, str], tuple[Sitting, str]]:
    """Table 1 of two events and their PINs; the one that is tried last comes first."""
    older, newer = sitting, cast.make_sitting(cast.make_tournament(name="秋季大会"))
    first = links.make_pin(older, by=cast.SOMEBODY)
    second = links.make_pin(newer, by=cast.SOMEBODY, pin=other_pin(first))
    return (older, first), (newer, second)


def other_pin(than: str) -> pins.Pin:
    while (drawn := pins.draw()).told in {than, other_than(than)}:
        pass
    return drawn


def counted(sitting: Sitting) -> int:
    row = Guesses.objects.filter(subject=guesses.at_pin(sitting)).first()
    return row.count if row else 0


def test_a_pin_that_opens_one_table_was_no_guess_at_the_others(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, other) = two_events
    for _ in range(8):
        assert joining.join_anywhere(1, pin).phone.sitting == older
    assert (counted(older), counted(newer)) == (0, 0)
    assert joining.join_anywhere(1, other).phone.sitting == newer


def test_what_was_guessed_wrongly_before_stays_counted(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, other) = two_events
    stored = Sitting.objects.get(pk=newer.pk)
    for _ in range(4):
        with pytest.raises(WrongPin):
            joining.join_with_pin(stored, other_than(other))
    for _ in range(3):  # each would have been the fifth
        joining.join_anywhere(1, pin)
    assert (counted(older), counted(newer)) == (0, 4)
    joining.join_with_pin(stored, other)


def test_whose_table_may_be_closed_to_guesses_is_told_to_wait(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, other) = two_events
    stored = Sitting.objects.get(pk=newer.pk)
    for _ in range(5):
        with pytest.raises(WrongPin):
            joining.join_with_pin(stored, other_than(other))
    with pytest.raises(guesses.TooManyGuesses):
        joining.join_anywhere(1, other)
    assert counted(older) == 1
    assert joining.join_anywhere(1, pin).phone.sitting == older


def test_a_wrong_pin_counts_at_every_table_it_may_have_meant(
    two_events: tuple[tuple[Sitting, str], tuple[Sitting, str]],
) -> None:
    (older, pin), (newer, _other) = two_events
    for _ in range(5):
        with pytest.raises(WrongPin):
            joining.join_anywhere(1, other_than(pin))
    assert (counted(older), counted(newer)) == (5, 5)
    with pytest.raises(guesses.TooManyGuesses):
        joining.join_anywhere(1, pin)


# Rows of guesses


@pytest.mark.django_db
def test_a_day_after_the_last_guess_its_row_goes() -> None:
    for name in ("long ago", "lately"):
        guesses.count(name)
    Guesses.objects.filter(subject="long ago").update(
        counted_at=timezone.now() - guesses.STALE_AFTER - timedelta(seconds=1)
    )
    guesses.count("now")
    assert set(Guesses.objects.values_list("subject", flat=True)) == {"lately", "now"}


@pytest.mark.django_db
def test_guesses_long_ago_are_not_counted_with_those_of_today() -> None:
    for _ in range(guesses.FREE):
        guesses.count("account")
    long_ago = timezone.now() - guesses.STALE_AFTER - timedelta(seconds=1)
    Guesses.objects.update(counted_at=long_ago, closed_until=long_ago)
    guesses.count("account")
    assert Guesses.objects.get().count == 1


@pytest.mark.usefixtures("shared_database")
def test_who_guesses_while_old_rows_go_is_counted() -> None:
    names = [f"account {number % 4}" for number in range(16)]
    for name in names:
        guesses.count(name)
    Guesses.objects.update(counted_at=timezone.now() - 2 * guesses.STALE_AFTER)
    assert race(16, lambda number: guesses.count(names[number])) == [None] * 16
    assert sorted(Guesses.objects.values_list("count", flat=True)) == [4] * 4


@pytest.mark.usefixtures("shared_database")
def test_20_guesses_at_once_are_still_20(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.stop(monkeypatch)
    sitting = cast.make_sitting()
    pin = links.make_pin(sitting, by=cast.SOMEBODY)
    stored = Sitting.objects.get()
    answers = race(20, lambda _number: joining.join_with_pin(stored, other_than(pin)))
    assert sum(isinstance(answer, WrongPin) for answer in answers) == 5, answers
    assert sum(isinstance(answer, guesses.TooManyGuesses) for answer in answers) == 15


# Accepting


@pytest.mark.parametrize("how", ["same", "second"])
def test_the_right_phone_accepts(sitting: Sitting, how: str) -> None:
    sitting = accepting(sitting, how)
    writer, second = (joining.join(sitting.token).phone for _ in range(2))
    row = cast.record(sitting)
    right, wrong = (writer, second) if how == "same" else (second, writer)
    with pytest.raises((NotTheWriter, AnotherPhone)):
        saying.accept(sitting, 1, 1, by=joining.actor(wrong), phone=wrong)
    for _ in range(2):  # agreeing twice is agreeing once
        saying.accept(sitting, 1, 1, by=joining.actor(right), phone=right)
    assert Acceptance.objects.get().round == row
    assert acts(sitting)[-1] == Act.Kind.ROUND_ACCEPTED


def test_where_nobody_accepts_there_is_nothing_to_accept(sitting: Sitting) -> None:
    phone = joining.join(sitting.token).phone
    cast.record(sitting)
    with pytest.raises(NothingToAccept):
        saying.accept(sitting, 1, 1, by=joining.actor(phone), phone=phone)


@pytest.mark.parametrize(("number", "version"), [(0, 1), (2, 1), (1, 2), (1, 0), (10**30, 1)])
def test_what_was_not_shown_is_not_accepted(sitting: Sitting, number: int, version: int) -> None:
    sitting = accepting(sitting, "same")
    phone = joining.join(sitting.token).phone
    cast.record(sitting)
    with pytest.raises(NothingToAccept):
        saying.accept(sitting, number, version, by=joining.actor(phone), phone=phone)


def test_an_unfinished_round_is_not_accepted(sitting: Sitting) -> None:
    sitting = accepting(sitting, "same")
    phone = joining.join(sitting.token).phone
    facts = cast.plain_round(sitting) | {"deals": [{"kankei": 9, "mukankei": 4}]}
    cast.record(sitting, facts)
    with pytest.raises(NothingToAccept):
        saying.accept(sitting, 1, 1, by=joining.actor(phone), phone=phone)


def test_after_acceptance_the_desk_alone_changes_a_round(sitting: Sitting) -> None:
    sitting = accepting(sitting, "same")
    phone = joining.join(sitting.token).phone
    cast.record(sitting)
    saying.accept(sitting, 1, 1, by=joining.actor(phone), phone=phone)
    facts = cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}
    with pytest.raises(recording.NeedsDesk):
        cast.record(sitting, facts, seen=1, by=joining.actor(phone), reason="?")
    keeper = cast.make_staff(sitting.session.tournament, "keeper")
    row = cast.record(sitting, facts, seen=1, by=audit.Actor(keeper, "keeper"), reason="数え違い")
    assert row.version == 2
    assert not recording.is_accepted(row)


# Calling, and disagreeing


def test_a_call_waits_once_until_the_desk_answers(sitting: Sitting) -> None:
    by = joining.actor(joining.join(sitting.token).phone)
    calls = [saying.call(sitting, "director", "裁定", by=by) for _ in range(3)]
    assert calls == [Call.objects.get()] * 3
    writes.answer_call(calls[0], by=cast.SOMEBODY)
    saying.call(sitting, "director", "裁定", by=by)
    assert Call.objects.count() == 2
    assert acts(sitting)[-3:] == ["desk_called", "call_answered", "desk_called"]


def test_a_table_does_not_call_for_ever_while_nobody_comes(sitting: Sitting) -> None:
    program, calls = api.phone(sitting), f"/api/sittings/{sitting.pk}/calls"

    def call(words: str) -> int:
        return program.post(calls, {"words": words}).status_code

    answers = [call(str(number)) for number in range(2 * saying.MOST_WAITING)]
    assert answers == [201] * saying.MOST_WAITING + [409] * saying.MOST_WAITING
    assert acts(sitting).count("desk_called") == saying.MOST_WAITING
    assert api.code(program.post(calls, {"words": "more"})) == (409, "calls_waiting")
    assert call("0") == 201  # which waits already
    writes.answer_call(Call.objects.all()[0], by=cast.SOMEBODY)
    assert call("more") == 201


def test_the_same_other_facts_are_kept_once(sitting: Sitting) -> None:
    phone = joining.join(sitting.token).phone
    row = cast.record(sitting)
    other = cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}
    for _ in range(2):
        saying.dispute(sitting, 1, other, row, by=joining.actor(phone), phone=phone)
    assert Disagreement.objects.get().facts == other
    assert acts(sitting)[-1] == Act.Kind.ROUND_DISPUTED


def test_all_of_it_is_in_the_trail_and_verifies(sitting: Sitting) -> None:
    phone = joining.join(sitting.token).phone
    links.make_pin(sitting, by=cast.SOMEBODY)
    saying.call(sitting, "director", "", by=joining.actor(phone))
    links.make_link(sitting, by=cast.SOMEBODY)
    assert verifying.verify(sitting.session.tournament) == []


# In the browser


def test_a_second_browser_is_asked_whether_it_takes_over(sitting: Sitting) -> None:
    link = reverse("join-table", args=[sitting.token])
    first, second = Client(), Client()
    play = f"{sitting.get_absolute_url()}play/"
    assert first.get(link).headers["Location"] == play
    question = second.get(link).headers["Location"]
    assert question == f"{sitting.get_absolute_url()}take-over/"
    assert second.post(question).headers["Location"] == play
    assert second.get(question).status_code == 200
    form = {"seen": "0", "dealer": "6", "trump": "clubs", "kankei": ["1", "3"]}
    form |= {"deal_1_kankei": "5", "deal_1_mukankei": "8"}
    round_form = f"{sitting.get_absolute_url()}rounds/1/"
    assert first.post(round_form, form).status_code == 403
    assert not Round.objects.exists()
    assert second.post(round_form, form).status_code == 302
    assert Round.objects.count() == 1


def test_number_and_pin_open_a_table(client: Client, sitting: Sitting) -> None:
    pin = links.make_pin(sitting, by=cast.SOMEBODY)
    typed = {"table": "1", "pin": f"{pin[:3]} {pin[3:]}"}
    answer = client.post(reverse("join"), typed)
    assert answer.headers["Location"] == f"{sitting.get_absolute_url()}play/"


def test_a_wrong_pin_opens_none(client: Client, sitting: Sitting) -> None:
    pin = links.make_pin(sitting, by=cast.SOMEBODY)
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
