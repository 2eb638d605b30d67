"""A machine without Pango says what to install, and which page to print instead."""

from __future__ import annotations

import pickle
import sys

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tournaments.middleware import page_to_print
from tournaments.printing import layout, rendering
from tournaments.printing.pango import PangoMissing


@pytest.fixture
def without_pango(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let WeasyPrint be imported again, without its libraries."""

    def fail(_ffi: object, name: str, _flags: int = 0) -> None:
        message = f"cannot load library {name!r}: not found"
        raise OSError(message)

    monkeypatch.setattr("cffi.FFI.dlopen", fail)
    monkeypatch.delattr("tournaments.printing.layout")
    for name in [each for each in sys.modules if each.startswith(("weasyprint", layout.__name__))]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.usefixtures("without_pango")
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_missing_library_is_named_with_the_page_to_print(client: Client, language: str) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    refused = client.get(reverse("chart-pdf", args=["goninkan-association"]))
    assert refused.status_code == 503
    assert refused["Cache-Control"] == "no-store"
    shown = refused.content.decode()
    page = reverse("chart", args=["goninkan-association"])
    for expected in ("<code>libgobject-2.0-0</code>", "libpango-1.0-0", f'href="{page}"'):
        assert expected in shown
    rendering.prepare()  # as the server does before its first job


def test_error_crosses_the_border_of_a_job() -> None:
    crossed = pickle.loads(pickle.dumps(PangoMissing("pango")))  # noqa: S301  our own
    assert crossed.library == "pango"


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/tournaments/cup/awards.pdf", "/tournaments/cup/awards/"),
        ("/tournaments/cup/name-cards.pdf", "/tournaments/cup/"),
        ("/tournaments/cup/sessions/3/seats.pdf", "/tournaments/cup/sessions/3/"),
        ("/tournaments/cup/seats/poster.pdf", "/tournaments/cup/seats/"),
        ("/tournaments/cup/sessions/3/cards/", "/tournaments/cup/sessions/3/"),
    ],
)
def test_page_to_print_is_the_nearest(path: str, page: str) -> None:
    assert page_to_print(path) == page
