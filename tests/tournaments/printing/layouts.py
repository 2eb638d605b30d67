"""What a PDF of WeasyPrint does not tell: its boxes, and what they clip away."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any, NamedTuple
from unittest import mock

from weasyprint.formatting_structure import boxes

from tournaments.printing import layout

POINT = 0.75  # of a px
NEAR = 1.0  # px, that label and value keep apart
SAME = 0.5  # px, by which boxes of one height may differ
APART = 3.0 * 96 / 25.4  # px, between a mark and the next box to tick
TICKED = {"marks", "sides", "check"}  # cells with several boxes to tick
LEAST_TICK = 3.0 * 96 / 25.4  # px, of a side
LEAST_MARK = 6.5 * 96 / 72  # px, of the letters beside a box to tick
KATAKANA = {chr(code) for code in range(ord("ァ"), ord("ー") + 1)} - {"・"}
LONELY = 4.0  # ems, of the last line of a sentence


class Printed(NamedTuple):
    """A PDF, the same with nothing clipped away, the faults of its layout, and its texts.

    `texts` have their size in points.
    """

    pdf: bytes
    whole: bytes
    faults: list[str]
    texts: list[tuple[str, float]]


def printed(lay_out: Callable[[], bytes]) -> Printed:
    """Make a PDF, and write what was laid out once more if anything is clipped away."""
    write_pdf, written = layout._write_pdf, []

    def write_unclipped(document: Any, finisher: Any, *, tags: bool) -> bytes:
        pdf = write_pdf(document, finisher, tags=tags)
        faults, texts, is_clipped = [], [], False
        for number, page in enumerate(document.pages, 1):
            every_box = list(page._page_box.descendants())
            texts += [
                (text, each.style["font_size"] * POINT)
                for each in every_box
                if isinstance(each, boxes.TextBox) and (text := each.text.strip())
            ]
            faults += [f"page {number}: {fault}" for fault in _faults(every_box)]
            for box in every_box:
                is_clipped |= box.style["overflow"] != "visible"
                box.style["overflow"] = "visible"
        whole = write_pdf(document, finisher, tags=False) if is_clipped else pdf
        written.append((whole, faults, texts))
        return pdf

    with mock.patch.object(layout, "_write_pdf", write_unclipped):
        pdf = lay_out()
    ((whole, faults, texts),) = written
    return Printed(pdf, whole, faults, texts)


def _faults(every_box: list[Any]) -> Iterator[str]:
    yield from _broken_words(every_box)
    yield from _lonely_ends(every_box)
    yield from _close_ticks(every_box)
    yield from _touching_values(every_box)
    yield from _crossing_words(every_box)
    yield from _uneven_cards(every_box)


def _broken_words(every_box: list[Any]) -> Iterator[str]:
    for block in every_box:
        if not isinstance(block, boxes.BlockContainerBox):
            continue
        lines = [each for each in block.children if isinstance(each, boxes.LineBox)]
        for line, following in pairwise([*_text_boxes(each)] for each in lines):
            if line and following and line[-1].element is following[0].element:
                before, after = line[-1].text.split()[-1:], following[0].text.split()[:1]
                broken = "".join(before + after)
                words = _source(following[0].element).split()
                if not (before and after):
                    continue
                ends = (before[0][-1], after[0][0])
                if block.element_tag == "th" and KATAKANA.issuperset(ends):
                    yield f"word broken: {before[0]} / {after[0]}"
                if _may_break(*ends):
                    continue
                if any(broken in word for word in words):
                    yield f"word broken: {before[0]} / {after[0]}"


def _lonely_ends(every_box: list[Any]) -> Iterator[str]:
    """Yield words that are alone on the last line of a sentence of several lines."""
    for block in every_box:
        lines = [each for each in getattr(block, "children", ()) if isinstance(each, boxes.LineBox)]
        if block.element_tag == "p" and len(lines) > 1:
            last = lines[-1]
            end, width = _text(last), sum(each.width for each in last.children)
            if end.endswith((".", "。")) and width < LONELY * last.style["font_size"]:
                yield f"alone on a line: {end}"


def _may_break(before: str, after: str) -> bool:
    """Return whether a line may end between these: after a hyphen, between kanji or kana."""
    is_wide = {unicodedata.east_asian_width(each) for each in (before, after)} & set("WF")
    return bool(is_wide) or not (before.isalnum() and after.isalnum())


def _close_ticks(every_box: list[Any]) -> Iterator[str]:
    """Yield boxes to tick that are too small, and ones too close to a text or another box.

    In a copy of a copy a tick in a smaller box looks like a corrected one; a tick by hand could
    belong to either of two boxes close together.
    """
    for cell in every_box:
        if cell.element_tag == "td" and {*cell.element.get("class", "").split()} & TICKED:
            ticks = [each for each in cell.descendants() if each.element.get("class") == "tick"]
            marks = [*_text_boxes(cell)]
            yield from (
                f"box to tick of {each.width:.1f} px"
                for each in ticks
                if each.border_width() < LEAST_TICK - NEAR / 10
            )
            yield from (
                f"{each.text!r} in {each.style['font_size']:.1f} px beside a box to tick"
                for each in marks
                if each.style["font_size"] < LEAST_MARK - NEAR / 10
            )
            if "check" in cell.element.get("class", ""):
                yield from (
                    "boxes to tick too close below each other"
                    for one, other in pairwise(ticks)
                    if other.position_y - one.position_y - one.height < APART - SAME
                )
            for tick, mark in product(ticks, marks):
                middle = tick.position_y + tick.height / 2 - mark.position_y
                gap = tick.position_x - mark.position_x - mark.width
                if 0 < middle < mark.height and -SAME < gap < APART - SAME:
                    yield f"{mark.text!r} {gap / APART * 3:.1f} mm before a box to tick"


def _touching_values(every_box: list[Any]) -> Iterator[str]:
    """Yield labels, <dt>, that touch the value after them, <dd>."""
    for parent in every_box:
        children = getattr(parent, "children", ())
        for label, value in pairwise(children):
            if (label.element_tag, value.element_tag) != ("dt", "dd"):
                continue
            left, right = list(_text_boxes(label)), list(_text_boxes(value))
            for one in left:
                for other in right:
                    is_beside = (
                        one.position_y < other.position_y + other.height
                        and other.position_y < one.position_y + one.height
                    )
                    if is_beside and one.position_x + one.width > other.position_x - NEAR:
                        yield f"{_text(label)!r} runs into {_text(value)!r}"


def _crossing_words(every_box: list[Any]) -> Iterator[str]:
    """Yield words of headings that reach the rule on the right of their cell, but for names."""
    for cell in every_box:
        if isinstance(cell, boxes.TableCellBox) and cell.element_tag == "th":
            if "player" in cell.element.get("class", ""):
                continue
            right = cell.position_x + cell.border_width() - NEAR
            yield from (
                f"{each.text!r} reaches the rule"
                for each in _text_boxes(cell)
                if each.position_x + each.width > right
            )


def _uneven_cards(every_box: list[Any]) -> Iterator[str]:
    heights = defaultdict(set)
    for box in every_box:
        if box.element_tag == "article" and isinstance(box, boxes.BlockLevelBox):
            heights[box.element.get("class", "").split()[0]].add(round(box.height, 1))
    for name, found in heights.items():
        if max(found) - min(found) > SAME:
            yield f"{name}: heights of {sorted(found)} px"


def _source(element: Any) -> str:
    """Return the text of an element, with a space for each <br>."""
    return (element.text or "") + "".join(
        (" " if child.tag == "br" else _source(child)) + (child.tail or "") for child in element
    )


def _text(box: Any) -> str:
    return "".join(each.text for each in _text_boxes(box)).strip()


def _text_boxes(box: Any) -> Iterator[Any]:
    if isinstance(box, boxes.TextBox):
        yield box
    for child in getattr(box, "children", ()):
        yield from _text_boxes(child)
