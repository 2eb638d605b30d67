"""Deals of Gong Zhu: made by hand, or any of them by hypothesis."""

from typing import Any, NamedTuple

from hypothesis import strategies as st

from scoring import Rules, read_record, score
from scoring.variants.gong_zhu import EXPOSABLE, scoring_cards

NAMES = "ABCDE"
HEARTS = [card for card in scoring_cards(4) if card[0] == "H"]

Cards = list[str]


class Table(NamedTuple):
    """A deal: the cards of each player in seat order, and the exposed cards."""

    hands: list[Cards]
    exposed: Cards

    @property
    def players(self) -> list[str]:
        return list(NAMES[: len(self.hands)])

    def facts(self) -> dict[str, Any]:
        captured = dict(zip(self.players, self.hands, strict=True))
        return {"captured": captured, "exposed": self.exposed}

    def document(self) -> dict[str, Any]:
        return {"ruleset": "gong-zhu", "players": self.players, "rounds": [self.facts()]}

    def scored(self, rules: Rules | None = None) -> dict[str, int]:
        (result,) = score(read_record(self.document(), rules)).rounds
        for player, points in result.points.items():
            mine = [line.points for line in result.lines if line.player == player]
            assert sum(mine) == points
        return result.points


@st.composite
def tables(draw: st.DrawFn, exposed: bool = True) -> Table:
    """A deal of four or five; often one player has taken all of the hearts."""
    count = draw(st.sampled_from((4, 5)))
    hands: list[Cards] = [[] for _ in range(count)]
    shooter = draw(st.none() | st.integers(0, count - 1))
    for card in scoring_cards(count):
        taker = shooter if shooter is not None and card[0] == "H" else None
        hands[draw(st.integers(0, count - 1)) if taker is None else taker].append(card)
    cards = draw(st.lists(st.sampled_from(EXPOSABLE), unique=True)) if exposed else []
    return Table(hands, cards)
