"""Table sizes and draws, without a database."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from tournaments.services import draws

ALLOWED = sorted({rule_set.players for rule_set in scoring.RULE_SETS})


def dice(seed: int) -> Random:
    return Random(seed)  # noqa: S311  a repeatable draw


allowed_sizes = st.sampled_from(ALLOWED)


@pytest.mark.parametrize(
    ("players", "allowed", "expected"),
    [
        (60, (6,), (6,) * 10),
        (60, (5, 6), (6,) * 10),
        (61, (5, 6), (6,) * 6 + (5,) * 5),
        (10, (5, 6), (5, 5)),
        (9, (4, 5), (5, 4)),
        (7, (5, 6), None),
        (19, (5, 6), None),
        (6, (4, 5), None),
        (0, (4,), ()),
    ],
)
def test_large_tables_are_preferred(
    players: int, allowed: tuple[int, ...], expected: tuple[int, ...] | None
) -> None:
    assert draws.divide_into_tables(players, allowed) == expected


@given(st.integers(0, 1000), allowed_sizes)
def test_sizes_are_allowed_and_seat_everybody(players: int, allowed: tuple[int, ...]) -> None:
    sizes = draws.divide_into_tables(players, allowed)
    if sizes is not None:
        assert sum(sizes) == players
        assert set(sizes) <= set(allowed)


@given(st.integers(0, 60), allowed_sizes)
def test_table_sizes_are_none_only_if_impossible(players: int, allowed: tuple[int, ...]) -> None:
    ways = [
        (a, b)
        for a in range(players // allowed[0] + 1)
        for b in range(players // allowed[-1] + 1)
        if a * allowed[0] + b * allowed[-1] == players
    ]
    assert (draws.divide_into_tables(players, allowed) is None) is (not ways)


@given(st.integers(1, 200), allowed_sizes)
def test_nearest_numbers_can_be_seated(players: int, allowed: tuple[int, ...]) -> None:
    near = draws.nearest_seatable(players, allowed)
    assert near.fewer < players < near.more
    assert draws.divide_into_tables(near.fewer, allowed) is not None
    assert draws.divide_into_tables(near.more, allowed) is not None


@given(st.integers(0, 200), allowed_sizes, st.integers())
def test_draw_seats_everybody_once(players: int, allowed: tuple[int, ...], seed: int) -> None:
    everybody = list(range(players))
    tables = draws.draw(everybody, allowed, dice(seed))
    if draws.divide_into_tables(players, allowed) is None:
        assert tables == []
    else:
        assert sorted(player for table in tables for player in table) == everybody


def test_the_same_seed_draws_the_same_tables() -> None:
    first, second = (draws.draw(range(60), (6,), dice(7)) for _ in range(2))
    assert first == second
    assert first != draws.draw(range(60), (6,), dice(8))


def test_every_seat_is_equally_likely() -> None:
    """Over many draws every player has every seat about equally often."""
    rng, counts = dice(1), [[0] * 12 for _ in range(12)]
    for _ in range(12_000):
        order = [player for table in draws.draw(range(12), (6,), rng) for player in table]
        for seat, player in enumerate(order):
            counts[player][seat] += 1
    assert all(850 < count < 1150 for row in counts for count in row)
