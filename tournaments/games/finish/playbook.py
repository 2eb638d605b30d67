"""What the phones of a table of Gouji look up: the score of every order, and what follows it.

Sentences contain seats (from 0) in braces, such as ``"{0} and {1} shuffle."``. The phone replaces
them by names of players.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

from scoring.problems import Problems
from scoring.variants.gouji import Finish, GoujiGame
from tournaments.game_kinds import TableShape
from tournaments.i18n import sentences

SEATS = tuple("012345")


def playbook(game: GoujiGame, _table: TableShape) -> dict[str, Any]:
    """Return the scores of all finishes, the usual teams, and what the table does next."""
    return {
        "finishes": _finishes(game),
        "usual_teams": _usual_teams(game),
        "next": next_after_finish(game),
    }


def next_after_finish(game: GoujiGame) -> dict[str, Any]:
    """Return the sentences that follow a deal of Gouji: `swept` and `plain`.

    `swept` has those after a sweep, by the seats of the first three players to go out, such as
    ``"0,2,4"``; {n} is the player in seat n. `plain` has those after any other deal, by the teams
    in order, such as ``"112212"``; {n} is the player who went out as number n, from 0.
    """
    placeholders = {seat: f"{{{seat}}}" for seat in SEATS}
    swept, plain = {}, {}
    for first in permutations(SEATS, 3):
        rest = tuple(seat for seat in SEATS if seat not in first)
        facts = Finish((*first, *rest), (first, rest))
        swept[",".join(first)] = _advice_after(game, facts, placeholders)
    for team in combinations(SEATS, 3):
        facts = Finish(SEATS, (team, tuple(seat for seat in SEATS if seat not in team)))
        if not game.is_sweep(facts):
            teams = "".join("1" if seat in team else "2" for seat in SEATS)
            plain[teams] = _advice_after(game, facts, placeholders)
    return {"plain": plain, "swept": swept}


def _advice_after(game: GoujiGame, facts: Finish, names: dict[str, str]) -> list[str]:
    """Return the game's advice after a single deal, as sentences with these names."""
    advice = game.advice([facts], SEATS, planned_rounds=None)
    return [sentences.advice_sentence(each, names, game.rules) for each in advice]


def _finishes(game: GoujiGame) -> dict[str, dict[str, Any]]:
    """Return the score of every order of going out, by the teams in order, such as ``"112212"``."""
    players, teams = tuple("ABCDEF"), (tuple("ACE"), tuple("BDF"))
    by_teams: dict[str, dict[str, Any]] = {}
    for order in permutations(players):
        key = "".join("1" if player in teams[0] else "2" for player in order)
        if key not in by_teams:
            facts = Finish(order, teams)
            score = game.score_round(facts, players)
            lines = [(line.team, line.item, line.points) for line in score.lines]
            swept = game.is_sweep(facts)
            by_teams[key] = {"lines": lines, "teams": score.teams, "swept": swept}
    return by_teams


def _usual_teams(game: GoujiGame) -> list[list[int]]:
    """Return the seats, from 0, of the two teams if the facts of a deal do not name teams."""
    facts = game.read_round(Problems(), at="", data={"finish": list(SEATS)}, players=SEATS)
    assert facts is not None  # noqa: S101  for mypy: these facts are valid
    return [[int(seat) for seat in team] for team in facts.teams]
