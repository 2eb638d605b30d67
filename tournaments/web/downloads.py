"""Responses with a file under its name, which may be in any script."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header

PDF, ZIP = "application/pdf", "application/zip"


def download(content: bytes, name: str, media_type: str) -> HttpResponse:
    """Return a response with a file that the browser saves under this name."""
    return _file(content, name, media_type, as_attachment=True)


def pdf(content: bytes, name: str) -> HttpResponse:
    """Return a response with a PDF that the browser shows, and saves under this name."""
    return _file(content, name, PDF, as_attachment=False)


def _file(content: bytes, name: str, media_type: str, *, as_attachment: bool) -> HttpResponse:
    disposition = content_disposition_header(as_attachment=as_attachment, filename=name)
    headers = {"Content-Disposition": disposition}
    return HttpResponse(content, content_type=media_type, headers=headers)
