"""Requests for tests, and what every draw has to keep."""

from typing import Any

from tournaments import draws
from tournaments.draws import Draw, Player, Request


def no_clock() -> float:
    """Stop the time: a search ends by its steps, or because it can find no better draw."""
    return 0.0


def players(count: int, **given: Any) -> list[Player]:
    return [Player(str(i), **given) for i in range(1, count + 1)]


def draw(people: int | list[Player], *sizes: int, steps: int = 20_000, **given: Any) -> Draw:
    """Draw for this number of players, or these; limited by `steps`, so that nothing is timed."""
    everybody = players(people) if isinstance(people, int) else people
    if "tables" not in given:
        given["sizes"] = sizes or (5, 6)
    return draws.draw(Request(players=everybody, steps=steps, **given), no_clock)


def played(draw: Draw) -> list[tuple[tuple[str, ...], ...]]:
    """Return the drawn sessions as a history."""
    return [tuple(tuple(table) for table in session.tables) for session in draw.sessions]


def check_legal(draw: Draw) -> None:
    """Assert that everybody sits once, sizes and constraints are kept, and sit-outs in turn."""
    request = draw.request
    everybody = sorted(player.id for player in request.players)
    missed = dict.fromkeys(everybody, 0)
    for session in request.history:
        for name in set(everybody).difference(*session):
            missed[name] += 1
    out = {player.id: max(player.sat_out, missed[player.id]) for player in request.players}
    for drawn in draw.sessions:
        seated_now = [name for table in drawn.tables for name in table]
        assert sorted(seated_now + drawn.sits_out) == everybody
        for table in drawn.tables:
            assert len(table) in (request.mix or request.sizes)
            assert not any(one in table and two in table for one, two in request.apart)
        for name, number in request.fixed.items():
            assert name in drawn.sits_out or name in drawn.tables[number - 1]
        least_seated = min(out[name] for name in seated_now)
        assert all(out[name] <= least_seated for name in drawn.sits_out)
        for name in drawn.sits_out:
            out[name] += 1
    assert draw.quality.apart_broken == 0
    assert draw.quality.repeats >= draw.quality.bound
