"""The shorthand for a deal of Gouji: seats as they went out, then team 1 if its members changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.variants.gouji import GoujiGame
from tournaments.paper_entry.line_shorthand import Unreadable, player_at, seat_digits, split_words


def read_line(
    line: str, _game: GoujiGame, players: Sequence[str], _dealer: str | None = None
) -> dict[str, Any]:
    """Parse a line of Gouji: the order of going out, then team 1 if its members changed.

    `teams` are left out of the facts if they are the usual ones, every other seat. Raises
    `Unreadable`.

    >>> read_line("132546", None, "ABCDEF")
    {'finish': ['A', 'C', 'B', 'E', 'D', 'F']}
    >>> read_line("132546 123", None, "ABCDEF")["teams"]
    [['A', 'B', 'C'], ['D', 'E', 'F']]
    """
    words = split_words(line)
    if not words or len(words) > 2:
        raise Unreadable(_("Type the seats in the order they went out, such as 132546."))
    facts: dict[str, Any] = {"finish": [player_at(digit, players) for digit in words[0]]}
    if len(words) == 2:
        team_1 = [player_at(digit, players) for digit in words[1]]
        teams = [[p for p in players if p in team_1], [p for p in players if p not in team_1]]
        if teams != [list(players[::2]), list(players[1::2])]:
            facts["teams"] = teams
    return facts


def format_line(facts: Mapping[str, Any], _game: GoujiGame, players: Sequence[str]) -> str:
    teams = facts.get("teams")
    words = [facts["finish"], *([teams[0]] if teams else [])]
    return " ".join(seat_digits(word, players) for word in words)


def help_context(_game: GoujiGame, _player_count: int) -> dict[str, Any]:
    return {"example": "132546"}
