"""The standings of teams, for a projector and in a workbook."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from tournaments.queries.team_standings import TeamStanding
from tournaments.tables.columns import Column, NumberColumn, PlainTable, PointsColumn
from tournaments.tables.page_tables import PageTable
from tournaments.tables.standings import tied_rank


class TeamProjectorTable(PageTable):
    """The standings of teams for a projector: without their members, in large type."""

    rank = NumberColumn(_("Rank"), accessor="place__rank", css="rank")
    team = Column(_("Team"), accessor="name", css="name")
    points = PointsColumn(_("Points"), accessor="place__points", css="total")

    class Meta:
        orderable = False
        default = "–"

    def render_rank(self, value: int, record: TeamStanding) -> str | SafeString:
        is_tied = record.place is not None and record.place.tied
        return tied_rank(value) if is_tied else str(value)


class TeamStandingsTable(PlainTable):
    """A row for each member, with the rank and points of the team, so that rows may be sorted."""

    rank = NumberColumn(_("Rank"))
    team = Column(_("Team"))
    team_points = PointsColumn(_("Points of the team"))
    adjusted = PointsColumn(_("Given or deducted"))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    points = PointsColumn(_("Points"))
    counted = PointsColumn(_("Points that count"))

    def __init__(self, teams: Sequence[TeamStanding]) -> None:
        super().__init__([row for team in teams for row in _rows(team)])


def _rows(team: TeamStanding) -> list[dict[str, int | str | None]]:
    """Return the rows of a team: one for each member; a team without members has one row."""
    place = team.place
    team_cells = {
        "rank": place.rank if place else None,
        "team": team.name,
        "team_points": place.points if place else None,
        "adjusted": team.adjusted or None,
    }
    members: list[dict[str, int | str | None]] = [
        {
            "number": each.entry.number,
            "name": each.entry.name,
            "points": each.points,
            "counted": each.counted,
        }
        for each in team.members
    ]
    return [member | team_cells for member in members or [{}]]
