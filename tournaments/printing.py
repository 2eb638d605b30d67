"""A template and its context as PDF bytes, laid out by WeasyPrint. How it looks is in `print.css`.

Importing WeasyPrint takes half a second, so views import this module when somebody prints.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils.http import content_disposition_header
from pypdf import PdfWriter
from weasyprint import HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher, URLFetcherResponse

# What addresses in a template are relative to. Nothing of that name can exist, or be asked for.
BASE_URL = "http://static.invalid/"


class OwnStaticFiles(URLFetcher):  # type: ignore[misc]  # it ships no types
    """Opens our own static files, and nothing else: no other file, no network.

    Whatever else a document asks for stops the printing, so that it cannot go unnoticed.
    """

    def __init__(self) -> None:
        super().__init__(fail_on_errors=True)

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        """Return the contents of a static file. Raises `PermissionError` for any other address."""
        path = static_file(url)
        if path is None:
            raise PermissionError(f"{url} is not one of our static files")
        content_type = guess_type(path.name)[0] or "application/octet-stream"
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": content_type})


def static_file(url: str) -> Path | None:
    """Return the file behind the address of a static file of ours, None for any other address."""
    own = urljoin(BASE_URL, settings.STATIC_URL)
    if not url.startswith(own):
        return None
    name = unquote(urlsplit(url).path).removeprefix(urlsplit(own).path)
    collected = (Path(settings.STATIC_ROOT) / name).resolve()
    if collected.is_relative_to(Path(settings.STATIC_ROOT).resolve()) and collected.is_file():
        return collected  # under the name that carries its hash
    try:
        found = finders.find(name)
    except SuspiciousFileOperation:
        return None
    return Path(found) if isinstance(found, str) and Path(found).is_file() else None


@contextmanager
def garbage_collector_paused() -> Iterator[None]:
    """Collect garbage once at the end: a layout makes much and drops little while it lasts."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
        gc.collect()


def pdf(template: str, *contexts: Mapping[str, Any]) -> bytes:
    """Return a template filled with each context in turn, one after the other in one PDF.

    Give a long run of sheets in several contexts of ten to twenty: each is laid out by itself and
    its memory given back.
    """
    fonts = FontConfiguration()
    parts = [_laid_out(render_to_string(template, dict(context)), fonts) for context in contexts]
    return parts[0] if len(parts) == 1 else _joined(parts)


def _laid_out(html: str, fonts: FontConfiguration) -> bytes:
    with garbage_collector_paused():
        document = HTML(string=html, base_url=BASE_URL, url_fetcher=OwnStaticFiles())
        laid_out: bytes = document.write_pdf(font_config=fonts)
    return laid_out


def _joined(parts: list[bytes]) -> bytes:
    whole = BytesIO()
    with PdfWriter() as writer:
        for part in parts:
            writer.append(BytesIO(part))
        writer.write(whole)
    return whole.getvalue()


def pdf_response(content: bytes, filename: str) -> HttpResponse:
    """Return a PDF to look at in the browser, saved under this name."""
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = str(
        content_disposition_header(as_attachment=False, filename=filename)
    )
    return response
