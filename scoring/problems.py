"""What is wrong with a record: place, code and a message that says what to do.

However much is wrong, and however long the record's keys and names are, what is said of it stays
short: `MOST_LISTED` problems, each of which quotes at most `MOST_QUOTED` characters at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.translation import gettext_noop as _

MOST_LISTED = 50  # problems; the others are only counted
MOST_QUOTED = 40  # characters of a key, a name or a card


class Problem(NamedTuple):
    """One thing wrong with a record.

    `at` is the place, as in ``rounds[0].deals[1].kankei``; `code` is one of those listed in
    `scoring/README.md`; `template` and `params` make the English message and its translations.
    """

    at: str
    code: str
    template: str
    params: Mapping[str, Any]

    @property
    def message(self) -> str:
        """Return the message in English.

        >>> Problem("rounds", "missing", "“{key}” is missing.", {"key": "rounds"}).message
        '“rounds” is missing.'
        """
        return self.template.format(**self.params)

    def as_json(self) -> dict[str, str]:
        """Return the problem as the command line and the API print it."""
        return {"at": self.at, "code": self.code, "message": self.message}


def quoted(text: str) -> str:
    """Return a text as a message quotes it: cut where it is long.

    >>> quoted("dealer"), len(quoted("x" * 1_000_000))
    ('dealer', 40)
    """
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"


def join(at: str, key: str) -> str:
    """Return the place of a key inside a place.

    >>> join("", "players"), join("rounds[0]", "dealer")
    ('players', 'rounds[0].dealer')
    """
    return f"{at}.{quoted(key)}" if at else quoted(key)


def _param(value: Any) -> Any:
    """Return a parameter as messages show it: texts cut, several of them as a list."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Sequence):
        return ", ".join(quoted(each) for each in value)
    return value


class Problems:
    """The problems found so far, and the checks every kind of game needs.

    `found` holds the first ones, `count` tells how many there are.
    """

    def __init__(self) -> None:
        """Start with none."""
        self.found: list[Problem] = []
        self.count = 0

    @property
    def more(self) -> int:
        """Return how many there are besides those in `found`."""
        return self.count - len(self.found)

    def add(self, at: str, code: str, template: str, **params: Any) -> None:
        """Note a problem. The template names its parameters, as in ``{key}``.

        Texts are cut, and several of them, as a tuple, become a list.
        """
        self.count += 1
        if self.count <= MOST_LISTED:
            shown = {name: _param(value) for name, value in params.items()}
            self.found.append(Problem(at, code, template, shown))

    def is_object(self, at: str, data: Any, known: frozenset[str]) -> bool:
        """Return whether the data is an object, noting it if not, and every key not `known`."""
        if type(data) is not dict:
            self.add(at, "type", _("Write a JSON object here."))
            return False
        if not data.keys() <= known:
            for key in (key for key in data if key not in known):
                self.add(
                    join(at, key),
                    "unknown_key",
                    _("“{key}” is not known here; remove it or correct its spelling ({known})."),
                    key=key,
                    known=sorted(known),
                )
        return True

    def required(self, at: str, data: Mapping[str, Any], key: str) -> bool:
        """Return whether the key is there, noting it if not."""
        if key in data:
            return True
        self.add(join(at, key), "missing", _("“{key}” is missing; add it."), key=key)
        return False

    def is_list(self, at: str, data: Any) -> bool:
        """Return whether the data is a list, noting it if not."""
        if type(data) is list:
            return True
        self.add(at, "type", _("Write a JSON list here."))
        return False

    def is_flag(self, at: str, data: Any) -> bool:
        """Return whether the data is true or false, noting it if not."""
        if type(data) is bool:
            return True
        self.add(at, "type", _("Write true or false here, without quotation marks."))
        return False

    def is_player(self, at: str, data: Any, players: Collection[str]) -> bool:
        """Return whether the data names somebody at this table, noting it if not."""
        if type(data) is not str:
            self.add(at, "type", _("Write a player’s name here, in quotation marks."))
        elif data not in players:
            self.add(
                at,
                "unknown_player",
                _("“{name}” does not sit at this table; choose one of {players}."),
                name=data,
                players=tuple(players),
            )
        else:
            return True
        return False

    def are_players(self, at: str, data: Any, players: Collection[str]) -> bool:
        """Return whether the data is a list of people at this table, noting everything wrong."""
        if not self.is_list(at, data):
            return False
        if all(type(name) is str and name in players for name in data):
            return True  # the usual case: no place has to be formatted
        for i, name in enumerate(data):
            self.is_player(f"{at}[{i}]", name, players)
        return False
