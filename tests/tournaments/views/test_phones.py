"""How a phone joins a table, by link, PIN or code; no token stays in the address bar."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import cast
from tournaments.models import Round, Sitting, Tournament
from tournaments.services import (
    phones,
    table_codes,
    table_links,
)

pytestmark = pytest.mark.django_db


def may_record(client: Client, sitting: Sitting) -> bool:
    slug = sitting.session.tournament.slug
    address = reverse("record-round", args=[slug, sitting.session.number, sitting.number, 1])
    return client.get(address).status_code == 200


def test_link_redirects_to_an_address_without_token(client: Client, sitting: Sitting) -> None:
    answer = client.get(reverse("join-table", args=[sitting.token]))
    assert answer.headers["Location"] == f"{sitting.get_absolute_url()}play/"
    assert sitting.token not in answer.headers["Location"]
    assert "no-store" in answer.headers["Cache-Control"]
    assert may_record(client, sitting)


def test_it_opens_no_other_table(client: Client, sitting: Sitting) -> None:
    other = cast.make_sitting(sitting.session.tournament)
    client.get(reverse("join-table", args=[sitting.token]))
    assert not may_record(client, other)


@pytest.mark.both
def test_opening_it_again_changes_nothing(client: Client, sitting: Sitting) -> None:
    for _ in range(3):
        client.get(reverse("join-table", args=[sitting.token]))
    assert sitting.phones.count() == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Purpose": "prefetch"},
        {"Sec-Purpose": "prefetch;prerender"},
        {"Purpose": "prefetch"},
        {"X-Purpose": "preview"},
    ],
)
def test_prefetch_joins_nothing(client: Client, sitting: Sitting, headers: dict[str, str]) -> None:
    """A prefetched address does not make a browser the table's writer; opening it does."""
    link = reverse("join-table", args=[sitting.token])
    assert client.get(link, headers=headers).status_code == 403  # which no browser shows later
    assert sitting.phones.count() == 0
    client.get(link, follow=True)
    assert sitting.phones.get().is_writer


def test_link_preview_joins_nothing(client: Client, sitting: Sitting) -> None:
    """A messenger follows a link for its preview, and keeps no cookies."""
    link = reverse("join-table", args=[sitting.token])
    before = sitting.session.tournament.audit_entries.count()
    for _ in range(3):
        led_to = Client().get(link).headers["Location"]
        assert Client().get(led_to).status_code == 404
    assert not sitting.phones.exists()
    assert sitting.session.tournament.audit_entries.count() == before
    page = client.get(link, follow=True)
    assert page.redirect_chain == [(f"{sitting.get_absolute_url()}play/", 302)]  # one turn, as ever
    assert sitting.phones.get().is_writer


def test_first_request_after_the_link_may_write(client: Client, sitting: Sitting) -> None:
    client.get(reverse("join-table", args=[sitting.token]))
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    address = reverse("api-round", args=[sitting.pk, 1])
    answer = client.put(address, body, "application/json", headers={"Idempotency-Key": "first"})
    assert answer.status_code == 201
    assert sitting.phones.get().is_writer


@pytest.mark.both
def test_second_phone_is_asked_to_take_over(sitting: Sitting) -> None:
    link = reverse("join-table", args=[sitting.token])
    for _ in range(2):  # the phone that writes, and the next
        page = Client().get(link, follow=True)
    assert page.redirect_chain == [(f"{sitting.get_absolute_url()}take-over/", 302)]
    assert page.status_code == 200
    assert [phone.is_writer for phone in sitting.phones.all()] == [True, False]


def test_link_closed_before_the_redirect_joins_nothing(client: Client, sitting: Sitting) -> None:
    link = reverse("join-table", args=[sitting.token])
    led_to = client.get(link).headers["Location"]
    table_links.make_link(sitting, by=cast.SOMEBODY)
    assert client.get(led_to).status_code == 404
    assert not sitting.phones.exists()


def test_busy_database_admits_the_phone_later(
    client: Client, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    led_to = client.get(reverse("join-table", args=[sitting.token])).headers["Location"]

    def is_locked(*_: object) -> None:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patched:
        patched.setattr(phones, "admit_phone", is_locked)
        assert client.get(led_to).status_code == 503
    assert client.get(led_to).status_code == 200
    assert sitting.phones.get().is_writer


@pytest.mark.django_db
def test_wrong_token_is_not_found(client: Client) -> None:
    assert client.get(reverse("join-table", args=["guessed"])).status_code == 404


def test_wrong_pin_has_one_error_at_its_field(client: Client, sitting: Sitting) -> None:
    answer = cast.in_english(client).post(reverse("join"), {"table": "1", "pin": "000000"})
    assert answer.status_code == 422
    form = answer.context["form"]
    assert (form["table"].value(), form["pin"].value()) == ("1", "000000")
    assert answer.text.count("the PIN is wrong") == 1
    assert "error-summary" not in answer.text
    assert "autofocus" in str(form["pin"])
    assert "autofocus" not in str(form["table"])
    page = answer.content.decode()
    assert "Not saved yet" not in page


def other_than(pin: str) -> str:
    return f"{(int(pin) + 1) % 10**6:06}"


def test_number_and_pin_open_a_table(client: Client, sitting: Sitting) -> None:
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    typed = {"table": "1", "pin": f"{pin[:3]} {pin[3:]}"}
    answer = client.post(reverse("join"), typed)
    assert answer.headers["Location"] == f"{sitting.get_absolute_url()}play/"


def other_events(**fields: Any) -> None:
    """Make as many events with a table 1 and a PIN as are tried."""
    for _ in range(phones.MOST_TRIED):
        other = cast.make_sitting(cast.make_tournament(**fields))
        table_links.make_pin(other, by=cast.SOMEBODY)


@pytest.mark.parametrize(
    "others",
    [
        {},  # of today as well
        {"kind": Tournament.Kind.TABLE},
        {"days": 1},
        {"days": -1},
    ],
    ids=["later set up", "single tables", "tomorrow", "yesterday"],
)
def test_table_of_today_comes_before_those_of_other_events(
    client: Client, sitting: Sitting, others: dict[str, Any]
) -> None:
    today = sitting.session.tournament
    if "days" in others:
        others = {"held_on": timezone.localdate() + timedelta(days=others["days"])}
    if others.get("held_on", today.held_on) < today.held_on:
        other_events(**others)
        today = cast.make_tournament()
        sitting = cast.make_sitting(today)
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    other_events(**others)
    typed = {"table": "1", "pin": pin}
    answer = cast.in_english(client).post(reverse("join"), typed)
    assert answer.headers["Location"] == f"{sitting.get_absolute_url()}play/"
    page = client.get(answer.headers["Location"]).text
    assert f"This phone has joined table 1 of {today.name}." in page


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


def test_second_browser_takes_over_by_a_tap(sitting: Sitting) -> None:
    link = reverse("join-table", args=[sitting.token])
    first, second = Client(), Client()
    play = f"{sitting.get_absolute_url()}play/"
    assert first.get(link, follow=True).redirect_chain == [(play, 302)]
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


@pytest.fixture
def table() -> Sitting:
    """A club table without rounds."""
    return cast.start_club_table()


@pytest.mark.both
def test_second_phone_with_a_code_is_asked_to_take_over(table: Sitting) -> None:
    table_codes.join(table.code)
    client = Client()
    answer = client.post(reverse("join"), {"code": table.code}, follow=True)
    assert answer.redirect_chain == [(f"{table.get_absolute_url()}take-over/", 302)]
    client.post(f"{table.get_absolute_url()}take-over/")
    assert client.get(f"{table.get_absolute_url()}play/").status_code == 200
    assert [each.is_writer for each in table.phones.order_by("pk")] == [False, True]


def test_table_code_is_shown_to_its_table_only() -> None:
    client = cast.in_english(Client())
    page = client.post(reverse("start-table", args=["yoninkan"]), {}, follow=True).text
    table = Sitting.objects.get()
    shown = table_codes.format_code(table.code)
    address = "http://testserver/join/"
    assert page.index("comes next") < page.index("Table code") < page.index(shown)
    assert page.index(shown) < page.index("Scores</h2>")
    assert address in page
    play = f"{table.get_absolute_url()}play/"
    assert shown in (page := client.get(play).text)
    assert address in page
    cast.record(table)
    page = client.get(table.get_absolute_url()).text
    assert page.index("comes next") < page.index(shown)
    assert shown not in client.get(reverse("join")).text
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    page = Client().get(table.get_absolute_url()).text
    assert shown not in page
    assert table.code not in page


def test_wrong_code_has_one_error_at_its_field(client: Client) -> None:
    answer = cast.in_english(client).post(reverse("join"), {"code": "abcd 2345"})
    form = answer.context["code_form"]
    assert form["code"].value() == "abcd 2345"
    assert answer.text.count("This code is wrong.") == 1
    assert "autofocus" in str(form["code"])
    assert answer.text.count("autofocus") == 1
    assert not answer.context["form"].errors
