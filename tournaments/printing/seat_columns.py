"""The printed seat list (`print/seat_list.html`) as pages of columns, by name and by table.

WeasyPrint takes several times as long for a cell of a table as for a line of text, and far longer
to break and balance columns. So what stands on which page is computed here. In a column, the
numbers on either side of the names are one text of many lines, and each name or heading has a box,
whose height is fixed: no name, in whatever font, can move those below it beside the table of
another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor
from typing import Any, NamedTuple, TypeVar

from django.utils.translation import gettext

from tournaments.models import Entry
from tournaments.printing.names import NameSize, lines_of
from tournaments.printing.names import ems as ems_of
from tournaments.queries.name_order import initial_of, reading_order
from tournaments.queries.seat_lists import Place, Tables, places_by_name

MEDIUM, SMALL = 0.8, 0.6  # sizes of longer names, of that of the others
MOST_LINES = 40  # of a name
TABBED = 24  # names above which headings help
HEAD_OF_TABLE = 2  # lines that the number of a table and the space below the table take
NOTHING = ("", "")
PX = 96 / 25.4  # of CSS, in a mm
RULE = 0.8  # px
TO_THE_FOOT = "941"  # px, the height of a column by name: the last gap, or the dashes begin again


class Layout(NamedTuple):
    """A page of columns: their height and that of a line in mm, the room for a name in ems."""

    css: str
    columns: int
    height: float
    lowest_line: float
    highest_line: float
    ems: float


# The first that has room for everything on one page, or else the last.
BY_NAME = (
    Layout("is-large", 2, 249, 7.8, 12, 7.4),
    Layout("is-small", 3, 249, 6.4, 9, 6.9),
)
BY_TABLE = (
    Layout("is-large", 2, 249, 7.5, 11, 9),
    Layout("is-small", 3, 249, 6.2, 8, 8.2),
)


class Name(NamedTuple):
    """A name on the list: its text, broken into lines if it is long, and the heading above it.

    Two lines of a long name take one `lines` of the column.
    """

    entry: Entry
    text: str
    lines: int
    css: str  # the class of its size
    place: Place | None  # None for who has no seat
    initial: str  # the heading, if there are any
    why: str = ""  # there is no seat


class Part(NamedTuple):
    """A name in a column, or a heading, `is_carried_on` from the column before."""

    heading: str = ""
    is_carried_on: bool = False
    name: Name | None = None


class Column(NamedTuple):
    """Names, and what stands left and right of them, line by line."""

    parts: list[Part]
    left: str
    right: str
    rules: str  # the lengths of the gaps above the rules below the names, and of these, in px


class Table(NamedTuple):
    """A table on the list by table: its number, its players, and the lines it takes with both."""

    number: int
    column: Column
    lines: int
    initial: str = ""  # tables have no headings


Item = TypeVar("Item", Name, Table)


class Page(NamedTuple):
    """A page of `Column`, or of lists of `Table`, with its first and last heading, if any."""

    columns: list[Any]
    headings: list[str]


class Pages(NamedTuple):
    """A list on its pages, and the heights in px of so many lines."""

    css: str
    heights: dict[int, str]
    pages: list[Page]


def by_name(tables: Tables, out: Iterable[tuple[Entry, str]] = ()) -> Pages:
    """`out` are players without a seat, each with the reason."""
    places: list[tuple[Entry, Place | None, str]] = [
        *((each.entry, each, "") for each in places_by_name(tables)),
        *((entry, None, why) for entry, why in out),
    ]
    places.sort(key=lambda each: (reading_order(each[0]), each[0].number))
    initials = [initial_of(entry) for entry, _place, _why in places]
    has_readings = any(initials)
    has_headings = len(places) > TABBED and 2 * initials.count("") < len(places)
    if has_headings:
        initials = [each or gettext("No reading") for each in initials]
    else:
        initials = [""] * len(places)

    def items(layout: Layout) -> list[Name]:
        return [
            _name(entry, layout.ems, place, initial)._replace(why=why)
            for (entry, place, why), initial in zip(places, initials, strict=True)
        ]

    layout, pitch, filled = _fill(BY_NAME, items)
    columns = [
        _column(names, pitch, _number, _place, before[-1:])
        for before, names in zip([[], *filled], filled, strict=False)
    ]
    pages = _paged(layout, pitch, [each for names in filled for each in names], columns)
    if len(places) > TABBED and not has_readings:
        pages = pages._replace(
            pages=[page._replace(headings=[gettext("No reading")]) for page in pages.pages]
        )
    return pages


def by_table(tables: Tables) -> Pages:
    """Return all tables on one page, or on several in the smallest layout. No table is split."""

    def items(layout: Layout) -> list[Table]:
        found = []
        for number, entries in tables.items():
            names = [
                _name(entry, layout.ems, Place(entry, number, seat))
                for seat, entry in enumerate(entries, 1)
            ]
            lines = sum(each.lines for each in names) + HEAD_OF_TABLE
            found.append(Table(number, _column(names, 0, _seat, _number), lines))
        return found

    layout, pitch, columns = _fill(BY_TABLE, items)
    listed = [table for column in columns for table in column]
    names = [part.name for table in listed for part in table.column.parts if part.name]
    return _paged(layout, pitch, names, columns)


def _fill(
    layouts: Sequence[Layout], items_of: Callable[[Layout], list[Item]]
) -> tuple[Layout, float, list[list[Item]]]:
    """Return the first layout with room for everything, or the last; a line's height; columns."""
    for layout in layouts:
        items = items_of(layout)
        page_count, lines = _evenly_filled(items, layout)
        if page_count == 1:
            break
    pitch = min(layout.height / lines, layout.highest_line) * PX
    # Rounded down to quarters, so that positions have the same few decimals: the file is smaller.
    return layout, floor(4 * pitch) / 4, _filled(items, lines)


def _paged(layout: Layout, pitch: float, names: Iterable[Name], columns: Sequence[Any]) -> Pages:
    taken = {1, *(each.lines for each in names)}
    heights = {lines: f"{lines * pitch:g}" for lines in sorted(taken)}
    count = layout.columns
    pages = [list(columns[i : i + count]) for i in range(0, len(columns), count)]
    return Pages(layout.css, heights, [Page(each, _headings(each)) for each in pages])


def _headings(columns: Iterable[Any]) -> list[str]:
    """Return the first and the last heading in these columns."""
    found = [
        part.heading
        for column in columns
        if isinstance(column, Column)
        for part in column.parts
        if part.heading
    ]
    return list(dict.fromkeys((found[0], found[-1]))) if found else []


def _name(entry: Entry, ems: float, place: Place | None, initial: str = "") -> Name:
    text = " ".join(entry.name.split())  # one line, whatever is in it
    lines, css = 1, ""
    width = ems_of(text) / ems
    if width > 1 / SMALL:
        broken = lines_of(text, NameSize("is-long", ems / SMALL, MOST_LINES))
        text, lines, css = "\n".join(broken), ceil(len(broken) / 2), "is-long"
    elif width > 1:
        css = "is-small" if width > 1 / MEDIUM else "is-medium"
    return Name(entry, text, lines, css, place, initial)


def _evenly_filled(items: Sequence[Item], layout: Layout) -> tuple[int, int]:
    """Return the number of pages, and the fewest lines of a column that need no more pages."""
    tallest = max((each.lines + bool(each.initial) for each in items), default=1)
    most = max(int(layout.height / layout.lowest_line), tallest)
    pages = max(1, ceil(len(_filled(items, most)) / layout.columns))
    columns = pages * layout.columns
    fewest = max(tallest, ceil(sum(each.lines for each in items) / columns))
    return pages, next(n for n in range(fewest, most + 1) if len(_filled(items, n)) <= columns)


def _filled(items: Iterable[Item], lines: int) -> list[list[Item]]:
    """Return items in columns of so many lines, each of which begins with a heading if any do."""
    columns: list[list[Item]] = []
    room = 0
    initial = ""
    for item in items:
        needed = item.lines + (item.initial != initial)
        if not columns or room < needed:
            columns.append([])
            room = lines
            needed = item.lines + bool(item.initial)
        room -= needed
        initial = item.initial
        columns[-1].append(item)
    return columns


def _column(
    names: Sequence[Name],
    pitch: float,
    left: Callable[[Name], str],
    right: Callable[[Name], str],
    before: Sequence[Name] = (),
) -> Column:
    """Return these names as a column; `before` is the last name of the column before, if any."""
    parts: list[Part] = []
    beside: list[tuple[str, str]] = []
    gaps = []
    begin = 0
    initial = ""
    for name in names:
        if name.initial != initial:
            initial = name.initial
            is_carried_on = not parts and any(each.initial == initial for each in before)
            parts.append(Part(initial, is_carried_on))
            beside.append(NOTHING)
        parts.append(Part(name=name))
        beside += [(left(name), right(name)), *[NOTHING] * (name.lines - 1)]
        gaps.append(f"{pitch * (len(beside) - begin) - RULE:g} {RULE}")
        begin = len(beside)
    lefts, rights = ("\n".join(each) for each in zip(*beside, strict=True))
    return Column(parts, lefts, rights, " ".join([*gaps, TO_THE_FOOT]))


def _number(name: Name) -> str:
    return str(name.entry.number)


def _place(name: Name) -> str:
    return f"{name.place.table}-{name.place.seat}" if name.place else ""


def _seat(name: Name) -> str:
    return str(name.place.seat) if name.place else ""
