"""Make the fonts of a PDF small.

WeasyPrint keeps the numbering of glyphs when it subsets a font. A Chinese font then lists 58,958
glyphs in 100 kB, nearly all of them empty.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from fontTools.ttLib import TTFont


def shrink_fonts(_document: Any, pdf: Any) -> None:
    """Embed the CFF fonts of a PDF without the glyphs that nothing uses: a WeasyPrint finisher."""
    for each in pdf.objects:
        if getattr(each, "extra", {}).get("Subtype") == "/OpenType":
            small = used_glyphs(b"".join(each.stream))
            if small:
                each.stream = [small]
                each.extra["Subtype"] = "/CIDFontType0C"


def used_glyphs(font: bytes) -> bytes | None:
    """Return the CFF table of a CID-keyed font with the glyphs that are drawn, None for others.

    A PDF finds these by their CID, which the table's charset keeps, not by their place in it.
    """
    opened = TTFont(BytesIO(font), lazy=True)
    table = opened["CFF "]
    top = table.cff.topDictIndex[0]
    if not hasattr(top, "ROS"):
        return None
    glyphs = top.CharStrings
    index = glyphs.charStringsIndex
    sizes = zip(index.offsets, index.offsets[1:], strict=False)
    kept = [i for i, (start, end) in enumerate(sizes) if end - start > 1 or i == 0]
    names = [top.charset[i] for i in kept]
    index.items = [index[i] for i in kept]
    del index.file, index.offsets
    index.count = len(kept)
    top.FDSelect.format = None
    top.FDSelect.gidArray = [top.FDSelect.gidArray[i] for i in kept]
    glyphs.charStrings = {name: i for i, name in enumerate(names)}
    top.charset, top.numGlyphs = names, len(names)
    compiled: bytes = table.compile(opened)
    return compiled
