"""Reads a request from a decoded JSON document, with all its problems at once.

What only the whole request shows is left to `checks`, which is asked if its parts are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.problems import Problems
from tournaments.draws.checks import check
from tournaments.draws.requests import (
    LONGEST_TEXT,
    METHODS,
    MOST_APART,
    MOST_BEFORE,
    MOST_PLAYERS,
    MOST_POINTS,
    MOST_SECONDS,
    MOST_SESSIONS,
    MOST_SIZES,
    MOST_STEPS,
    SIZES,
    WEIGHTS,
    InvalidRequest,
    Player,
    Request,
    Tables,
)

KEYS = frozenset(
    {"players", "sizes", "tables", "sessions", "method", "history", "movement", "apart", "fixed"}
    | {"weights", "clubs", "window", "seed", "seconds", "steps"}
)
COUNTS = ("sat_out", "small_tables", "first_seats")
PLAYER_KEYS = frozenset({"id", "club", "points", "group", *COUNTS})
FIXED_KEYS = frozenset({"id", "table"})
LARGEST_SEED = 2**63


def read_request(document: Any, new_seed: int = 0) -> Request:
    """Return the request in a document; `new_seed` is taken if it has no seed.

    Raises `InvalidRequest`.
    """
    reader = _Reader()
    if reader.problems.check_object("", document, KEYS):
        request = reader.read(document, new_seed)
        if request is not None:
            return request
    raise InvalidRequest(reader.problems.listed, reader.problems.unlisted)


class _Reader:
    """Reads a document's parts; what is wrong is added to `problems`, and something else read."""

    def __init__(self) -> None:
        self.problems = Problems()

    def read(self, data: dict[str, Any], new_seed: int) -> Request | None:
        """Return the request, or None after adding problems."""
        players = self._players(data)
        sizes, tables = self._sizes(data), self._tables(data)
        self._check_mix(data, sizes, tables)
        method = self._choice(data, "method", METHODS, "fewest_repeats")
        movement = self._history(data, "movement")
        self._check_keys_of_method(data, method)
        request = Request(
            players=players,
            sizes=sizes,
            tables=tables,
            seed=self._integer(data, "seed", 1 - LARGEST_SEED, LARGEST_SEED - 1, new_seed),
            sessions=self._integer(data, "sessions", 1, MOST_SESSIONS, len(movement) or 1),
            method=method,
            history=self._history(data, "history"),
            movement=movement,
            apart=self._apart(data, {player.id for player in players}),
            fixed=self._fixed(data, {player.id for player in players}),
            weights=self._weights(data),
            clubs=self._boolean(data, "clubs", default=method not in {"lot", "fixed"}),
            window=self._integer(data, "window", 0, MOST_PLAYERS, -1) if "window" in data else None,
            seconds=self._number(data, "seconds", 0, MOST_SECONDS, 5),
            steps=self._integer(data, "steps", 0, MOST_STEPS, 0) if "steps" in data else None,
        )
        if not self.problems.count:
            check(self.problems, request)
        return None if self.problems.count else request

    def _check_keys_of_method(self, data: dict[str, Any], method: str) -> None:
        """Add a problem for a key that only another method reads, and for one that is missing."""
        for key, reading in (("window", "level"), ("movement", "fixed")):
            if key in data and method != reading:
                template = "“{key}” is read with the method “{method}” only; remove it."
                self.problems.add(key, "unknown_key", template, key=key, method=reading)
        if method == "fixed":
            self.problems.check_key("", data, "movement")

    def _check_mix(self, data: dict[str, Any], sizes: Sequence[int], tables: Sequence[int]) -> None:
        """Add a problem where neither sizes nor tables are given, or they cannot seat anybody."""
        players = len(data["players"]) if type(data.get("players")) is list else 0
        add = self.problems.add
        if ("sizes" in data) == ("tables" in data):
            add("sizes", "missing", "Give either “sizes” or “tables”.")
        elif sizes and players and min(sizes) > players:
            template = "{count} players do not fill a table of {size}; add players or a size."
            add("sizes", "sizes", template, count=players, size=min(sizes))
        elif tables and players and sum(tables) > players:
            template = "These tables have {seats} seats for {count} players; remove tables."
            add("tables", "sizes", template, count=players, seats=sum(tables))

    # Players

    def _players(self, data: dict[str, Any]) -> list[Player]:
        """Return the players without the invalid ones."""
        if not self.problems.check_key("", data, "players"):
            return []
        rows = data["players"]
        if not self.problems.check_list("players", rows):
            return []
        if not 2 <= len(rows) <= MOST_PLAYERS:
            template = "A draw is for 2 to {most} players, not {count}."
            self.problems.add("players", "players", template, most=MOST_PLAYERS, count=len(rows))
            return []
        seen: set[str] = set()
        return [
            player
            for i, row in enumerate(rows)
            if (player := self._player(f"players[{i}]", row, seen)) is not None
        ]

    def _player(self, at: str, row: Any, seen: set[str]) -> Player | None:
        """Return one player; None if the id is missing, invalid, or seen before."""
        if not self.problems.check_object(at, row, PLAYER_KEYS):
            return None
        if not self.problems.check_key(at, row, "id"):
            return None
        name = row["id"]
        if not self._is_id(f"{at}.id", name):
            return None
        if name in seen:
            self.problems.add(f"{at}.id", "twice", "“{id}” stands here twice; remove one.", id=name)
            return None
        seen.add(name)
        club, group = (self._text(row, key, at) for key in ("club", "group"))
        points = self._number(row, "points", -MOST_POINTS, MOST_POINTS, 0, at)
        counts = {key: self._integer(row, key, 0, MOST_BEFORE, 0, at) for key in COUNTS}
        return Player(name, club, points, group=group, **counts)

    def _text(self, row: dict[str, Any], key: str, at: str) -> str:
        value = row.get(key, "")
        if type(value) is str and len(value) <= LONGEST_TEXT:
            return value
        template = "Write the {key} as a text of at most {most} characters."
        self.problems.add(f"{at}.{key}", "type", template, key=key, most=LONGEST_TEXT)
        return ""

    def _is_id(self, at: str, data: Any) -> bool:
        """Return whether the data is an id; add a problem if not."""
        if type(data) is str and 0 < len(data) <= LONGEST_TEXT:
            return True
        template = "Write an id here: a text of 1 to {most} characters."
        self.problems.add(at, "type", template, most=LONGEST_TEXT)
        return False

    # Tables and sessions

    def _sizes(self, data: dict[str, Any]) -> list[int]:
        return sorted(set(self._integers(data, "sizes", MOST_SIZES)))

    def _tables(self, data: dict[str, Any]) -> list[int]:
        return sorted(self._integers(data, "tables", MOST_PLAYERS), reverse=True)

    def _integers(self, data: dict[str, Any], key: str, most: int) -> list[int]:
        """Return a list of 1 to `most` table sizes; empty after adding problems."""
        if key not in data or not self.problems.check_list(key, data[key]):
            return []
        if not 1 <= len(data[key]) <= most:
            template = "Give 1 to {most} sizes here, not {count}."
            self.problems.add(key, "sizes", template, most=most, count=len(data[key]))
            return []
        before = self.problems.count
        for i, size in enumerate(data[key]):
            self._check_integer(f"{key}[{i}]", size, SIZES[0], SIZES[-1])
        return list(data[key]) if self.problems.count == before else []

    def _history(self, data: dict[str, Any], key: str) -> list[Tables]:
        """Return sessions as tables of ids; a stranger may be among them, nobody twice."""
        if key not in data or not self.problems.check_list(key, data[key]):
            return []
        if len(data[key]) > MOST_SESSIONS:
            template = "Give at most {most} sessions here, not {count}."
            self.problems.add(key, "sessions", template, most=MOST_SESSIONS, count=len(data[key]))
            return []
        return [
            self._session(f"{key}[{i}]", session)
            for i, session in enumerate(data[key])
            if self.problems.check_list(f"{key}[{i}]", session)
        ]

    def _session(self, at: str, tables: list[Any]) -> Tables:
        """Return one session's tables of ids."""
        seen: set[str] = set()
        return tuple(
            tuple(self._table(f"{at}[{i}]", table, seen))
            for i, table in enumerate(tables)
            if self.problems.check_list(f"{at}[{i}]", table)
        )

    def _table(self, at: str, ids: list[Any], seen: set[str]) -> list[str]:
        """Return one table's ids; add a problem for each that is none, or in `seen`."""
        if len(ids) > SIZES[-1]:
            template = "At most {most} players sit at a table, not {count}."
            self.problems.add(at, "sizes", template, most=SIZES[-1], count=len(ids))
            return []
        found = []
        for i, name in enumerate(ids):
            if not self._is_id(f"{at}[{i}]", name):
                continue
            if name in seen:
                template = "“{id}” sits here twice in one session; remove one."
                self.problems.add(f"{at}[{i}]", "twice", template, id=name)
            seen.add(name)
            found.append(name)
        return found

    # Who is kept apart, and fixed

    def _apart(self, data: dict[str, Any], known: set[str]) -> list[tuple[str, str]]:
        """Return pairs of ids; of three or more in a list, every two are kept apart."""
        if "apart" not in data or not self.problems.check_list("apart", data["apart"]):
            return []
        pairs: dict[tuple[str, str], None] = {}
        for i, group in enumerate(data["apart"]):
            if not self.problems.check_list(f"apart[{i}]", group):
                continue
            ids = [x for j, x in enumerate(group) if self._is_known(f"apart[{i}][{j}]", x, known)]
            if len(group) < 2 or len(set(ids)) < len(ids):
                template = "Name two or more different players who are kept apart."
                self.problems.add(f"apart[{i}]", "apart", template)
            for j, one in enumerate(ids):
                if len(pairs) > MOST_APART:
                    break
                pairs.update({(min(one, two), max(one, two)): None for two in ids[:j]})
        if len(pairs) > MOST_APART:
            self.problems.add(
                "apart", "apart", "Keep at most {most} pairs apart; remove some.", most=MOST_APART
            )
        return list(pairs)

    def _is_known(self, at: str, data: Any, known: set[str]) -> bool:
        """Return whether the data is the id of a player; add a problem if not."""
        if not self._is_id(at, data):
            return False
        if data not in known:
            template = "“{id}” is not among the players; correct or remove it."
            self.problems.add(at, "unknown_player", template, id=data)
        return data in known

    def _fixed(self, data: dict[str, Any], known: set[str]) -> dict[str, int]:
        """Return the table of each player who always sits at the same one."""
        if "fixed" not in data or not self.problems.check_list("fixed", data["fixed"]):
            return {}
        fixed: dict[str, int] = {}
        for i, row in enumerate(data["fixed"]):
            at = f"fixed[{i}]"
            if not self.problems.check_object(at, row, FIXED_KEYS):
                continue
            has_keys = [self.problems.check_key(at, row, key) for key in ("id", "table")]
            if not all(has_keys) or not self._is_known(f"{at}.id", row["id"], known):
                continue
            if row["id"] in fixed:
                template = "“{id}” is fixed twice; remove one."
                self.problems.add(f"{at}.id", "twice", template, id=row["id"])
            fixed[row["id"]] = self._integer(row, "table", 1, MOST_PLAYERS, 1, at)
        return fixed

    # Single values

    def _weights(self, data: dict[str, Any]) -> tuple[str, ...]:
        """Return the order of weights."""
        order = data.get("weights", list(WEIGHTS))
        is_order = type(order) is list and all(type(each) is str for each in order)
        if is_order and sorted(order) == sorted(WEIGHTS):
            return tuple(order)
        template = "Put {weights} in the order of their weight, each once."
        self.problems.add("weights", "weights", template, weights=WEIGHTS)
        return WEIGHTS

    def _choice(self, data: dict[str, Any], key: str, known: Sequence[str], default: str) -> str:
        value = data.get(key, default)
        if type(value) is str and value in known:
            return value
        template = "Choose one of {known}."
        self.problems.add(key, key, template, known=tuple(known))
        return default

    def _boolean(self, data: dict[str, Any], key: str, *, default: bool) -> bool:
        value = data.get(key, default)
        return bool(value) if self.problems.check_boolean(key, value) else default

    def _integer(
        self, data: dict[str, Any], key: str, least: int, most: int, default: int, at: str = ""
    ) -> int:
        """Return an integer within bounds; the default if there is none or it is invalid."""
        value = data.get(key, default)
        if key not in data:
            return default
        place = f"{at}.{key}" if at else key
        return int(value) if self._check_integer(place, value, least, most) else default

    def _check_integer(self, at: str, value: Any, least: int, most: int) -> bool:
        if type(value) is int and least <= value <= most:
            return True
        template = "Write a whole number from {least} to {most} here."
        self.problems.add(at, "number", template, least=least, most=most)
        return False

    def _number(
        self, data: dict[str, Any], key: str, least: int, most: int, default: float, at: str = ""
    ) -> float:
        """Return a number within bounds; the default if there is none or it is invalid."""
        value = data.get(key, default)
        if type(value) in {int, float} and least <= value <= most:
            return float(value) if type(value) is float else int(value)
        place = f"{at}.{key}" if at else key
        template = "Write a number from {least} to {most} here."
        self.problems.add(place, "number", template, least=least, most=most)
        return default
