"""Reads a deal of Gong Zhu from a record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.problems import Problems, path_of_key
from scoring.translation import gettext_noop as _
from scoring.variants.gong_zhu.facts import EXPOSABLE, Captures

ROUND_KEYS = frozenset({"captured", "exposed"})


class DealReader:
    def __init__(
        self, problems: Problems, players: Sequence[str], scoring_cards: Sequence[str]
    ) -> None:
        """Problems of a deal are added to `problems`."""
        self.problems = problems
        self.players = players
        self.scoring_cards = scoring_cards

    def read(self, at: str, data: Any) -> Captures | None:
        """Return None after adding problems."""
        count_before = self.problems.count
        if not self.problems.check_object(at, data, ROUND_KEYS):
            return None
        captured = self._read_captured(at, data)
        exposed = self._read_exposed(at, data)
        return None if self.problems.count > count_before else Captures(captured, exposed)

    def _read_captured(self, at: str, data: Mapping[str, Any]) -> dict[str, frozenset[str]]:
        """Return the valid cards by player, after adding the problems.

        Missing cards are a problem only if each player has a list of cards.
        """
        at_captured, by_player = f"{at}.captured", data.get("captured")
        if not self.problems.check_key(at, data, "captured"):
            return {}
        if type(by_player) is not dict:
            self.problems.add(
                at_captured, "type", _("Use a JSON object here: who took which cards.")
            )
            return {}
        times_taken: Counter[str] = Counter()
        captured: dict[str, frozenset[str]] = {}
        for player, cards in by_player.items():
            at_player = path_of_key(at_captured, player)
            self.problems.check_player(at_player, player, self.players)
            if self.problems.check_list(at_player, cards):
                captured[player] = frozenset(self._read_cards(at_player, cards, times_taken))
        if all(type(cards) is list for cards in by_player.values()):
            self._add_missing_cards(at_captured, times_taken)
        return captured

    def _read_cards(self, at: str, data: list[Any], times_taken: Counter[str]) -> list[str]:
        """Return a player's valid cards, after adding problems. Counts each card in `times_taken`.

        A card that is taken several times is one problem.
        """
        cards = []
        for i, card in enumerate(data):
            if not self._check_card(f"{at}[{i}]", card):
                continue
            cards.append(card)
            times_taken[card] += 1
            if times_taken[card] == 2:
                self.problems.add(
                    f"{at}[{i}]",
                    "card_twice",
                    _("{card} was taken by one player only; remove it from the others."),
                    card=card,
                )
        return cards

    def _add_missing_cards(self, at: str, times_taken: Counter[str]) -> None:
        for card in self.scoring_cards:
            if card not in times_taken:
                self.problems.add(
                    at, "card_missing", _("Nobody took {card}; enter who did."), card=card
                )

    def _check_card(self, at: str, card: Any) -> bool:
        if type(card) is not str:
            self.problems.add(at, "type", _("Use a card here, such as “SQ”, in quotation marks."))
        elif card not in self.scoring_cards:
            self.problems.add(
                at,
                "unknown_card",
                _("“{card}” is not one of this table’s scoring cards: {cards}."),
                card=card,
                cards=self.scoring_cards,
            )
        else:
            return True
        return False

    def _read_exposed(self, at: str, data: Mapping[str, Any]) -> frozenset[str]:
        """Return the exposed cards, by default none, after adding the problems."""
        at_exposed, cards = f"{at}.exposed", data.get("exposed", [])
        if not self.problems.check_list(at_exposed, cards):
            return frozenset()
        exposed: set[str] = set()
        for i, card in enumerate(cards):
            if type(card) is not str:
                self.problems.add(
                    f"{at_exposed}[{i}]",
                    "type",
                    _("Use a card here, such as “SQ”, in quotation marks."),
                )
            elif card not in EXPOSABLE:
                self.problems.add(
                    f"{at_exposed}[{i}]",
                    "not_exposable",
                    _("“{card}” cannot be exposed; only {cards} can."),
                    card=card,
                    cards=EXPOSABLE,
                )
            elif card in exposed:
                self.problems.add(
                    f"{at_exposed}[{i}]",
                    "card_twice",
                    _("{card} is exposed twice; remove one of them."),
                    card=card,
                )
            else:
                exposed.add(card)
        return frozenset(exposed)
