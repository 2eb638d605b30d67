"""A paper sheet as it is being typed: each line read, scored, and told what is wrong with it.

The lines go on from what is recorded already. Reads; writes nothing: `writes.record_lines` does.
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

# More than any table plays. Each line is read with all of those before it, and at every pause.
MOST_LINES = 100
PLACE = re.compile(r"rounds\[(\d+)\]")


class Dealer(NamedTuple):
    """Who deals in a line, and the number of their seat on the sheet."""

    player: str
    number: int


class Line(NamedTuple):
    """A line that was typed: which round it is, what it says, or every problem with it."""

    number: int
    text: str
    facts: dict[str, Any] | None
    played: PlayedRound | None
    problems: tuple[str, ...] = ()
    dealer: Dealer | None = None  # named in the line, or whose turn it is
    doubts: tuple[str, ...] = ()  # what can be so, but is to be looked at again

    @property
    def waits(self) -> bool:
        """Return whether nothing can be said of it until a line before it is put right."""
        return self.played is None and not self.problems


class TypedSheet(NamedTuple):
    """Everything typed so far. `sheet` has the rounds recorded and those typed without fault."""

    before: Sheet
    sheet: Sheet
    lines: tuple[Line, ...]

    @property
    def is_right(self) -> bool:
        """Return whether nothing is wrong with any line."""
        return not self.wrong

    @property
    def wrong(self) -> tuple[Line, ...]:
        """Return the lines that something is wrong with."""
        return tuple(line for line in self.lines if line.problems)

    @property
    def unread(self) -> Line | None:
        """Return the first line that is not read until one before it is put right."""
        return next((line for line in self.lines if line.waits), None)

    @property
    def totals(self) -> Mapping[str, int]:
        """Return everybody's total, with what is typed."""
        return self.sheet.score.totals


def first_line(sheet: Sheet) -> str:
    """Return what stands in the first line to begin with: a round under way, as recorded."""
    if not sheet.goes_on or sheet.rules.game.kind != "kankei":
        return ""
    return line_shorthand.line_of(sheet.rows[-1].facts, sheet.players)


def read_sheet(sheet: Sheet, text: str) -> TypedSheet:
    """Return what these lines say, going on from a sheet's recorded rounds.

    What follows `MOST_LINES` of them is not read: the first line of it says so.
    """
    reading = _Reading(sheet)
    texts = [line.strip() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(texts[:MOST_LINES], sheet.next_number):
        reading.take(number, line)
    if len(texts) > MOST_LINES:
        reading.leave(sheet.next_number + MOST_LINES, texts[MOST_LINES])
    lines = tuple(
        line._replace(problems=tuple(reading.problems[line.number])) for line in reading.lines
    )
    return TypedSheet(sheet, reading.now, lines)


class _Reading:
    """Lines being read one after another; one that is wrong does not stop those that follow."""

    def __init__(self, sheet: Sheet) -> None:
        self.before = self.now = sheet
        self.lines: list[Line] = []
        self.problems: dict[int, list[str]] = defaultdict(list)
        self.numbers = [row.number for row in sheet.rows]  # of the rounds in `now`, line by line
        self.dealer = _next_dealer(sheet)

    def take(self, number: int, text: str) -> None:
        """Read one line."""
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

    def leave(self, number: int, text: str) -> None:
        """Say of a line that it is one too many to be read now, with those below it."""
        words = gettext(
            "%(most)s lines are read at once. Take this one and those below it out, save, and type"
            " them then."
        )
        self.problems[number].append(words % {"most": MOST_LINES})
        self.lines.append(Line(number, text, None, None))

    def _seated(self, dealer: str | None) -> Dealer | None:
        return Dealer(dealer, self.before.players.index(dealer) + 1) if dealer else None

    def _place(self, number: int, facts: dict[str, Any]) -> PlayedRound | None:
        """Put a round after those read so far, and return it with its score if it can be so."""
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
                self._note(problem, number, at)
            return None
        self.numbers[at - 1 : at] = [number]
        return self.now.rounds[at - 1]

    def _note(self, problem: scoring.Problem, number: int, at: int) -> None:
        """Lay a problem on the line of the round it concerns."""
        found = PLACE.match(problem.at)
        place = int(found[1]) + 1 if found else at
        line = number if place == at else self.numbers[place - 1]
        words = sentences.problem_sentence(problem, self.now.names)
        if words not in self.problems[line]:
            self.problems[line].append(words)


def _finished_sentence(sheet: Sheet) -> str:
    """Say that nothing more is played at this table, and why."""
    if sheet.is_totals_only:
        return str(OnlyTotals.sentence)
    why = " ".join(sentences.advice_sentence(each, sheet.names) for each in sheet.endings)
    return gettext("%(why)s Take this line out.") % {"why": why}


def _dealer_after(sheet: Sheet, dealer: str) -> str:
    """Return who deals after somebody, as people sit by now."""
    game, order = sheet.rules.game, sheet.players
    if isinstance(game, KankeiGame):
        order = game.seats_after(sheet.record.rounds, sheet.players)
    return seats.to_the_right(order, dealer)


def _next_dealer(sheet: Sheet) -> str | None:
    """Return whose turn it is to deal, where the game has dealers and one is known."""
    game = sheet.rules.game
    if not isinstance(game, KankeiGame):
        return None
    rounds: Sequence[Any] = sheet.record.rounds
    if sheet.goes_on:
        return str(rounds[-1].dealer) if rounds[-1].dealer else None
    return game.state_after(rounds, sheet.players, sheet.planned).dealer
