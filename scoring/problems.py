"""Problems of a record: path, code and a message that says what to do.

The list is short for any input: at most `MOST_LISTED` problems, whose messages quote at most
`MOST_QUOTED` characters of any key or name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.translation import gettext_noop as _

MOST_LISTED = 50  # problems in the list; the rest are counted
MOST_QUOTED = 40  # characters of a key, a name or a card in a message


class Problem(NamedTuple):
    """A problem of a record.

    - `at`: the path of the faulty value, as ``rounds[0].deals[1].kankei``
    - `code`: see the list in `scoring/README.md`
    - `template`, `params`: the English message and its translations are made of them
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
        """Return the JSON object that the command line and the API print."""
        return {"at": self.at, "code": self.code, "message": self.message}


def truncated(text: str) -> str:
    """Return a text truncated to `MOST_QUOTED` characters, without adding quotation marks.

    >>> truncated("dealer"), len(truncated("x" * 1_000_000))
    ('dealer', 40)
    """
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"


def path_of_key(at: str, key: str) -> str:
    """Return the path of a key in the object at the path `at`; "" is the whole record.

    >>> path_of_key("", "players"), path_of_key("rounds[0]", "dealer")
    ('players', 'rounds[0].dealer')
    """
    return f"{at}.{truncated(key)}" if at else truncated(key)


def _shortened_param(value: Any) -> Any:
    """Return a parameter for a message: texts truncated, a sequence of texts joined with commas.

    Other values are returned unchanged.
    """
    if isinstance(value, str):
        return truncated(value)
    if isinstance(value, Sequence):
        return ", ".join(truncated(each) for each in value)
    return value


class Problems:
    """Collects problems, with the checks that every kind of game needs.

    `listed` has the first `MOST_LISTED` problems; `count` is the number of all problems.

    A `check_…` method adds problems of `data`, whose path in the record is `at`, and returns
    whether the caller can go on to read it.
    """

    def __init__(self) -> None:
        self.listed: list[Problem] = []
        self.count = 0

    @property
    def unlisted(self) -> int:
        """Return the number of problems that were counted but are not in `listed`."""
        return self.count - len(self.listed)

    def add(self, at: str, code: str, template: str, **params: Any) -> None:
        """Add a problem. The template names its parameters, as in ``{key}``.

        Parameters that are texts are truncated; sequences of texts are joined with commas.
        """
        self.count += 1
        if self.count <= MOST_LISTED:
            shown = {name: _shortened_param(value) for name, value in params.items()}
            self.listed.append(Problem(at, code, template, shown))

    def check_object(self, at: str, data: Any, known_keys: frozenset[str]) -> bool:
        """Add a problem unless the data is an object, and a problem for each unknown key.

        Return whether the data is an object, with or without unknown keys.
        """
        if type(data) is not dict:
            self.add(at, "type", _("Use a JSON object here."))
            return False
        if not data.keys() <= known_keys:
            for key in (key for key in data if key not in known_keys):
                self.add(
                    path_of_key(at, key),
                    "unknown_key",
                    _(
                        "“{key}” is not recognised here; remove it or correct its spelling "
                        "({known})."
                    ),
                    key=key,
                    known=sorted(known_keys),
                )
        return True

    def check_key(self, at: str, data: Mapping[str, Any], key: str) -> bool:
        if key in data:
            return True
        if self.count >= MOST_LISTED:  # fast: the path of the problem is not needed
            self.count += 1
            return False
        self.add(path_of_key(at, key), "missing", _("“{key}” is missing; add it."), key=key)
        return False

    def check_list(self, at: str, data: Any) -> bool:
        if type(data) is list:
            return True
        self.add(at, "type", _("Use a JSON list here."))
        return False

    def check_boolean(self, at: str, data: Any) -> bool:
        if type(data) is bool:
            return True
        self.add(at, "type", _("Use true or false here, without quotation marks."))
        return False

    def check_player(self, at: str, data: Any, players: Collection[str]) -> bool:
        if type(data) is not str:
            self.add(at, "type", _("Use a player’s name here, in quotation marks."))
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

    def check_players(self, at: str, data: Any, players: Collection[str]) -> bool:
        """Add a problem unless the data is a list, and a problem for each item not in `players`.

        Return whether the data is a list of players' names. The same name may occur twice.
        """
        if not self.check_list(at, data):
            return False
        if all(type(name) is str and name in players for name in data):
            return True  # fast: no paths are formatted
        for i, name in enumerate(data):
            self.check_player(f"{at}[{i}]", name, players)
        return False
