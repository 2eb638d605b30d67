"""All rounds: everybody's points round by round, and the facts they follow from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.kankei import KankeiGame
from tournaments.i18n.sentences import card_name, declaration_name, listed, suit_name
from tournaments.i18n.units import round_title, unit_words
from tournaments.queries.player_rounds import ROLES, side_of
from tournaments.queries.sheets import PlayedRound, Sheet
from tournaments.queries.standings import Standing
from tournaments.tables.columns import Column, NumberColumn, PlainTable, PointsColumn

Columns = list[tuple[str, Column]]
Cells = dict[str, str | int | None]


class RoundsTable(PlainTable):
    """One row for every player in every round, as played: what happened, and what it brought."""

    session = NumberColumn(_("Session"))
    table = NumberColumn(_("Table"))
    round = NumberColumn(_("Round"))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    points = PointsColumn(_("Points"))

    def __init__(self, sheets: Iterable[Sheet], rules: scoring.Rules) -> None:
        """Add the columns of this kind of game."""
        kind = rules.game.kind
        rows = [
            row for sheet in sheets for played in sheet.rounds for row in _rows(played, sheet, kind)
        ]
        told = [("version", NumberColumn(_("Version"))), ("reason", Column(_("Reason")))]
        super().__init__(rows, extra_columns=[*COLUMNS[kind](), *told])
        self.columns["round"].column.verbose_name = unit_words("Round", rules)


def _rows(played: PlayedRound, sheet: Sheet, kind: scoring.rules.Kind) -> Iterator[Cells]:
    """Return a round's rows, one for every seat; no points while it goes on."""
    everybodys = SHARED[kind](played, sheet) | {
        "session": sheet.sitting.session.number,
        "table": sheet.sitting.number,
        "round": played.row.number,
        "version": played.row.version,
        "reason": played.row.reason or None,
    }
    for entry in sheet.entries:
        points = played.score.points[entry.key] if played.score.complete else None
        cells: Cells = {"number": entry.number, "name": entry.name, "points": points}
        yield everybodys | cells | OWN[kind](entry.key, played, sheet)


def _kankei_columns() -> Columns:
    columns: Columns = [
        ("side", Column(_("Side"))),
        ("trump", Column(_("Trump"))),
        ("dealer", Column(_("Dealer"))),
    ]
    for deal in (1, 2, 3):
        which = {"deal": deal}
        columns += [
            (f"deal_{deal}_kankei", NumberColumn(gettext("Deal %(deal)s: kankei") % which)),
            (f"deal_{deal}_mukankei", NumberColumn(gettext("Deal %(deal)s: mukankei") % which)),
            (f"deal_{deal}_declared", Column(gettext("Deal %(deal)s: declared") % which)),
        ]
        if deal > 1:  # that of the first deal is the round's
            chosen = gettext("Deal %(deal)s: trump") % which
            columns.append((f"deal_{deal}_trump", Column(chosen)))
    return [*columns, ("cut_off", Column(_("Cut off")))]


def _kankei_facts(played: PlayedRound, sheet: Sheet) -> Cells:
    facts: scoring.Round = played.facts
    cells: Cells = {
        "trump": suit_name(facts.trump or _trump(played, sheet)),
        "dealer": sheet.names[facts.dealer] if facts.dealer else None,
        "cut_off": gettext("yes") if facts.cut_off else None,
    }
    for number, deal in enumerate(facts.deals, 1):
        cells[f"deal_{number}_kankei"] = deal.kankei
        cells[f"deal_{number}_mukankei"] = deal.mukankei
        cells[f"deal_{number}_declared"] = declaration_name(deal.declaration) or None
        cells[f"deal_{number}_trump"] = suit_name(deal.trump) if deal.trump else None
    return cells


def _trump(played: PlayedRound, sheet: Sheet) -> str:
    """Return the trump that follows from the number of the round."""
    game = sheet.rules.game
    return game.trump(played.row.number, sheet.planned) if isinstance(game, KankeiGame) else ""


def _side(player: str, played: PlayedRound, sheet: Sheet) -> Cells:
    return {"side": str(ROLES[side_of(player, played, sheet).role])}


def _captures_columns() -> Columns:
    return [("cards", Column(_("Cards taken"))), ("exposed", Column(_("Exposed cards")))]


def _exposed(played: PlayedRound, _sheet: Sheet) -> Cells:
    return {"exposed": _cards(played.facts.exposed)}


def _taken(player: str, played: PlayedRound, _sheet: Sheet) -> Cells:
    return {"cards": _cards(played.facts.captured.get(player, frozenset()))}


def _cards(cards: frozenset[str]) -> str | None:
    """Return cards as people write them, suit by suit, the highest first."""
    ordered = sorted(cards, key=lambda card: (card[0], "AKQJ1098765432".index(card[1])))
    return " ".join(card_name(card) for card in ordered) or None


def _finish_columns() -> Columns:
    return [
        ("out", NumberColumn(_("Went out as number"))),
        ("team", NumberColumn(_("Team"))),
        ("mates", Column(_("Team-mates"))),
    ]


def _nothing(_played: PlayedRound, _sheet: Sheet) -> Cells:
    return {}


def _out(player: str, played: PlayedRound, sheet: Sheet) -> Cells:
    facts: scoring.Finish = played.facts
    team = 2 if player in facts.teams[1] else 1
    mates = [sheet.names[each] for each in facts.teams[team - 1] if each != player]
    return {"out": facts.order.index(player) + 1, "team": team, "mates": listed(mates)}


# By kind of game: its columns, what a round says for everybody, and for each player.
COLUMNS = {"kankei": _kankei_columns, "captures": _captures_columns, "finish": _finish_columns}
SHARED = {"kankei": _kankei_facts, "captures": _exposed, "finish": _nothing}
OWN = {"kankei": _side, "captures": _taken, "finish": _out}


TYPED = 0  # stands for the number of a round, where only the total of a session is known


class PointsTable(PlainTable):
    """A row for every player, as they rank, a column for every round: what totals are made of."""

    rank = NumberColumn(_("Rank"))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    total = PointsColumn(_("Points"))

    def __init__(self, rows: Sequence[Standing], sheets: Sequence[Sheet]) -> None:
        """Add a column for every round somebody has played."""
        points = _points_by_round(sheets)
        columns = sorted({where for own in points.values() for where in own})
        labels = [(_name(where), PointsColumn(_title(where, sheets[0].rules))) for where in columns]
        super().__init__([_points_row(row, points) for row in rows], extra_columns=labels)


def _name(where: tuple[int, int]) -> str:
    return "round_{}_{}".format(*where)


def _title(where: tuple[int, int], rules: scoring.Rules) -> str:
    session, number = where
    what = round_title(number, rules) if number != TYPED else gettext("total")
    return " ".join((gettext("Session %(number)s") % {"number": session}, what))


def _points_by_round(sheets: Iterable[Sheet]) -> dict[str, dict[tuple[int, int], int]]:
    """Return for every player the points of the rounds that count, by session and round."""
    points: dict[str, dict[tuple[int, int], int]] = {}
    for sheet in sheets:
        first = TYPED if sheet.is_totals_only else 1
        for number, score in enumerate(sheet.score.rounds, first):
            if score.complete:
                where = sheet.sitting.session.number, number
                for player, own in score.points.items():
                    points.setdefault(player, {})[where] = own
    return points


def _points_row(
    row: Standing, points: Mapping[str, Mapping[tuple[int, int], int]]
) -> dict[str, Any]:
    own = points.get(row.entry.key, {})
    return {
        "rank": row.place and row.place.rank,
        "number": row.entry.number,
        "name": row.entry.name,
        "total": row.place and row.place.points,
        **{_name(where): value for where, value in own.items()},
    }
