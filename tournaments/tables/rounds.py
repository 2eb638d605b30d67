"""All rounds: everybody's points round by round, and the facts they follow from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import django_tables2
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.sheets import PlayedRound, Sheet
from tournaments.standings import Standing
from tournaments.tables.columns import Column, NumberColumn, PointsColumn
from tournaments.wording import card_name, declaration_name, listed, suit_name

Columns = list[tuple[str, Column]]
Cells = dict[str, str | int | None]


class Taken(NamedTuple):
    """A round and the sheet it stands on: one row of the list of rounds."""

    sheet: Sheet
    played: PlayedRound


def taken_down(sheets: Iterable[Sheet]) -> list[Taken]:
    """Return every round in force, by session, table and number."""
    return [Taken(sheet, played) for sheet in sheets for played in sheet.rounds]


class RoundsTable(django_tables2.Table):  # type: ignore[misc]  # ships no types
    """One row for every round: where, what happened, and what it brought whom."""

    session = NumberColumn(_("Session"), accessor="sheet__sitting__session__number")
    table = NumberColumn(_("Table"), accessor="sheet__sitting__number")
    round = NumberColumn(_("Round"), accessor="played__row__number")

    class Meta:
        """In the order in which they were played."""

        orderable = False

    def __init__(self, sheets: Sequence[Sheet], rules: scoring.Rules) -> None:
        """Add the columns of this kind of game, and two for every seat."""
        seats = max((len(sheet.entries) for sheet in sheets), default=0)
        columns = FACTS[rules.game.kind](seats) + _seat_columns(seats)
        rows = [_row(taken, rules.game.kind) for taken in taken_down(sheets)]
        super().__init__(rows, extra_columns=columns)


def _row(taken: Taken, kind: scoring.rules.Kind) -> dict[str, Any]:
    sheet, played = taken
    return {
        "sheet": sheet,
        "played": played,
        **TOLD[kind](played, sheet),
        **_seats(sheet, played.score),
    }


def _seat_columns(seats: int) -> Columns:
    columns: Columns = []
    for seat in range(1, seats + 1):
        columns.append((f"name_{seat}", Column(gettext("Seat %(seat)s") % {"seat": seat})))
        label = gettext("Points %(seat)s") % {"seat": seat}
        columns.append((f"points_{seat}", PointsColumn(label)))
    return columns


def _seats(sheet: Sheet, score: scoring.RoundScore) -> Cells:
    """Return who sits where and what the round brought them; no points while it goes on."""
    cells: Cells = {}
    for seat, entry in enumerate(sheet.entries, 1):
        cells[f"name_{seat}"] = entry.name
        cells[f"points_{seat}"] = score.points[entry.key] if score.complete else None
    return cells


def _kankei_columns(_seats: int) -> Columns:
    columns: Columns = [
        ("trump", Column(_("Trump"))),
        ("dealer", Column(_("Dealer"))),
        ("kankei_1", Column(gettext("Kankei %(number)s") % {"number": 1})),
        ("kankei_2", Column(gettext("Kankei %(number)s") % {"number": 2})),
    ]
    for deal in (1, 2, 3):
        which = {"deal": deal}
        columns += [
            (f"deal_{deal}_kankei", NumberColumn(gettext("Deal %(deal)s: kankei") % which)),
            (f"deal_{deal}_mukankei", NumberColumn(gettext("Deal %(deal)s: mukankei") % which)),
            (f"deal_{deal}_declared", Column(gettext("Deal %(deal)s: declared") % which)),
        ]
    return [*columns, ("cut_off", Column(_("Cut off")))]


def _kankei_facts(played: PlayedRound, sheet: Sheet) -> Cells:
    facts: scoring.Round = played.facts
    names = sheet.names
    cells: Cells = {
        "trump": suit_name(facts.trump) if facts.trump else None,
        "dealer": names[facts.dealer] if facts.dealer else None,
        "kankei_1": names[facts.kankei[0]],
        "kankei_2": names[facts.kankei[1]],
        "cut_off": gettext("cut off") if facts.cut_off else None,
    }
    for number, deal in enumerate(facts.deals, 1):
        cells[f"deal_{number}_kankei"] = deal.kankei
        cells[f"deal_{number}_mukankei"] = deal.mukankei
        cells[f"deal_{number}_declared"] = declaration_name(deal.declaration) or None
    return cells


def _captures_columns(seats: int) -> Columns:
    taken = [
        (f"cards_{seat}", Column(gettext("Cards of seat %(seat)s") % {"seat": seat}))
        for seat in range(1, seats + 1)
    ]
    return [("exposed", Column(_("Exposed cards"))), *taken]


def _captures_facts(played: PlayedRound, sheet: Sheet) -> Cells:
    facts: scoring.Captures = played.facts
    cells: Cells = {"exposed": _cards(facts.exposed)}
    for seat, player in enumerate(sheet.players, 1):
        cells[f"cards_{seat}"] = _cards(facts.captured.get(player, frozenset()))
    return cells


def _cards(cards: frozenset[str]) -> str | None:
    """Return cards as people write them, suit by suit, the highest first."""
    ordered = sorted(cards, key=lambda card: (card[0], "AKQJ1098765432".index(card[1])))
    return " ".join(card_name(card) for card in ordered) or None


def _finish_columns(_seats: int) -> Columns:
    places = [
        (f"place_{place}", Column(gettext("Out %(place)s") % {"place": place}))
        for place in range(1, 7)
    ]
    teams = [
        (f"team_{team}", Column(gettext("Team %(number)s") % {"number": team})) for team in (1, 2)
    ]
    points = [
        (
            f"team_points_{team}",
            PointsColumn(gettext("Points of team %(number)s") % {"number": team}),
        )
        for team in (1, 2)
    ]
    return [*places, *teams, *points]


def _finish_facts(played: PlayedRound, sheet: Sheet) -> Cells:
    facts: scoring.Finish = played.facts
    names = sheet.names
    cells: Cells = {f"place_{place}": names[player] for place, player in enumerate(facts.order, 1)}
    for number, team in enumerate(facts.teams, 1):
        cells[f"team_{number}"] = listed([names[player] for player in team])
        cells[f"team_points_{number}"] = played.score.points[team[0]]
    return cells


FACTS = {"kankei": _kankei_columns, "captures": _captures_columns, "finish": _finish_columns}
TOLD: Mapping[str, Any] = {
    "kankei": _kankei_facts,
    "captures": _captures_facts,
    "finish": _finish_facts,
}


class PointsTable(django_tables2.Table):  # type: ignore[misc]  # ships no types
    """One row for every player, one column for every round: what the totals are made of."""

    rank = NumberColumn(_("Rank"))
    number = NumberColumn(_("Number"))
    name = Column(_("Name"))
    total = PointsColumn(_("Points"))

    class Meta:
        """In the order of the standings."""

        orderable = False

    def __init__(self, rows: Sequence[Standing], sheets: Iterable[Sheet]) -> None:
        """Add a column for every round somebody has played."""
        points = _points_by_round(sheets)
        columns = sorted({where for own in points.values() for where in own})
        labels = [(_name(where), PointsColumn("{}-{}".format(*where))) for where in columns]
        super().__init__([_points_row(row, points) for row in rows], extra_columns=labels)


def _name(where: tuple[int, int]) -> str:
    return "round_{}_{}".format(*where)


def _points_by_round(sheets: Iterable[Sheet]) -> dict[str, dict[tuple[int, int], int]]:
    """Return for every player the points of the rounds that count, by session and round."""
    points: dict[str, dict[tuple[int, int], int]] = {}
    for sheet, played in taken_down(sheets):
        if played.score.complete:
            where = sheet.sitting.session.number, played.row.number
            for player, own in played.score.points.items():
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
