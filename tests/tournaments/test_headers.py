"""What browsers are told to refuse on our pages."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db  # the front page lists tournaments

pytestmark = pytest.mark.django_db  # the front page lists tournaments

EXPECTED = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@pytest.mark.parametrize("url", ["/", "/no-such-page"])
def test_every_answer_carries_them(client: Client, url: str) -> None:
    headers = client.get(url).headers
    assert {name: headers[name] for name in EXPECTED} == EXPECTED


def test_pages_run_nothing_but_our_own_files(client: Client) -> None:
    header = client.get("/").headers["Content-Security-Policy"]
    policy = dict(directive.split(maxsplit=1) for directive in header.split("; "))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["form-action"] == "'self'"
    assert "unsafe" not in header
    assert "http" not in header
