"""Rendering a template with its context to PDF bytes. A job does the layout (`server.jobs`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.template.loader import render_to_string

from tournaments.printing import installed_fonts
from tournaments.printing.pango import PangoMissing, load_layout
from tournaments.server import jobs


def prepare() -> None:
    """Load what every print needs, for jobs that are forked from this process."""
    installed_fonts.languages_without_font()
    with suppress(PangoMissing):  # every print will say so
        load_layout().prepare(render_to_string("print/_document.html"))


def pdf(template: str, context: Mapping[str, Any]) -> bytes:
    """Return a rendered template as the bytes of a PDF.

    Raises `PermissionError` if the document refers to anything but static files of ours,
    `FontsMissing` if it would be nothing but boxes, `PangoMissing`, and `JobEnded`.
    """
    installed_fonts.check_fonts()
    return jobs.run_short(_lay_out, render_to_string(template, dict(context)))


def stamped_pdf(
    template: str,
    blanks: Mapping[str, Any],
    form_indexes: Sequence[int],
    fillings: Sequence[Mapping[str, Any]],
) -> bytes:
    """Return the PDF of a long run of the same few forms, each page with another text filled in.

    The pages of the context `blanks` are the blank forms, which are laid out once. The pages of the
    contexts `fillings` have only the text filled in. `form_indexes` has, for each page with a text,
    the index of the blank form under it. This is many times as fast as laying out every form, and
    the file is small. Call it in a job, whose progress it reports.

    Raises `PermissionError`, `FontsMissing` and `PangoMissing` as `pdf` does.
    """
    installed_fonts.check_fonts()
    contexts = [blanks, *fillings]

    def documents() -> Iterator[str]:
        for number, context in enumerate(contexts):
            jobs.report(number, len(contexts))
            yield render_to_string(template, dict(context))
        jobs.report(len(contexts), len(contexts))

    content: bytes = load_layout().stamped_pdf(documents(), form_indexes)
    return content


def _lay_out(html: str) -> bytes:
    content: bytes = load_layout().pdf(html)
    return content
