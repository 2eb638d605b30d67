"""Break each text into lines once for a style and a width.

WeasyPrint asks Pango again for each cell of a table, where the same short texts stand in many, and
up to four times for the same cell: for its least and its greatest width, and for its lines.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from weasyprint.text.line_break import split_first_line


def split_once(text: str, style: Any, context: Any, *room: Any, **place: Any) -> tuple[Any, ...]:
    """Return what `split_first_line` does, kept with the style, which a document has until its end.

    Pango's layout of the line is a copy, since drawing changes it.
    """
    kept = vars(style).setdefault("lines_by_text", {})
    key = (text, *room, *place.items())
    if key not in kept:
        kept[key] = split_first_line(text, style, context, *room, **place)
    line, *measures = kept[key]
    return copy(line), *measures
