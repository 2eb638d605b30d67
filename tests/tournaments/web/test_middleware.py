"""The language of a request is the reader's choice, not the browser's."""

import pytest
from django.conf import settings
from django.test import Client, override_settings

pytestmark = pytest.mark.django_db  # the front page lists tournaments


def language_of(client: Client, **headers: str) -> str:
    response = client.get("/", headers=headers)
    assert f'<html lang="{response.headers["Content-Language"]}"' in response.text
    return response.headers["Content-Language"]


def test_default_language_is_japanese(client: Client) -> None:
    assert language_of(client) == "ja"


def test_accept_language_is_ignored_on_pages(client: Client) -> None:
    assert language_of(client, accept_language="en-GB,en;q=0.9") == "ja"


@pytest.mark.parametrize("language", ["ja", "en", "zh-hans"])
def test_language_cookie_is_followed(client: Client, language: str) -> None:
    response = client.post("/language/", {"language": language, "next": "/"})
    assert response.headers["Location"] == "/"
    assert language_of(client, accept_language="fr") == language


@pytest.mark.parametrize("cookie", ["", "fr", "../../etc/passwd", "EN", "zh", "\\x00"])
def test_unknown_language_is_ignored(client: Client, cookie: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie
    assert language_of(client) == "ja"


@override_settings(LANGUAGE_CODE="zh-hans")
def test_language_of_the_settings_is_the_one_without_a_choice(client: Client) -> None:
    assert language_of(client, accept_language="ja") == "zh-hans"
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "ja"
    assert language_of(client) == "ja"


@pytest.mark.parametrize("length", ["abc", "-1", "1e3", "²", "٣", "0x10"])
def test_invalid_content_length_answers_400(client: Client, length: str) -> None:
    page = client.post("/log-in/", CONTENT_LENGTH=length)
    assert (page.status_code, "Content-Language" in page.headers) == (400, True)
    answer = client.post("/api/token", CONTENT_LENGTH=length)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_length")


def test_huge_content_length_is_parsed(client: Client) -> None:
    assert client.post("/log-in/", CONTENT_LENGTH="9" * 5000).status_code == 413


def test_language_does_not_leak_into_the_next_response(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert language_of(client) == "en"
    assert language_of(Client()) == "ja"


def test_responses_vary_by_language(client: Client) -> None:
    assert "Cookie" in client.get("/").headers["Vary"]
