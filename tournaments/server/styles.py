"""Our style sheets as browsers get them: without the comments, for those who write them.

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

# A text in quotes, which stays; a comment, unless it is somebody's licence; a line's indentation.
PARTS = re.compile(
    r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|/\*(?!!).*?\*/|^[ \t]+""", re.DOTALL | re.MULTILINE
)

PICTURES = re.compile(r'url\("\.\./([^"]+)"\)')  # beside the folder of style sheets


def spare_style(style: str) -> str:
    r"""Return a style sheet without its comments, its indentation and its empty lines.

    >>> spare_style('a { /* why */\n  content: "/* */";\n\n}\n')
    'a { \ncontent: "/* */";\n}\n'
    """
    spared = PARTS.sub(lambda found: found[1] or "", style)
    return re.sub(r"\n{2,}", "\n", spared)


def style_in_page(name: str) -> str:
    """Return a style sheet of ours as it stands in a page; read anew each time while it is written.

    Its pictures are found from the page's address, wherever that is.
    """
    return _in_page(name) if settings.DEBUG else _known(name)


def _in_page(name: str) -> str:
    style = Path(settings.BASE_DIR, "static", name).read_text("utf-8")
    return PICTURES.sub(lambda found: f'url("{static(found[1])}")', spare_style(style))


@cache
def _known(name: str) -> str:
    return _in_page(name)


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # brings no types
    """Static files under addresses with their hash, compressed, style sheets without comments."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".css"):
            style = b"".join(content.chunks()).decode()
            content = ContentFile(spare_style(style).encode())
        saved: str = super()._save(name, content)
        return saved
