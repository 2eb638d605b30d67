"""What is wrong with a score sheet to write on: `faults_of` measures boxes and names in its PDF."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from tests.tournaments.printing import page_faults
from tests.tournaments.printing.page_faults import MM, Box, Drawing
from tournaments.printing import names

LEAST_BOX = 8.0  # mm, of a side
STEP = 3.0  # mm, between the places where boxes are looked for
TOP = 48.0  # mm, where the rounds begin
SIDE = 10.0  # mm, the margin
SMALLEST_NAME = 7.0  # pt
SHORTEST_RULE = 3.0  # mm; shorter ones are those of boxes to tick


def faults_of(
    pdf: bytes, texts: Iterable[tuple[str, float]], unbroken: Iterable[str]
) -> Iterator[str]:
    """Yield boxes too small to write in, and small or broken words of the names in `unbroken`.

    `texts` have their size in points.
    """
    for page in range(1, page_faults.pages_of(pdf) + 1):
        drawing = page_faults.drawing_of(pdf, page)
        for box in empty_boxes(drawing):
            if min(box.width, box.height) < LEAST_BOX * MM:
                yield f"page {page}: box of {box.width / MM:.1f} × {box.height / MM:.1f} mm {box}"
    lines = page_faults.lines_of(pdf)
    words = {word.strip() for name in unbroken for word in names.WORD.findall(name)} - {""}
    yield from (f"{word} is broken" for word in words if not any(word in line for line in lines))
    for text, size in texts:
        if size < SMALLEST_NAME - 0.05 and any(word in text for word in words):
            yield f"{text} in {size:.1f} pt"


def empty_boxes(drawing: Drawing) -> Iterator[Box]:
    """Yield the boxes between rules that have no letter in them, below the head of the form."""
    rules = [rule.box for rule in drawing.rules]
    across = [box for box in rules if box.width > max(box.height, SHORTEST_RULE * MM)]
    down = [box for box in rules if box.height > max(box.width, SHORTEST_RULE * MM)]
    right, bottom = max(box.right for box in across), max(box.bottom for box in down)
    columns, rows = _steps(SIDE, right / MM), _steps(TOP, bottom / MM)
    letters = sorted(_middle(letter) for letter in drawing.letters)
    found: set[tuple[float, float]] = set()  # places within a box

    @cache
    def rules_at(x: float) -> list[Box]:
        return [box for box in across if box.left <= x <= box.right]

    @cache
    def rules_beside(y: float) -> list[Box]:
        return [box for box in down if box.top <= y <= box.bottom]

    def box_around(x: float, y: float) -> Box | None:
        return _box_around(x, y, rules_at(x), rules_beside(y))

    for place in product(columns, rows):
        if place in found:
            continue
        box = box_around(*place)
        # Rules are a little longer than their boxes, so that only the middle of one is sure.
        if box and box_around(*_middle(box)) == box:
            found.update(
                product(
                    (x for x in columns if box.left < x < box.right),
                    [y for y in rows if box.top < y < box.bottom],
                )
            )
            first, end = bisect_left(letters, (box.left,)), bisect_left(letters, (box.right,))
            if not any(box.left < x and box.top < y < box.bottom for x, y in letters[first:end]):
                yield box


def _steps(start: float, end: float) -> list[float]:
    """Return places in points; start and end are in mm."""
    return [(start + STEP * i) * MM for i in range(int((end - start) / STEP) + 1)]


def _box_around(x: float, y: float, rows: Sequence[Box], columns: Sequence[Box]) -> Box | None:
    """Return the nearest of the rules above, below and beside a place.

    None if the place is on a rule or outside of the form.
    """
    if any(each.top < y < each.bottom for each in rows) or any(
        each.left < x < each.right for each in columns
    ):
        return None
    try:
        return Box(
            max(box.right for box in columns if box.right <= x),
            max(box.bottom for box in rows if box.bottom <= y),
            min(box.left for box in columns if box.left >= x),
            min(box.top for box in rows if box.top >= y),
        )
    except ValueError:
        return None


def _middle(box: Box) -> tuple[float, float]:
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2
