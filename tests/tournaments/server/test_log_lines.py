"""No line of the log opens a table."""

from __future__ import annotations

import io
import logging

import pytest
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.permissions import admission
from tournaments.server import log_lines


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What the terminal of a server would show."""
    written = io.StringIO()
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, log_lines.WithoutTokens):
            monkeypatch.setattr(handler, "stream", written)
    return written


@pytest.mark.django_db
def test_no_refusal_or_failure_writes_a_token(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = cast.make_sitting()
    browser = Client(raise_request_exception=False)
    address = reverse("join-table", args=[sitting.token])

    def fail(*_: object) -> None:
        raise DatabaseError(f"database is locked at {address}")

    monkeypatch.setattr(admission, "expect", fail)
    assert browser.get(address).status_code == 503
    assert browser.post(address).status_code == 405
    assert browser.get(address[:-2] + "/").status_code == 404
    assert "/join/…/" in log.getvalue()
    assert sitting.token[:-2] not in log.getvalue()


def test_nor_does_what_the_server_itself_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    logger, written = logging.getLogger("a server's own"), io.StringIO()
    handler = logging.StreamHandler(written)
    logger.addHandler(handler)
    log_lines.hide_tokens(logger)
    monkeypatch.setattr(logger, "propagate", False)
    error = ValueError("GET /join/aB3_-x HTTP/1.1")
    logger.error("Error handling request %s", "/join/aB3_-x/?a=1", exc_info=error)
    told = written.getvalue()
    assert "[ERROR] Error handling request /join/…/?a=1" in told
    assert "aB3" not in told
