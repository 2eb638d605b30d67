"""QR codes of URLs."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def inline(address: str, *, border: int) -> SafeString:
    """Return the QR code as an SVG element; `border` is in modules, and scanners need four."""
    code = segno.make(address, micro=False, error="m")
    return mark_safe(code.svg_inline(border=border, omitsize=True))  # noqa: S308  markup by segno


def data_uri(address: str) -> str:
    """Return the QR code as the data URI of an SVG, for an `img`; its border is four modules."""
    return str(segno.make(address, micro=False).svg_data_uri(scale=4))
