"""What a page and its workbook show: columns, labels, formats. No queries, no arithmetic."""

from tournaments.tables.columns import Column, NumberColumn, PointsColumn
from tournaments.tables.rounds import PointsTable, RoundsTable
from tournaments.tables.rules import RulesTable
from tournaments.tables.standings import StandingsTable, TeamsTable, WallTable

__all__ = [
    "Column",
    "NumberColumn",
    "PointsColumn",
    "PointsTable",
    "RoundsTable",
    "RulesTable",
    "StandingsTable",
    "TeamsTable",
    "WallTable",
]
