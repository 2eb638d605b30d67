"""A template and its context as PDF bytes, laid out by WeasyPrint. How it looks is in `print.css`.

Importing WeasyPrint takes half a second, so views import this module when somebody prints.
"""

from __future__ import annotations

import gc
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, lru_cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree.ElementTree import Element

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.template.loader import render_to_string
from weasyprint import CSS, HTML, Document
from weasyprint.html import UA
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from tournaments.printing import fonts, stamping

# What addresses in a template are relative to. Nothing of that name can exist, or be asked for.
BASE_URL = "http://static.invalid/"
PNG_DATA = "data:image/png;base64,"

R = TypeVar("R")

# One layout at a time in a process, always in the same thread: each takes up to 300 MB, which the
# system's allocator keeps for the thread that asked, and WeasyPrint promises nothing to several. A
# long run gives way to others between its contexts.
_printer = ThreadPoolExecutor(1, "printer")


class OwnStaticFiles(URLFetcher):  # type: ignore[misc]  # it ships no types
    """Opens our own static files and pictures inside the document: no other file, no network.

    Whatever else a document asks for stops the printing, so that it cannot go unnoticed.
    """

    def __init__(self) -> None:
        super().__init__(fail_on_errors=True)

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        """Return the contents of a static file, or of a PNG in the address itself.

        Raises `PermissionError` for any other address.
        """
        if url.startswith(PNG_DATA):
            picture = b64decode(url.removeprefix(PNG_DATA))
            return URLFetcherResponse(url, picture, {"Content-Type": "image/png"})
        path = static_file(url)
        if path is None:
            raise PermissionError(f"{url} is not one of our static files")
        content_type = guess_type(path.name)[0] or "application/octet-stream"
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": content_type})


class Paper(HTML):  # type: ignore[misc]  # it ships no types
    """A document without footnotes and the marks of lists, which none of our forms has.

    WeasyPrint has rules for these, which make six more styles for each element of any document:
    a fifth of the time of a chart.
    """

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:
        return [_style_sheet_of_html()]


@cache
def _style_sheet_of_html() -> CSS:
    """Return WeasyPrint's style sheet for HTML without those rules, a line each."""
    rules = [line for line in UA.splitlines() if not line.startswith(("::", "@counter-style"))]
    return CSS(string="\n".join(rules))


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
    """Collect garbage once at the end: a layout makes much and drops little while it lasts.

    Only what was made meanwhile is looked through, and not the whole process.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
        gc.collect(0)


def pdf(template: str, context: Mapping[str, Any]) -> bytes:
    """Return a rendered template as the bytes of a PDF.

    Raises `PermissionError` when it asks for anything but a static file of ours.
    """
    return _print(_pdf_of, render_to_string(template, dict(context)))


def stamped_pdf(
    template: str,
    blanks: Mapping[str, Any],
    form_indexes: Sequence[int],
    written: Iterable[Mapping[str, Any]],
) -> bytes:
    """Return the PDF of a long run of the same few forms, with other writing on each page.

    `blanks` is the context whose pages are the blank forms, laid out once. `written` are contexts
    whose pages are only the writing, several so that others can print in between.
    `form_indexes` has for each page of writing the index of the blank form under it. That is many
    times as fast as laying out every form, and the file is small.

    Raises `PermissionError` as `pdf` does.
    """
    documents: list[Document] = []
    for context in (blanks, *written):
        _print(_add_document, documents, render_to_string(template, dict(context)))
    return _print(_stamp, documents, form_indexes)


def _print(work: Callable[..., R], *arguments: Any) -> R:
    """Return what `work` returns in the printer's thread.

    Raises `PermissionError` when a document asks for anything but a static file of ours.
    """
    try:
        return _printer.submit(_without_garbage_collector, work, *arguments).result()
    except FatalURLFetchingError as refused:  # would pass every `except Exception` on its way
        raise PermissionError(str(refused)) from refused


def _without_garbage_collector(work: Callable[..., R], *arguments: Any) -> R:
    with garbage_collector_paused():
        return work(*arguments)


def _pdf_of(html: str) -> bytes:
    """Return a page of HTML as a PDF."""
    return _written(_lay_out(html), fonts.unwrap_cff)


def _add_document(documents: list[Document], html: str) -> None:
    """Lay out a page of HTML and append it to `documents`."""
    documents.append(_lay_out(html))


def _stamp(documents: list[Document], form_indexes: Sequence[int]) -> bytes:
    """Return the pages of all documents but the first, each drawn over a page of the first.

    The blank forms come last: where a font draws two signs alike, such as ・ and ·, the text of a
    PDF has the one that was drawn first, and names are to be found as they are written. Empties
    `documents`: Pango's objects must not be freed by another thread during a layout.
    """

    def finish(document: Document, pdf: Any) -> None:
        stamping.put_forms_under(pdf, form_indexes)
        fonts.unwrap_cff(document, pdf)

    blanks, *written = documents
    pages = [page for document in (*written, blanks) for page in document.pages]
    whole = blanks.copy(pages)
    documents.clear()
    return _written(whole, finish)


def _written(document: Document, finisher: Callable[[Document, Any], None]) -> bytes:
    content: bytes = document.write_pdf(finisher=finisher)
    return content


def _lay_out(html: str) -> Document:
    """Return a page of HTML laid out."""
    document = Paper(string=html, base_url=BASE_URL, url_fetcher=OwnStaticFiles())
    sheets = _take_style_sheets(document.etree_element)
    return document.render(font_config=_font_configuration(), stylesheets=sheets)


def _take_style_sheets(root: Element) -> list[CSS]:
    """Return the style sheets of a document, parsed, and remove the links to them.

    WeasyPrint would parse them again for each document, which takes a tenth of a chart's time.
    """
    sheets = []
    for head in root.findall("head"):
        for link in head.findall("link[@rel='stylesheet']"):
            head.remove(link)
            address = urljoin(BASE_URL, link.get("href", ""))
            path = static_file(address)
            sheets.append(_style_sheet(address, path.stat().st_mtime_ns if path else 0))
    return sheets


@lru_cache(32)
def _style_sheet(address: str, _changed_at: int) -> CSS:
    """Return a style sheet, parsed once until it is changed."""
    return CSS(url=address, url_fetcher=OwnStaticFiles(), font_config=_font_configuration())


@cache
def _font_configuration() -> FontConfiguration:
    """Return the fonts of the system, which Pango looks up once in a process."""
    return FontConfiguration()
