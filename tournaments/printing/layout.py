"""Laying out documents of HTML as PDF by WeasyPrint. The styles are in `print.css`.

Importing WeasyPrint takes half a second and 30 MB, so `rendering` imports this module in jobs.
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
from weasyprint import CSS, HTML, Document
from weasyprint.html import UA
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from tournaments.printing import fonts, installed_fonts, stamping, text_lines

# The base of relative addresses in a template. No host can have this name.
BASE_URL = "http://static.invalid/"
PNG_DATA = "data:image/png;base64,"

R = TypeVar("R")

# One layout at a time in a process, always in the same thread: each takes up to 300 MB, which the
# system's allocator keeps for the thread, and WeasyPrint does not promise to be thread-safe. Where
# there are no jobs, a long run lets other prints come between its contexts.
_printer = ThreadPoolExecutor(1, "printer")


class OwnStaticFiles(URLFetcher):  # type: ignore[misc]  # it ships no types
    """Fetcher that opens our static files and PNG data URLs: no other file, no network.

    Any other address stops the printing, so that it cannot go unnoticed.
    """

    def __init__(self) -> None:
        super().__init__(fail_on_errors=True)

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        """Raises `PermissionError` for addresses other than static files and PNG data URLs."""
        if url.startswith(PNG_DATA):
            picture = b64decode(url.removeprefix(PNG_DATA))
            return URLFetcherResponse(url, picture, {"Content-Type": "image/png"})
        path = static_file(url)
        if path is None:
            raise PermissionError(f"{url} is not one of our static files")
        content_type = guess_type(path.name)[0] or "application/octet-stream"
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": content_type})


class Paper(HTML):  # type: ignore[misc]  # it ships no types
    """A document without footnotes and list markers, which none of our forms has.

    WeasyPrint's rules for these make six more styles for each element of any document, which takes
    a fifth of the time of a chart.
    """

    def _ua_stylesheets(self, forms: bool = False) -> list[CSS]:
        return [_default_style_sheet()]


@cache
def _default_style_sheet() -> CSS:
    """Return WeasyPrint's style sheet for HTML without the rules of footnotes and list markers.

    Each of these rules is one line.
    """
    rules = [line for line in UA.splitlines() if not line.startswith(("::", "@counter-style"))]
    return CSS(string="\n".join(rules))


def static_file(url: str) -> Path | None:
    """Return None for a URL that is none of our static files."""
    static_url = urljoin(BASE_URL, settings.STATIC_URL)
    if not url.startswith(static_url):
        return None
    name = unquote(urlsplit(url).path).removeprefix(urlsplit(static_url).path)
    collected = (Path(settings.STATIC_ROOT) / name).resolve()
    if collected.is_relative_to(Path(settings.STATIC_ROOT).resolve()) and collected.is_file():
        return collected  # under the name with its hash
    try:
        source = finders.find(name)
    except SuspiciousFileOperation:
        return None
    return Path(source) if isinstance(source, str) and Path(source).is_file() else None


@contextmanager
def garbage_collector_paused() -> Iterator[None]:
    """Pause the garbage collector, and collect the youngest generation once at the end.

    A layout creates many objects and drops few before it ends.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
        gc.collect(0)


def prepare(html: str) -> None:
    """Lay out a document, which finds fonts and reads styles, without starting a thread."""
    _pdf_of(html, tags=True)


def pdf(html: str, *, tags: bool) -> bytes:
    """Return a document as a PDF. Raises as `rendering.pdf` does."""
    return _print(_pdf_of, html, tags)


def stamped_pdf(documents: Iterable[str], form_indexes: Sequence[int]) -> bytes:
    """Return the PDF of `rendering.stamped_pdf`; the first document has the blank forms."""
    laid_out: list[Document] = []
    for html in documents:
        _print(_add_document, laid_out, html)
    return _print(_stamp, laid_out, form_indexes)


def _print(work: Callable[..., R], *arguments: Any) -> R:
    """Call `work` in the printer's thread and return its result.

    Raises `PermissionError` if a document refers to anything but static files of ours, and
    `FontsMissing` if it would be nothing but boxes.
    """
    installed_fonts.check_fonts()
    try:
        return _printer.submit(_without_garbage_collector, work, *arguments).result()
    except FatalURLFetchingError as refused:  # a BaseException, which `except Exception` misses
        raise PermissionError(str(refused)) from refused


def _without_garbage_collector(work: Callable[..., R], *arguments: Any) -> R:
    with garbage_collector_paused():
        return work(*arguments)


def _pdf_of(html: str, tags: bool) -> bytes:
    return _write_pdf(_lay_out(html), fonts.unwrap_cff, tags=tags)


def _add_document(documents: list[Document], html: str) -> None:
    documents.append(_lay_out(html))


def _stamp(documents: list[Document], form_indexes: Sequence[int]) -> bytes:
    """Return a PDF of all documents but the first, each page drawn over a page of the first one.

    `form_indexes` are those of `stamped_pdf`. Empties `documents`: Pango's objects must not be
    freed by another thread during a layout.
    """

    def finish(document: Document, pdf: Any) -> None:
        stamping.draw_codes(document, pdf)
        stamping.put_forms_under(pdf, form_indexes)
        fonts.unwrap_cff(document, pdf)

    blanks, *filled = documents
    # The blank forms come last: if a font draws two characters alike, such as ・ and ·, the text of
    # a PDF has the one that was drawn first, and a search has to find names as they are written.
    pages = [page for document in (*filled, blanks) for page in document.pages]
    joined_document = blanks.copy(pages)
    documents.clear()
    return _write_pdf(joined_document, finish, tags=False)


def _write_pdf(
    document: Document, finisher: Callable[[Document, Any], None], *, tags: bool
) -> bytes:
    """Return a document as a PDF; WeasyPrint calls `finisher` before it writes the PDF.

    `tags` say what is a heading, a table and so on. A blank form under several pages has none: a
    tag names a place on one page.
    """
    content: bytes = document.write_pdf(finisher=finisher, pdf_tags=tags)
    return content


def _lay_out(html: str) -> Document:
    document = Paper(string=html, base_url=BASE_URL, url_fetcher=OwnStaticFiles())
    root = document.etree_element
    sheets = _extract_style_sheets(root)
    for title in root.findall("head/title"):
        title.text = " ".join((title.text or "").split())
    return document.render(
        font_config=_font_configuration(), stylesheets=sheets, cache=text_lines.images_of(root)
    )


def _extract_style_sheets(root: Element) -> list[CSS]:
    """Return the style sheets of a document, parsed, and remove the links to them.

    Parsed style sheets are cached: WeasyPrint would parse them for each document, in a tenth of a
    chart's time.
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
    """Cached until the file changes."""
    return CSS(url=address, url_fetcher=OwnStaticFiles(), font_config=_font_configuration())


@cache
def _font_configuration() -> FontConfiguration:
    """Cached: Pango looks up the fonts of the system once in a process."""
    return FontConfiguration()
