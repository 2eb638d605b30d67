"""The printed score sheet of Gong Zhu."""

from __future__ import annotations

from scoring.variants.gong_zhu import EXPOSABLE, GongZhuGame
from tournaments.printing.contents import ScoreSheet


class CapturesSheet(ScoreSheet):
    """One page, with a column for each card."""

    name_widths = {5: 75, 4: 88}

    @property
    def cards(self) -> tuple[tuple[str, bool], ...]:
        """Return the scoring cards, each with whether it can be exposed before play."""
        game = self.rules.game
        assert isinstance(game, GongZhuGame)  # noqa: S101  only this game has cards
        return tuple((card, card in EXPOSABLE) for card in game.scoring_cards(len(self.seats)))
