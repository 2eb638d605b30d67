"""The printed seat list (`print/seat_list.html`) as pages of columns, by name and by table.

WeasyPrint takes long to lay out a line of text, longer for a cell of a table, and far longer to
break and balance columns. So it is computed here what stands where on which page, and the lines of
a column are drawn there as they are (`text_lines`): no name, in whatever font, can move those below
it beside the seat of another. Only headings and names of several lines are laid out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext

from tournaments.i18n.sentences import isolated
from tournaments.models import Entry
from tournaments.printing.names import NameSize, lines_of
from tournaments.printing.names import ems as ems_of
from tournaments.queries.name_order import initial_of, reading_order
from tournaments.queries.seat_lists import Place, Tables, places_by_name

MEDIUM, SMALL = 0.8, 0.6  # sizes of longer names, of that of the others
LONG = "is-long"  # the class of names of several lines
MOST_LINES = 40  # of a name
TABBED = 24  # names above which headings help
HEAD_OF_TABLE = 2  # lines that the number of a table and the space below the table take
PX = 96 / 25.4  # of CSS, in a mm
RULE, RULE_OF_TABLE = 0.8, 2  # px
ABOVE_NUMBER, TO_NAMES = 1.8 * PX, 8.8 * PX  # of a table: from its rule, from there to the players
TO_THE_FOOT = 941  # px, the height of a column: the last gap, or the dashes begin again


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

    Two lines of a long name take one `lines` of the column. A note about who plays for whom makes a
    name long.
    """

    entry: Entry
    text: str
    lines: int
    css: str  # the class of its size
    place: Place | None  # None for who has no seat
    initial: str  # the heading, if there are any
    why: str = ""  # there is no seat


class Box(NamedTuple):
    """A long name, or a heading, `is_carried_on` from the column before."""

    top: str
    css: str
    text: str
    is_carried_on: bool = False


@dataclass
class Column:
    """What stands below each other on a page. Distances are in px, from the top of the column."""

    names: list[Name] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    lines: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    _rules: list[float] = field(default_factory=list)
    _ruled: float = 0  # the distance of the end of the last rule

    @property
    def texts(self) -> dict[str, str]:
        """Return the lines by their class, each after its distance, as `text_lines` reads them."""
        return {css: "\n".join(lines) for css, lines in self.lines.items()}

    @property
    def rules(self) -> str:
        """Return the lengths of the gaps above the rules, and of these."""
        return " ".join(f"{length:g}" for length in (*self._rules, TO_THE_FOOT))

    def write(self, top: float, css: str, text: str) -> None:
        if text:
            self.lines[css].append(f"{top:g} {text}")

    def write_name(self, top: float, name: Name, left: str, right: str) -> None:
        self.names.append(name)
        self.write(top, "left", left)
        if name.css == LONG:
            self.boxes.append(Box(f"{top:g}", "names is-long", name.text))
        else:
            self.write(top, f"names {name.css}".strip(), name.text)
        self.write(top, "right", right)
        self.write(top, "out", name.why)

    def draw_rule(self, top: float, thickness: float) -> None:
        self._rules += [top - self._ruled, thickness]
        self._ruled = top + thickness


class Table(NamedTuple):
    """A table on the list by table: its number, its players, and the lines it takes with both."""

    number: int
    names: list[Name]
    lines: int
    initial: str = ""  # tables have no headings


Item = TypeVar("Item", Name, Table)


class Page(NamedTuple):
    """A page of columns, with its first and last heading, if any."""

    columns: list[Column]
    headings: list[str]


class Pages(NamedTuple):
    """A list on its pages, and the height in px of a line."""

    css: str
    pitch: str
    pages: list[Page]


class Steads(NamedTuple):
    """Who plays for whom: the replaced players by key of the substitute, and all names by key."""

    replaced: Mapping[str, Entry] = MappingProxyType({})
    names: Mapping[str, str] = MappingProxyType({})

    def note(self, entry: Entry, place: Place | None) -> str:
        """Return what stands below the name of a substitute, and of who is replaced; else empty.

        `place` is the place where the name is listed.
        """
        if place is None or place.entry.key not in self.replaced:
            return ""
        if entry.key == place.entry.key:
            return self._with_name(gettext("for %(name)s"), self.replaced[entry.key])
        return self._with_name(gettext("replaced by %(name)s"), place.entry)

    def _with_name(self, words: str, entry: Entry) -> str:
        return words % {"name": isolated(self.names[entry.key])}


NO_STEADS = Steads()


def by_name(
    tables: Tables, out: Iterable[tuple[Entry, str]] = (), steads: Steads = NO_STEADS
) -> Pages:
    """`out` are players without a seat, each with the reason.

    Who is replaced is listed with the place of the substitute.
    """
    seated = places_by_name(tables)
    keys = {each.entry.key for each in seated}
    absent = (
        (steads.replaced[each.entry.key], each)
        for each in seated
        if each.entry.key in steads.replaced
    )
    places: list[tuple[Entry, Place | None, str]] = [
        *((each.entry, each, "") for each in seated),
        *((entry, place, "") for entry, place in absent if entry.key not in keys),
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
            _name(entry, layout.ems, place, initial, steads.note(entry, place))._replace(why=why)
            for (entry, place, why), initial in zip(places, initials, strict=True)
        ]

    layout, pitch, filled = _fill(BY_NAME, items)
    columns = [
        _column_of_names(names, pitch, before[-1:])
        for before, names in zip([[], *filled], filled, strict=False)
    ]
    pages = _paged(layout, pitch, columns)
    if len(places) > TABBED and not has_readings:
        pages = pages._replace(
            pages=[page._replace(headings=[gettext("No reading")]) for page in pages.pages]
        )
    return pages


def by_table(tables: Tables, steads: Steads = NO_STEADS) -> Pages:
    """Return all tables on one page, or on several in the smallest layout. No table is split."""

    def items(layout: Layout) -> list[Table]:
        found = []
        for number, entries in tables.items():
            places = [Place(entry, number, seat) for seat, entry in enumerate(entries, 1)]
            names = [
                _name(each.entry, layout.ems, each, note=steads.note(each.entry, each))
                for each in places
            ]
            lines = sum(each.lines for each in names) + HEAD_OF_TABLE
            found.append(Table(number, names, lines))
        return found

    layout, pitch, filled = _fill(BY_TABLE, items)
    return _paged(layout, pitch, [_column_of_tables(tables, pitch) for tables in filled])


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


def _paged(layout: Layout, pitch: float, columns: Sequence[Column]) -> Pages:
    count = layout.columns
    pages = [list(columns[i : i + count]) for i in range(0, len(columns), count)]
    return Pages(layout.css, f"{pitch:g}", [Page(each, _headings(each)) for each in pages])


def _headings(columns: Iterable[Column]) -> list[str]:
    """Return the first and the last heading in these columns."""
    found = [name.initial for column in columns for name in column.names if name.initial]
    return list(dict.fromkeys((found[0], found[-1]))) if found else []


def _name(entry: Entry, ems: float, place: Place | None, initial: str = "", note: str = "") -> Name:
    text = " ".join(entry.name.split())  # one line, whatever is in it
    lines, css = 1, ""
    width = ems_of(text) / ems
    if note or width > 1 / SMALL:
        size = NameSize(LONG, ems / SMALL, MOST_LINES)
        broken = [*lines_of(text, size), *lines_of(note, size)]
        text, lines, css = "\n".join(broken), ceil(len(broken) / 2), LONG
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


def _column_of_names(names: Sequence[Name], pitch: float, before: Sequence[Name]) -> Column:
    """Return these names as a column; `before` is the last name of the column before, if any."""
    column = Column()
    top = 0.0
    initial = ""
    for name in names:
        if name.initial != initial:
            initial = name.initial
            is_carried_on = not column.names and any(each.initial == initial for each in before)
            column.boxes.append(Box(f"{top:g}", "heading", initial, is_carried_on))
            top += pitch
        place = f"{name.place.table}-{name.place.seat}" if name.place else ""
        column.write_name(top, name, str(name.entry.number), place)
        top += pitch * name.lines
        column.draw_rule(top - RULE, RULE)
    return column


def _column_of_tables(tables: Iterable[Table], pitch: float) -> Column:
    column = Column()
    top = 0.0
    for table in tables:
        column.draw_rule(top, RULE_OF_TABLE)
        top += RULE_OF_TABLE + ABOVE_NUMBER
        column.write(top, "table-number", gettext("Table %(table)s") % {"table": table.number})
        top += TO_NAMES
        for name in table.names:
            seat = str(name.place.seat) if name.place else ""
            column.write_name(top, name, seat, str(name.entry.number))
            top += pitch * name.lines
    return column
