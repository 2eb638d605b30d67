"""With `serve --https` the desk is on https and the phones on http, on two ports of one host."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from tests import cast
from tournaments.models import Tournament
from tournaments.web import origins

pytestmark = pytest.mark.django_db

PHONE = "192.168.1.7"


@pytest.fixture(autouse=True)
def two_ports(settings: Settings) -> None:
    settings.VENUE = True
    settings.DESK_HTTPS_PORT, settings.PHONES_PORT = 8443, 8000
    settings.ALLOWED_HOSTS = ["*"]


def test_cookies_of_the_desk_never_go_over_http() -> None:
    user = cast.make_user("director")
    user.set_password("kano-mite")
    user.save()
    desk, account = Client(), {"username": "director", "password": "kano-mite"}
    page = desk.get(reverse("log-in"), secure=True)
    assert page.cookies["csrftoken"]["secure"]
    answer = desk.post(reverse("log-in"), account, secure=True)
    assert answer.cookies["sessionid"]["secure"]


def test_phones_keep_their_cookies_on_http() -> None:
    cookies = Client(REMOTE_ADDR=PHONE).get(reverse("join")).cookies
    assert cookies
    assert not any(each["secure"] for each in cookies.values())


def test_log_in_over_http_redirects_to_https() -> None:
    page = f"{reverse('log-in')}?next=/"
    answer = Client(REMOTE_ADDR=PHONE).get(page, headers={"host": "192.168.1.2:8000"})
    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        f"https://192.168.1.2:8443{page}",
    )
    assert Client(REMOTE_ADDR="127.0.0.1").get(page).status_code == 200


def addresses_for_staff(tournament: Tournament) -> set[str]:
    """Return the addresses in QR codes whose pages differ for the staff, without the host."""
    return {
        reverse("name-card", args=[tournament.slug, 1]),
        reverse("enter-sheet", args=[tournament.slug, 1, 1]),
        reverse("hand-over"),
    }


def test_codes_scanned_at_the_desk_open_over_https() -> None:
    """A phone of the staff, logged in over https, is not a stranger to the http address."""
    sitting = cast.make_sitting(cast.make_tournament())
    user = cast.make_user("director")
    user.set_password("kano-mite")
    user.save()
    phone, host = Client(REMOTE_ADDR=PHONE), {"host": "192.168.1.2:8000"}
    scanned = addresses_for_staff(sitting.session.tournament)
    other = [reverse("home"), "/no-such-page", reverse("join-table", args=[sitting.token])]

    def redirected(paths: Iterable[str]) -> set[str]:
        over_https = "https://192.168.1.2:8443"
        answers = {path: phone.get(path, headers=host).headers.get("Location") for path in paths}
        return {path for path, goes_to in answers.items() if goes_to == over_https + path}

    assert redirected(scanned) == set()
    account = {"username": "director", "password": "kano-mite"}
    marker = phone.post(reverse("log-in"), account, secure=True).cookies["desk"]
    assert (marker["secure"], marker["httponly"]) == ("", True)
    assert redirected(scanned) == scanned
    assert redirected(other) == set()
    phone.post(reverse("log-out"), secure=True)
    assert redirected(scanned) == set()


def test_token_is_refused_over_http() -> None:
    cast.make_user("director")

    def ask(address: str, *, secure: bool = False) -> int:
        sent = {"username": "director", "password": "director"}
        program = Client(REMOTE_ADDR=address)
        answer = program.post("/api/token", sent, "application/json", secure=secure)
        return int(answer.status_code)

    assert ask(PHONE) == 403
    assert ask(PHONE, secure=True) == 201
    assert ask("127.0.0.1") == 201


def test_log_in_is_not_redirected_without_https(settings: Settings) -> None:
    settings.DESK_HTTPS_PORT = 0
    assert Client(REMOTE_ADDR=PHONE).get(reverse("log-in")).status_code == 200


def test_links_for_phones_use_http() -> None:
    request = RequestFactory().get("/", secure=True, headers={"host": "192.168.1.2:8443"})
    assert origins.phone_origins(request) == ["http://192.168.1.2:8000"]
