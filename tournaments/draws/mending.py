"""Drawn tables with as few changes as possible, where players came or left since the draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tournaments.draws.bounds import count_meetings
from tournaments.draws.sizes import best_mix

Meetings = Counter[tuple[int, int]]


class Mended(NamedTuple):
    """Tables of ids in seat order, and who of those playing has no seat."""

    tables: list[list[str]]
    sits_out: list[str]


def mend_tables(
    tables: Sequence[Sequence[str]],
    playing: Sequence[str],
    *,
    instead: Mapping[str, str],
    sizes: Collection[int],
    others: Sequence[Sequence[Sequence[str]]] = (),
) -> Mended:
    """Return the tables with seats for those who play only.

    `instead` has who plays for whom, and takes that seat. Whoever else came takes an empty seat,
    or joins a table that may be larger. A table that has become too small gets a player from one
    that may be smaller, or is given up: its players join others, or sit out. Of several players or
    tables that one is taken where players have met least in the `others`, the tables of further
    sessions.

    >>> six = [list("abcdef"), list("ghijkl")]
    >>> mend_tables(six, "abcdefghijx", instead={"l": "x"}, sizes=(5, 6)).tables[1]
    ['g', 'h', 'i', 'j', 'x']
    """
    board = _Tables(tables, playing, instead, sizes, others)
    board.fill_empty_seats()
    board.mend_sizes()
    board.seat_the_rest()
    kept = [[board.ids[player] for player in table] for table in board.tables]
    return Mended([table for table in kept if table], [board.ids[each] for each in board.waiting])


class _Tables:
    """Tables of players in numbers, while they change; `waiting` have no seat yet."""

    def __init__(
        self,
        tables: Sequence[Sequence[str]],
        playing: Sequence[str],
        instead: Mapping[str, str],
        sizes: Collection[int],
        others: Sequence[Sequence[Sequence[str]]],
    ) -> None:
        number = {name: i for i, name in enumerate(playing)}
        planned = {name for table in tables for name in table}
        stands_in = {one: other for one, other in instead.items() if other not in planned}
        seated = [[number.get(stands_in.get(name, name)) for name in table] for table in tables]
        self.ids = list(playing)
        self.sizes = set(sizes)
        self.free = [sum(player is None for player in table) for table in seated]
        self.tables = [[player for player in table if player is not None] for table in seated]
        self.seats = seated
        everybody = {player for table in self.tables for player in table}
        self.waiting = [player for player in range(len(self.ids)) if player not in everybody]
        self.met: Meetings = count_meetings(
            [
                [[number[name] for name in table if name in number] for table in session]
                for session in others
            ]
        )

    def meetings(self, player: int, table: int) -> int:
        """Return how often a player has met those at a table."""
        return sum(self.met[min(player, other), max(player, other)] for other in self.tables[table])

    def fill_empty_seats(self) -> None:
        """Give those who wait the seats of those who left, at the tables short of players first."""
        by_need = sorted(
            (table for table, free in enumerate(self.free) for _ in range(free)),
            key=lambda table: (len(self.tables[table]) in self.sizes, table),
        )
        for table in by_need:
            if not self.waiting:
                break
            player = min(self.waiting, key=lambda each: self.meetings(each, table))
            self.waiting.remove(player)
            self.seats[table][self.seats[table].index(None)] = player
            self.tables[table].append(player)
        self.tables = [[each for each in table if each is not None] for table in self.seats]

    def mend_sizes(self) -> None:
        """Mend the tables of a size that is not allowed, as far as possible."""
        for table, players in enumerate(self.tables):
            if players and len(players) not in self.sizes:
                larger = [size for size in self.sizes if size > len(players)]
                missing = min(larger, default=len(players)) - len(players)
                if missing and len(self._tables_with(-1)) >= missing:
                    for _ in range(missing):
                        self._bring_somebody(table)
                else:
                    self.waiting += players
                    players.clear()

    def _tables_with(self, change: int) -> list[int]:
        """Return the tables that may have one player more (1) or fewer (-1)."""
        return [
            table
            for table, players in enumerate(self.tables)
            if {len(players), len(players) + change} <= self.sizes
        ]

    def _bring_somebody(self, table: int) -> None:
        """Move a player here from a table that may be smaller."""
        choices = [
            (player, other) for other in self._tables_with(-1) for player in self.tables[other]
        ]
        player, other = min(choices, key=lambda each: self.meetings(each[0], table))
        self.tables[other].remove(player)
        self.tables[table].append(player)

    def seat_the_rest(self) -> None:
        """Let those who wait join tables that may be larger, or fill tables of their own."""
        for player in list(self.waiting):
            if room := self._tables_with(1):
                table = min(room, key=lambda each: self.meetings(player, each))
                self.waiting.remove(player)
                self.tables[table].append(player)
        for size in best_mix(len(self.waiting), list(self.sizes)):
            self.tables.append(self.waiting[:size])
            self.waiting = self.waiting[size:]


def places_changed(drawn: Sequence[Sequence[str]], tables: Sequence[Sequence[str]]) -> int:
    """Return how many players sit elsewhere than drawn, or in one of the two only.

    >>> places_changed([["1", "2"], ["3", "4"]], [["1", "3"], ["2"]])
    3
    """
    before, after = _places(drawn), _places(tables)
    return sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())


def _places(tables: Sequence[Sequence[str]]) -> dict[str, tuple[int, int]]:
    """Return table and seat of each player, counted from 0."""
    return {key: (t, s) for t, table in enumerate(tables) for s, key in enumerate(table)}
