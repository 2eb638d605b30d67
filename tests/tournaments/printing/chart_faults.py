"""What is wrong with a chart to read across a table: `faults_of` measures its type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

SMALLEST = 8.0  # pt
SMALLEST_POINTS = 12.0  # pt
SMALLEST_LONG_POINTS = 11.0  # pt, of four digits
POINTS = re.compile(r"[+−]\d+")


def faults_of(texts: Iterable[tuple[str, float]], *, by_the_text: bool) -> Iterator[str]:
    """Yield the texts in too small a type; `by_the_text` is whether there are no house rules.

    `texts` have their size in points.
    """
    for text, size in texts:
        least = SMALLEST
        if POINTS.fullmatch(text):
            least = SMALLEST_POINTS if by_the_text else SMALLEST_LONG_POINTS
        if size < least - 0.05:
            yield f"{text} in {size:.1f} pt"
