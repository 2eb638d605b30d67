"""Logging in and out, and wrong passwords."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast, clocks
from tournaments.models import Guesses
from tournaments.server import proxies
from tournaments.services import guesses

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    """A browser whose address is known."""
    browser = Client()
    browser.defaults[proxies.PEER] = "203.0.113.7"
    return browser


def test_log_in_redirects_to_next(client: Client) -> None:
    cast.make_user("director")
    sent = {"username": "director", "password": "director"}
    assert client.post(reverse("log-in"), sent).headers["Location"] == "/"
    target = reverse("choose-rules")
    answer = client.post(reverse("log-in"), sent | {"next": target})
    assert answer.headers["Location"] == target


def test_log_in_redirects_to_no_other_site(client: Client) -> None:
    cast.make_user("director")
    sent = {"username": "director", "password": "director", "next": "https://example.com/"}
    assert client.post(reverse("log-in"), sent).headers["Location"] == "/"


def test_a_wrong_password_keeps_the_name(client: Client) -> None:
    answer = client.post(reverse("log-in"), {"username": "director", "password": "guess"})
    assert answer.status_code == 200
    assert 'value="director"' in answer.text
    assert "guess" not in answer.text
    assert 'role="alert"' in answer.text


def test_log_out_redirects_to_the_front_page(stranger: Client) -> None:
    assert stranger.post(reverse("log-out")).headers["Location"] == "/"
    assert "_auth_user_id" not in stranger.session


def test_wrong_password_focuses_the_password(client: Client) -> None:
    def begins_with(page: str) -> str:
        return page.split("autofocus", maxsplit=1)[0].rsplit("name=", 1)[1].split('"')[1]

    assert begins_with(client.get(reverse("log-in")).text) == "username"
    wrong = client.post(reverse("log-in"), {"username": "director", "password": "guess"}).text
    assert begins_with(wrong) == "password"


def test_empty_fields_have_the_usual_message(client: Client) -> None:
    page = cast.in_english(client).post(reverse("log-in"), {"username": "director"}).text
    assert "Not logged in" in page
    assert "Password: Fill this in." in page


def guess(client: Client, name: str, as_well: str = "guess") -> int:
    return client.post(reverse("log-in"), {"username": name, "password": as_well}).status_code


@pytest.mark.parametrize(
    "spelled", ["director", "director{spaces}", "{spaces}director", "ｄｉｒｅｃｔｏｒ{spaces}"]
)
def test_guesses_are_counted_by_normalised_name(client: Client, spelled: str) -> None:
    cast.make_user("director")
    tried = [guess(client, spelled.format(spaces=" " * times)) for times in range(8)]
    assert tried == [200] * 5 + [429] * 3
    assert guess(client, "director", "director") == 429


def test_account_names_are_case_sensitive(client: Client) -> None:
    cast.make_user("director")
    cast.make_user("DIRECTOR")
    for _ in range(4):
        guess(client, "director")
    assert guess(client, "DIRECTOR", "DIRECTOR") == 302
    client.post(reverse("log-out"))
    assert [guess(client, "director") for _ in range(2)] == [200, 429]
    assert guess(client, "DIRECTOR", "DIRECTOR") == 302


def test_right_password_resets_the_count_of_wrong_ones(client: Client) -> None:
    cast.make_user("director")
    for _ in range(4):
        guess(client, "director ")
    assert guess(client, " director", "director") == 302
    subject = guesses.account_subject("director")
    assert Guesses.objects.get(subject=subject, who__startswith="peer:").count == 0


def test_empty_password_is_no_guess(client: Client) -> None:
    for _ in range(8):
        assert guess(client, "director", "") == 200
    assert not Guesses.objects.exists()


def test_throttled_log_in_keeps_the_name(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    clocks.stop(monkeypatch)
    for _ in range(5):
        guess(client, "director")
    sent = {"username": "director", "password": "guess", "next": "/new/"}
    answer = cast.in_english(client).post(reverse("log-in"), sent)
    assert answer.headers["Retry-After"] == "30"
    assert "Try again in 30 s." in answer.text
    assert 'value="director"' in answer.text
    assert 'value="/new/"' in answer.text
    assert 'value="guess"' not in answer.text


def test_wrong_passwords_throttle_the_account(client: Client, db: None) -> None:
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
