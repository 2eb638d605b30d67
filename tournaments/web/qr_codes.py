"""Pictures of addresses that phones scan: in a page or on paper, and as an image of its own."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def inline(address: str, *, border: int) -> SafeString:
    """Return an address as a QR code with so many dots around it: scanners want four."""
    code = segno.make(address, micro=False, error="m")
    return mark_safe(code.svg_inline(border=border, omitsize=True))  # noqa: S308  segno's own picture


def data_uri(address: str) -> str:
    """Return an address as a QR code that stands in an `img`."""
    return str(segno.make(address, micro=False).svg_data_uri(scale=4))
