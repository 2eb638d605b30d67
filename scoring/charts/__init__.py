"""Quick-reference charts (得点配分早見表): what every outcome brings, found by scoring it.

No point value is written here. A chart walks through all that can happen, lets the game score it
and lays the answers out, so it cannot disagree with a score. A chart is a tuple of sections; how
they look on paper is for whoever prints them. One module per kind of game.
"""

from scoring.charts.captures import gong_zhu_chart
from scoring.charts.finish import gouji_chart
from scoring.charts.kankei import kankei_chart
from scoring.charts.parts import Cell, Heading, Label, Row, Section

__all__ = [
    "Cell",
    "Heading",
    "Label",
    "Row",
    "Section",
    "gong_zhu_chart",
    "gouji_chart",
    "kankei_chart",
]
