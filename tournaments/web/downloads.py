"""A file as an answer, under its name, whatever writing that is in: to keep, or to look at."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header

PDF, ZIP = "application/pdf", "application/zip"


def download(content: bytes, name: str, media_type: str) -> HttpResponse:
    """Return a file to keep."""
    return _file(content, name, media_type, as_attachment=True)


def pdf(content: bytes, name: str) -> HttpResponse:
    """Return a PDF to look at in the browser, and to keep from there."""
    return _file(content, name, PDF, as_attachment=False)


def _file(content: bytes, name: str, media_type: str, *, as_attachment: bool) -> HttpResponse:
    said = content_disposition_header(as_attachment=as_attachment, filename=name)
    return HttpResponse(content, content_type=media_type, headers={"Content-Disposition": said})
