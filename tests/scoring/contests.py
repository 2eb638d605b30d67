"""Contests for tests: tables with given points, and play-offs."""

from __future__ import annotations

from collections.abc import Mapping

import scoring
from scoring.game import RoundScore
from scoring.ranking.contest import Contest, PlayedTable, PlayOff

RULES = scoring.choose(scoring.get_rule_set("goninkan-association"))


def table(session: int, *rounds: Mapping[str, int], has_typed_totals: bool = False) -> PlayedTable:
    """Return a table with these points by round."""
    record = scoring.Record(RULES, players=tuple(rounds[0]), rounds=())
    scores = tuple(RoundScore(dict(points), complete=True, lines=()) for points in rounds)
    return PlayedTable(session, record, scores, has_typed_totals=has_typed_totals)


def contest(*tables: PlayedTable, **more: object) -> Contest:
    players = sorted({player for each in tables for player in each.record.players})
    return Contest(players, tables, **more)  # type: ignore[arg-type]


def unplayed(session: int, *players: str) -> PlayedTable:
    """Return a table without a complete round."""
    seats = table(session, dict.fromkeys(players, 0))
    return seats._replace(rounds=(seats.rounds[0]._replace(complete=False),))


def off(session: int, **points: int) -> PlayOff:
    """Return a play-off with these points."""
    return PlayOff(session, frozenset(points), points)


FOUR_TIED = table(1, {"A": 1, "B": 1, "C": 1, "D": 1})
