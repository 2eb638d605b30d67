"""The contents of the two printed forms: chart (得点配分早見表) and score sheet (得点記入票).

Makes contexts for the templates in `templates/print/`. All points come from `scoring`; the layout
is in the templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from math import ceil
from typing import Any, NamedTuple

import scoring
from scoring.charts import Section
from scoring.game import Game
from tournaments.game_kinds import kind_of
from tournaments.i18n import sentences, units
from tournaments.printing import names

ROUNDS_ON_A_PAGE = 10  # of a sheet with one page
# Of a sheet with several pages: all pages but the first have a row for points carried over.
ROUNDS_ON_ONE_OF_SEVERAL_PAGES = 9

FEWEST_ROWS = 4  # with fewer rows, these are no higher

NAME_WIDTH = 60  # of a name on a sheet, in points: the usual one

# If there are more rounds than this, the chart's strip of trumps leaves out those in the middle.
TRUMPS_IN_A_STRIP = 16
FIRST_TRUMPS, LAST_TRUMPS = 9, 3

# Sheets laid out at once, in half a second. Other people's prints come between two chunks.
SHEETS_IN_A_CHUNK = 20


class Seat(NamedTuple):
    """A seat at the table, numbered to the right, and the player's name, empty on a blank sheet.

    `entry` is the number of the player in the event.
    """

    number: int
    name: str = ""
    entry: int | None = None


class RoundLine(NamedTuple):
    """A line of a sheet or strip for one round. `trump` is that of its first deal, if any.

    Number 0 stands for the rounds that a strip leaves out.
    """

    number: int
    trump: str = ""


class ScoreSheet(NamedTuple):
    """One page of a printed score sheet, blank or prefilled. A kind of game adds its columns.

    `lines` are those of the page. `serial` identifies the table and its seats (`serials`);
    `printed` is the time of printing. The texts are shown as they are.
    """

    rules: scoring.Rules
    seats: tuple[Seat, ...]
    lines: tuple[RoundLine, ...]
    tournament: str = ""
    session: str = ""
    table: str = ""
    date: str = ""
    recorder: str = ""
    qr: str = ""
    serial: str = ""
    printed: str = ""
    partners: bool = False
    totals_only: bool = False
    is_play_off: bool = False
    page: int = 1
    pages: int = 1

    @property
    def blank(self) -> ScoreSheet:
        """Return the same page with only what the sheets of all tables have in common."""
        seats = tuple(Seat(seat.number) for seat in self.seats)
        return self._replace(seats=seats, table="", recorder="", qr="", serial="")

    @property
    def is_carried_on(self) -> bool:
        """Return whether the rounds continue on another page. The last page has the totals."""
        return self.page < self.pages

    @property
    def row_size(self) -> int:
        """Return the number of rows by which the style sheet chooses their height.

        The row of points carried over counts as one.
        """
        rows = len(self.lines) + (self.page > 1)
        return max(FEWEST_ROWS, min(rows, ROUNDS_ON_A_PAGE))

    @property
    def amount_columns(self) -> int:
        """For each player, one of points and one of the running total."""
        return 2 * len(self.seats)

    @property
    def name_widths(self) -> Mapping[int, float]:
        """Return other widths of a name by number of players. Pairs leave the usual one."""
        return {}

    @property
    def name_size(self) -> names.NameSize:
        width = NAME_WIDTH if self.partners else self.name_widths.get(len(self.seats), NAME_WIDTH)
        return names.size_for(tuple(seat.name for seat in self.seats), width)


class Difference(NamedTuple):
    """An option or the points of an item under house rules, beside those of the text."""

    meaning: str
    chosen: str
    default: str


def differences_of(rules: scoring.Rules) -> list[Difference]:
    """Return what differs from the text under house rules, in the reader's language."""
    options = [
        Difference(
            units.unit_words(option.meaning, rules),
            sentences.option_choice(option, rules.options[option.name]),
            sentences.option_choice(option, option.default),
        )
        for option in rules.rule_set.options
        if rules.options[option.name] != option.default
    ]
    points = [
        Difference(
            sentences.translated(rule.meaning),
            sentences.signed(rules.points[rule.item]),
            sentences.signed(rule.points),
        )
        for rule in rules.rule_set.rules
        if rules.points[rule.item] != rule.points
    ]
    return options + points


def chart_context(rules: scoring.Rules, planned_rounds: int | None = None) -> dict[str, Any]:
    """Return the context of `print/quick_reference.html`, with the chart's sections by their codes.

    `planned_rounds` is the number of rounds for which trumps are listed: None for the rules' usual
    number, 0 for no fixed number.
    """
    game = rules.game
    chart = {section.code: section for section in scoring.reference_chart(rules)}
    if planned_rounds is None:
        planned_rounds = rules.usual_rounds
    return {
        "rules": rules,
        "chart": chart,
        "trumps": _shown_trumps(game, planned_rounds) if game.trump(1, None) else (),
        "differences": differences_of(rules),
        "figures": _longest_points(chart.values()),  # a number of characters
    }


def _shown_trumps(game: Game, planned_rounds: int | None) -> list[RoundLine]:
    """Return the trumps of the first deals of the planned rounds, one line per round.

    Rounds that do not fit in a strip are left out, and a line with number 0 stands for them. If no
    rounds are planned, the line stands for all rounds after the first ones.
    """
    if not planned_rounds:
        return [
            *(RoundLine(n, game.trump(n, planned_rounds=None)) for n in range(1, FIRST_TRUMPS + 1)),
            RoundLine(0),
        ]
    lines = [
        RoundLine(number, game.trump(number, planned_rounds))
        for number in range(1, planned_rounds + 1)
    ]
    if planned_rounds <= TRUMPS_IN_A_STRIP:
        return lines
    return [*lines[:FIRST_TRUMPS], RoundLine(0), *lines[-LAST_TRUMPS:]]


def _longest_points(sections: Iterable[Section]) -> int:
    """Return the length of the longest points in a chart, in characters: 5 for −1035."""
    cells = (cell for section in sections for cell in section.cells)
    return max(len(sentences.signed(cell.points)) for cell in cells)


def sheets(
    rules: scoring.Rules,
    players: Sequence[str] | int,
    rounds: int | None = None,
    *,
    numbers: Sequence[int] = (),
    rounds_before: int = 0,
    **more_fields: Any,
) -> tuple[ScoreSheet, ...]:
    """Return the pages of one table's score sheet, for named players or blank.

    `players` are names or, for a blank sheet, the number of players. `rounds` is the number of
    lines, None for the rules' usual number; the first `rounds_before` of them, which others have
    played at the table, are left out. `numbers` are the players' entry numbers, `more_fields`
    further fields of `ScoreSheet`.
    """
    seated = [""] * players if isinstance(players, int) else players
    seats = tuple(
        Seat(seat_number, name, entry_number)
        for seat_number, (name, entry_number) in enumerate(zip_longest(seated, numbers), start=1)
    )
    lines = tuple(_round_lines(rules, rounds or rules.usual_rounds or ROUNDS_ON_A_PAGE))
    pages = _split_into_pages(lines[rounds_before:] or lines[-1:])
    page_of = kind_of(rules.game).sheet
    return tuple(
        page_of(rules, seats, lines, **more_fields, page=number, pages=len(pages))
        for number, lines in enumerate(pages, start=1)
    )


def _split_into_pages(lines: tuple[RoundLine, ...]) -> list[tuple[RoundLine, ...]]:
    """Return the lines of each page, spread evenly if there are several pages."""
    if len(lines) <= ROUNDS_ON_A_PAGE:
        return [lines]
    page_count = ceil(len(lines) / ROUNDS_ON_ONE_OF_SEVERAL_PAGES)
    on_a_page = ceil(len(lines) / page_count)
    return [lines[i : i + on_a_page] for i in range(0, len(lines), on_a_page)]


def _round_lines(rules: scoring.Rules, count: int) -> Iterator[RoundLine]:
    """Yield a line for each of `count` planned rounds, with its trump in face-card games."""
    for number in range(1, count + 1):
        yield RoundLine(number, rules.game.trump(number, count))


def sheet_context(
    rules: scoring.Rules, players: Sequence[str] | int, **arguments: Any
) -> dict[str, Any]:
    """Return the context of one table; arguments as in `sheets`."""
    return sheets_context(rules, sheets(rules, players, **arguments))


def sheets_context(rules: scoring.Rules, sheets: Sequence[ScoreSheet]) -> dict[str, Any]:
    return {"rules": rules, "sheets": sheets, "title_sheet": sheets[0]}


class PrintRun(NamedTuple):
    """The arguments of `rendering.stamped_pdf` after the template.

    `blanks` is the context of all blank forms. `fillings`, in chunks, are contexts of pages that
    have only the text filled in. `form_indexes` has the index of the blank form of each such page.
    """

    blanks: dict[str, Any]
    form_indexes: tuple[int, ...]
    fillings: tuple[dict[str, Any], ...]


def print_run_of(rules: scoring.Rules, sheets: Sequence[ScoreSheet]) -> PrintRun:
    """Return the print run of these pages, in their order; equal blank forms are laid out once."""
    blanks = list(dict.fromkeys(sheet.blank for sheet in sheets))
    chunks = (sheets[i : i + SHEETS_IN_A_CHUNK] for i in range(0, len(sheets), SHEETS_IN_A_CHUNK))
    return PrintRun(
        blanks=sheets_context(rules, blanks) | {"title_sheet": sheets[0]},
        form_indexes=tuple(blanks.index(sheet.blank) for sheet in sheets),
        fillings=tuple(sheets_context(rules, chunk) | {"only_written": True} for chunk in chunks),
    )
