"""What stands on the two printed forms: chart (得点配分早見表) and score sheet (得点記入票).

Contexts for the templates in `templates/print/`: the rules, asked about everything they know. No
layout, and no points but those of `scoring`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import ceil
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.charts import Section
from scoring.kankei import LAST_DEAL, KankeiGame, Round
from scoring.variants.gong_zhu import EXPOSABLE, GongZhuGame
from scoring.variants.gouji import PLACES, Finish, GoujiGame
from tournaments.i18n import sentences

ROUNDS_ON_A_PAGE = 10  # of a sheet of one page
ROUNDS_BESIDE_CARRIED = 9  # of several pages: all but the first have a row for points carried over

# Of more rounds than this the chart's strip of trumps shows the first and the last.
TRUMPS_IN_A_STRIP = 16
FIRST_TRUMPS, LAST_TRUMPS = 9, 3

# Sheets laid out in one go, in half a second. Others can print in between.
SHEETS_IN_A_CHUNK = 20

# What the dealer circles on the sheet, short enough to stand six in a box.
MARKS: dict[str, str | Promise] = {
    "juroku": "16",
    "reverse_juroku": _("R16"),
    "called_skunk": _("CS"),
    "called_juroku": _("C16"),
    "called_reverse_skunk": _("CRS"),
    "called_reverse_juroku": _("CR16"),
}


class Seat(NamedTuple):
    """A place at the table, counted to the right, and who sits there; nobody on a blank sheet.

    `entry` is the number under which they play in the event.
    """

    number: int
    name: str = ""
    entry: int | None = None


class RoundLine(NamedTuple):
    """A line to write a round on. `trump` is that of its first deal, where the game has trumps.

    Number 0 stands for rounds that a strip leaves out.
    """

    number: int
    trump: str = ""


class DealBox(NamedTuple):
    """What is written down of a deal: face cards, the chosen trump, a declaration."""

    number: int
    kankei: int
    mukankei: int
    marks: tuple[str | Promise, ...]
    chooses_trump: bool


class ScoreSheet(NamedTuple):
    """One printed score sheet, blank or prefilled. `check` is what a round's points must sum to.

    For face cards `check` counts the kankei's points: 0 with three against three, −1 with two
    against three. `serial` tells the sheet of one seating from that of another; `printed` is when.
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
        """Return the same form with only what the sheets of all tables have in common."""
        seats = tuple(Seat(seat.number) for seat in self.seats)
        return self._replace(seats=seats, table="", recorder="", qr="", serial="")

    @property
    def is_carried_on(self) -> bool:
        """Return whether the rounds continue on another page. The last page has the totals."""
        return self.page < self.pages

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
                marks=tuple(MARKS[declaration] for declaration in game.declarations[number]),
                chooses_trump=number > 1,
            )
            for number in range(1, LAST_DEAL + 1)
        )

    @property
    def legend(self) -> tuple[tuple[str | Promise, str], ...]:
        """Return each mark on the sheet with the name of its declaration; face cards only."""
        known = self._face_cards.declarations[LAST_DEAL]
        return tuple((MARKS[code], sentences.declaration_name(code)) for code in known)

    @property
    def _face_cards(self) -> KankeiGame:
        """Return the game. Raises `TypeError` if it is no face-card game."""
        game = self.rules.game
        if not isinstance(game, KankeiGame):
            raise TypeError(f"{self.rules.slug} is no face-card game")
        return game

    @property
    def check(self) -> int:
        """Return the number that checks a round on paper: what the players' points sum to.

        Face-card games: the sum in points of one kankei player, so 2 means twice those points.
        Gouji: the sum itself, of both teams. Raises `TypeError` for Gong Zhu, which has no check.
        """
        game = self.rules.game
        if isinstance(game, GoujiGame):
            finish = Finish(PLACES, (PLACES[:3], PLACES[3:]))
            return sum(game.score_round(finish, PLACES).teams or ())
        players = [str(seat.number) for seat in self.seats]
        facts = Round(kankei=tuple(players[:2]), deals=(), dealer=players[-1])
        kankei_count = len(self._face_cards.kankei_side(facts, players))
        return kankei_count - (len(players) - kankei_count)

    @property
    def columns_before_players(self) -> int:
        """Return the number of columns left of the players': a round, its deals, its points.

        A deal has a column for each side, and one for declarations and the chosen trump.
        """
        marked = sum(deal.chooses_trump or bool(deal.marks) for deal in self.deals)
        return 2 + 2 * len(self.deals) + marked

    @property
    def may_be_cut_off(self) -> bool:
        """Return whether the clock can end a round."""
        return self._face_cards.may_be_cut_off

    @property
    def cards(self) -> tuple[tuple[str, bool], ...]:
        """Return Gong Zhu's scoring cards, each with whether it can be exposed before play."""
        game = self.rules.game
        assert isinstance(game, GongZhuGame)  # noqa: S101  only this game has cards
        return tuple((card, card in EXPOSABLE) for card in game.scoring_cards(len(self.seats)))


def chart_context(rules: scoring.Rules, planned_rounds: int | None = None) -> dict[str, Any]:
    """Return the context of `print/quick_reference.html`: the chart's sections by their codes.

    `planned_rounds` is None for the rules' usual number, 0 for no fixed number.
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
        "figures": _longest_points(chart.values()),  # a number of characters
    }


def _shown_trumps(game: KankeiGame, planned_rounds: int | None) -> list[RoundLine]:
    """Return the trumps of the first deals of the planned rounds.

    Of many rounds, or if none are planned, a line with number 0 stands for those left out.
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
    """Return the number of characters of a chart's longest points: 5 for −1035."""
    cells = (cell for section in sections for cell in section.cells)
    return max(len(sentences.signed(cell.points)) for cell in cells)


def sheets(
    rules: scoring.Rules,
    players: Sequence[str] | int,
    rounds: int | None = None,
    *,
    numbers: Sequence[int] = (),
    **written: Any,
) -> tuple[ScoreSheet, ...]:
    """Return the pages of one table's score sheet, for named players or blank.

    `players` are names, or their number for a blank sheet. `rounds` is the number of lines, None
    for the rules' usual number. `numbers` are the players' entry numbers, `written` further fields
    of `ScoreSheet`.
    """
    names = [""] * players if isinstance(players, int) else players
    seats = tuple(
        Seat(place, name, number)
        for place, (name, number) in enumerate(zip_longest(names, numbers), start=1)
    )
    pages = _split_into_pages(
        tuple(_round_lines(rules, rounds or rules.usual_rounds or ROUNDS_ON_A_PAGE))
    )
    return tuple(
        ScoreSheet(rules, seats, page, **written, page=number, pages=len(pages))
        for number, page in enumerate(pages, start=1)
    )


def _split_into_pages(lines: tuple[RoundLine, ...]) -> list[tuple[RoundLine, ...]]:
    """Return the lines of each page, spread evenly if there are several pages."""
    if len(lines) <= ROUNDS_ON_A_PAGE:
        return [lines]
    on_a_page = ceil(len(lines) / ceil(len(lines) / ROUNDS_BESIDE_CARRIED))
    return [lines[i : i + on_a_page] for i in range(0, len(lines), on_a_page)]


def _round_lines(rules: scoring.Rules, count: int) -> Iterator[RoundLine]:
    """Yield a line for each of `count` rounds."""
    for number in range(1, count + 1):
        game = rules.game
        trump = game.trump(number, count) if isinstance(game, KankeiGame) else ""
        yield RoundLine(number, trump)


def sheet_context(
    rules: scoring.Rules, players: Sequence[str] | int, **written: Any
) -> dict[str, Any]:
    """Return the context of `print/score_sheet.html` for one table; arguments as in `sheets`."""
    return sheets_context(rules, sheets(rules, players, **written))


def sheets_context(rules: scoring.Rules, sheets: Sequence[ScoreSheet]) -> dict[str, Any]:
    """Return the context of `print/score_sheet.html` for these sheets, at least one."""
    return {"rules": rules, "sheets": sheets, "title_sheet": sheets[0]}


class PrintRun(NamedTuple):
    """The arguments of `rendering.stamped_pdf` after the template: blank forms, and the writing.

    `blanks` is the context of all blank forms, `written` the contexts of the writing, in chunks.
    `form_indexes` has for each sheet the index of the blank form that it is written on.
    """

    blanks: dict[str, Any]
    form_indexes: tuple[int, ...]
    written: tuple[dict[str, Any], ...]


def run_of(rules: scoring.Rules, sheets: Sequence[ScoreSheet]) -> PrintRun:
    """Return what prints these sheets, in their order; equal blank forms are laid out once."""
    blanks = list(dict.fromkeys(sheet.blank for sheet in sheets))
    chunks = (sheets[i : i + SHEETS_IN_A_CHUNK] for i in range(0, len(sheets), SHEETS_IN_A_CHUNK))
    return PrintRun(
        blanks=sheets_context(rules, blanks) | {"title_sheet": sheets[0]},
        form_indexes=tuple(blanks.index(sheet.blank) for sheet in sheets),
        written=tuple(sheets_context(rules, chunk) | {"only_written": True} for chunk in chunks),
    )
