"""The printed score sheet of a face-card game."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.kankei import LAST_DEAL, KankeiGame, Round
from tournaments.i18n.sentences import declaration_name
from tournaments.printing.contents import ScoreSheet

# What is printed after a box to tick for a declaration, called or not, in the order on a sheet.
MARKS: dict[str, str | Promise] = {
    "skunk": pgettext_lazy("a skunk, to tick", "S"),
    "juroku": "16",
    "reverse_skunk": pgettext_lazy("a reverse skunk, to tick", "RS"),
    "reverse_juroku": _("R16"),
}
CALLED = "called_"
CALL = pgettext_lazy("before the mark of a call, to tick", "C")  # 先, as in 先16


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


class KankeiSheet(ScoreSheet):
    """One page, with the boxes of each deal."""

    name_widths = {5: 70, 4: 52}

    @property
    def game(self) -> KankeiGame:
        """Tells mypy the type of the rules' game."""
        assert isinstance(self.rules.game, KankeiGame)  # noqa: S101  chosen by the game's kind
        return self.rules.game

    @property
    def deals(self) -> tuple[DealBox, ...]:
        game = self.game
        return tuple(
            DealBox(
                number,
                *game.targets[number],
                marks=tuple(MARKS[code] for code in MARKS if code in game.declarations[number]),
                calls=tuple(
                    f"{CALL}{MARKS[code]}"
                    for code in MARKS
                    if CALLED + code in game.declarations[number]
                ),
                chooses_trump=number > 1,  # the rules give the trump of the first deal
            )
            for number in range(1, LAST_DEAL + 1)
        )

    @property
    def legend(self) -> tuple[tuple[str | Promise, str], ...]:
        """Return each mark on the sheet with its name, unless it is its name."""
        declared = {code.removeprefix(CALLED) for code in self.game.declarations[LAST_DEAL]}
        codes = [code for code in MARKS if code in declared]
        names = [(MARKS[code], declaration_name(code, self.game.rules)) for code in codes]
        calls = [(CALL, gettext("called in the first trick"))] if self.has_calls else []
        return (*((mark, name) for mark, name in names if mark != name), *calls)

    @property
    def has_calls(self) -> bool:
        return any(deal.calls for deal in self.deals)

    @property
    def is_lost_by_missed_call(self) -> bool:
        """Return whether there are calls, and a missed one loses the deal."""
        return self.has_calls and bool(self.rules.options.get("missed_call_ends_deal", True))

    @property
    def dealer_scores_with_kankei(self) -> bool:
        """Return whether the dealer scores with the two declared players."""
        return self._kankei_count > 2

    @property
    def check(self) -> int:
        """Return the sum of all players' points in a round, with which a round is checked on paper.

        The unit is the points of one kankei player: the sum is 0 with three against three, and −1
        times these points with two against three.
        """
        return self._kankei_count - (len(self.seats) - self._kankei_count)

    @property
    def _kankei_count(self) -> int:
        """Return the number of players who score as kankei."""
        players = [str(seat.number) for seat in self.seats]
        facts = Round(kankei=tuple(players[:2]), deals=(), dealer=players[-1])
        return len(self.game.kankei_side(facts, players))

    @property
    def columns_before_players(self) -> int:
        """Return the number of columns left of the players' columns.

        They are one for the round, one for its points, and for each deal one for each side and, if
        the deal has any, one for declarations and the chosen trump.
        """
        marked = sum(deal.chooses_trump or bool(deal.mark_count) for deal in self.deals)
        return 2 + 2 * len(self.deals) + marked
