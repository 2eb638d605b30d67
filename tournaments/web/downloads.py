"""Responses with a file under its name, which may be in any script."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from tournaments.system.files import fit_name

PDF, ZIP = "application/pdf", "application/zip"
# Characters, of a name and of one of its parts: at most 248 of the 255 bytes that a file system
# takes, and a long name of a tournament leaves room for the session.
LONGEST_NAME, LONGEST_PART = 62, 36


def download(content: bytes, name: str, media_type: str) -> HttpResponse:
    """Return a response with a file that the browser saves under this name."""
    return _file(content, name, media_type, as_attachment=True)


def pdf(content: bytes, *parts: object) -> HttpResponse:
    """Return a response with a PDF that the browser shows, and saves under a name of these parts.

    The parts are words for people: what it is, the tournament, the session.
    """
    return _file(content, f"{file_name(*parts)}.pdf", PDF, as_attachment=False)


def file_name(*parts: object) -> str:
    """Return a name that every file system takes: no signs of a path, no control characters.

    >>> file_name("Score sheet", "Cup 2026/27: A?", "Session 3")
    'Score sheet Cup 2026_27_ A_ Session 3'
    """
    name = " ".join(word for part in parts for word in str(part)[:LONGEST_PART].split())
    return fit_name(name[:LONGEST_NAME])


def _file(content: bytes, name: str, media_type: str, *, as_attachment: bool) -> HttpResponse:
    disposition = content_disposition_header(as_attachment, fit_name(name))
    headers = {"Content-Disposition": disposition}
    return HttpResponse(content, content_type=media_type, headers=headers)
