"""What each method promises beyond a legal draw, and how fairly places are shared."""

from itertools import product
from random import Random
from types import SimpleNamespace

import pytest

from tests.tournaments.draws.asking import check_legal, draw, no_clock, played, players
from tournaments.draws import Draw, Player, methods
from tournaments.draws.methods import Method, Result
from tournaments.draws.plan import in_numbers, plan_of
from tournaments.draws.quality import quality_of
from tournaments.draws.search import Budget


def standing(count: int) -> list[Player]:
    """Return players with points that decrease with their number."""
    return [Player(str(i), points=-i) for i in range(count)]


def one_at_a_time(sessions: int, count: int, *sizes: int, late: int, gone: int) -> Draw:
    """Draw each session behind the others; some come after the first, some leave after the second.

    If some come, two players of the first session have exchanged their seats.
    """
    everybody = players(count)
    history: list[tuple[tuple[str, ...], ...]] = []
    for session in range(sessions):
        last = draw(everybody, *sizes, history=history, seed=session, steps=300_000)
        check_legal(last)
        tables = [list(table) for table in last.sessions[0].tables]
        if late and not session:
            tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
        history = [*history, tuple(tuple(table) for table in tables)]
        if session == 0:
            everybody = [*everybody, *(Player(f"late {i}") for i in range(late))]
        if session == 1:
            everybody = everybody[gone:]
    return last


@pytest.mark.parametrize(
    ("sessions", "count", "sizes", "late", "gone"),
    [(4, 34, (5, 6), 0, 0), (4, 34, (5, 6), 1, 1), (6, 42, (6,), 0, 0), (4, 48, (5, 6), 2, 2)],
)
def test_one_at_a_time_is_nearly_as_good_as_all_at_once(
    sessions: int, count: int, sizes: tuple[int, ...], late: int, gone: int
) -> None:
    last = one_at_a_time(sessions, count, *sizes, late=late, gone=gone)
    at_once = draw(count + late - gone, *sizes, sessions=sessions, steps=300_000)
    assert last.quality.repeats <= at_once.quality.repeats * 1.1 + 3


def test_level_seats_equals_at_one_table() -> None:
    drawn = draw(standing(24), 6, method="level")
    tables = [{int(name) // 6 for name in table} for table in drawn.sessions[0].tables]
    assert tables == [{0}, {1}, {2}, {3}]


@pytest.mark.parametrize("window", [0, 2, None])
def test_level_exchanges_within_the_window(window: int | None) -> None:
    first = draw(standing(24), 6, method="level")
    again = draw(standing(24), 6, method="level", history=played(first), window=window)
    reach = 6 if window is None else window
    for table, names in enumerate(again.sessions[0].tables):
        for name in names:
            assert table * 6 - reach <= int(name) <= table * 6 + 5 + reach
    assert (again.quality.repeats == 60) == (window == 0)


def test_mixed_seats_one_of_each_pot_at_every_table() -> None:
    drawn = draw(standing(22), method="mixed", sessions=3, mix=[6, 6, 5, 5])
    for session in drawn.sessions:
        for table in session.tables:
            pots = sorted(min(int(name) // 4, 5) for name in table)
            assert pots == list(range(len(table)))


def test_fixed_is_the_movement() -> None:
    movement = [(("1", "2"), ("3", "4")), (("1", "3"), ("2", "4"))]
    drawn = draw(4, 2, method="fixed", movement=movement, sessions=2)
    assert played(drawn) == movement
    assert drawn.quality.meetings == {1: 4}


def test_clubmates_sit_apart_where_that_costs_no_repeat() -> None:
    everybody = [Player(str(i), club=f"club {i % 6}") for i in range(42)]
    drawn = draw(everybody, 6, sessions=5)
    assert (drawn.quality.repeats, drawn.quality.clubmates) == (0, 0)


def test_weights_put_clubmates_before_repeats() -> None:
    everybody = [Player(str(i), club="ABCD"[i % 4]) for i in range(16)]
    last = ("fairness", "clubmates", "repeats")
    drawn = draw(everybody, 4, sessions=6, weights=last, steps=60_000)
    assert drawn.quality.clubmates == 0


def test_small_tables_and_first_seats_are_shared_out_with_those_before() -> None:
    everybody = [Player(str(i), small_tables=i % 2, first_seats=i % 2) for i in range(59)]
    drawn = draw(everybody, 5, 6, sessions=2, steps=300_000)
    seated = [(session, table) for session in drawn.sessions for table in session.tables]
    small = [name for _, table in seated if len(table) == 5 for name in table]
    first = [table[0] for _, table in seated]
    assert all(int(name) % 2 == 0 for name in [*small, *first])
    assert drawn.quality.small_table_spread == 1
    assert drawn.quality.first_seat_spread == 1


def test_a_late_player_counts_as_having_sat_out() -> None:
    first = draw(13, 4)
    everybody = [*players(13), Player("late")]
    drawn = draw(everybody, 4, history=played(first), sessions=6)
    check_legal(drawn)
    out = [name for session in drawn.sessions for name in session.sits_out]
    assert sorted([*out, *first.sessions[0].sits_out, "late"]) == sorted(
        player.id for player in everybody
    )


def groupings(names: frozenset[str], size: int) -> list[frozenset[frozenset[str]]]:
    """All ways to seat everybody at tables of one size."""
    if not names:
        return [frozenset()]
    first = min(names)
    found = []
    for choice in product(sorted(names - {first}), repeat=size - 1):
        if list(choice) == sorted(set(choice)):
            table = frozenset({first, *choice})
            found += [rest | {table} for rest in groupings(names - table, size)]
    return found


@pytest.mark.parametrize(
    ("count", "size", "sessions"), [(4, 2, 5), (6, 2, 3), (6, 3, 3), (8, 4, 3), (6, 3, 4)]
)
def test_tiny_draws_are_as_good_as_the_best_of_all(count: int, size: int, sessions: int) -> None:
    ways = groupings(frozenset(map(str, range(1, count + 1))), size)
    shared = {
        (one, two): sum(len(a & b) * (len(a & b) - 1) // 2 for a in one for b in two)
        for one in ways
        for two in ways
    }
    best = min(
        sum(shared[choice[i], choice[j]] for j in range(sessions) for i in range(j))
        for choice in product(ways[:1], *[ways] * (sessions - 1))
    )
    drawn = draw(count, size, sessions=sessions, steps=40_000)
    assert drawn.quality.bound <= best == drawn.quality.repeats


def test_design_keeps_fixed_players_at_their_tables_and_others_apart() -> None:
    fixed = {"1": 3, "2": 5, "9": 3}
    check_legal(draw(42, 6, sessions=3, steps=0, fixed=fixed, apart=[("4", "5")]))
    check_legal(draw(42, 6, sessions=3, steps=0, apart=[("4", "5")]))
    # A table that a fixed player has taken from the design is too large for the others.
    check_legal(draw(13, 3, 4, sessions=2, steps=0, fixed={"1": 1, "2": 1, "3": 3}))


def test_lot_may_seat_clubmates_apart() -> None:
    everybody = [Player(str(i), club="ABCD"[i % 4]) for i in range(16)]
    assert draw(everybody, 4, method="lot", clubs=True).quality.clubmates == 0


def test_sessions_after_those_of_a_design_are_drawn_otherwise() -> None:
    first = draw(16, 4, sessions=5, steps=0)
    assert first.quality.repeats == 0
    check_legal(draw(16, 4, history=played(first), steps=0))


def test_one_of_those_kept_apart_sits_out_if_they_need_more_tables() -> None:
    apart = [(str(i), str(j)) for i in range(1, 5) for j in range(1, i)]
    for seed in range(5):
        drawn = draw(13, 4, apart=apart, seed=seed, steps=0)
        assert {*drawn.sessions[0].sits_out} <= {"1", "2", "3", "4"}
        check_legal(drawn)


def test_schedule_that_shares_small_tables_more_evenly_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = draw(10, 2, 3, sessions=2, mix=[3, 3, 2, 2])
    chance = Random(1)  # noqa: S311  repeatable
    plan = plan_of(drawn.request, chance)
    even = in_numbers(drawn.request, played(drawn))
    for a, b in product(range(6), range(2)):
        uneven = [[list(table) for table in session] for session in even]
        large, small = uneven[1][a // 3], uneven[1][-1]
        large[a % 3], small[b] = small[b], large[a % 3]
        quality = quality_of(plan, uneven)
        if (quality.repeats, quality.small_table_spread) == (0, 2):
            break
    found = SimpleNamespace(run=lambda **_limits: None, best=even)
    monkeypatch.setattr(methods, "Annealing", lambda *_search: found)
    method = Method(plan, chance, Budget(no_clock, 60, 1000, lambda _steps, _meetings: True))
    assert method._share_small_tables(Result(uneven, "design")).schedule == even
