"""The facts of a deal of Gouji in the workbook, whose rows are the players of a round."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

import scoring
from tournaments.game_kinds import Cells
from tournaments.i18n.sentences import listed
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.tables.columns import Column, NumberColumn


def columns() -> list[tuple[str, Column]]:
    return [
        ("out", NumberColumn(_("Order of going out"))),
        ("team", NumberColumn(pgettext_lazy("in a game", "Team"))),
        ("mates", Column(_("Team-mates"))),
    ]


def cells(played: PlayedRound, sheet: Sheet) -> dict[str, Cells]:
    """Return each player's cells: position in the order of going out, team and team-mates."""
    return {player: _cells_of(player, played.facts, sheet) for player in sheet.players}


def _cells_of(player: str, facts: scoring.Finish, sheet: Sheet) -> Cells:
    team = 2 if player in facts.teams[1] else 1
    team_mates = [sheet.names[each] for each in facts.teams[team - 1] if each != player]
    return {"out": facts.order.index(player) + 1, "team": team, "mates": listed(team_mates)}
