"""A table's link lets a phone record at that table, and leaves no trace in the address bar."""

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.models import Sitting
from tournaments.services import phones, table_links


def may_record(client: Client, sitting: Sitting) -> bool:
    slug = sitting.session.tournament.slug
    address = reverse("record-round", args=[slug, sitting.session.number, sitting.number, 1])
    return client.get(address).status_code == 200


def test_it_opens_the_table_without_its_token(client: Client, sitting: Sitting) -> None:
    answer = client.get(reverse("join-table", args=[sitting.token]))
    assert answer.headers["Location"] == f"{sitting.get_absolute_url()}play/"
    assert sitting.token not in answer.headers["Location"]
    assert "no-store" in answer.headers["Cache-Control"]
    assert may_record(client, sitting)


def test_it_opens_no_other_table(client: Client, sitting: Sitting) -> None:
    other = cast.make_sitting(sitting.session.tournament)
    client.get(reverse("join-table", args=[sitting.token]))
    assert not may_record(client, other)


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
def test_a_browser_that_looks_ahead_joins_nothing(
    client: Client, sitting: Sitting, headers: dict[str, str]
) -> None:
    """Whoever only types the address is not the table's writer; who opens it is."""
    link = reverse("join-table", args=[sitting.token])
    assert client.get(link, headers=headers).status_code == 403  # which no browser shows later
    assert sitting.phones.count() == 0
    client.get(link, follow=True)
    assert sitting.phones.get().is_writer


def test_what_only_fetches_the_link_takes_nothing_from_anybody(
    client: Client, sitting: Sitting
) -> None:
    """A messenger that shows what a link leads to follows it, and keeps no cookies."""
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


def test_a_phone_that_opened_the_link_writes_with_the_first_thing_it_sends(
    client: Client, sitting: Sitting
) -> None:
    client.get(reverse("join-table", args=[sitting.token]))
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    address = reverse("api-round", args=[sitting.pk, 1])
    answer = client.put(address, body, "application/json", headers={"Idempotency-Key": "first"})
    assert answer.status_code == 201
    assert sitting.phones.get().is_writer


def test_where_a_phone_writes_the_next_is_asked_whether_it_takes_over(sitting: Sitting) -> None:
    link = reverse("join-table", args=[sitting.token])
    for _ in range(2):  # the phone that writes, and the next
        page = Client().get(link, follow=True)
    assert page.redirect_chain == [(f"{sitting.get_absolute_url()}take-over/", 302)]
    assert page.status_code == 200
    assert [phone.is_writer for phone in sitting.phones.all()] == [True, False]


def test_a_link_closed_before_its_phone_comes_back_lets_nobody_in(
    client: Client, sitting: Sitting
) -> None:
    link = reverse("join-table", args=[sitting.token])
    led_to = client.get(link).headers["Location"]
    table_links.make_link(sitting, by=cast.SOMEBODY)
    assert client.get(led_to).status_code == 404
    assert not sitting.phones.exists()


def test_a_phone_that_cannot_be_let_in_now_is_let_in_later(
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
def test_a_wrong_token_finds_nothing(client: Client) -> None:
    assert client.get(reverse("join-table", args=["guessed"])).status_code == 404


def test_a_wrong_pin_stays_typed_and_is_told_of_once_where_it_is_typed(
    client: Client, sitting: Sitting
) -> None:
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
