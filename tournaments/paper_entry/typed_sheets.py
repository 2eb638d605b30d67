"""A paper sheet being typed in: each line parsed, scored and checked, following the stored rounds.

`services.rounds.record_lines` stores the lines.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext

import scoring
from scoring import seats
from scoring.kankei import KankeiGame
from tournaments.i18n import sentences
from tournaments.paper_entry import line_shorthand
from tournaments.paper_entry.deal_shorthand import Unreadable
from tournaments.paper_entry.doubts import doubts_of
from tournaments.paper_entry.stored_rounds import merge_with_stored
from tournaments.queries.round_validation import OnlyTotals
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.what_if import with_round

# More than any table plays. The cost is quadratic, and lines are parsed at each pause in typing.
MOST_LINES = 100
PLACE = re.compile(r"rounds\[(\d+)\]")


class Dealer(NamedTuple):
    """The dealer of a line: the player, and the number of the seat on the sheet."""

    player: str
    number: int


class Line(NamedTuple):
    """A typed line: the number of its round, its facts and score, or all its problems."""

    number: int
    text: str
    facts: dict[str, Any] | None
    played: PlayedRound | None
    problems: tuple[str, ...] = ()
    dealer: Dealer | None = None  # named in the line, or next in turn
    doubts: tuple[str, ...] = ()  # warnings that the typist has to confirm

    @property
    def waits(self) -> bool:
        """Return whether it cannot be scored until a line before it is corrected."""
        return self.played is None and not self.problems


class TypedSheet(NamedTuple):
    """The typed lines. `before` is the stored sheet; `sheet` also contains the valid lines."""

    before: Sheet
    sheet: Sheet
    lines: tuple[Line, ...]

    @property
    def is_right(self) -> bool:
        """Return whether no line has problems."""
        return not self.wrong

    @property
    def wrong(self) -> tuple[Line, ...]:
        """Return the lines with problems."""
        return tuple(line for line in self.lines if line.problems)

    @property
    def unread(self) -> Line | None:
        """Return the first line that cannot be scored until one before it is corrected."""
        return next((line for line in self.lines if line.waits), None)

    @property
    def totals(self) -> Mapping[str, int]:
        """Return all totals by entry number, including the valid lines."""
        return self.sheet.score.totals


def first_line(sheet: Sheet) -> str:
    """Return the initial text of line 1: an unfinished round in shorthand, or nothing."""
    if not sheet.goes_on or sheet.rules.game.kind != "kankei":
        return ""
    return line_shorthand.line_of(sheet.rows[-1].facts, sheet.players)


def read_sheet(sheet: Sheet, text: str) -> TypedSheet:
    """Parse and score the lines of a text, following a sheet's stored rounds.

    Lines beyond `MOST_LINES` are not read; the first of them gets a problem that says so.
    """
    reading = _Reading(sheet)
    texts = [line.strip() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(texts[:MOST_LINES], sheet.next_number):
        reading.read_line(number, line)
    if len(texts) > MOST_LINES:
        reading.refuse_line(sheet.next_number + MOST_LINES, texts[MOST_LINES])
    lines = tuple(
        line._replace(problems=tuple(reading.problems[line.number])) for line in reading.lines
    )
    return TypedSheet(sheet, reading.now, lines)


class _Reading:
    """Reads lines one after another, continuing after lines with problems."""

    def __init__(self, sheet: Sheet) -> None:
        self.before = self.now = sheet
        self.lines: list[Line] = []
        self.problems: dict[int, list[str]] = defaultdict(list)
        self.numbers = [row.number for row in sheet.rows]  # line numbers of the rounds in `now`
        self.dealer = _next_dealer(sheet)

    def read_line(self, number: int, text: str) -> None:
        facts = played = None
        doubts: tuple[str, ...] = ()
        try:
            facts = line_shorthand.read_line(
                text, self.before.rules.game, self.before.players, self.dealer
            )
        except Unreadable as unreadable:
            self.problems[number].append(str(unreadable))
        else:
            doubts = tuple(doubts_of(facts, number, self.before))
            played = self._place(number, facts)
        dealer = (facts or {}).get("dealer") or self.dealer
        self.lines.append(
            Line(number, text, facts, played, dealer=self._seated(dealer), doubts=doubts)
        )
        if played is not None:
            self.dealer = _next_dealer(self.now)
        else:
            self.dealer = dealer and _dealer_after(self.now, dealer)

    def refuse_line(self, number: int, text: str) -> None:
        """Add the first line beyond `MOST_LINES` with a problem that says so."""
        words = gettext(
            "%(most)s lines are read at once. Take this one and those below it out, save, and type"
            " them then."
        )
        self.problems[number].append(words % {"most": MOST_LINES})
        self.lines.append(Line(number, text, None, None))

    def _seated(self, dealer: str | None) -> Dealer | None:
        return Dealer(dealer, self.before.players.index(dealer) + 1) if dealer else None

    def _place(self, number: int, facts: dict[str, Any]) -> PlayedRound | None:
        """Add a round to `now` and return it with its score; None, with problems, if invalid."""
        at = len(self.numbers) + 1
        if number in self.numbers[: len(self.before.rows)]:
            at = number
            facts |= merge_with_stored(self.before.rows[number - 1].facts, facts)
        elif self.now.is_finished or self.now.is_totals_only:
            self.problems[number].append(_finished_sentence(self.now))
            return None
        try:
            self.now = with_round(self.now, at, facts)
        except scoring.InvalidRecord as invalid:
            for problem in invalid.problems:
                self._add_problem(problem, number, at)
            return None
        self.numbers[at - 1 : at] = [number]
        return self.now.rounds[at - 1]

    def _add_problem(self, problem: scoring.Problem, number: int, at: int) -> None:
        """Add a problem to the line of the round it concerns."""
        found = PLACE.match(problem.at)
        place = int(found[1]) + 1 if found else at
        line = number if place == at else self.numbers[place - 1]
        words = sentences.problem_sentence(problem, self.now.names)
        if words not in self.problems[line]:
            self.problems[line].append(words)


def _finished_sentence(sheet: Sheet) -> str:
    """Return the problem of a line after the end of play: why nothing more is played."""
    if sheet.is_totals_only:
        return str(OnlyTotals.sentence)
    why = " ".join(sentences.advice_sentence(each, sheet.names) for each in sheet.endings)
    return gettext("%(why)s Take this line out.") % {"why": why}


def _dealer_after(sheet: Sheet, dealer: str) -> str:
    """Return who deals after a dealer, by the current seats."""
    game, order = sheet.rules.game, sheet.players
    if isinstance(game, KankeiGame):
        order = game.seats_after(sheet.record.rounds, sheet.players)
    return seats.to_the_right(order, dealer)


def _next_dealer(sheet: Sheet) -> str | None:
    """Return who deals next, or None if the game has no dealers or none is known."""
    game = sheet.rules.game
    if not isinstance(game, KankeiGame):
        return None
    rounds: Sequence[Any] = sheet.record.rounds
    if sheet.goes_on:
        return str(rounds[-1].dealer) if rounds[-1].dealer else None
    return game.state_after(rounds, sheet.players, sheet.planned).dealer
