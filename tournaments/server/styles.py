"""Our style sheets as browsers get them: without comments and without needless white space.

A style sheet is all that keeps a page on a slow line from being shown, so a phone's comes with its
page.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.templatetags.static import static
from whitenoise.storage import CompressedManifestStaticFilesStorage

# What stays as it is: a text in quotes, somebody's licence.
KEPT = r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/\*!.*?\*/)"""
COMMENTS = re.compile(KEPT + r"|/\*.*?\*/", re.DOTALL)
# White space around braces and semicolons; line breaks and indentation inside a value.
WHITE_SPACE = re.compile(KEPT + r"|\s*([{};])\s*|(\s)\s+", re.DOTALL)

PICTURES = re.compile(r'url\("\.\./([^"]+)"\)')  # beside the folder of style sheets


def stripped_style(style: str) -> str:
    r"""Return a style sheet without comments, indentation and white space around braces.

    >>> stripped_style('a { /* why */\n  content: "/* */";\n\n}\n')
    'a{content: "/* */";}'
    """
    without_comments = COMMENTS.sub(lambda found: found[1] or "", style)
    return WHITE_SPACE.sub(lambda found: found[1] or found[2] or found[3], without_comments)


def inline_style(name: str) -> str:
    """Return a style sheet for inclusion in a page; with DEBUG it is read anew each time.

    `name` is its path below static/. URLs of pictures are made absolute.
    """
    return _read_style(name) if settings.DEBUG else _cached_style(name)


def _read_style(name: str) -> str:
    style = Path(settings.BASE_DIR, "static", name).read_text("utf-8")
    return PICTURES.sub(lambda found: f'url("{static(found[1])}")', stripped_style(style))


@cache
def _cached_style(name: str) -> str:
    return _read_style(name)


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # brings no types
    """Static files under addresses with their hash, compressed, style sheets without comments."""

    def _save(self, name: str, content: Any) -> str:
        """Store a file, stripped if it is a style sheet; return its name."""
        if name.endswith(".css"):
            style = b"".join(content.chunks()).decode()
            content = ContentFile(stripped_style(style).encode())
        saved: str = super()._save(name, content)
        return saved
