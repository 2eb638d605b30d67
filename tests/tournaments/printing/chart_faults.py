"""What is wrong with a chart to read across a table: `faults_of` measures the type in its PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pypdf import PdfReader

SMALLEST = 8.0  # pt
SMALLEST_POINTS = 12.0  # pt
SMALLEST_LONG_POINTS = 11.0  # pt, of four digits
POINTS = re.compile(r"[+−]\d+")


def faults_of(pdf: bytes, *, by_the_text: bool) -> Iterator[str]:
    """Yield the texts in too small a type; `by_the_text` is whether there are no house rules."""
    for page in PdfReader(BytesIO(pdf)).pages:
        for text, size in texts_of(page):
            least = SMALLEST
            if POINTS.fullmatch(text):
                least = SMALLEST_POINTS if by_the_text else SMALLEST_LONG_POINTS
            if size < least - 0.05:
                yield f"{text} in {size:.1f} pt"


def texts_of(page: Any) -> list[tuple[str, float]]:
    """Sizes are in points."""
    found: list[tuple[str, float]] = []

    def add(text: str, matrix: Any, text_matrix: Any, _font: Any, size: float) -> None:
        if text.strip():
            found.append((text.strip(), abs(size * text_matrix[3] * matrix[3])))

    page.extract_text(visitor_text=add)
    return found
