"""Make the fonts of a PDF small.

WeasyPrint keeps the numbering of glyphs when it subsets a font. A Chinese font then lists 58,958
glyphs in 100 kB, nearly all of them empty.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from fontTools.ttLib import TTFont


def shrink_fonts(_document: Any, pdf: Any) -> None:
    """Replace the CFF fonts of a PDF by subsets of the glyphs that are drawn.

    WeasyPrint calls it as a finisher, before it writes the PDF.
    """
    for pdf_object in pdf.objects:
        if getattr(pdf_object, "extra", {}).get("Subtype") == "/OpenType":
            subset = subset_of_font(b"".join(pdf_object.stream))
            if subset:
                pdf_object.stream = [subset]
                pdf_object.extra["Subtype"] = "/CIDFontType0C"


def subset_of_font(font: bytes) -> bytes | None:
    """Return a CID-keyed font's CFF table without its empty glyphs; None for other fonts.

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
    drawn = [i for i, (start, end) in enumerate(sizes) if end - start > 1 or i == 0]
    names = [top.charset[i] for i in drawn]
    index.items = [index[i] for i in drawn]
    del index.file, index.offsets
    index.count = len(drawn)
    top.FDSelect.format = None
    top.FDSelect.gidArray = [top.FDSelect.gidArray[i] for i in drawn]
    glyphs.charStrings = {name: i for i, name in enumerate(names)}
    top.charset, top.numGlyphs = names, len(names)
    compiled: bytes = table.compile(opened)
    return compiled
