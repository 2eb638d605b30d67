"""QR codes of URLs."""

from __future__ import annotations

import segno
from django.utils.html import format_html
from django.utils.safestring import SafeString

# Any of the eight masks can be read. To choose the one that the standard prefers takes three of
# four milliseconds; of 240 blurred pictures of each, zbar read all with it, and all with this.
MASK = 3

# Dots of a module: a viewer that smooths pictures blurs only the edges of modules.
DOTS = 2

# The picture has no border, which would cover what stands beside the code.
INLINE = (
    '<svg viewBox="0 0 {side} {side}"><image x="{border}" y="{border}" width="{width}" '
    'height="{width}" image-rendering="pixelated" href="{data}"></image></svg>'
)


def inline(address: str, *, border: int) -> SafeString:
    """Return the QR code as an SVG element; `border` is in modules, and scanners need four.

    It contains a PNG: as a path, a code takes a PDF ten times as long, and four times the room.
    """
    code = segno.make(address, micro=False, error="m", mask=MASK)
    width = len(code.matrix)
    data = code.png_data_uri(border=0, scale=DOTS)
    return format_html(INLINE, side=width + 2 * border, border=border, width=width, data=data)


def data_uri(address: str) -> str:
    """Return the QR code as the data URI of an SVG, for an `img`; its border is four modules."""
    return str(segno.make(address, micro=False).svg_data_uri(scale=4))
