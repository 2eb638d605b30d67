"""Reads a deal of Gong Zhu from a record."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.problems import Problems, join
from scoring.translation import gettext_noop as _
from scoring.variants.gong_zhu.facts import EXPOSABLE, Captures

ROUND_KEYS = frozenset({"captured", "exposed"})


class DealReader:
    """Reads the deals of one sitting."""

    def __init__(self, problems: Problems, players: Sequence[str], cards: Sequence[str]) -> None:
        """`cards` are the scoring cards; problems of a deal are added to `problems`."""
        self.problems = problems
        self.players = players
        self.cards = cards

    def read(self, at: str, data: Any) -> Captures | None:
        """Return a deal's facts, or None after adding its problems."""
        before = self.problems.count
        if not self.problems.is_object(at, data, ROUND_KEYS):
            return None
        captured = self._read_captured(at, data)
        exposed = self._read_exposed(at, data)
        return None if self.problems.count > before else Captures(captured, exposed)

    def _read_captured(self, at: str, data: Mapping[str, Any]) -> dict[str, frozenset[str]]:
        place, given = f"{at}.captured", data.get("captured")
        if not self.problems.required(at, data, "captured"):
            return {}
        if type(given) is not dict:
            self.problems.add(place, "type", _("Write a JSON object here: who took which cards."))
            return {}
        taken: Counter[str] = Counter()
        captured: dict[str, frozenset[str]] = {}
        for player, hand in given.items():
            at_player = join(place, player)
            self.problems.is_player(at_player, player, self.players)
            if self.problems.is_list(at_player, hand):
                mine = self._read_hand(at_player, hand, taken)
                captured[player] = frozenset(mine)
        if all(type(hand) is list for hand in given.values()):
            self._check_missing(place, taken)
        return captured

    def _read_hand(self, at: str, hand: list[Any], taken: Counter[str]) -> list[str]:
        mine = []
        for i, card in enumerate(hand):
            if not self._is_card(f"{at}[{i}]", card):
                continue
            mine.append(card)
            taken[card] += 1
            if taken[card] == 2:
                self.problems.add(
                    f"{at}[{i}]",
                    "card_twice",
                    _("{card} was taken by one player only; remove it from the others."),
                    card=card,
                )
        return mine

    def _check_missing(self, at: str, taken: Counter[str]) -> None:
        for card in self.cards:
            if card not in taken:
                self.problems.add(
                    at, "card_missing", _("Nobody took {card}; say who did."), card=card
                )

    def _is_card(self, at: str, card: Any) -> bool:
        if type(card) is not str:
            self.problems.add(at, "type", _("Write a card here, such as “SQ”, in quotation marks."))
        elif card not in self.cards:
            self.problems.add(
                at,
                "unknown_card",
                _("“{card}” is not one of this table’s scoring cards: {cards}."),
                card=card,
                cards=self.cards,
            )
        else:
            return True
        return False

    def _read_exposed(self, at: str, data: Mapping[str, Any]) -> frozenset[str]:
        place, given = f"{at}.exposed", data.get("exposed", [])
        if not self.problems.is_list(place, given):
            return frozenset()
        seen: set[str] = set()
        for i, card in enumerate(given):
            if type(card) is not str:
                self.problems.add(
                    f"{place}[{i}]",
                    "type",
                    _("Write a card here, such as “SQ”, in quotation marks."),
                )
            elif card not in EXPOSABLE:
                self.problems.add(
                    f"{place}[{i}]",
                    "not_exposable",
                    _("“{card}” cannot be exposed; only {cards} can."),
                    card=card,
                    cards=EXPOSABLE,
                )
            elif card in seen:
                self.problems.add(
                    f"{place}[{i}]",
                    "card_twice",
                    _("{card} is exposed twice; remove one of them."),
                    card=card,
                )
            else:
                seen.add(card)
        return frozenset(seen)
