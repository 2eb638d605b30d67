"""Seats the players of one session: first who is fixed or kept apart, then everybody else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from scoring.problems import Problem
from scoring.translation import gettext_noop as _
from tournaments.draws.plan import Plan, Session
from tournaments.draws.requests import InvalidRequest

MOST_TRIES = 20_000  # of seating players who are kept apart, and 10 more for each of them
NOT_APART = _("In session {session}, no tables keep everybody apart; remove pairs from “apart”.")


class FreeSeats:
    """The free seats of each table. With pots, a table has one seat for a player of each pot."""

    def __init__(self, mix: Sequence[int], pots: Sequence[int] | None) -> None:
        """`pots` has the pot of each player; None without pots."""
        self.pots = pots
        self.seats: dict[tuple[int, int], int] = {}
        for table, size in enumerate(mix):
            if pots is None:
                self.seats[0, table] = size
            else:
                self.seats |= {(pot, table): 1 for pot in range(size)}

    def _key(self, player: int, table: int) -> tuple[int, int]:
        """Return the key of `seats` for this player: the pot (0 without pots) and the table."""
        return (self.pots[player] if self.pots else 0, table)

    def is_free(self, player: int, table: int) -> bool:
        return self.seats.get(self._key(player, table), 0) > 0

    def take(self, player: int, table: int) -> None:
        self.seats[self._key(player, table)] -= 1

    def give_back(self, player: int, table: int) -> None:
        self.seats[self._key(player, table)] += 1


def seat_players(
    plan: Plan,
    session: int,
    order: Sequence[int],
    rng: Random,
    *,
    pots: Sequence[int] | None = None,
    preferred: Callable[[int], Sequence[int]] | None = None,
) -> Session:
    """Return the tables of one session for the players in `order`, filled from the first table.

    Before that, fixed players are seated, and players who are kept apart. These try the tables in
    the order that `preferred` returns for a player; by default, in random order. `pots` has the pot
    of each player. Raises `InvalidRequest` if these players cannot all be seated.
    """
    free_seats = FreeSeats(plan.mix, pots)
    forbidden = _forbidden_neighbours(plan, set(order))
    table_of: dict[int, int] = {}
    for player in order:
        if player not in plan.fixed:
            continue
        _check_fixed(plan, free_seats, player)
        free_seats.take(player, plan.fixed[player])
        table_of[player] = plan.fixed[player]
    kept_apart = sorted(
        (player for player in order if player in forbidden and player not in plan.fixed),
        key=lambda player: -len(forbidden[player]),
    )
    tables_to_try = _tables_to_try(plan, rng, preferred)
    if not _keep_apart(table_of, kept_apart, forbidden, free_seats, tables_to_try):
        problem = Problem("apart", "apart", NOT_APART, {"session": session + 1})
        raise InvalidRequest([problem])
    _fill(table_of, order, free_seats, len(plan.mix))
    tables: Session = [[] for _ in plan.mix]
    for player in order:
        tables[table_of[player]].append(player)
    return tables


def _forbidden_neighbours(plan: Plan, playing: set[int]) -> dict[int, set[int]]:
    """Return, for each player kept apart, the others with whom no table may be shared.

    Players who do not play in the session are left out.
    """
    forbidden: dict[int, set[int]] = {}
    for one, two in plan.apart:
        if one in playing and two in playing:
            forbidden.setdefault(one, set()).add(two)
            forbidden.setdefault(two, set()).add(one)
    return forbidden


def _check_fixed(plan: Plan, free_seats: FreeSeats, player: int) -> None:
    """Raises `InvalidRequest` unless the player's fixed table has a seat left."""
    if not free_seats.is_free(player, plan.fixed[player]):
        name = plan.request.players[player].id
        template = _("There is no seat for “{id}” at table {table}; fix fewer players to it.")
        params = {"id": name, "table": plan.fixed[player] + 1}
        raise InvalidRequest([Problem("fixed", "fixed", template, params)])


def _tables_to_try(
    plan: Plan, rng: Random, preferred: Callable[[int], Sequence[int]] | None
) -> Callable[[int], Sequence[int]]:
    """Return a function from a player to the tables to try: `preferred`, or a random order."""

    def any_order(_player: int) -> Sequence[int]:
        tables = list(range(len(plan.mix)))
        rng.shuffle(tables)
        return tables

    return preferred or any_order


def _keep_apart(
    table_of: dict[int, int],
    players: Sequence[int],
    forbidden: dict[int, set[int]],
    free_seats: FreeSeats,
    tables_to_try: Callable[[int], Sequence[int]],
) -> bool:
    """Seat the players in `table_of`, none with a `forbidden` neighbour, by backtracking.

    Return whether that succeeded. It fails after too many tries.
    """
    untried = {player: iter(tables_to_try(player)) for player in players[:1]}
    tries, index = 0, 0
    while 0 <= index < len(players) and tries < MOST_TRIES + 10 * len(players):
        player, tries = players[index], tries + 1
        if player in table_of:  # back at this player: the next one found no table
            free_seats.give_back(player, table_of.pop(player))
        forbidden_tables = {table_of[each] for each in forbidden[player] if each in table_of}
        for table in untried[player]:
            if table not in forbidden_tables and free_seats.is_free(player, table):
                free_seats.take(player, table)
                table_of[player] = table
                index += 1
                if index < len(players):
                    untried[players[index]] = iter(tables_to_try(players[index]))
                break
        else:
            index -= 1
    return index == len(players)


def _fill(
    table_of: dict[int, int], order: Sequence[int], free_seats: FreeSeats, tables: int
) -> None:
    """Seat everybody who has no table yet at the first table with a free seat."""
    first_free: dict[int, int] = {}  # by pot: all tables before this one are full
    for player in order:
        if player not in table_of:
            pot = free_seats.pots[player] if free_seats.pots else 0
            table = first_free.get(pot, 0)
            while table < tables and not free_seats.is_free(player, table):
                table += 1
            first_free[pot] = table
            free_seats.take(player, table)
            table_of[player] = table
