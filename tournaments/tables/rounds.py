"""All rounds in a workbook: the facts of every round, and the points of every player by round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.i18n.sentences import card_name, declaration_name, listed, suit_name
from tournaments.i18n.session_names import session_name
from tournaments.i18n.units import round_title, unit_words
from tournaments.queries.player_rounds import side_of
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.round_points import (
    TOTALS_ONLY,
    SessionAndRound,
    earlier_stages,
    points_by_round,
)
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.standings import Standing
from tournaments.tables.columns import Column, NumberColumn, PlainTable, PointsColumn, Total

ROLES = {"kankei": _("Kankei"), "mukankei": _("Mukankei"), "dealer": _("Dealer")}

Columns = list[tuple[str, Column]]
Cells = dict[str, str | int | None]  # by column name


class RoundsTable(PlainTable):
    """A row for every player in every round: the facts and the points."""

    session = NumberColumn(_("Session"))
    table = NumberColumn(_("Table"))
    round = NumberColumn(_("Round"))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    points = PointsColumn(_("Points"))

    def __init__(self, sheets: Iterable[Sheet], rules: scoring.Rules) -> None:
        """Set up with the columns of the game."""
        kind = rules.game.kind
        rows = [
            row
            for sheet in sheets
            for played in sheet.rounds
            for row in _player_rows(played, sheet, kind)
        ]
        other_columns: Columns = [
            ("play_off", Column(_("Play-off"))),
            ("version", NumberColumn(_("Version"))),
            ("reason", Column(_("Reason"))),
        ]
        super().__init__(rows, extra_columns=[*COLUMNS_OF_GAME[kind](), *other_columns])
        self.columns["round"].column.verbose_name = unit_words("Round", rules)


def _player_rows(played: PlayedRound, sheet: Sheet, kind: scoring.rules.Kind) -> Iterator[Cells]:
    """Yield the cells of every player's row; points are None while the round is unfinished."""
    session = sheet.sitting.session
    play_offs = session.tournament.play_off_numbers
    round_cells = ROUND_CELLS[kind](played, sheet) | {
        "session": None if sheet.is_play_off else session.shown_number,
        "table": sheet.sitting.shown_number,
        "round": sheet.rounds_before + played.row.number,
        "play_off": session_name(session.number, play_offs) if sheet.is_play_off else None,
        "version": played.row.version,
        "reason": played.row.reason or None,
    }
    for entry in sheet.entries:
        points = played.score.points[entry.key] if played.score.complete else None
        cells: Cells = {"number": entry.number, "name": entry.name, "points": points}
        yield round_cells | cells | PLAYER_CELLS[kind](entry.key, played, sheet)


def _kankei_columns() -> Columns:
    """Return the columns of a face-card game: three deals with counts and declarations."""
    columns: Columns = [
        ("side", Column(_("Side"))),
        ("trump", Column(_("Trump"))),
        ("dealer", Column(_("Dealer"))),
    ]
    for deal in (1, 2, 3):
        number = {"deal": deal}
        columns += [
            (f"deal_{deal}_kankei", NumberColumn(gettext("Deal %(deal)s: kankei") % number)),
            (f"deal_{deal}_mukankei", NumberColumn(gettext("Deal %(deal)s: mukankei") % number)),
            (f"deal_{deal}_declared", Column(gettext("Deal %(deal)s: declared") % number)),
        ]
        if deal > 1:  # the trump of the first deal is in the column "trump"
            title = gettext("Deal %(deal)s: trump") % number
            columns.append((f"deal_{deal}_trump", Column(title)))
    return [*columns, ("cut_off", Column(_("Cut off")))]


def _kankei_round_cells(played: PlayedRound, sheet: Sheet) -> Cells:
    """Return the cells of a face-card round that are the same for all players.

    Of each deal: the face cards of both sides, the declaration, and the trump if it changed.
    """
    facts: scoring.Round = played.facts
    cells: Cells = {
        "trump": suit_name(facts.trump or sheet.rules.game.trump(played.row.number, sheet.planned)),
        "dealer": sheet.names[facts.dealer] if facts.dealer else None,
        "cut_off": gettext("yes") if facts.cut_off else None,
    }
    for number, deal in enumerate(facts.deals, 1):
        cells[f"deal_{number}_kankei"] = deal.kankei
        cells[f"deal_{number}_mukankei"] = deal.mukankei
        cells[f"deal_{number}_declared"] = declaration_name(deal.declaration) or None
        cells[f"deal_{number}_trump"] = suit_name(deal.trump) if deal.trump else None
    return cells


def _kankei_player_cells(player: str, played: PlayedRound, sheet: Sheet) -> Cells:
    """Return the cell with the role of a player."""
    return {"side": str(ROLES[side_of(player, played, sheet).role])}


def _captures_columns() -> Columns:
    """Return the columns of Gong Zhu."""
    return [("cards", Column(_("Cards taken"))), ("exposed", Column(_("Exposed cards")))]


def _captures_round_cells(played: PlayedRound, _sheet: Sheet) -> Cells:
    """Return the cell with the exposed cards of a deal."""
    return {"exposed": _card_names(played.facts.exposed)}


def _captures_player_cells(player: str, played: PlayedRound, _sheet: Sheet) -> Cells:
    """Return the cell with the cards that a player took."""
    return {"cards": _card_names(played.facts.captured.get(player, frozenset()))}


def _card_names(cards: frozenset[str]) -> str | None:
    """Return the names of cards by suit, the highest first; None for no cards."""
    ordered = sorted(cards, key=lambda card: (card[0], "AKQJ1098765432".index(card[1])))
    return " ".join(card_name(card) for card in ordered) or None


def _finish_columns() -> Columns:
    """Return the columns of Gouji."""
    return [
        ("out", NumberColumn(_("Went out as number"))),
        ("team", NumberColumn(pgettext_lazy("in a game", "Team"))),
        ("mates", Column(_("Team-mates"))),
    ]


def _finish_round_cells(_played: PlayedRound, _sheet: Sheet) -> Cells:
    """Return no cells: in Gouji, all facts of a deal belong to single players."""
    return {}


def _finish_player_cells(player: str, played: PlayedRound, sheet: Sheet) -> Cells:
    """Return the cells of a player: position in the order of going out, team and team-mates."""
    facts: scoring.Finish = played.facts
    team = 2 if player in facts.teams[1] else 1
    team_mates = [sheet.names[each] for each in facts.teams[team - 1] if each != player]
    return {"out": facts.order.index(player) + 1, "team": team, "mates": listed(team_mates)}


# By kind of game: the columns, the cells of a round, and the cells of a player in a round.
COLUMNS_OF_GAME = {
    "kankei": _kankei_columns,
    "captures": _captures_columns,
    "finish": _finish_columns,
}
ROUND_CELLS = {
    "kankei": _kankei_round_cells,
    "captures": _captures_round_cells,
    "finish": _finish_round_cells,
}
PLAYER_CELLS = {
    "kankei": _kankei_player_cells,
    "captures": _captures_player_cells,
    "finish": _finish_player_cells,
}


OTHER_COLUMNS = {  # points that belong to no round: titles by column name
    "missed": _("Missed sessions"),
    "adjusted": _("Given or deducted"),
    "earlier": _("Earlier stages"),
}


class PointsTable(PlainTable):
    """A row for every player by rank. The columns after the points add up to the points.

    There is a column for every round, and one for each of `OTHER_COLUMNS` that is not empty.
    """

    rank = NumberColumn(_("Rank"))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    total = PointsColumn(_("Points"))

    def __init__(self, standings: Sequence[Standing], facts: RankingFacts) -> None:
        """Set up with a column for every complete round of these players."""
        points = points_by_round(facts)
        rounds = sorted({each for row in standings for each in points.get(row.entry.key, ())})
        columns = [
            (_column_name(each), PointsColumn(_column_title(each, facts.sheets[0])))
            for each in rounds
        ]
        rows = [_points_row(each, points.get(each.entry.key, {})) for each in standings]
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
    """Return the name of the column for a session and a round."""
    return "round_{}_{}".format(*session_and_round)


def _column_title(session_and_round: SessionAndRound, sheet: Sheet) -> str:
    """Return the title of the column for a session and a round, or for its typed totals.

    `sheet` is any sheet of the tournament.
    """
    session, number = session_and_round
    title = round_title(number, sheet.rules) if number != TOTALS_ONLY else gettext("total")
    play_offs = sheet.sitting.session.tournament.play_off_numbers
    return " ".join((session_name(session, play_offs), title))


def _points_row(standing: Standing, rounds: Mapping[SessionAndRound, int]) -> dict[str, Any]:
    """Return the cells of a player by column name; rank and total are None without a place."""
    return {
        "rank": standing.place and standing.place.rank,
        "number": standing.entry.number,
        "name": standing.entry.name,
        "total": standing.place and standing.place.points,
        **{_column_name(each): points for each, points in rounds.items()},
        "missed": standing.missed or None,
        "adjusted": standing.adjusted or None,
        "earlier": earlier_stages(standing, rounds) or None,
    }
