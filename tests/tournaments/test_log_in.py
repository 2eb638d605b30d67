"""Staff log in and out; everybody else does not need to."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast

pytestmark = pytest.mark.django_db


def test_logging_in_leads_on(client: Client) -> None:
    cast.make_user("director")
    sent = {"username": "director", "password": "director"}
    assert client.post(reverse("log-in"), sent).headers["Location"] == "/"
    target = reverse("choose-rules")
    answer = client.post(reverse("log-in"), sent | {"next": target})
    assert answer.headers["Location"] == target


def test_it_never_leads_elsewhere(client: Client) -> None:
    cast.make_user("director")
    sent = {"username": "director", "password": "director", "next": "https://example.com/"}
    assert client.post(reverse("log-in"), sent).headers["Location"] == "/"


def test_a_wrong_password_keeps_the_name(client: Client) -> None:
    answer = client.post(reverse("log-in"), {"username": "director", "password": "guess"})
    assert answer.status_code == 200
    assert 'value="director"' in answer.text
    assert "guess" not in answer.text
    assert 'role="alert"' in answer.text


def test_logging_out_leads_home(stranger: Client) -> None:
    assert stranger.post(reverse("log-out")).headers["Location"] == "/"
    assert "_auth_user_id" not in stranger.session


def test_after_a_wrong_password_the_password_is_typed_next(client: Client) -> None:
    def begins_with(page: str) -> str:
        return page.split("autofocus", maxsplit=1)[0].rsplit("name=", 1)[1].split('"')[1]

    assert begins_with(client.get(reverse("log-in")).text) == "username"
    wrong = client.post(reverse("log-in"), {"username": "director", "password": "guess"}).text
    assert begins_with(wrong) == "password"


def test_what_is_not_filled_in_is_said_as_on_every_form(client: Client) -> None:
    page = cast.in_english(client).post(reverse("log-in"), {"username": "director"}).text
    assert "Not logged in" in page
    assert "Password: Fill this in." in page
