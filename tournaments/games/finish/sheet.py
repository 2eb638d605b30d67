"""The printed score sheet of Gouji."""

from __future__ import annotations

from scoring.variants.gouji import PLACES, Finish
from tournaments.printing.contents import ScoreSheet


class FinishSheet(ScoreSheet):
    """One page, with the order of going out, and the points of both teams."""

    name_widths = {6: 71}

    @property
    def check(self) -> int:
        """Return the sum of both teams' points, with which a deal is checked on paper."""
        facts = Finish(PLACES, (PLACES[:3], PLACES[3:]))
        return sum(self.rules.game.score_round(facts, PLACES).teams or ())
