"""Assigns players to the cells of a design.

Without a history, cells are chosen so that clubmates and players kept apart do not meet. With one,
each player gets the cell that agrees best with the tables of the history. So sessions drawn from a
design can be continued from it, even after players came, left or changed tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from tournaments.draws.designs import Design
from tournaments.draws.plan import Plan, Schedule, Session

REALIGNMENTS = 3  # times that cells are assigned by the history, and its tables identified anew
EMPTY = -1  # the player of a cell that nobody has
MOST_ROUNDS = 200  # passes over all players
KEPT_APART = 1000  # the weight of a pair that is kept apart; clubmates have the weight 1


def with_fitting_sit_outs(plan: Plan, design: Design, players: Sequence[int], rng: Random) -> Plan:
    """Return the plan with sit-outs that fit the design: players at its overfull tables.

    As in any draw, only players who sat out least often sit out. `players` has the player of each
    cell.
    """
    sit_outs, seated = list(plan.sit_outs_before), []
    sessions = design.sessions[len(plan.history) :]
    for index in range(len(plan.seated)):
        table_by_cell = sessions[index] if index < len(sessions) else ()
        sitting_out = _choose_sit_outs(plan, table_by_cell, players, sit_outs, rng)
        seated.append(sorted(set(range(plan.size)).difference(sitting_out)))
        for player in sitting_out:
            sit_outs[player] += 1
    return replace(plan, seated=seated)


def _choose_sit_outs(
    plan: Plan,
    table_by_cell: Sequence[int],
    players: Sequence[int],
    sit_outs: Sequence[int],
    rng: Random,
) -> list[int]:
    """Return who sits out a session: of the players with the fewest sit-outs, who fits it worst.

    Players without a cell are chosen first, then players at the table with the most players.
    `table_by_cell` is empty if the design has no such session.
    """
    table_of = dict(zip(players, table_by_cell, strict=False))
    players_at = Counter(table for player, table in table_of.items() if player != EMPTY)
    players_at[EMPTY] = plan.size  # as if all players without a cell shared the largest table
    order = list(range(plan.size))
    rng.shuffle(order)
    sitting_out: list[int] = []
    for _ in range(plan.size - sum(plan.mix)):
        player = min(
            (each for each in order if each not in sitting_out),
            key=lambda each: (sit_outs[each], -players_at[table_of.get(each, EMPTY)]),
        )
        players_at[table_of.get(player, EMPTY)] -= 1
        sitting_out.append(player)
    return sitting_out


def schedule_by_design(
    plan: Plan, design: Design, players: Sequence[int], fallback: Schedule, rng: Random
) -> Schedule | None:
    """Return a schedule by the design's sessions after those of the history; None if it has none.

    `players` has the player of each cell. If the design has too few sessions, the last ones are
    those of `fallback`. All tables have the sizes of the mix. There may be repeats if players sit
    out, or have other cells than in the history.
    """
    sessions = design.sessions[len(plan.history) :]
    if not sessions:
        return None
    drawn = [
        _session_by_design(plan, tables, players, set(seated), rng)
        for tables, seated in zip(sessions, plan.seated, strict=False)
    ]
    return drawn + fallback[len(drawn) :]


def players_of_cells(plan: Plan, design: Design, rng: Random) -> list[int]:
    """Return the player of each cell, or EMPTY. With more players than cells, some have no cell."""
    order = list(range(plan.size))
    rng.shuffle(order)
    cells = list(range(len(design.sessions[0])))
    if not plan.history:
        players = [*order, *[EMPTY] * len(cells)][: len(cells)]
        if plan.apart or plan.clubs:
            _part_unwanted_pairs(plan, design, players, rng)
        return players
    # By session and table of the history: the number of this table in the design.
    design_tables = [list(range(len(session))) for session in plan.history]
    for _ in range(REALIGNMENTS):
        cell_of = _cells_by_history(plan, design, design_tables, order, rng)
        _identify_tables(plan, design, design_tables, cell_of)
    players = [EMPTY] * len(cells)
    for player, cell in cell_of.items():
        players[cell] = player
    without_cell = [player for player in order if player not in cell_of]
    for cell in cells:
        if players[cell] == EMPTY and without_cell:
            players[cell] = without_cell.pop()
    return players


def _part_unwanted_pairs(plan: Plan, design: Design, players: list[int], rng: Random) -> None:
    """Move players to other cells, so that no unwanted pair shares a table in the drawn sessions.

    `players` has the player of each cell, and is changed in place. Each player who meets an
    unwanted one changes places with a random player, unless that makes it worse for the two. This
    ends after `MOST_ROUNDS` passes, with the pairs that are left.
    """
    weights = _weights_of_unwanted_pairs(plan)
    neighbours = _neighbours(design.sessions[: len(plan.seated)], len(players))

    def unwanted_at(cell: int) -> int:
        """Return the weight of the unwanted pairs that the player of a cell is in."""
        unwanted = weights.get(players[cell], {})
        return sum(unwanted.get(players[other], 0) for other in neighbours[cell])

    for _ in range(MOST_ROUNDS):
        cells = [cell for cell in range(len(players)) if unwanted_at(cell)]
        for one in cells:
            two = rng.randrange(len(players))
            before = unwanted_at(one) + unwanted_at(two)
            players[one], players[two] = players[two], players[one]
            if unwanted_at(one) + unwanted_at(two) > before:
                players[one], players[two] = players[two], players[one]
        if not cells:
            return


def _neighbours(sessions: Sequence[Sequence[int]], cells: int) -> list[list[int]]:
    """Return for each cell the other cells at its table, of all sessions one after the other."""
    neighbours: list[list[int]] = [[] for _ in range(cells)]
    for table_by_cell in sessions:
        cells_at = _cells_by_table(table_by_cell)
        for cell, table in enumerate(table_by_cell):
            neighbours[cell] += [other for other in cells_at[table] if other != cell]
    return neighbours


def _cells_by_table(table_by_cell: Sequence[int]) -> dict[int, list[int]]:
    cells: dict[int, list[int]] = {}
    for cell, table in enumerate(table_by_cell):
        cells.setdefault(table, []).append(cell)
    return cells


def _weights_of_unwanted_pairs(plan: Plan) -> dict[int, dict[int, int]]:
    """Return, by player, the weight of each other player who should not share a table."""
    unwanted: dict[int, dict[int, int]] = {}
    for club in plan.clubs if plan.request.clubs else ():
        for player in club:
            unwanted[player] = dict.fromkeys(club, 1)
    for one, two in plan.apart:
        unwanted.setdefault(one, {})[two] = KEPT_APART
        unwanted.setdefault(two, {})[one] = KEPT_APART
    return unwanted


def _cells_by_history(
    plan: Plan, design: Design, design_tables: list[list[int]], order: Sequence[int], rng: Random
) -> dict[int, int]:
    """Return the cell of each player that agrees best with the tables of the history.

    A cell agrees with a table if the design seats it there; `design_tables` has the number in the
    design, by session and table of the history. If players agree best with the same cell, the one
    who agrees most often gets it. Players who agree with no free cell are left out.
    """
    agreements = {player: Counter[int]() for player in order}
    for tables, numbers, table_by_cell in zip(
        plan.history, design_tables, design.sessions, strict=False
    ):
        cells_at = _cells_by_table(table_by_cell)
        for table, players in enumerate(tables):
            for player in players:
                agreements[player].update(cells_at.get(numbers[table], ()))
    choices = [(-n, player, cell) for player in order for cell, n in agreements[player].items()]
    rng.shuffle(choices)
    # Among equals, cells of the first columns come first: the last column is for further players.
    choices.sort(key=lambda choice: (choice[0], choice[2] // len(plan.mix)))
    cell_of: dict[int, int] = {}
    assigned: set[int] = set()
    for _agreements, player, cell in choices:
        if player not in cell_of and cell not in assigned:
            cell_of[player] = cell
            assigned.add(cell)
    return cell_of


def _identify_tables(
    plan: Plan, design: Design, design_tables: list[list[int]], cell_of: dict[int, int]
) -> None:
    """Update `design_tables` in place: the number in the design of each table of the history.

    It is the table of the design at which most of the table's players sit, by their cells. No two
    tables of a session get the same number.
    """
    for tables, numbers, table_by_cell in zip(
        plan.history, design_tables, design.sessions, strict=False
    ):
        common_players = Counter(
            (table, table_by_cell[cell_of[player]])
            for table, players in enumerate(tables)
            for player in players
            if player in cell_of
        )
        assigned: dict[int, int] = {}
        for table, number in sorted(common_players, key=lambda pair: (-common_players[pair], pair)):
            if table not in assigned and number not in assigned.values():
                assigned[table] = number
        unused = [number for number in range(len(numbers)) if number not in assigned.values()]
        for table in range(len(numbers)):
            numbers[table] = assigned[table] if table in assigned else unused.pop()


def _session_by_design(
    plan: Plan, table_by_cell: Sequence[int], players: Sequence[int], seated: set[int], rng: Random
) -> Session:
    """Return a session by the design, with tables of the sizes of the mix.

    Players at overfull tables, and players without a cell, fill the empty seats at random.
    `players` has the player of each cell, `seated` all who play in the session.
    """
    tables: Session = [[] for _ in plan.mix]
    for player, table in zip(players, table_by_cell, strict=True):
        if player in seated:
            tables[table].append(player)
    _exchange_tables(tables, plan)
    without_seat = sorted(seated.difference(*tables))
    rng.shuffle(without_seat)
    for players_here, size in zip(tables, plan.mix, strict=True):
        without_seat += players_here[size:]
        del players_here[size:]
    for players_here, size in zip(tables, plan.mix, strict=True):
        while len(players_here) < size:
            players_here.append(without_seat.pop())
    return tables


def _exchange_tables(tables: Session, plan: Plan) -> None:
    """Exchange whole tables in place, so that fixed players and table sizes fit the plan.

    A table with a fixed player gets the number to which the player is fixed. Of the others, two
    tables are exchanged if each has the size that the mix gives the other.
    """
    for player, table in plan.fixed.items():
        current = next((i for i, each in enumerate(tables) if player in each), table)
        tables[current], tables[table] = tables[table], tables[current]
    fixed = set(plan.fixed.values())
    free = [number for number in range(len(tables)) if number not in fixed]
    overfull = [number for number in free if len(tables[number]) > plan.mix[number]]
    for number in overfull:
        size = len(tables[number])
        other = next(
            (i for i in free if len(tables[i]) == plan.mix[number] and plan.mix[i] == size), None
        )
        if other is not None:
            tables[number], tables[other] = tables[other], tables[number]
