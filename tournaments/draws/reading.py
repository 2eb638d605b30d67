"""Reads a request from a decoded JSON document, or all its problems at once.

Each part is checked by itself; then `checks` checks a request with valid parts as a whole.
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
    MOST_MET,
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
    {"players", "sizes", "tables", "sessions", "method", "history", "met", "movement", "apart"}
    | {"fixed", "weights", "clubs", "window", "seed", "seconds", "steps"}
)
COUNTS = ("sat_out", "small_tables", "first_seats")
PLAYER_KEYS = frozenset({"id", "club", "points", "group", *COUNTS})
FIXED_KEYS = frozenset({"id", "table"})
LARGEST_SEED = 2**63


def read_request(document: Any, new_seed: int = 0) -> Request:
    """Return the request in a document; `new_seed` is the seed of a document without one.

    Raises `InvalidRequest` with every problem.
    """
    reader = _Reader()
    if reader.problems.check_object("", document, KEYS):
        request = reader.read(document, new_seed)
        if request is not None:
            return request
    raise InvalidRequest(reader.problems.listed, reader.problems.unlisted)


class _Reader:
    """Reads the parts of a document.

    Each method adds the problems of its part to `problems`, and returns a default, or only the
    valid items, for an invalid part. `at` is the path of a value in the document.
    """

    def __init__(self) -> None:
        self.problems = Problems()

    def read(self, data: dict[str, Any], new_seed: int) -> Request | None:
        players = self._read_players(data)
        sizes, mix = self._read_sizes(data), self._read_mix(data)
        self._check_sizes_or_mix(data, sizes, mix)
        method = self._read_choice(data, "method", METHODS, "fewest_repeats")
        movement = self._read_sessions(data, "movement")
        self._check_keys_of_method(data, method)
        request = Request(
            players=players,
            sizes=sizes,
            mix=mix,
            seed=self._read_integer(
                data, "seed", least=1 - LARGEST_SEED, most=LARGEST_SEED - 1, default=new_seed
            ),
            sessions=self._read_integer(
                data, "sessions", least=1, most=MOST_SESSIONS, default=len(movement) or 1
            ),
            method=method,
            history=self._read_sessions(data, "history"),
            met=self._read_met(data),
            movement=movement,
            apart=self._read_apart(data, {player.id for player in players}),
            fixed=self._read_fixed(data, {player.id for player in players}),
            weights=self._read_weights(data),
            clubs=self._read_boolean(data, "clubs", default=method not in {"lot", "fixed"}),
            window=self._read_integer(data, "window", least=0, most=MOST_PLAYERS, default=-1)
            if "window" in data
            else None,
            seconds=self._read_number(data, "seconds", 0, MOST_SECONDS, 5),
            steps=self._read_integer(data, "steps", least=0, most=MOST_STEPS, default=0)
            if "steps" in data
            else None,
        )
        if not self.problems.count:
            check(self.problems, request)
        return None if self.problems.count else request

    def _check_keys_of_method(self, data: dict[str, Any], method: str) -> None:
        """Add a problem for a key that only another method reads, and for a missing movement."""
        for key, only_method in (("window", "level"), ("movement", "fixed")):
            if key in data and method != only_method:
                template = "“{key}” is read with the method “{method}” only; remove it."
                self.problems.add(key, "unknown_key", template, key=key, method=only_method)
        if method == "fixed":
            self.problems.check_key("", data, "movement")

    def _check_sizes_or_mix(
        self, data: dict[str, Any], sizes: Sequence[int], mix: Sequence[int]
    ) -> None:
        """Add a problem unless one of `sizes` and `tables` is given, and a table can be filled."""
        players = len(data["players"]) if type(data.get("players")) is list else 0
        add = self.problems.add
        if ("sizes" in data) == ("tables" in data):
            add("sizes", "missing", "Give either “sizes” or “tables”.")
        elif sizes and players and min(sizes) > players:
            template = "{count} players do not fill a table of {size}; add players or a size."
            add("sizes", "sizes", template, count=players, size=min(sizes))
        elif mix and players and sum(mix) > players:
            template = "These tables have {seats} seats for {count} players; remove tables."
            add("tables", "sizes", template, count=players, seats=sum(mix))

    # Players

    def _read_players(self, data: dict[str, Any]) -> list[Player]:
        """Return the valid players; none if the list is missing, too short or too long."""
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
            if (player := self._read_player(f"players[{i}]", row, seen)) is not None
        ]

    def _read_player(self, at: str, row: Any, seen: set[str]) -> Player | None:
        """Return one player; None if the id is missing, invalid or in `seen`. Adds it to `seen`."""
        if not self.problems.check_object(at, row, PLAYER_KEYS):
            return None
        if not self.problems.check_key(at, row, "id"):
            return None
        name = row["id"]
        if not self._check_id(f"{at}.id", name):
            return None
        if name in seen:
            self.problems.add(f"{at}.id", "twice", "“{id}” stands here twice; remove one.", id=name)
            return None
        seen.add(name)
        club, group = (self._read_text(row, key, at) for key in ("club", "group"))
        points = self._read_number(row, "points", -MOST_POINTS, MOST_POINTS, 0, at)
        counts = {
            key: self._read_integer(row, key, least=0, most=MOST_BEFORE, default=0, at=at)
            for key in COUNTS
        }
        return Player(name, club, points, group=group, **counts)

    def _read_text(self, row: dict[str, Any], key: str, at: str) -> str:
        """Return an empty text if the key is missing or invalid."""
        value = row.get(key, "")
        if type(value) is str and len(value) <= LONGEST_TEXT:
            return value
        template = "Write the {key} as a text of at most {most} characters."
        self.problems.add(f"{at}.{key}", "type", template, key=key, most=LONGEST_TEXT)
        return ""

    def _check_id(self, at: str, data: Any) -> bool:
        """Add a problem unless the data is an id, a text; return whether it is."""
        if type(data) is str and 0 < len(data) <= LONGEST_TEXT:
            return True
        template = "Write an id here: a text of 1 to {most} characters."
        self.problems.add(at, "type", template, most=LONGEST_TEXT)
        return False

    # Tables and sessions

    def _read_sizes(self, data: dict[str, Any]) -> list[int]:
        """Return the allowed table sizes, smallest first, each once."""
        return sorted(set(self._read_table_sizes(data, "sizes", MOST_SIZES)))

    def _read_mix(self, data: dict[str, Any]) -> list[int]:
        """Return the sizes of the tables that the director chose, largest first."""
        return sorted(self._read_table_sizes(data, "tables", MOST_PLAYERS), reverse=True)

    def _read_table_sizes(self, data: dict[str, Any], key: str, most: int) -> list[int]:
        """Return a list of 1 to `most` table sizes; empty if the key is missing or invalid."""
        if key not in data or not self.problems.check_list(key, data[key]):
            return []
        if not 1 <= len(data[key]) <= most:
            template = "Give 1 to {most} sizes here, not {count}."
            self.problems.add(key, "sizes", template, most=most, count=len(data[key]))
            return []
        count_before = self.problems.count
        for i, size in enumerate(data[key]):
            self._check_integer(f"{key}[{i}]", size, SIZES[0], SIZES[-1])
        return list(data[key]) if self.problems.count == count_before else []

    def _read_sessions(self, data: dict[str, Any], key: str) -> list[Tables]:
        """Return the sessions of `history` or `movement`, as tables of ids.

        An id need not be that of a player. An id twice in one session is a problem.
        """
        if key not in data or not self.problems.check_list(key, data[key]):
            return []
        if len(data[key]) > MOST_SESSIONS:
            template = "Give at most {most} sessions here, not {count}."
            self.problems.add(key, "sessions", template, most=MOST_SESSIONS, count=len(data[key]))
            return []
        return [
            self._read_session(f"{key}[{i}]", session)
            for i, session in enumerate(data[key])
            if self.problems.check_list(f"{key}[{i}]", session)
        ]

    def _read_session(self, at: str, tables: list[Any]) -> Tables:
        seen: set[str] = set()
        return tuple(
            tuple(self._read_table(f"{at}[{i}]", table, seen))
            for i, table in enumerate(tables)
            if self.problems.check_list(f"{at}[{i}]", table)
        )

    def _read_table(self, at: str, ids: list[Any], seen: set[str]) -> list[str]:
        """Return the ids at one table, and add them to `seen`: those of the session so far."""
        if len(ids) > SIZES[-1]:
            template = "At most {most} players sit at a table, not {count}."
            self.problems.add(at, "sizes", template, most=SIZES[-1], count=len(ids))
            return []
        table = []
        for i, name in enumerate(ids):
            if not self._check_id(f"{at}[{i}]", name):
                continue
            if name in seen:
                template = "“{id}” sits here twice in one session; remove one."
                self.problems.add(f"{at}[{i}]", "twice", template, id=name)
            seen.add(name)
            table.append(name)
        return table

    def _read_met(self, data: dict[str, Any]) -> list[tuple[str, str]]:
        """Return the pairs of `met`. An id need not be that of a player."""
        if "met" not in data or not self.problems.check_list("met", data["met"]):
            return []
        if len(data["met"]) > MOST_MET:
            template = "Give at most {most} pairs here, not {count}."
            self.problems.add("met", "met", template, most=MOST_MET, count=len(data["met"]))
            return []
        pairs = []
        for i, pair in enumerate(data["met"]):
            at = f"met[{i}]"
            if not self.problems.check_list(at, pair):
                continue
            if len(pair) != 2 or pair[0] == pair[1]:
                self.problems.add(at, "met", "Name two different players who have met.")
                continue
            are_ids = [self._check_id(f"{at}[{j}]", name) for j, name in enumerate(pair)]
            if all(are_ids):
                pairs.append((pair[0], pair[1]))
        return pairs

    # Who is kept apart, and fixed

    def _read_apart(self, data: dict[str, Any], player_ids: set[str]) -> list[tuple[str, str]]:
        """Return the pairs of ids that are kept apart: each two ids of each list."""
        if "apart" not in data or not self.problems.check_list("apart", data["apart"]):
            return []
        pairs: dict[tuple[str, str], None] = {}
        for i, group in enumerate(data["apart"]):
            if not self.problems.check_list(f"apart[{i}]", group):
                continue
            ids = [
                x
                for j, x in enumerate(group)
                if self._check_player_id(f"apart[{i}][{j}]", x, player_ids)
            ]
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

    def _check_player_id(self, at: str, data: Any, player_ids: set[str]) -> bool:
        if not self._check_id(at, data):
            return False
        if data not in player_ids:
            template = "“{id}” is not among the players; correct or remove it."
            self.problems.add(at, "unknown_player", template, id=data)
        return data in player_ids

    def _read_fixed(self, data: dict[str, Any], player_ids: set[str]) -> dict[str, int]:
        """Return the table numbers, from 1, by id of the players who are fixed to a table."""
        if "fixed" not in data or not self.problems.check_list("fixed", data["fixed"]):
            return {}
        fixed: dict[str, int] = {}
        for i, row in enumerate(data["fixed"]):
            at = f"fixed[{i}]"
            if not self.problems.check_object(at, row, FIXED_KEYS):
                continue
            has_keys = [self.problems.check_key(at, row, key) for key in ("id", "table")]
            if not all(has_keys) or not self._check_player_id(f"{at}.id", row["id"], player_ids):
                continue
            if row["id"] in fixed:
                template = "“{id}” is fixed twice; remove one."
                self.problems.add(f"{at}.id", "twice", template, id=row["id"])
            fixed[row["id"]] = self._read_integer(
                row, "table", least=1, most=MOST_PLAYERS, default=1, at=at
            )
        return fixed

    # Single values

    def _read_weights(self, data: dict[str, Any]) -> tuple[str, ...]:
        order = data.get("weights", list(WEIGHTS))
        is_order = type(order) is list and all(type(each) is str for each in order)
        if is_order and sorted(order) == sorted(WEIGHTS):
            return tuple(order)
        template = "Put {weights} in the order of their weight, each once."
        self.problems.add("weights", "weights", template, weights=WEIGHTS)
        return WEIGHTS

    def _read_choice(
        self, data: dict[str, Any], key: str, known: Sequence[str], default: str
    ) -> str:
        value = data.get(key, default)
        if type(value) is str and value in known:
            return value
        template = "Choose one of {known}."
        self.problems.add(key, key, template, known=tuple(known))
        return default

    def _read_boolean(self, data: dict[str, Any], key: str, *, default: bool) -> bool:
        value = data.get(key, default)
        return bool(value) if self.problems.check_boolean(key, value) else default

    def _read_integer(
        self, data: dict[str, Any], key: str, *, least: int, most: int, default: int, at: str = ""
    ) -> int:
        value = data.get(key, default)
        if key not in data:
            return default
        path = f"{at}.{key}" if at else key
        return int(value) if self._check_integer(path, value, least, most) else default

    def _check_integer(self, at: str, value: Any, least: int, most: int) -> bool:
        if type(value) is int and least <= value <= most:
            return True
        template = "Write a whole number from {least} to {most} here."
        self.problems.add(at, "number", template, least=least, most=most)
        return False

    def _read_number(
        self, data: dict[str, Any], key: str, least: int, most: int, default: float, at: str = ""
    ) -> float:
        value = data.get(key, default)
        if type(value) in {int, float} and least <= value <= most:
            return float(value) if type(value) is float else int(value)
        path = f"{at}.{key}" if at else key
        template = "Write a number from {least} to {most} here."
        self.problems.add(path, "number", template, least=least, most=most)
        return default
