"""Mixes of table sizes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring
from tournaments import draws

ALLOWED = sorted({rule_set.players for rule_set in scoring.RULE_SETS})


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


@given(st.integers(0, 200), st.sets(st.integers(2, 9), min_size=1, max_size=4))
def test_best_mix_is_the_best_of_all_mixes(players: int, allowed: set[int]) -> None:
    mix = draws.best_mix(players, sorted(allowed))
    assert list(mix) == sorted(mix, reverse=True)
    assert set(mix) <= allowed
    reachable = {0}
    for _ in range(players // min(allowed)):
        reachable |= {n + size for n in reachable for size in allowed if n + size <= players}
    assert sum(mix) == max(reachable)
    assert not any(sum(mix) % size == 0 for size in allowed if len(set(mix)) > 1)


@pytest.mark.parametrize(
    ("players", "allowed", "expected"),
    [
        (35, (5, 6), (5,) * 7),
        (340, (5, 6), (5,) * 68),
        (34, (5, 6), (6,) * 4 + (5,) * 2),
        (1000, (6,), (6,) * 166),
        (5, (6,), ()),
        (23, (4, 6), (6,) * 3 + (4,)),
    ],
)
def test_few_sit_out_then_few_sizes_then_large_tables(
    players: int, allowed: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert draws.best_mix(players, allowed) == expected
