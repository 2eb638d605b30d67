"""Everything wrong with a record, collected: place, code and a message that says what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from scoring.rules import gettext_noop as _


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


def join(at: str, key: str) -> str:
    """Return the place of a key inside a place.

    >>> join("", "players"), join("rounds[0]", "dealer")
    ('players', 'rounds[0].dealer')
    """
    return f"{at}.{key}" if at else key


class Problems:
    """The problems found so far, and the checks every kind of game needs."""

    def __init__(self) -> None:
        """Start with none."""
        self.found: list[Problem] = []

    def add(self, at: str, code: str, template: str, **params: Any) -> None:
        """Note a problem. The template names its parameters, as in ``{key}``."""
        self.found.append(Problem(at, code, template, params))

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
                    known=", ".join(sorted(known)),
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

    def is_player(self, at: str, data: Any, players: Iterable[str]) -> bool:
        """Return whether the data names somebody at this table, noting it if not."""
        if type(data) is not str:
            self.add(at, "type", _("Write a player’s name here, in quotation marks."))
        elif data not in players:
            self.add(
                at,
                "unknown_player",
                _("“{name}” does not sit at this table; choose one of {players}."),
                name=data,
                players=", ".join(players),
            )
        else:
            return True
        return False

    def are_players(self, at: str, data: Any, players: Iterable[str]) -> bool:
        """Return whether the data is a list of people at this table, noting everything wrong."""
        if not self.is_list(at, data):
            return False
        checked = [self.is_player(f"{at}[{i}]", name, players) for i, name in enumerate(data)]
        return all(checked)
