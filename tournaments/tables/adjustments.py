"""The points given and deducted (減点・加点) in a workbook."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models import Adjustment
from tournaments.tables.columns import Column, NumberColumn, PlainTable, PointsColumn


class AdjustmentsTable(PlainTable):
    """A row for each adjustment in force, of a player or of a team, with its reason."""

    act = NumberColumn(pgettext_lazy("number of an act", "No."))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    team = Column(_("Team"))
    points = PointsColumn(_("Points"))
    reason = Column(_("Reason"))

    def __init__(self, adjustments: Sequence[Adjustment]) -> None:
        super().__init__(
            [
                {
                    "act": each.number,
                    "number": each.entry.number if each.entry else None,
                    "name": each.entry.name if each.entry else "",
                    "team": each.team,
                    "points": each.points,
                    "reason": each.reason,
                }
                for each in adjustments
            ]
        )
