"""Tables for those who are kept apart or fixed, then for everybody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from scoring.problems import Problem
from scoring.translation import gettext_noop as _
from tournaments.draws.plan import Plan, Session
from tournaments.draws.requests import InvalidRequest

MOST_TRIES = 20_000
NOT_APART = _(
    "Session {session} has no tables that keep everybody apart; remove pairs from “apart”."
)


class Room:
    """Free seats; where there are pots, each table has one seat for each pot."""

    def __init__(self, mix: Sequence[int], pots: Sequence[int] | None) -> None:
        """`pots` has the pot of each player, or there are none."""
        self.pots = pots
        self.seats: dict[tuple[int, int], int] = {}
        for table, size in enumerate(mix):
            if pots is None:
                self.seats[0, table] = size
            else:
                self.seats |= {(pot, table): 1 for pot in range(size)}

    def key(self, player: int, table: int) -> tuple[int, int]:
        """Return what a player takes a seat of."""
        return (self.pots[player] if self.pots else 0, table)

    def is_free(self, player: int, table: int) -> bool:
        """Return whether the table has a seat for the player."""
        return self.seats.get(self.key(player, table), 0) > 0

    def take(self, player: int, table: int, seats: int = 1) -> None:
        """Take the seat; -1 gives it back."""
        self.seats[self.key(player, table)] -= seats


def place(
    plan: Plan,
    session: int,
    order: Sequence[int],
    rng: Random,
    *,
    pots: Sequence[int] | None = None,
    preferred: Callable[[int], Sequence[int]] | None = None,
) -> Session:
    """Return tables for one session, filled from the first in the order of the players.

    Players who are kept apart get the first table that suits of those in the order `preferred`, by
    default any. Raises `InvalidRequest` if not even they can be seated.
    """
    room = Room(plan.mix, pots)
    neighbours: dict[int, set[int]] = {}
    playing = set(order)
    for one, two in plan.apart:
        if one in playing and two in playing:
            neighbours.setdefault(one, set()).add(two)
            neighbours.setdefault(two, set()).add(one)
    table_of: dict[int, int] = {}
    first = [player for player in order if player in plan.fixed]
    for player in first:
        _check_fixed(plan, room, player)
        room.take(player, plan.fixed[player])
        table_of[player] = plan.fixed[player]
    careful = sorted(
        (player for player in order if player in neighbours and player not in plan.fixed),
        key=lambda player: -len(neighbours[player]),
    )
    if not _keep_apart(table_of, careful, neighbours, room, _choices(plan, rng, preferred)):
        problem = Problem("apart", "apart", NOT_APART, {"session": session + 1})
        raise InvalidRequest([problem])
    _fill(table_of, order, room, len(plan.mix))
    tables: Session = [[] for _ in plan.mix]
    for player in order:
        tables[table_of[player]].append(player)
    return tables


def _check_fixed(plan: Plan, room: Room, player: int) -> None:
    """Raise `InvalidRequest` unless the player's fixed table has a seat left."""
    if not room.is_free(player, plan.fixed[player]):
        name = plan.request.players[player].id
        template = _("“{id}” finds no seat at table {table}; fix fewer players to it.")
        params = {"id": name, "table": plan.fixed[player] + 1}
        raise InvalidRequest([Problem("fixed", "fixed", template, params)])


def _choices(
    plan: Plan, rng: Random, preferred: Callable[[int], Sequence[int]] | None
) -> Callable[[int], Sequence[int]]:
    """Return what gives the tables to try for a player."""

    def any_order(_player: int) -> Sequence[int]:
        tables = list(range(len(plan.mix)))
        rng.shuffle(tables)
        return tables

    return preferred or any_order


def _keep_apart(
    table_of: dict[int, int],
    careful: Sequence[int],
    neighbours: dict[int, set[int]],
    room: Room,
    choices: Callable[[int], Sequence[int]],
) -> bool:
    """Seat these players apart from their neighbours, going back where one finds no table.

    Return whether that succeeded, within `MOST_TRIES` for each player.
    """
    if any(
        table_of.get(one, -1) == table_of.get(two, -2)
        for one in neighbours
        for two in neighbours[one]
    ):
        return False
    left = {player: iter(choices(player)) for player in careful[:1]}
    tries, at = 0, 0
    while 0 <= at < len(careful) and tries < MOST_TRIES + 10 * len(careful):
        player, tries = careful[at], tries + 1
        if player in table_of:  # come back to: its table led nowhere
            room.take(player, table_of.pop(player), -1)
        taken = {table_of[each] for each in neighbours[player] if each in table_of}
        for table in left[player]:
            if table not in taken and room.is_free(player, table):
                room.take(player, table)
                table_of[player] = table
                at += 1
                if at < len(careful):
                    left[careful[at]] = iter(choices(careful[at]))
                break
        else:
            at -= 1
    return at == len(careful)


def _fill(table_of: dict[int, int], order: Sequence[int], room: Room, tables: int) -> None:
    """Give everybody else the first free seat."""
    first: dict[int, int] = {}  # by pot: the tables before have no seat left
    for player in order:
        if player not in table_of:
            pot = room.pots[player] if room.pots else 0
            table = first.get(pot, 0)
            while table < tables and not room.is_free(player, table):
                table += 1
            first[pot] = table
            room.take(player, table)
            table_of[player] = table
