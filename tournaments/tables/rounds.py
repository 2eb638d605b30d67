"""All rounds in a workbook: the facts of every round, and the points of every player by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.ranking.results import ADJUSTMENT, MISSED
from tournaments.game_kinds import Cells, kind_of
from tournaments.i18n.session_names import session_name
from tournaments.i18n.units import round_title, unit_words
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.round_points import (
    TOTALS_ONLY,
    SessionAndRound,
    change_on_carrying,
    points_beside_rounds,
    points_by_round,
)
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.standings import Standing
from tournaments.tables.columns import Column, NumberColumn, PlainTable, PointsColumn, Total


class RoundsTable(PlainTable):
    """A row for every player in every round, with the facts and the points."""

    session = NumberColumn(_("Session"))
    table = NumberColumn(_("Table"))
    round = NumberColumn(_("Round"))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    points = PointsColumn(_("Points"))

    def __init__(self, sheets: Iterable[Sheet], rules: scoring.Rules) -> None:
        rows = [
            row
            for sheet in sheets
            for played in sheet.rounds
            for row in _player_rows(played, sheet)
        ]
        columns = [
            *kind_of(rules.game).columns(),
            ("play_off", Column(_("Play-off"))),
            ("version", NumberColumn(_("Version"))),
            ("reason", Column(_("Reason"))),
        ]
        super().__init__(rows, extra_columns=columns)
        self.columns["round"].column.verbose_name = unit_words("Round", rules)


def _player_rows(played: PlayedRound, sheet: Sheet) -> Iterator[Cells]:
    """Yield the cells of every player's row; points are None while the round is unfinished."""
    session = sheet.sitting.session
    play_offs = session.tournament.play_off_numbers
    round_cells: Cells = {
        "session": None if sheet.is_play_off else session.shown_number,
        "table": sheet.sitting.shown_number,
        "round": sheet.rounds_before + played.row.number,
        "play_off": session_name(session.number, play_offs) if sheet.is_play_off else None,
        "version": played.row.version,
        "reason": played.row.reason or None,
    }
    facts = kind_of(sheet.rules.game).cells(played, sheet)
    for entry in sheet.entries:
        points = played.score.points[entry.key] if played.score.complete else None
        cells: Cells = {"number": entry.number, "name": entry.name, "points": points}
        yield round_cells | cells | facts[entry.key]


OTHER_COLUMNS = {  # points that belong to no round: titles by column name
    "missed": _("Missed sessions"),
    "adjusted": _("Given or deducted"),
    "earlier": _("Change on carrying over"),
}


class PointsTable(PlainTable):
    """A row for every player by rank. The columns after the points add up to the points.

    There is a column for every round, and one for each of `OTHER_COLUMNS` that is not empty. All
    stages count, as the columns of rounds are of all.
    """

    rank = NumberColumn(_("Rank"))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    total = PointsColumn(_("Points"))

    def __init__(self, standings: Sequence[Standing], facts: RankingFacts) -> None:
        points = points_by_round(facts)
        rounds = sorted({each for row in standings for each in points.get(row.entry.key, ())})
        columns = [
            (_column_name(each), PointsColumn(_column_title(each, facts.sheets[0])))
            for each in rounds
        ]
        others = points_beside_rounds(facts)
        rows = [
            _points_row(each, points.get(each.entry.key, {}), others.get(each.entry.key, Counter()))
            for each in standings
        ]
        columns += [
            (name, PointsColumn(title))
            for name, title in OTHER_COLUMNS.items()
            if any(row[name] for row in rows)
        ]
        for row in rows if columns else ():
            if row["total"] is not None:
                row["total"] = Total(row["total"], [(columns[0][0], columns[-1][0])])
        super().__init__(rows, extra_columns=columns)


def _column_name(session_and_round: SessionAndRound) -> str:
    return "round_{}_{}".format(*session_and_round)


def _column_title(session_and_round: SessionAndRound, sheet: Sheet) -> str:
    """Return the title of the column for a session and a round, or for its typed totals.

    `sheet` is any sheet of the tournament.
    """
    session, number = session_and_round
    title = round_title(number, sheet.rules) if number != TOTALS_ONLY else gettext("total")
    play_offs = sheet.sitting.session.tournament.play_off_numbers
    return " ".join((session_name(session, play_offs), title))


def _points_row(
    standing: Standing, rounds: Mapping[SessionAndRound, int], others: Counter[str]
) -> dict[str, Any]:
    """Return the cells of a player by column name; rank and total are None without a place.

    `others` are the points that belong to no round, by item.
    """
    return {
        "rank": standing.place and standing.place.rank,
        "number": standing.entry.number,
        "name": standing.entry.name,
        "total": standing.place and standing.place.points,
        **{_column_name(each): points for each, points in rounds.items()},
        "missed": others[MISSED] or None,
        "adjusted": others[ADJUSTMENT] or None,
        "earlier": change_on_carrying(standing, rounds, others) or None,
    }
