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


def pdf(template: str, context: Mapping[str, Any], *, tags: bool = True) -> bytes:
    """Return a rendered template as the bytes of a PDF.

    Its `tags` tell screen readers what is a heading, a table and so on. In a list of very many
    short texts they are half of the file.

    Raises `PermissionError` if the document refers to anything but static files of ours,
    `FontsMissing` if it would be nothing but boxes, `PangoMissing`, and `JobEnded`.
    """
    installed_fonts.check_fonts()
    return jobs.run_short(_lay_out, render_to_string(template, dict(context)), tags)


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
    the file is small. The layout is a job, unless this is one, and reports its progress.

    Raises as `pdf` does.
    """
    installed_fonts.check_fonts()
    contexts = [blanks, *fillings]
    documents = [render_to_string(template, dict(context)) for context in contexts]
    return jobs.run(_lay_out_and_stamp, documents, form_indexes)


def _lay_out(html: str, tags: bool) -> bytes:
    content: bytes = load_layout().pdf(html, tags=tags)
    return content


def _lay_out_and_stamp(documents: Sequence[str], form_indexes: Sequence[int]) -> bytes:
    def reported() -> Iterator[str]:
        for number, html in enumerate(documents):
            jobs.report(number, len(documents))
            yield html
        jobs.report(len(documents), len(documents))

    content: bytes = load_layout().stamped_pdf(reported(), form_indexes)
    return content
