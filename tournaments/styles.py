"""Our style sheets as browsers get them: without the comments, for those who write them.

A style sheet is all that keeps a page on a slow line from being shown.
"""

from __future__ import annotations

import re
from typing import Any

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# A text in quotes, which stays; a comment, unless it is somebody's licence; a line's indentation.
PARTS = re.compile(
    r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|/\*(?!!).*?\*/|^[ \t]+""", re.DOTALL | re.MULTILINE
)


def spare_style(style: str) -> str:
    r"""Return a style sheet without its comments, its indentation and its empty lines.

    >>> spare_style('a { /* why */\n  content: "/* */";\n\n}\n')
    'a { \ncontent: "/* */";\n}\n'
    """
    spared = PARTS.sub(lambda found: found[1] or "", style)
    return re.sub(r"\n{2,}", "\n", spared)


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # brings no types
    """Static files under addresses with their hash, compressed, style sheets without comments."""

    def _save(self, name: str, content: Any) -> str:
        if name.endswith(".css"):
            style = b"".join(content.chunks()).decode()
            content = ContentFile(spare_style(style).encode())
        saved: str = super()._save(name, content)
        return saved
