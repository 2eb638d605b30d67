"""Quick-reference charts (得点配分早見表): the points of every outcome, found by scoring it.

No point value is written here. A chart enumerates the possible outcomes and scores each one with
the game's own rules, so it cannot disagree with a score. There is one module per kind of game.
Charts import games; games do not import charts.
"""

from scoring.charts.captures import gong_zhu_chart
from scoring.charts.finish import gouji_chart
from scoring.charts.kankei import kankei_chart
from scoring.charts.parts import Cell, Heading, Label, Row, Section
from scoring.kankei import KankeiGame
from scoring.rules import Rules
from scoring.variants.gong_zhu import GongZhuGame
from scoring.variants.gouji import GoujiGame

__all__ = ["Cell", "Heading", "Label", "Row", "Section", "reference_chart"]


def reference_chart(rules: Rules) -> tuple[Section, ...]:
    """Return the chart of a game under these rules, as sections without any layout.

    Raises `TypeError` for a kind of game without a chart.
    """
    match rules.game:
        case KankeiGame() as game:
            return kankei_chart(game)
        case GongZhuGame() as game:
            return gong_zhu_chart(game)
        case GoujiGame() as game:
            return gouji_chart(game)
        case other:
            message = f"{type(other).__name__} has no chart: add a module and a case to {__name__}"
            raise TypeError(message)
