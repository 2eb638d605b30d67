"""Reads a round of a face-card game from a record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.kankei.facts import FACE_CARDS, LAST_DEAL, TRUMPS, Deal, Round
from scoring.kankei.judging import ImpossibleDeal, Judge
from scoring.problems import Problems
from scoring.seats import DEALER_SITS_OUT_AT
from scoring.translation import gettext_noop as _

ROUND_KEYS = frozenset({"trump", "dealer", "kankei", "deals", "cut_off"})
DEAL_KEYS = frozenset({"kankei", "mukankei", "declaration", "trump"})


class RoundReader:
    """Reads the rounds of one sitting.

    `declarations` are the legal declarations by deal. Without `may_be_cut_off` a round that is
    marked as cut off is a problem.
    """

    def __init__(
        self,
        judge: Judge,
        problems: Problems,
        players: Sequence[str],
        *,
        declarations: Mapping[int, tuple[str, ...]],
        may_be_cut_off: bool,
    ) -> None:
        """`players` are in seat order; problems of a round are added to `problems`."""
        self.judge = judge
        self.problems = problems
        self.players = players
        self.declarations = declarations
        self.may_be_cut_off = may_be_cut_off
        self.dealer_sits_out = len(players) == DEALER_SITS_OUT_AT

    def read(self, at: str, data: Any) -> Round | None:
        """Return None after adding problems."""
        count_before = self.problems.count
        if not self.problems.check_object(at, data, ROUND_KEYS):
            return None
        trump = self._read_trump(at, data)
        dealer = self._read_dealer(at, data)
        kankei = self._read_kankei(at, data)
        if dealer in kankei and self.dealer_sits_out:
            self.problems.add(
                f"{at}.dealer",
                "dealer",
                _("With six players, the dealer sits out: choose two other players as kankei."),
            )
        deals = self._read_deals(at, data, trump)
        cut_off = self._read_cut_off(at, data, deals)
        if self.problems.count > count_before:
            return None
        return Round(kankei, deals, dealer, trump, cut_off=cut_off)

    def _read_trump(self, at: str, data: Mapping[str, Any]) -> str | None:
        """None if left out, or after adding a problem."""
        if "trump" not in data:
            return None
        trump = data["trump"]
        if type(trump) is not str:
            self.problems.add(f"{at}.trump", "type", _("Enter a suit here, in quotation marks."))
        elif trump not in TRUMPS:
            self.problems.add(f"{at}.trump", "range", _("Choose one of {suits}."), suits=TRUMPS)
        else:
            return trump
        return None

    def _read_dealer(self, at: str, data: Mapping[str, Any]) -> str | None:
        """Return the dealer; None if left out, or after adding a problem.

        With six players, leaving the dealer out is a problem.
        """
        if "dealer" not in data:
            if self.dealer_sits_out:
                self.problems.check_key(at, data, "dealer")  # adds the problem
            return None
        dealer: str = data["dealer"]
        return dealer if self.problems.check_player(f"{at}.dealer", dealer, self.players) else None

    def _read_kankei(self, at: str, data: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the kankei, after adding their problems; empty if an item is no player."""
        if not self.problems.check_key(at, data, "kankei"):
            return ()
        kankei, at_kankei = data["kankei"], f"{at}.kankei"
        are_players = self.problems.check_players(at_kankei, kankei, self.players)
        if type(kankei) is list and not self._is_pair(kankei):
            self.problems.add(
                at_kankei, "kankei", _("Choose the two players who declared themselves kankei.")
            )
        return tuple(kankei) if are_players else ()

    @staticmethod
    def _is_pair(kankei: list[Any]) -> bool:
        """Return whether a list has two different items.

        A list or object as first item counts as different: a comparison could take long.
        """
        if len(kankei) != 2:
            return False
        return isinstance(kankei[0], list | dict) or kankei[0] != kankei[1]

    def _read_deals(self, at: str, data: Mapping[str, Any], trump: str | None) -> tuple[Deal, ...]:
        """Return the valid deals of a round, after adding the problems of the invalid ones.

        A deal after the one that ends the round is a problem, too, and so is a first deal with
        another trump than the round's, `trump`, which is that of its first deal.
        """
        if not self.problems.check_key(at, data, "deals"):
            return ()
        if not self.problems.check_list(f"{at}.deals", data["deals"]):
            return ()
        if not data["deals"]:
            self.problems.add(
                f"{at}.deals", "missing", _("Add at least the first deal of the round.")
            )
        deals: list[Deal] = []
        over_after = LAST_DEAL
        for number, facts in enumerate(data["deals"], 1):
            at_deal = f"{at}.deals[{number - 1}]"
            if number > over_after:
                self.problems.add(
                    at_deal,
                    "round_over",
                    _("The round was over after deal {deal}; remove this one."),
                    deal=over_after,
                )
            deal = self._read_deal(at_deal, facts, number)
            if deal is not None:
                if number == 1 and trump and deal.trump not in (None, trump):
                    self.problems.add(
                        f"{at_deal}.trump",
                        "range",
                        _("The round has {trump} as trump; correct one of the two."),
                        trump=trump,
                    )
                deals.append(deal)
                if self.judge.ends_round(deal, number):
                    over_after = min(over_after, number)
        return tuple(deals)

    def _read_deal(self, at: str, data: Any, number: int) -> Deal | None:
        """Return deal `number` of a round, counted from 1, or None after adding its problems.

        Deals above `LAST_DEAL` are not judged; the caller adds a problem for them.
        """
        if not self.problems.check_object(at, data, DEAL_KEYS):
            return None
        count_before = self.problems.count
        kankei = self._read_count(at, data, "kankei")
        mukankei = self._read_count(at, data, "mukankei")
        trump = self._read_trump(at, data)
        declaration = self._read_declaration(at, data, number)
        if kankei is None or mukankei is None:
            return None
        if kankei + mukankei > FACE_CARDS:
            self.problems.add(
                at,
                "too_many_face_cards",
                _("There are 16 face cards, but {kankei} + {mukankei} = {sum}; count again."),
                kankei=kankei,
                mukankei=mukankei,
                sum=kankei + mukankei,
            )
        if self.problems.count > count_before:
            return None
        if number <= LAST_DEAL:
            verdict = self.judge.verdict(number, kankei, mukankei, declaration)
            if isinstance(verdict, ImpossibleDeal):
                self.problems.add(
                    f"{at}.{verdict.field}", verdict.code, verdict.template, **verdict.params
                )
                return None
        return Deal(kankei, mukankei, declaration, trump)

    def _read_count(self, at: str, data: Mapping[str, Any], side: str) -> int | None:
        """`side` is kankei or mukankei. Return None after adding a problem."""
        if not self.problems.check_key(at, data, side):
            return None
        count = data[side]
        if type(count) is not int:
            self.problems.add(f"{at}.{side}", "type", _("Enter a whole number of face cards here."))
            return None
        if not 0 <= count <= FACE_CARDS:
            self.problems.add(f"{at}.{side}", "range", _("Enter a number from 0 to 16 here."))
            return None
        return count

    def _read_declaration(self, at: str, data: Mapping[str, Any], number: int) -> str | None:
        """None if there is none, or after a problem."""
        if "declaration" not in data:
            return None
        declaration, at_declaration = data["declaration"], f"{at}.declaration"
        legal = self.declarations[min(number, LAST_DEAL)]
        if type(declaration) is not str:
            self.problems.add(
                at_declaration,
                "type",
                _("Put the declaration in quotation marks, or leave it out."),
            )
        elif declaration not in legal:
            self.problems.add(
                at_declaration,
                "declaration_not_allowed",
                _("“{declaration}” cannot be declared in deal {deal}; allowed: {legal}."),
                declaration=declaration,
                deal=number,
                legal=legal or "–",
            )
        else:
            return declaration
        return None

    def _read_cut_off(self, at: str, data: Mapping[str, Any], deals: tuple[Deal, ...]) -> bool:
        """Return whether the round is marked as cut off.

        Adds a problem if the game has no such rounds, or if the round ended with its last deal.
        `deals` are the valid deals.
        """
        if "cut_off" not in data:
            return False
        at_cut_off = f"{at}.cut_off"
        if not self.problems.check_boolean(at_cut_off, data["cut_off"]) or not data["cut_off"]:
            return False
        if not self.may_be_cut_off:
            self.problems.add(
                at_cut_off,
                "cut_off",
                _("In this game a round that is cut off scores nothing: remove that mark."),
            )
        elif deals and len(deals) == len(data["deals"]) and self.judge.is_over(deals):
            self.problems.add(
                at_cut_off,
                "cut_off",
                _("This round was played to the end, not cut off by time: remove that mark."),
            )
        return True
