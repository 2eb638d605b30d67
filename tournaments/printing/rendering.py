"""A template and its context as PDF bytes, laid out by WeasyPrint. How it looks is in `print.css`.

Importing WeasyPrint takes half a second, so views import this module when somebody prints.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urljoin, urlsplit

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.exceptions import SuspiciousFileOperation
from django.template.loader import render_to_string
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, NameObject, PdfObject, StreamObject
from weasyprint import HTML
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from tournaments.printing import fonts

# What addresses in a template are relative to. Nothing of that name can exist, or be asked for.
BASE_URL = "http://static.invalid/"

# One layout at a time in a process, always in the same thread: each takes up to 200 MB, which the
# system's allocator keeps for the thread that asked, and WeasyPrint promises nothing to several. A
# long run gives way to others between its contexts.
_printer = ThreadPoolExecutor(1, "printer")


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


def pdf(template: str, context: Mapping[str, Any]) -> bytes:
    """Return a rendered template as the bytes of a PDF.

    Raises `PermissionError` when it asks for anything but a static file of ours.
    """
    html = render_to_string(template, dict(context))
    try:
        return _printer.submit(_lay_out, html).result()
    except FatalURLFetchingError as refused:  # would pass every `except Exception` on its way
        raise PermissionError(str(refused)) from refused


def _lay_out(html: str) -> bytes:
    """Return a page of HTML as a PDF. Runs in the printer's thread."""
    with garbage_collector_paused():
        document = HTML(string=html, base_url=BASE_URL, url_fetcher=OwnStaticFiles())
        pages: bytes = document.write_pdf(finisher=fonts.shrink_fonts)
    return pages


def stamped_pdf(
    template: str,
    blanks: Mapping[str, Any],
    form_indexes: Sequence[int],
    written: Iterable[Mapping[str, Any]],
) -> bytes:
    """Return the PDF of a long run of the same few forms, with other writing on each page.

    `blanks` is the context whose pages are the blank forms, laid out once. `written` are contexts
    whose pages are only the writing, several so that memory is given back between them.
    `form_indexes` has for each page of writing the index of the blank form under it. That is
    several times as fast as laying out every form, and the file is small.

    Raises `PermissionError` as `pdf` does.
    """
    writer = PdfWriter()
    laid_out = PdfReader(BytesIO(pdf(template, blanks)))
    writer.append(laid_out)
    writer.metadata = laid_out.metadata
    if language := laid_out.root_object.get("/Lang"):
        writer.root_object[NameObject("/Lang")] = language
    forms = [_as_form_object(writer, page) for page in writer.pages]
    for context in written:
        writer.append(BytesIO(pdf(template, context)))
    for page, index in zip(writer.pages[len(forms) :], form_indexes, strict=True):
        _put_under(writer, page, name=f"/Blank{index}", form=forms[index])
    for _form in forms:
        writer.remove_page(0)
    whole = BytesIO()
    writer.write(whole)
    return whole.getvalue()


def _as_form_object(writer: PdfWriter, page: PageObject) -> PdfObject:
    """Add what is drawn on a page to the file as a form object, and return a reference to it."""
    contents = page.get_contents()
    drawing = StreamObject()
    drawing.set_data(b"" if contents is None else contents.get_data())
    drawing.update(
        {
            NameObject("/Type"): NameObject("/XObject"),
            NameObject("/Subtype"): NameObject("/Form"),
            NameObject("/BBox"): page.mediabox,
            NameObject("/Resources"): page["/Resources"],
        }
    )
    return writer._add_object(drawing.flate_encode())  # noqa: SLF001  has no public name


def _put_under(writer: PdfWriter, page: PageObject, name: str, form: PdfObject) -> None:
    """Draw a form before everything else on a page."""
    resources = cast("DictionaryObject", page["/Resources"].get_object())
    drawn = resources.setdefault(NameObject("/XObject"), DictionaryObject()).get_object()
    cast("DictionaryObject", drawn)[NameObject(name)] = form
    first = StreamObject()
    first.set_data(f"q {name} Do Q\n".encode())
    contents = [writer._add_object(first), page.raw_get("/Contents")]  # noqa: SLF001
    page[NameObject("/Contents")] = ArrayObject(contents)
