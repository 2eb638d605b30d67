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
from tournaments.game_kinds import kind_of
from tournaments.i18n import sentences
from tournaments.i18n.units import round_in_sentence
from tournaments.paper_entry.doubts import doubts_of, repeated_rounds
from tournaments.paper_entry.line_shorthand import Unreadable
from tournaments.queries.round_validation import OnlyTotals
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.what_if import with_round

# More than any table plays. The cost is quadratic, and lines are parsed at each pause in typing.
MOST_LINES = 100
ROUND_PATH = re.compile(r"rounds\[(\d+)\]")


class Dealer(NamedTuple):
    """The dealer of a line: the player, and the number of the seat on the sheet."""

    player: str
    number: int


class TypedLine(NamedTuple):
    """A typed line: the number of its round, its facts and score, or all its problems."""

    number: int
    text: str
    facts: dict[str, Any] | None
    played: PlayedRound | None
    problems: tuple[str, ...] = ()
    dealer: Dealer | None = None  # named in the line, or next in turn
    doubts: tuple[str, ...] = ()  # warnings that the typist has to confirm

    @property
    def is_waiting(self) -> bool:
        """Return whether the line cannot be scored until an earlier line is corrected."""
        return self.played is None and not self.problems


class TypedSheet(NamedTuple):
    """The typed lines. `before` is the stored sheet; `sheet` also contains the valid lines."""

    before: Sheet
    sheet: Sheet
    lines: tuple[TypedLine, ...]

    @property
    def wrong_lines(self) -> tuple[TypedLine, ...]:
        return tuple(line for line in self.lines if line.problems)

    @property
    def first_waiting(self) -> TypedLine | None:
        """Return the first line that cannot be scored until an earlier one is corrected."""
        return next((line for line in self.lines if line.is_waiting), None)

    @property
    def ends_early(self) -> bool:
        """Return whether the lines end before the last planned round or the end of the game."""
        sheet = self.sheet
        return bool(self.lines) and sheet.planned is not None and not sheet.is_finished

    @property
    def scored_totals(self) -> Mapping[str, int]:
        """Sums of the stored rounds and the valid lines, by seat."""
        return self.sheet.totals_by_seat


def first_line(sheet: Sheet) -> str:
    """Return the initial text of the first line: the unfinished round, without its trump."""
    if not sheet.has_unfinished_round:
        return ""
    game, facts = sheet.rules.game, {**sheet.rows[-1].facts}
    facts.pop("trump", None)
    return kind_of(game).format_line(facts, game, sheet.players)


def read_sheet(sheet: Sheet, text: str) -> TypedSheet:
    """Parse and score the lines of a text, following a sheet's stored rounds.

    Lines beyond `MOST_LINES` are not read; the first of them gets a problem that says so.
    """
    reader = _LineReader(sheet)
    texts = [line.strip() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(texts[:MOST_LINES], sheet.next_number):
        reader.read_line(number, line)
    if len(texts) > MOST_LINES:
        reader.refuse_line(sheet.next_number + MOST_LINES, texts[MOST_LINES])
    lines = tuple(
        line._replace(problems=tuple(reader.problems[line.number])) for line in reader.lines
    )
    return TypedSheet(sheet, reader.sheet_so_far, lines)


class _LineReader:
    def __init__(self, sheet: Sheet) -> None:
        self.before = self.sheet_so_far = sheet
        self.lines: list[TypedLine] = []
        self.problems: dict[int, list[str]] = defaultdict(list)
        # The line number of each round in `sheet_so_far`, which lacks the rounds of invalid lines.
        self.line_numbers = [row.number for row in sheet.rows]
        self.dealer = _next_dealer(sheet)  # of a line that names none
        self.repeating: list[int] = []  # numbers of new lines that may be stored already

    def read_line(self, number: int, text: str) -> None:
        """Add a line for round `number`, with its score if it is valid, else with its problems."""
        facts = played = None
        doubts: tuple[str, ...] = ()
        try:
            game = self.before.rules.game
            facts = kind_of(game).read_line(text, game, self.before.players, self.dealer)
        except Unreadable as unreadable:
            self.problems[number].append(str(unreadable))
        else:
            doubts = tuple(doubts_of(facts, number, self.before))
            if number > len(self.before.rows) and repeated_rounds(facts, self.before):
                self.repeating.append(number)
            played = self._add_round(number, facts)
        dealer = (facts or {}).get("dealer") or self.dealer
        self.lines.append(
            TypedLine(number, text, facts, played, dealer=self._as_dealer(dealer), doubts=doubts)
        )
        if played is not None:
            self.dealer = _next_dealer(self.sheet_so_far)
        else:
            self.dealer = dealer and _dealer_following(self.sheet_so_far, dealer)

    def refuse_line(self, number: int, text: str) -> None:
        """Add the first line beyond `MOST_LINES` with a problem that says so."""
        words = gettext(
            "At most %(most)s lines are read at once. Remove this line and those below it, save, "
            "then type them."
        )
        self.problems[number].append(words % {"most": MOST_LINES})
        self.lines.append(TypedLine(number, text, facts=None, played=None))

    def _as_dealer(self, dealer: str | None) -> Dealer | None:
        return Dealer(dealer, self.before.players.index(dealer) + 1) if dealer else None

    def _add_round(self, number: int, facts: dict[str, Any]) -> PlayedRound | None:
        """Add a round to `sheet_so_far` and return it with its score.

        If the facts are invalid or play is over, adds the problems and returns None. If the round
        is stored already, `facts` is completed in place by the stored facts that the line omits.
        """
        position = len(self.line_numbers) + 1  # from 1, among the rounds in `sheet_so_far`
        if number in self.line_numbers[: len(self.before.rows)]:
            position = number
            kind = kind_of(self.before.rules.game)
            facts |= kind.merge_with_stored(self.before.rows[number - 1].facts, facts)
        elif self.sheet_so_far.is_finished or self.sheet_so_far.is_totals_only:
            self.problems[number].append(_finished_sentence(self.sheet_so_far, self.repeating))
            return None
        try:
            self.sheet_so_far = with_round(self.sheet_so_far, position, facts)
        except scoring.InvalidRecord as invalid:
            for problem in invalid.problems:
                self._add_problem(problem, number, position)
            return None
        self.line_numbers[position - 1 : position] = [number]
        return self.sheet_so_far.rounds[position - 1]

    def _add_problem(self, problem: scoring.Problem, number: int, position: int) -> None:
        """Add a problem to the line of the round that the problem names, by default line `number`.

        `position` is the position of the round of line `number` among those in `sheet_so_far`.
        """
        match = ROUND_PATH.match(problem.at)
        wrong_position = int(match[1]) + 1 if match else position
        line = number if wrong_position == position else self.line_numbers[wrong_position - 1]
        sheet = self.sheet_so_far
        words = sentences.problem_sentence(problem, sheet.names, sheet.rules)
        if problem.code == "missing" and problem.at.endswith(".dealer"):
            if any(self.problems.values()):
                return  # an earlier line names the dealer, once it is read
            words = gettext("Begin with the dealer’s seat, such as 1.")
        if words not in self.problems[line]:
            self.problems[line].append(words)


def _finished_sentence(sheet: Sheet, repeating: Sequence[int]) -> str:
    """Return the problem of a line typed after the end of play, with the reason for the end.

    `repeating` are the numbers of lines before it that may be stored already: perhaps the whole
    paper was typed, of which the beginning is recorded.
    """
    if sheet.is_totals_only:
        return str(OnlyTotals.sentence)
    why = " ".join(
        sentences.advice_sentence(ending, sheet.names, sheet.rules) for ending in sheet.endings
    )
    if not repeating:
        return gettext("%(why)s Remove this line.") % {"why": why}
    words = gettext(
        "%(why)s Remove the line of what is recorded already (%(rounds)s); if that is a different "
        "one, remove this line."
    )
    rounds = sentences.listed([round_in_sentence(each, sheet.sitting) for each in repeating])
    return words % {"why": why, "rounds": rounds}


def _dealer_following(sheet: Sheet, dealer: str) -> str:
    """Return the player to the right of a dealer, by the seats after the rounds so far."""
    return seats.to_the_right([entry.key for entry in sheet.seated_now], dealer)


def _next_dealer(sheet: Sheet) -> str | None:
    """Return the dealer of the next line; None if the game has no dealers or none is known.

    If the last round is unfinished, the next line continues it and has its dealer.
    """
    if sheet.next_round is None:
        return None
    rounds: Sequence[Any] = sheet.record.rounds
    if sheet.has_unfinished_round:
        return str(rounds[-1].dealer) if rounds[-1].dealer else None
    return sheet.next_round.dealer
