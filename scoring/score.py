"""A record's score: every round's lines and points, and the totals."""

from __future__ import annotations

from typing import Any, NamedTuple

from scoring.record import Record
from scoring.rules import Line, RoundScore


class Score(NamedTuple):
    """A sitting’s score. `totals` count complete rounds only; `team_totals` where teams stay."""

    rounds: tuple[RoundScore, ...]
    totals: dict[str, int]
    team_totals: tuple[int, int] | None

    @property
    def complete(self) -> bool:
        """Return whether every round counts."""
        return all(score.complete for score in self.rounds)


def score(record: Record) -> Score:
    """Return what every round of a record brought everybody, and the totals."""
    game, players = record.rules.game, record.players
    rounds = tuple(game.score_round(facts, players) for facts in record.rounds)
    totals = dict.fromkeys(players, 0)
    for each in rounds:
        for player, points in each.points.items():
            totals[player] += points
    return Score(rounds, totals, game.team_totals(rounds, players, record.partners))


def score_as_json(result: Score) -> dict[str, Any]:
    """Return a score as the command line and the API print it."""
    document: dict[str, Any] = {
        "ok": True,
        "complete": result.complete,
        "rounds": [
            {
                "points": each.points,
                "complete": each.complete,
                "lines": [line_as_json(line) for line in each.lines],
            }
            for each in result.rounds
        ],
        "totals": result.totals,
    }
    if result.team_totals is not None:
        document["team_totals"] = list(result.team_totals)
    return document


def line_as_json(line: Line) -> dict[str, Any]:
    """Return a line as the command line and the API print it: only what it says.

    >>> from scoring.rules import Source
    >>> line_as_json(Line("skunk", 1, Source("001", ""), deal=2))
    {'deal': 2, 'item': 'skunk', 'points': 1}
    """
    said: dict[str, Any] = {}
    if line.deal is not None:
        said["deal"] = line.deal
    if line.player is not None:
        said["player"] = line.player
    if line.team is not None:
        said["team"] = line.team
    said["item"] = line.item
    said["points"] = line.points
    return said
