"""QR codes of URLs."""

from __future__ import annotations

import segno
from django.utils.html import format_html
from django.utils.safestring import SafeString

# A QR code can be read with any of the eight masks. To choose the mask that the standard prefers
# takes three of four milliseconds; zbar read all of 240 blurred pictures with either mask.
MASK = 3

# Dots of a module: a viewer that smooths pictures blurs only the edges of modules.
DOTS = 2

# The image has no border: the border is the empty part of the SVG around it, so that its white does
# not cover what stands beside the code.
INLINE = (
    '<svg viewBox="0 0 {side} {side}"><image x="{border}" y="{border}" width="{width}" '
    'height="{width}" image-rendering="pixelated" href="{data}"></image></svg>'
)


def inline(address: str, *, border: int) -> SafeString:
    """Return the QR code of an address as an SVG element.

    `border` is in modules; scanners need four, of which the page may give some. The SVG contains a
    PNG: with a path instead, a PDF takes ten times as long and is four times as large.
    """
    code = segno.make(address, micro=False, error="m", mask=MASK)
    width = len(code.matrix)
    data = code.png_data_uri(border=0, scale=DOTS)
    return format_html(INLINE, side=width + 2 * border, border=border, width=width, data=data)


def stamped(address: str, *, border: int) -> SafeString:
    """Return an empty element for the QR code, which `printing.stamping.draw_codes` draws.

    `data-code` has the dots, row by row, as the hexadecimal digits of an image mask in a PDF.
    `border` is in modules. An image of WeasyPrint takes seven times the bytes.
    """
    rows = segno.make(address, micro=False, error="m", mask=MASK).matrix
    width = len(rows)
    dots = "".join(_row_of_dots(row) * DOTS for row in rows)
    return format_html(
        '<div data-code="{}" data-dots="{}" data-share="{}"></div>',
        dots,
        width * DOTS,
        f"{width / (width + 2 * border):.5f}",
    )


def _row_of_dots(row: bytearray) -> str:
    """Return a row of modules as hexadecimal digits: dark is 0, as an image mask paints it."""
    bits = "".join(("1", "0")[module] * DOTS for module in row)
    padded = bits.ljust(-(-len(bits) // 8) * 8, "1")
    return f"{int(padded, 2):0{len(padded) // 4}x}"


def data_uri(address: str) -> str:
    """Return the QR code of an address as the data URI of an SVG; its border is four modules."""
    return str(segno.make(address, micro=False).svg_data_uri(scale=4))
