"""Our style sheets as browsers get them: without comments and without needless white space.

On a slow line a page is shown only once its style sheets have arrived, so the page of a phone
includes its style sheet.
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

# Strings and comments with a licence are not changed.
UNCHANGED = r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|/\*!.*?\*/)"""
COMMENTS = re.compile(UNCHANGED + r"|/\*.*?\*/", re.DOTALL)
# White space around braces and semicolons; line breaks and indentation inside a value.
WHITE_SPACE = re.compile(UNCHANGED + r"|\s*([{};])\s*|(\s)\s+", re.DOTALL)

PICTURES = re.compile(r'url\("\.\./([^"]+)"\)')  # relative to the folder of style sheets


def stripped_style(style: str) -> str:
    r"""Return a style sheet without comments, indentation and white space around braces.

    >>> stripped_style('a { /* why */\n  content: "/* */";\n\n}\n')
    'a{content: "/* */";}'
    """
    without_comments = COMMENTS.sub(lambda match: match[1] or "", style)
    return WHITE_SPACE.sub(lambda match: match[1] or match[2] or match[3], without_comments)


def inline_style(name: str) -> str:
    """Return a stripped style sheet for inclusion in a page, with absolute URLs of pictures.

    `name` is its path below static/. It is cached, except with DEBUG.
    """
    return _read_style(name) if settings.DEBUG else _cached_style(name)


def _read_style(name: str) -> str:
    style = Path(settings.PAGES_DIR, "static", name).read_text("utf-8")
    return PICTURES.sub(lambda match: f'url("{static(match[1])}")', stripped_style(style))


@cache
def _cached_style(name: str) -> str:
    return _read_style(name)


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # brings no types
    """Static files with a hash in their URLs, compressed; style sheets are stripped, too."""

    def _save(self, name: str, content: Any) -> str:
        """Store a file, and return the name under which it was stored. Strips style sheets."""
        if name.endswith(".css"):
            style = b"".join(content.chunks()).decode()
            content = ContentFile(stripped_style(style).encode())
        saved: str = super()._save(name, content)
        return saved
