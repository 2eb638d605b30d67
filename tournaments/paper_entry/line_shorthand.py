"""The shorthand for one round: a line of digits, which a kind of game parses and formats.

Players are given by seat number, as on the printed sheet. Words are separated by a space, comma,
full stop or plus sign, so that a number pad is enough.

`scoring` decides whether the facts are legal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.paper_entry.dashes import narrow

SEPARATORS = re.compile(r"[\s,.+、。]+")


class Unreadable(ValueError):
    """A line cannot be parsed. `template` and `params` say why and what to do."""

    def __init__(self, template: str | Promise, **params: object) -> None:
        super().__init__(template, params)
        self.template = template
        self.params = params

    def __str__(self) -> str:
        return str(self.template) % self.params


def split_words(line: str) -> list[str]:
    """Split a line at its separators, with wide characters made narrow and letters small.

    >>> split_words("２ ２４　９４+160J")
    ['2', '24', '94', '160j']
    """
    return [word for word in SEPARATORS.split(narrow(line).lower()) if word]


def seat_digits(selected: Sequence[str], players: Sequence[str]) -> str:
    """Return the seat numbers of the selected players as digits, without spaces."""
    return "".join(str(players.index(player) + 1) for player in selected)


def player_at(digit: str, players: Sequence[str]) -> str:
    """Seats count from 1. Raises `Unreadable` if there is no such seat."""
    if not digit.isdecimal() or not 1 <= int(digit) <= len(players):
        raise Unreadable(
            _("There is no seat %(seat)s: type 1 to %(last)s."), seat=digit, last=len(players)
        )
    return players[int(digit) - 1]
