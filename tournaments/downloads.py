"""A file as an answer that a browser keeps under its name, whatever writing that is in."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header

ZIP = "application/zip"


def download(content: bytes, name: str, media_type: str) -> HttpResponse:
    """Return a file to keep."""
    kept = content_disposition_header(as_attachment=True, filename=name)
    return HttpResponse(content, content_type=media_type, headers={"Content-Disposition": kept})
