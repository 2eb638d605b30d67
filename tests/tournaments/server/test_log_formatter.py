"""The log contains no tokens of table links."""

from __future__ import annotations

import io
import logging

import pytest
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse

from tests import cast
from tournaments.permissions import admission
from tournaments.server import log_formatter


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """The log as written to the terminal of a server."""
    written = io.StringIO()
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, log_formatter.TokenHidingFormatter):
            monkeypatch.setattr(handler, "stream", written)
    return written


@pytest.mark.django_db
def test_requests_and_tracebacks_are_logged_without_tokens(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = cast.make_sitting()
    browser = Client(raise_request_exception=False)
    address = reverse("join-table", args=[sitting.token])

    def fail(*_: object) -> None:
        raise DatabaseError(f"database is locked at {address}")

    monkeypatch.setattr(admission, "set_admission_cookie", fail)
    assert browser.get(address).status_code == 503
    assert browser.post(address).status_code == 405
    assert browser.get(address[:-2] + "/").status_code == 404
    assert "/join/…/" in log.getvalue()
    assert sitting.token[:-2] not in log.getvalue()


def test_log_of_gunicorn_has_no_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    logger, written = logging.getLogger("a server's own"), io.StringIO()
    handler = logging.StreamHandler(written)
    logger.addHandler(handler)
    log_formatter.hide_tokens(logger)
    monkeypatch.setattr(logger, "propagate", False)
    error = ValueError("GET /join/aB3_-x HTTP/1.1")
    logger.error("Error handling request %s", "/join/aB3_-x/?a=1", exc_info=error)
    told = written.getvalue()
    assert "[ERROR] Error handling request /join/…/?a=1" in told
    assert "aB3" not in told
