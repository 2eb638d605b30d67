"""Players into the cells of a design: by what was played before, or so that clubmates do not meet.

Sessions that were drawn from a design can so be continued from it, also when players have come,
left or changed places meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from tournaments.draws.designs import Design
from tournaments.draws.plan import Plan, Schedule, Session

REALIGNMENTS = 3
EMPTY = -1
MOST_ROUNDS = 200
KEPT_APART = 1000  # weighs as much as so many clubmates


def with_suited_sit_outs(plan: Plan, design: Design, players: Sequence[int], rng: Random) -> Plan:
    """Return the plan with those sitting out for whom a table of the design has no seat.

    As elsewhere, only those sit out who did least often. `players` are those of the cells.
    """
    out, seated = list(plan.sit_outs_before), []
    designed = design.sessions[len(plan.history) :]
    for session in range(len(plan.seated)):
        tables = designed[session] if session < len(designed) else ()
        away = _sit_out(plan, tables, players, out, rng)
        seated.append(sorted(set(range(plan.size)).difference(away)))
        for player in away:
            out[player] += 1
    return replace(plan, seated=seated)


def _sit_out(
    plan: Plan, tables: Sequence[int], players: Sequence[int], out: Sequence[int], rng: Random
) -> list[int]:
    """Return who sits out a session. `tables` has the table of each cell, or nothing."""
    table_of = dict(zip(players, tables, strict=False))
    left = Counter(table for player, table in table_of.items() if player != EMPTY)
    left[EMPTY] = plan.size  # who has no cell sits out first
    order = list(range(plan.size))
    rng.shuffle(order)
    away: list[int] = []
    for _ in range(plan.size - sum(plan.mix)):
        player = min(
            (each for each in order if each not in away),
            key=lambda each: (out[each], -left[table_of.get(each, EMPTY)]),
        )
        left[table_of.get(player, EMPTY)] -= 1
        away.append(player)
    return away


def schedule_by_design(
    plan: Plan, design: Design, players: Sequence[int], otherwise: Schedule, rng: Random
) -> Schedule | None:
    """Return the design's sessions after those of the history; None if there are none.

    Where it has too few, the last ones are those of `otherwise`. Tables have the right number of
    players; if some sit out, or are in other cells than before, there may be repeats.
    """
    sessions = design.sessions[len(plan.history) :]
    if not sessions:
        return None
    drawn = [
        _session(plan, tables, players, set(seated), rng)
        for tables, seated in zip(sessions, plan.seated, strict=False)
    ]
    return drawn + otherwise[len(drawn) :]


def players_of_cells(plan: Plan, design: Design, rng: Random) -> list[int]:
    """Return the player of each cell, EMPTY for none; not all players need to have one."""
    order = list(range(plan.size))
    rng.shuffle(order)
    cells = list(range(len(design.sessions[0])))
    if not plan.history:
        players = [*order, *[EMPTY] * len(cells)][: len(cells)]
        if plan.apart or plan.clubs:
            _separate(plan, design, players, rng)
        return players
    names = [list(range(len(session))) for session in plan.history]  # as they are in the design
    for _ in range(REALIGNMENTS):
        cell_of = _vote(plan, design, names, order, rng)
        _realign(plan, design, names, cell_of)
    players = [EMPTY] * len(cells)
    for player, cell in cell_of.items():
        players[cell] = player
    left = [player for player in order if player not in cell_of]
    for cell in cells:
        if players[cell] == EMPTY and left:
            players[cell] = left.pop()
    return players


def _separate(plan: Plan, design: Design, players: list[int], rng: Random) -> None:
    """Exchange the cells of players until nobody kept apart, and few of one club, ever meet."""
    unwanted = _unwanted(plan)
    names = design.sessions[: len(plan.seated)]
    tables = [dict[int, list[int]]() for _ in names]
    for session, named in zip(tables, names, strict=True):
        for cell, table in enumerate(named):
            session.setdefault(table, []).append(cell)

    def price(cell: int) -> int:
        met = unwanted.get(players[cell], {})
        return sum(
            met.get(players[other], 0)
            for session, named in zip(tables, names, strict=True)
            for other in (session[named[cell]] if met else ())
            if other != cell
        )

    for _ in range(MOST_ROUNDS):
        costly = [cell for cell in range(len(players)) if price(cell)]
        for one in costly:
            two = rng.randrange(len(players))
            before = price(one) + price(two)
            players[one], players[two] = players[two], players[one]
            if price(one) + price(two) > before:
                players[one], players[two] = players[two], players[one]
        if not costly:
            return


def _unwanted(plan: Plan) -> dict[int, dict[int, int]]:
    """Return with whom each player is better not seated, and how much that weighs."""
    unwanted: dict[int, dict[int, int]] = {}
    for club in plan.clubs if plan.request.clubs else ():
        for player in club:
            unwanted[player] = dict.fromkeys(club, 1)
    for one, two in plan.apart:
        unwanted.setdefault(one, {})[two] = KEPT_APART
        unwanted.setdefault(two, {})[one] = KEPT_APART
    return unwanted


def _vote(
    plan: Plan, design: Design, names: list[list[int]], order: Sequence[int], rng: Random
) -> dict[int, int]:
    """Return a cell for each player: the one whose tables it sat at most often, if it is free."""
    cells: list[dict[int, list[int]]] = []
    for tables in design.sessions:
        cells.append({})
        for cell, table in enumerate(tables):
            cells[-1].setdefault(table, []).append(cell)
    votes = {player: Counter[int]() for player in order}
    for played, named, known in zip(plan.history, names, cells, strict=False):
        for table, players in enumerate(played):
            for player in players:
                votes[player].update(known.get(named[table], ()))
    ballots = [(-n, player, cell) for player in order for cell, n in votes[player].items()]
    rng.shuffle(ballots)
    # The first columns first: a last one is only for those for whom the others have no cell.
    ballots.sort(key=lambda ballot: (ballot[0], ballot[2] // len(plan.mix)))
    cell_of: dict[int, int] = {}
    taken: set[int] = set()
    for _votes, player, cell in ballots:
        if player not in cell_of and cell not in taken:
            cell_of[player] = cell
            taken.add(cell)
    return cell_of


def _realign(plan: Plan, design: Design, names: list[list[int]], cell_of: dict[int, int]) -> None:
    """Name each earlier table as the table of the design at which most of its players sit."""
    for played, named, tables in zip(plan.history, names, design.sessions, strict=False):
        shared = Counter(
            (number, tables[cell_of[player]])
            for number, players in enumerate(played)
            for player in players
            if player in cell_of
        )
        fresh: dict[int, int] = {}
        for number, name in sorted(shared, key=lambda pair: (-shared[pair], pair)):
            if number not in fresh and name not in fresh.values():
                fresh[number] = name
        left = [name for name in range(len(named)) if name not in fresh.values()]
        for number in range(len(named)):
            named[number] = fresh[number] if number in fresh else left.pop()


def _session(
    plan: Plan, design: Sequence[int], players: Sequence[int], seated: set[int], rng: Random
) -> Session:
    """Return a session by the design with tables of the right sizes."""
    tables: Session = [[] for _ in plan.mix]
    for player, table in zip(players, design, strict=True):
        if player in seated:
            tables[table].append(player)
    _exchange_tables(tables, plan)
    left = sorted(seated.difference(*tables))
    rng.shuffle(left)
    for players_here, size in zip(tables, plan.mix, strict=True):
        left += players_here[size:]
        del players_here[size:]
    for players_here, size in zip(tables, plan.mix, strict=True):
        while len(players_here) < size:
            players_here.append(left.pop())
    return tables


def _exchange_tables(tables: Session, plan: Plan) -> None:
    """Put whole tables where their size belongs, and those fixed to one at it; few others move."""
    for player, table in plan.fixed.items():
        now = next((i for i, each in enumerate(tables) if player in each), table)
        tables[now], tables[table] = tables[table], tables[now]
    fixed = set(plan.fixed.values())
    free = [number for number in range(len(tables)) if number not in fixed]
    full = [number for number in free if len(tables[number]) > plan.mix[number]]
    for number in full:
        size = len(tables[number])
        other = next(
            (i for i in free if len(tables[i]) == plan.mix[number] and plan.mix[i] == size), None
        )
        if other is not None:
            tables[number], tables[other] = tables[other], tables[number]
