"""What is wrong with a printed page, from its PDF as poppler draws it: `faults_of`.

Poppler tells the outline of every letter and every line, so no letter has to be recognised. What
lies outside of its box and is clipped away is on no page: `hidden_ink` compares the pages with the
same layout unclipped (`layouts.printed`).
"""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from io import BytesIO
from operator import attrgetter
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring

from PIL import Image, ImageChops

from tests.programs import find_program

EDGE = 8.0  # mm that an office printer may leave white
THINNEST = 0.6  # pt, a rule that two photocopies keep
LIGHTEST = 0.4  # of white, the lightest ink that two photocopies keep
MOST_OVERLAP = 0.25  # of the smaller letter's box; kerned letters overlap less
NEAR = 0.3  # pt
DOTS = 4  # a millimetre
FAINT = 40  # of 255, a difference in grey that is none to the eye
MM = 72 / 25.4

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
DEFINITIONS, PATH, USE = f"{SVG}defs", f"{SVG}path", f"{SVG}use"
SHAPES = {f"{SVG}symbol", f"{SVG}clipPath"}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
WORD = re.compile(r'<word .*?yMin="(.*?)".*?yMax="(.*?)">(.*?)</word>')
STYLE = re.compile(r"([\w-]+):([^;]*)")


class Box(NamedTuple):
    """A part of a page, in points from its upper left corner."""

    left: float
    top: float
    right: float
    bottom: float

    def within(self, other: Box) -> Box:
        """Return the intersection; its sides are swapped if it is empty."""
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def area(self) -> float:
        return max(0.0, self.width) * max(0.0, self.height)

    def __str__(self) -> str:
        """In millimetres."""
        return f"at {self.left / MM:.0f}, {self.top / MM:.0f} mm"


class Rule(NamedTuple):
    """A line, with its thickness in points and its lightness from 0 to 1."""

    box: Box
    thickness: float
    lightness: float


class Drawing(NamedTuple):
    """The letters on a page, whether clipped or not, and the lines."""

    letters: list[Box]
    rules: list[Rule]


def faults_of(pdf: bytes) -> list[str]:
    return [
        f"page {page}: {fault}"
        for page, picture in enumerate(pictures(pdf), 1)
        for fault in (*_edge_faults(picture), *_drawing_faults(drawing_of(pdf, page)))
    ]


@lru_cache(1)
def _whole_text(pdf: bytes) -> str:
    """Return the text of a PDF with a form feed after each page."""
    return _poppler("pdftotext", "-raw", "-", "-", pdf=pdf).decode()


def pages_of(pdf: bytes) -> int:
    return _whole_text(pdf).count("\f")


def lines_of(pdf: bytes) -> list[str]:
    return _whole_text(pdf).splitlines()


def text_of(pdf: bytes) -> str:
    """Return the text of a PDF without white space."""
    return "".join("".join(lines_of(pdf)).split())


def text_of_pages(pdf: bytes) -> list[str]:
    """Return the text of each page of a PDF without white space."""
    return ["".join(each.split()) for each in _whole_text(pdf).split("\f") if each]


def words_of(pdf: bytes, page: int) -> list[tuple[str, float]]:
    """Return the words on a page, each with the height of its middle, in points from the top."""
    drawn = _poppler("pdftotext", *_page_options(page), "-bbox", "-", "-", pdf=pdf).decode()
    return [(word, (float(top) + float(bottom)) / 2) for top, bottom, word in WORD.findall(drawn)]


def _poppler(program: str, *arguments: str, pdf: bytes) -> bytes:
    command = [find_program(program), *arguments]
    return subprocess.run(command, input=pdf, capture_output=True, check=True).stdout


def _page_options(page: int) -> tuple[str, ...]:
    return ("-f", str(page), "-l", str(page))


def hidden_ink(shown: bytes, whole: bytes) -> list[str]:
    """Return where pages differ from the same pages with nothing clipped away."""
    faults = []
    for page, (one, other) in enumerate(zip(pictures(shown), pictures(whole), strict=True), 1):
        grey = ImageChops.difference(one, other).point(lambda each: 255 if each > FAINT else 0)
        if box := grey.getbbox():
            left, top, right, bottom = (each / DOTS for each in box)
            faults.append(
                f"page {page}: ink hidden at {left:.0f}–{right:.0f}, {top:.0f}–{bottom:.0f} mm"
            )
    return faults


@lru_cache(8)
def pictures(pdf: bytes) -> list[Image.Image]:
    """Return the pages, at `DOTS` a millimetre in shades of grey."""
    drawn = BytesIO(_poppler("pdftoppm", "-r", str(DOTS * 25.4), "-gray", "-", pdf=pdf))
    found = []
    while drawn.readline():  # P5
        width, height = map(int, drawn.readline().split())
        drawn.readline()  # 255
        found.append(Image.frombytes("L", (width, height), drawn.read(width * height)))
    return found


def _edge_faults(picture: Image.Image) -> Iterator[str]:
    """Anything in the margin that is not white is a fault."""
    inked = picture.point(lambda grey: 255 if grey < 250 else 0).getbbox()
    if inked is None:
        yield "blank"
        return
    edge = int(EDGE * DOTS)
    white = (inked[0], inked[1], picture.width - inked[2], picture.height - inked[3])
    for side, free in zip(("left", "top", "right", "bottom"), white, strict=True):
        if free < edge:
            yield f"ink {free / DOTS} mm from the {side} edge"


def _drawing_faults(drawing: Drawing) -> Iterator[str]:
    yield from (f"letters over each other {box}" for box in _overlaps(drawing.letters))
    yield from (f"letter across a rule {box}" for box in _crossed_by_rules(drawing))
    for rule in drawing.rules:
        if rule.thickness < THINNEST - 0.01:
            yield f"rule of {rule.thickness:.2f} pt {rule.box}"
        if rule.lightness > LIGHTEST:
            yield f"rule of lightness {rule.lightness:.2f} {rule.box}"


def _overlaps(letters: Sequence[Box]) -> Iterator[Box]:
    ordered = sorted(letters)
    for i, one in enumerate(ordered):
        for other in ordered[i + 1 :]:
            if other[0] >= one[2]:
                break
            if other[1] >= one[3] or other[3] <= one[1]:
                continue
            overlap = one.within(other)
            if overlap.area > MOST_OVERLAP * min(one.area, other.area):
                yield overlap


def _crossed_by_rules(drawing: Drawing) -> Iterator[Box]:
    """Return the letters that overlap a rule by more than `NEAR`."""
    # A rule is compared with the letters of its line or column only.
    by_top = sorted(drawing.letters, key=attrgetter("top"))
    by_left = sorted(drawing.letters, key=attrgetter("left"))
    tallest = max((letter.height for letter in by_top), default=0)
    widest = max((letter.width for letter in by_left), default=0)
    for rule in drawing.rules:
        left, top, right, bottom = rule.box
        left, top, right, bottom = left + NEAR, top + NEAR, right - NEAR, bottom - NEAR
        if rule.box.width > rule.box.height:
            close = _between(by_top, top - tallest, bottom, "top")
        else:
            close = _between(by_left, left - widest, right, "left")
        for letter in close:
            if letter[2] > left and letter[0] < right and letter[3] > top and letter[1] < bottom:
                yield letter


def _between(ordered: Sequence[Box], least: float, most: float, side: str) -> Sequence[Box]:
    """Return the boxes of which a side, by which they are ordered, is within these limits."""
    place = attrgetter(side)
    first, end = bisect_left(ordered, least, key=place), bisect_right(ordered, most, key=place)
    return ordered[first:end]


@lru_cache(64)  # the pages of one form, for several measures
def drawing_of(pdf: bytes, page: int) -> Drawing:
    root = fromstring(_poppler("pdftocairo", "-svg", *_page_options(page), "-", "-", pdf=pdf))  # noqa: S314  our own
    shapes = {
        each.get("id", ""): _box(path.get("d", ""))
        for each in root.iter()
        if each.tag in SHAPES or each.get("id", "").startswith("glyph")
        for path in each.findall(PATH)
    }
    drawing = Drawing([], [])
    whole = Box(0, 0, *(float(side) for side in root.get("viewBox", "").split()[2:]))
    for each in root:
        if each.tag != DEFINITIONS:
            _draw(each, whole, shapes, drawing)
    return drawing


def _draw(element: Element, clip: Box, shapes: Mapping[str, Box | None], drawing: Drawing) -> None:
    clipping = element.get("clip-path")
    if clipping and (clipped := re.match(r"url\(#(.*)\)", clipping)):
        clip = clip.within(shapes.get(clipped[1]) or clip)
    if element.tag == USE:
        shape = shapes.get(element.get(LINK, "")[1:])
        if shape:
            x, y = float(element.get("x", 0)), float(element.get("y", 0))
            drawing.letters.append(Box(shape[0] + x, shape[1] + y, shape[2] + x, shape[3] + y))
    elif element.tag == PATH:
        _add_rule(element, clip, drawing)
    for each in element:
        _draw(each, clip, shapes, drawing)


def _add_rule(path: Element, clip: Box, drawing: Drawing) -> None:
    """Add a stroked line, or the side of a box that is filled; leave out other shapes."""
    style = _style(path.get("style", ""))
    box = _box(path.get("d", ""), path.get("transform"))
    if box is None:
        return
    if style.get("stroke", "none") != "none":
        scale = abs(_matrix(path.get("transform"))[0]) or 1
        thickness, ink = float(style["stroke-width"]) * scale, style["stroke"]
        if min(box.width, box.height) > thickness:
            return
        half = thickness / 2
        box = Box(box[0] - half, box[1] - half, box[2] + half, box[3] + half).within(clip)
    elif sides := _sides(path.get("d", "")):
        for side in sides:
            _keep_rule(side.within(clip), min(side.width, side.height), style["fill"], drawing)
        return
    else:
        box, ink = box.within(clip), style.get("fill", "none")
        thickness = min(box.width, box.height)
    _keep_rule(box, thickness, ink, drawing)


def _sides(path: str) -> tuple[Box, ...]:
    """Return the four lines of a frame drawn as two boxes, or nothing for other shapes."""
    parts = [part for part in path.split("M") if part.count("L") > 1]
    if len(parts) != 2 or "C" in path:
        return ()
    outer, inner = sorted((box for part in parts if (box := _box(part))), key=lambda box: -box.area)
    return (
        outer._replace(bottom=inner.top),
        outer._replace(top=inner.bottom),
        outer._replace(right=inner.left),
        outer._replace(left=inner.right),
    )


def _keep_rule(box: Box, thickness: float, ink: str, drawing: Drawing) -> None:
    if 0 < thickness < 2.5 < max(box.width, box.height) and ink.startswith("rgb"):
        red, green, blue = (float(part) / 100 for part in NUMBER.findall(ink))
        drawing.rules.append(Rule(box, thickness, 0.3 * red + 0.59 * green + 0.11 * blue))


@cache  # the same ones are on every form
def _style(text: str) -> Mapping[str, str]:
    return dict(STYLE.findall(text))


@cache
def _matrix(transform: str | None) -> tuple[float, ...]:
    return tuple(map(float, NUMBER.findall(transform or ""))) or (1, 0, 0, 1, 0, 0)


@cache  # the same glyphs are on many pages
def _box(path: str, transform: str | None = None) -> Box | None:
    """Return the box around a path. That of a curve's handles is a little larger than the curve."""
    found = [*map(float, NUMBER.findall(path))]
    if not found:
        return None
    xs, ys = found[::2], found[1::2]
    if transform is None and len(xs) == len(ys):
        return Box(min(xs), min(ys), max(xs), max(ys))
    a, b, c, d, e, f = _matrix(transform)
    points = [(a * x + c * y + e, b * x + d * y + f) for x, y in zip(xs, ys, strict=True)]
    across, down = zip(*points, strict=True)
    return Box(min(across), min(down), max(across), max(down))
