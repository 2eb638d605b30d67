"""The language of a request is the reader's choice, not the browser's."""

import pytest
from django.conf import settings
from django.test import Client

pytestmark = pytest.mark.django_db  # the front page lists tournaments


def language_of(client: Client, **headers: str) -> str:
    response = client.get("/", headers=headers)
    assert f'<html lang="{response.headers["Content-Language"]}"' in response.text
    return response.headers["Content-Language"]


def test_it_is_japanese_unless_asked(client: Client) -> None:
    assert language_of(client) == "ja"


def test_it_does_not_ask_the_browser(client: Client) -> None:
    assert language_of(client, accept_language="en-GB,en;q=0.9") == "ja"


@pytest.mark.parametrize("language", ["ja", "en", "zh-hans"])
def test_it_follows_the_choice_of_the_reader(client: Client, language: str) -> None:
    response = client.post("/language/", {"language": language, "next": "/"})
    assert response.headers["Location"] == "/"
    assert language_of(client, accept_language="fr") == language


@pytest.mark.parametrize("cookie", ["", "fr", "../../etc/passwd", "EN", "zh", "\\x00"])
def test_it_ignores_a_language_we_do_not_speak(client: Client, cookie: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = cookie
    assert language_of(client) == "ja"


@pytest.mark.parametrize("length", ["abc", "-1", "1e3", "²", "٣", "0x10"])
def test_a_length_that_is_none_is_told(client: Client, length: str) -> None:
    page = client.post("/log-in/", CONTENT_LENGTH=length)
    assert (page.status_code, "Content-Language" in page.headers) == (400, True)
    answer = client.post("/api/token", CONTENT_LENGTH=length)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_length")


def test_a_length_of_any_size_is_read(client: Client) -> None:
    assert client.post("/log-in/", CONTENT_LENGTH="9" * 5000).status_code == 413


def test_one_answer_does_not_colour_the_next(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert language_of(client) == "en"
    assert language_of(Client()) == "ja"


def test_caches_keep_the_languages_apart(client: Client) -> None:
    assert "Cookie" in client.get("/").headers["Vary"]
