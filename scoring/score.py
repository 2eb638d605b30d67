"""Scores a record: lines and points of every round, and totals."""

from __future__ import annotations

from typing import Any, NamedTuple

from scoring.game import Line, RoundScore
from scoring.record import Record


class Score(NamedTuple):
    """The score of a sitting. `totals` are by player, of complete rounds only.

    `team_totals` is None if there are no teams or pairs that last for the sitting.
    """

    rounds: tuple[RoundScore, ...]
    totals: dict[str, int]
    team_totals: tuple[int, int] | None

    @property
    def complete(self) -> bool:
        """Return whether every round is complete."""
        return all(score.complete for score in self.rounds)


def score(record: Record) -> Score:
    game, players = record.rules.game, record.players
    rounds = tuple(game.score_round(facts, players) for facts in record.rounds)
    totals = dict.fromkeys(players, 0)
    for round_score in rounds:
        for player, points in round_score.points.items():
            totals[player] += points
    return Score(rounds, totals, game.team_totals(rounds, players, record.partners))


def score_as_json(result: Score) -> dict[str, Any]:
    """Return the JSON object that the command line and the API print."""
    document: dict[str, Any] = {
        "ok": True,
        "complete": result.complete,
        "rounds": [
            {
                "points": round_score.points,
                "complete": round_score.complete,
                "lines": [line_as_json(line) for line in round_score.lines],
            }
            for round_score in result.rounds
        ],
        "totals": result.totals,
    }
    if result.team_totals is not None:
        document["team_totals"] = list(result.team_totals)
    return document


def line_as_json(line: Line) -> dict[str, Any]:
    """Return a line as a JSON object, without the keys that are None.

    >>> from scoring.rules import Source
    >>> line_as_json(Line("skunk", 1, Source("001", ""), deal=2))
    {'deal': 2, 'item': 'skunk', 'points': 1}
    """
    document: dict[str, Any] = {}
    if line.deal is not None:
        document["deal"] = line.deal
    if line.player is not None:
        document["player"] = line.player
    if line.team is not None:
        document["team"] = line.team
    document["item"] = line.item
    document["points"] = line.points
    return document
