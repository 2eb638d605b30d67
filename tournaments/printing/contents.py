"""The contents of the two printed forms: chart (得点配分早見表) and score sheet (得点記入票).

Makes contexts for the templates in `templates/print/`. All points come from `scoring`; the layout
is in the templates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import ceil
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.charts import Section
from scoring.kankei import ITEM_NAMES, LAST_DEAL, KankeiGame, Round
from scoring.variants.gong_zhu import EXPOSABLE, GongZhuGame
from scoring.variants.gouji import PLACES, Finish, GoujiGame
from tournaments.i18n import sentences
from tournaments.printing import names

ROUNDS_ON_A_PAGE = 10  # of a sheet with one page
# Of a sheet with several pages: all pages but the first have a row for points carried over.
ROUNDS_ON_ONE_OF_SEVERAL_PAGES = 9

FEWEST_ROWS = 4  # with fewer rows, these are no higher

# The width of a name on a sheet, in points: the usual one, and others, by the kind of game and the
# number of players. Pairs leave the usual one.
NAME_WIDTH = 60
NAME_WIDTHS = {
    ("kankei", 5): 70,
    ("kankei", 4): 56,
    ("captures", 5): 75,
    ("captures", 4): 88,
    ("finish", 6): 71,
}

# If there are more rounds than this, the chart's strip of trumps leaves out those in the middle.
TRUMPS_IN_A_STRIP = 16
FIRST_TRUMPS, LAST_TRUMPS = 9, 3

# Sheets laid out at once, in half a second. Other people's prints come between two chunks.
SHEETS_IN_A_CHUNK = 20

# What is printed after a box to tick for a declaration, called or not, in the order on a sheet.
MARKS: dict[str, str | Promise] = {
    "skunk": pgettext_lazy("a skunk, to tick", "S"),
    "juroku": "16",
    "reverse_skunk": pgettext_lazy("a reverse skunk, to tick", "RS"),
    "reverse_juroku": _("R16"),
}
CALLED = "called_"


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


class DealBox(NamedTuple):
    """The box in which a deal is written: face cards, a declaration, the chosen trump.

    `kankei` and `mukankei` are the targets of the sides; `marks` are those of the legal
    declarations after a skunk, `calls` those of the ones in the first trick.
    """

    number: int
    kankei: int
    mukankei: int
    marks: tuple[str | Promise, ...]
    calls: tuple[str | Promise, ...]
    chooses_trump: bool

    @property
    def mark_count(self) -> int:
        """Return the number of boxes to tick, by which the style sheet chooses their width."""
        return len(self.marks) + len(self.calls)

    @property
    def mark_columns(self) -> tuple[tuple[str | Promise, ...], ...]:
        """Return the marks side by side, or below each other if there are calls beside them."""
        if not self.calls:
            return tuple((mark,) for mark in self.marks)
        return (self.marks,) if self.marks else ()

    @property
    def call_columns(self) -> tuple[tuple[str | Promise, ...], ...]:
        """Return the calls in two columns, those of the mukankei below those of the kankei."""
        return tuple(self.calls[start::2] for start in range(2) if self.calls[start:])


class ScoreSheet(NamedTuple):
    """One page of a printed score sheet, blank or prefilled.

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
        """Return the number of columns for the players' points and running totals."""
        return 2 * len(self.seats)

    @property
    def name_size(self) -> names.NameSize:
        """Return the size of all names on the sheet."""
        columns = (self.rules.game.kind, len(self.seats))
        width = NAME_WIDTH if self.partners else NAME_WIDTHS.get(columns, NAME_WIDTH)
        return names.size_for(tuple(seat.name for seat in self.seats), width)

    @property
    def template(self) -> str:
        """Return the name of the template in which rounds of this kind of game are written."""
        return f"print/_sheet_{self.rules.game.kind}.html"

    @property
    def deals(self) -> tuple[DealBox, ...]:
        """Return the boxes of a face-card round. Raises `TypeError` for other games."""
        game = self._face_cards
        return tuple(
            DealBox(
                number,
                *game.targets[number],
                marks=tuple(MARKS[code] for code in MARKS if code in game.declarations[number]),
                calls=tuple(
                    MARKS[code] for code in MARKS if CALLED + code in game.declarations[number]
                ),
                chooses_trump=number > 1,  # the rules give the trump of the first deal
            )
            for number in range(1, LAST_DEAL + 1)
        )

    @property
    def legend(self) -> tuple[tuple[str | Promise, str], ...]:
        """Return each mark on the sheet with its name; face cards only."""
        declared = {code.removeprefix(CALLED) for code in self._face_cards.declarations[LAST_DEAL]}
        return tuple((MARKS[code], gettext(ITEM_NAMES[code])) for code in MARKS if code in declared)

    @property
    def is_lost_by_missed_call(self) -> bool:
        """Return whether there are calls, and a missed one loses the deal; face cards only."""
        has_calls = any(deal.calls for deal in self.deals)
        return has_calls and bool(self.rules.options.get("missed_call_ends_deal", True))

    @property
    def dealer_scores_with_kankei(self) -> bool:
        """Return whether the dealer scores with the two declared players; face cards only."""
        return self._kankei_count > 2

    @property
    def _face_cards(self) -> KankeiGame:
        """Return the rules' game. Raises `TypeError` if it is no face-card game."""
        game = self.rules.game
        if not isinstance(game, KankeiGame):
            raise TypeError(f"{self.rules.slug} is no face-card game")
        return game

    @property
    def check(self) -> int:
        """Return the sum of all players' points in a round, with which a round is checked on paper.

        In face-card games the unit is the points of one kankei player: the sum is 0 with three
        against three, and −1 times these points with two against three. In Gouji it is the sum
        itself, of both teams. Raises `TypeError` for Gong Zhu, whose sum varies.
        """
        game = self.rules.game
        if isinstance(game, GoujiGame):
            finish = Finish(PLACES, (PLACES[:3], PLACES[3:]))
            return sum(game.score_round(finish, PLACES).teams or ())
        return self._kankei_count - (len(self.seats) - self._kankei_count)

    @property
    def _kankei_count(self) -> int:
        """Return the number of players who score as kankei; face cards only."""
        players = [str(seat.number) for seat in self.seats]
        facts = Round(kankei=tuple(players[:2]), deals=(), dealer=players[-1])
        return len(self._face_cards.kankei_side(facts, players))

    @property
    def columns_before_players(self) -> int:
        """Return the number of columns left of the players' columns in a face-card sheet.

        They are one for the round, one for its points, and for each deal one for each side and, if
        the deal has any, one for declarations and the chosen trump.
        """
        marked = sum(deal.chooses_trump or bool(deal.mark_count) for deal in self.deals)
        return 2 + 2 * len(self.deals) + marked

    @property
    def has_dealers(self) -> bool:
        """Return whether somebody deals each round. Raises `TypeError` unless a face-card game."""
        return self._face_cards.has_dealers

    @property
    def may_be_cut_off(self) -> bool:
        """Return whether the clock can end a round. Raises `TypeError` unless a face-card game."""
        return self._face_cards.may_be_cut_off

    @property
    def cards(self) -> tuple[tuple[str, bool], ...]:
        """Return Gong Zhu's scoring cards, each with whether it can be exposed before play."""
        game = self.rules.game
        assert isinstance(game, GongZhuGame)  # noqa: S101  only this game has cards
        return tuple((card, card in EXPOSABLE) for card in game.scoring_cards(len(self.seats)))


class Difference(NamedTuple):
    """An option or the points of an item under house rules, beside those of the text."""

    meaning: str
    chosen: str
    default: str


def differences_of(rules: scoring.Rules) -> list[Difference]:
    """Return what differs from the text under house rules, in the reader's language."""
    options = [
        Difference(
            sentences.translated(option.meaning),
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
        "chart_template": f"print/_chart_{game.kind}.html",
        "trumps": _shown_trumps(game, planned_rounds) if isinstance(game, KankeiGame) else (),
        "differences": differences_of(rules),
        "figures": _longest_points(chart.values()),  # a number of characters
    }


def _shown_trumps(game: KankeiGame, planned_rounds: int | None) -> list[RoundLine]:
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
    return tuple(
        ScoreSheet(rules, seats, lines, **more_fields, page=number, pages=len(pages))
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
        game = rules.game
        trump = game.trump(number, count) if isinstance(game, KankeiGame) else ""
        yield RoundLine(number, trump)


def sheet_context(
    rules: scoring.Rules, players: Sequence[str] | int, **arguments: Any
) -> dict[str, Any]:
    """Return the context of `print/score_sheet.html` for one table; arguments as in `sheets`."""
    return sheets_context(rules, sheets(rules, players, **arguments))


def sheets_context(rules: scoring.Rules, sheets: Sequence[ScoreSheet]) -> dict[str, Any]:
    """Return the context of `print/score_sheet.html` for one or more pages of sheets."""
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
