"""Adapts drawn tables to players who came or left since the draw, with few changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tournaments.draws.bounds import count_meetings
from tournaments.draws.sizes import best_mix

Meetings = Counter[tuple[int, int]]


class Mended(NamedTuple):
    """Tables of ids in seat order, and the playing players who have no seat."""

    tables: list[list[str]]
    sits_out: list[str]


def mend_tables(
    tables: Sequence[Sequence[str]],
    playing: Sequence[str],
    *,
    substitutes: Mapping[str, str],
    sizes: Collection[int],
    other_sessions: Sequence[Sequence[Sequence[str]]] = (),
    met: Sequence[tuple[str, str]] = (),
) -> Mended:
    """Return the tables with seats for the playing players only.

    - A substitute takes the seat of the absent player; `substitutes` is by absent player.
    - Other players who came take empty seats, or join tables that may be larger.
    - A table that is too small gets a player from a table that may be smaller. If there are not
      enough of these, the last table is given up, so that the others keep their numbers: its
      players fill up the tables that are too small, join other tables, or sit out.

    `sizes` are the allowed table sizes. If there is a choice, the player or table is chosen with
    the fewest earlier meetings: in the tables of the `other_sessions`, and of the pairs in `met`.

    >>> six = [list("abcdef"), list("ghijkl")]
    >>> mend_tables(six, "abcdefghijx", substitutes={"l": "x"}, sizes=(5, 6)).tables[1]
    ['g', 'h', 'i', 'j', 'x']
    """
    mending = _Tables(tables, playing, substitutes, sizes, [*other_sessions, met])
    mending.fill_empty_seats()
    mending.give_up_tables()
    mending.mend_sizes()
    mending.seat_the_rest()
    mended = [[mending.ids[player] for player in table] for table in mending.tables]
    sits_out = [mending.ids[player] for player in mending.unseated]
    return Mended([table for table in mended if table], sits_out)


class _Tables:
    """The tables while they change. Players are numbered in the order of `ids`.

    - `seats`: the players of each table in seat order; None for an empty seat
    - `tables`: the same without empty seats
    - `unseated`: the players without a seat
    """

    def __init__(
        self,
        tables: Sequence[Sequence[str]],
        playing: Sequence[str],
        substitutes: Mapping[str, str],
        sizes: Collection[int],
        other_sessions: Sequence[Sequence[Sequence[str]]],
    ) -> None:
        number = {name: i for i, name in enumerate(playing)}
        drawn = {name for table in tables for name in table}
        # A substitute who has a drawn seat keeps that seat.
        substitute_of = {
            absent: substitute
            for absent, substitute in substitutes.items()
            if substitute not in drawn
        }
        self.ids = list(playing)
        self.sizes = set(sizes)
        self.seats = [
            [number.get(substitute_of.get(name, name)) for name in table] for table in tables
        ]
        self.tables = [[player for player in table if player is not None] for table in self.seats]
        seated = {player for table in self.tables for player in table}
        self.unseated = [player for player in range(len(self.ids)) if player not in seated]
        self.met: Meetings = count_meetings(
            [
                [[number[name] for name in table if name in number] for table in session]
                for session in other_sessions
            ]
        )

    def meetings(self, player: int, table: int) -> int:
        return sum(self.met[min(player, other), max(player, other)] for other in self.tables[table])

    def fill_empty_seats(self) -> None:
        """Give unseated players the empty seats, first at tables of a size that is not allowed."""
        by_need = sorted(
            (table for table, players in enumerate(self.seats) for each in players if each is None),
            key=lambda table: (len(self.tables[table]) in self.sizes, table),
        )
        for table in by_need[: len(self.unseated)]:
            player = self._next_player_for(table)
            self.seats[table][self.seats[table].index(None)] = player
            self.tables[table].append(player)
        self.tables = [[each for each in table if each is not None] for table in self.seats]

    def give_up_tables(self) -> None:
        """Unseat the players of the last table while there are too few to fill up the others."""
        while sum(map(self._missing, self.tables)) > (
            len(self.unseated) + len(self._resizable_tables(-1))
        ):
            last = max(table for table, players in enumerate(self.tables) if players)
            self.unseated += self.tables[last]
            self.seats[last] = []
            self.fill_empty_seats()

    def mend_sizes(self) -> None:
        """Fill up each table of a size that is not allowed, from those without a seat or elsewhere.

        The last players of a table that is too large are unseated.
        """
        for table, players in enumerate(self.tables):
            for _ in range(self._missing(players)):
                if self.unseated:
                    players.append(self._next_player_for(table))
                else:
                    self._move_player_to(table)
            largest = max(self.sizes)
            self.unseated += players[largest:]
            del players[largest:]

    def _next_player_for(self, table: int) -> int:
        """Take the player with the fewest meetings at a table from those without a seat."""
        player = min(self.unseated, key=lambda each: self.meetings(each, table))
        self.unseated.remove(player)
        return player

    def _missing(self, players: Sequence[int]) -> int:
        """Return how many players a table lacks for the next allowed size; 0 if none is larger."""
        if not players or len(players) in self.sizes:
            return 0
        larger = [size for size in self.sizes if size > len(players)]
        return min(larger, default=len(players)) - len(players)

    def _resizable_tables(self, change: int) -> list[int]:
        """Return the tables of an allowed size that may have one player more (1) or fewer (-1)."""
        return [
            table
            for table, players in enumerate(self.tables)
            if {len(players), len(players) + change} <= self.sizes
        ]

    def _move_player_to(self, table: int) -> None:
        """Move the player with the fewest meetings here from a table that may be smaller."""
        choices = [
            (player, other) for other in self._resizable_tables(-1) for player in self.tables[other]
        ]
        player, other = min(choices, key=lambda each: self.meetings(each[0], table))
        self.tables[other].remove(player)
        self.tables[table].append(player)

    def seat_the_rest(self) -> None:
        """Seat unseated players at tables that may be larger, and the others at new tables.

        Players who do not fill a table remain unseated.
        """
        for player in list(self.unseated):
            if tables := self._resizable_tables(1):
                table = min(tables, key=lambda each: self.meetings(player, each))
                self.unseated.remove(player)
                self.tables[table].append(player)
        for size in best_mix(len(self.unseated), list(self.sizes)):
            self.tables.append(self.unseated[:size])
            self.unseated = self.unseated[size:]


def count_seat_changes(
    drawn: Sequence[Sequence[str]], tables: Sequence[Sequence[str | None]]
) -> int:
    """Return the number of players whose table or seat is not the drawn one.

    A player who is only in one of the two counts, too. None is an empty seat.

    >>> count_seat_changes([["1", "2"], ["3", "4"]], [["1", "3"], ["2"]])
    3
    """
    before, after = _seat_by_player(drawn), _seat_by_player(tables)
    return sum(before.get(key) != after.get(key) for key in before.keys() | after.keys())


def _seat_by_player(tables: Sequence[Sequence[str | None]]) -> dict[str, tuple[int, int]]:
    """Return the numbers of table and seat by player, counted from 0."""
    seats = ((key, (t, s)) for t, table in enumerate(tables) for s, key in enumerate(table))
    return {key: seat for key, seat in seats if key is not None}
