"""Tables (django-tables2) for pages and workbooks: columns, labels, formats. No queries.

`render_…` methods format a value for the page, `value_…` methods for the workbook.
"""

from tournaments.tables import signatures
from tournaments.tables.absences import AbsencesTable
from tournaments.tables.adjustments import AdjustmentsTable
from tournaments.tables.columns import Column, NumberColumn, PointsColumn
from tournaments.tables.play_offs import PlayOffsTable
from tournaments.tables.rounds import PointsTable, RoundsTable
from tournaments.tables.rules import RulesTable
from tournaments.tables.season import SeasonTable
from tournaments.tables.standings import ProjectorTable, StandingsTable, TeamsTable
from tournaments.tables.standings_sheets import StandingsSheetTable
from tournaments.tables.teams import TeamProjectorTable, TeamStandingsTable

__all__ = [
    "AbsencesTable",
    "AdjustmentsTable",
    "Column",
    "NumberColumn",
    "PlayOffsTable",
    "PointsColumn",
    "PointsTable",
    "ProjectorTable",
    "RoundsTable",
    "RulesTable",
    "SeasonTable",
    "StandingsSheetTable",
    "StandingsTable",
    "TeamProjectorTable",
    "TeamStandingsTable",
    "TeamsTable",
]

signatures.enable()
