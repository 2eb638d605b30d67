"""What browsers are told to refuse on our pages."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from tests import cast

pytestmark = pytest.mark.django_db  # the front page lists tournaments

EXPECTED = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@pytest.mark.parametrize("url", ["/", "/no-such-page"])
def test_every_response_has_security_headers(client: Client, url: str) -> None:
    headers = client.get(url).headers
    assert {name: headers[name] for name in EXPECTED} == EXPECTED


STATIC = ["/static/css/site.css", "/static/img/logo.svg", "/static/js/board.js"]


@pytest.mark.parametrize("url", STATIC)
def test_static_file_has_a_strict_policy(client: Client, settings: Settings, url: str) -> None:
    settings.WHITENOISE_USE_FINDERS = True  # they are not collected for tests
    answer = client.get(url)
    answer.close()
    assert answer.status_code == 200
    assert {name: answer.headers[name] for name in EXPECTED} == EXPECTED
    policy = answer.headers["Content-Security-Policy"]
    assert policy == "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize(
    ("length", "status"), [("999999999999", 413), ("x", 400)], ids=["too large", "no length"]
)
def test_413_has_security_headers(client: Client, length: str, status: int) -> None:
    answer = client.post("/log-in/", CONTENT_LENGTH=length)
    assert answer.status_code == status
    assert {name: answer.headers[name] for name in EXPECTED} == EXPECTED
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(("method", "url", "status"), [("PUT", "/", 405), ("GET", "/api/x", 404)])
def test_refused_requests_have_security_headers(
    client: Client, method: str, url: str, status: int
) -> None:
    answer = client.generic(method, url)
    assert answer.status_code == status
    assert {name: answer.headers[name] for name in EXPECTED} == EXPECTED


def test_500_has_security_headers(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object) -> None:
        raise LookupError

    client.raise_request_exception = False
    monkeypatch.setattr("tournaments.middleware.language_of", fail)
    answer = client.get("/log-in/")
    assert answer.status_code == 500
    assert {name: answer.headers[name] for name in EXPECTED} == EXPECTED


def policy_in(header: str) -> dict[str, str]:
    return dict(directive.split(maxsplit=1) for directive in header.split("; "))


def test_policy_allows_own_scripts_only(client: Client) -> None:
    answer = client.get("/")
    policy = policy_in(answer.headers["Content-Security-Policy"])
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["form-action"] == "'self'"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "http" not in answer.headers["Content-Security-Policy"]


def test_nonce_of_an_inline_style_is_unique(client: Client) -> None:
    sitting = cast.make_sitting(cast.make_tournament("goninkan-association"))
    client.get(reverse("join-table", args=[sitting.token]))
    nonces = set()
    for _ in range(2):
        answer = client.get(f"{sitting.get_absolute_url()}play/")
        (nonce,) = re.findall(r'<style nonce="([^"]{20,})">', answer.content.decode())
        policy = policy_in(answer.headers["Content-Security-Policy"])
        assert policy["style-src"] == f"'self' 'nonce-{nonce}'"
        assert policy["script-src"] == "'self'"
        nonces.add(nonce)
    assert len(nonces) == 2
