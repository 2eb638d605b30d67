"""Lines of text that are drawn where they stand, many times as fast as they are laid out.

In a template, `<img data-lines="…">` has a line for each of them: its distance from the top of the
element in px, a space, its text. They are drawn in the font, color, `line-height` and `text-align`
of the element, and never broken.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from weasyprint.draw.text import draw_emojis, draw_first_line
from weasyprint.matrix import Matrix
from weasyprint.text.line_break import Layout, line_size, strut


class TextLines:
    """What WeasyPrint draws in the place of an image."""

    def __init__(self, lines: str) -> None:
        self._lines = [line.partition(" ") for line in lines.split("\n")]

    def get_intrinsic_size(self, _resolution: object, _font_size: float) -> tuple[None, None, None]:
        """The style sheet says how wide and high it is."""
        return None, None, None

    def draw(self, stream: Any, width: float, _height: float, style: Any) -> None:
        layout = Layout(style)
        _line_height, baseline = strut(style)
        is_right = style["text_align_all"] == "right"
        stream.set_color(style["color"])
        for top, _space, text in self._lines:
            layout.set_text(text)
            x = width - line_size(layout.get_first_line()[0], style)[0] if is_right else 0
            _draw(stream, _Line(text, style, layout, baseline), x, float(top))


class _Line(NamedTuple):
    """What WeasyPrint reads of a box of text when it draws it; `baseline` is below its top."""

    text: str
    style: Any
    pango_layout: Layout
    baseline: float


def images_of(root: Element) -> dict[str, TextLines]:
    """Return what is drawn in the place of the images with lines, by addresses given to them."""
    images = {}
    for number, element in enumerate(root.iterfind(".//img[@data-lines]")):
        element.set("src", address := f"lines:{number}")
        images[address] = TextLines(element.attrib["data-lines"])
    return images


def _draw(stream: Any, line: _Line, x: float, top: float) -> None:
    y = top + line.baseline
    stream.begin_text()
    emojis = draw_first_line(stream, line, "none", "none", Matrix(d=-1, e=x, f=y))
    stream.end_text()
    draw_emojis(stream, line.style, x, y, emojis)
