"""Every construction gives what it promises: no two cells share a table twice."""

import pytest

from tests.tournaments.draws.asking import check_legal, draw, played
from tournaments.draws import designs
from tournaments.draws.bounds import count_meetings
from tournaments.draws.designs import Design, Field, design_for, prime_power

PRIME_POWERS = [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32]


def most_meetings(design: Design) -> int:
    sessions = []
    for session in design.sessions:
        tables: dict[int, list[int]] = {}
        for cell, table in enumerate(session):
            tables.setdefault(table, []).append(cell)
        assert len({len(table) for table in tables.values()}) == 1
        sessions.append(list(tables.values()))
    return max(count_meetings(sessions).values())


def test_prime_powers_are_known() -> None:
    assert [n for n in range(33) if prime_power(n)] == PRIME_POWERS


@pytest.mark.parametrize("order", [q for q in PRIME_POWERS if q < 17])
def test_a_field_is_one(order: int) -> None:
    power = prime_power(order)
    assert power
    field, numbers = Field(*power), range(order)
    for a in numbers:
        assert sorted(field.add(a, b) for b in numbers) == list(numbers)
        if a:
            assert sorted(field.multiply(a, b) for b in numbers) == list(numbers)
        for b in numbers:
            for c in range(min(order, 5)):
                left = field.multiply(c, field.add(a, b))
                assert left == field.add(field.multiply(c, a), field.multiply(c, b))


@pytest.mark.parametrize("tables", PRIME_POWERS)
def test_a_field_gives_as_many_sessions_as_tables_without_repeats(tables: int) -> None:
    for seats in {2, 3, min(6, tables), tables // 2, tables} & set(range(2, tables + 1)):
        design = design_for(tables, seats, tables * seats)
        assert design
        assert len(design.sessions) == tables + (tables % seats == 0)
        if len(design.sessions) * tables * seats**2 < 200_000:  # else it takes long
            assert most_meetings(design) == 1


@pytest.mark.parametrize(
    ("tables", "seats", "sessions"),
    [(6, 5, 5), (6, 6, 3), (10, 6, 7), (12, 6, 8), (14, 6, 8), (15, 6, 8), (57, 6, 8), (166, 6, 8)],
)
def test_difference_matrices_do_where_there_is_no_field(
    tables: int, seats: int, sessions: int
) -> None:
    design = design_for(tables, seats, tables * seats)
    assert design
    assert len(design.sessions) >= sessions
    assert most_meetings(design) == 1


@pytest.mark.parametrize("tables", [3, 4, 5, 7, 8, 9, 11])
@pytest.mark.parametrize("empty", [0, 1, 2])
def test_designs_are_drawn_at_once_also_with_empty_seats(tables: int, empty: int) -> None:
    seats = min(6, tables)
    mix = [seats] * (tables - empty) + [seats - 1] * empty
    drawn = draw(sum(mix), mix=mix, sessions=tables, steps=0)
    check_legal(drawn)
    assert drawn.quality.repeats == 0
    assert drawn.quality.optimal
    assert f"GF({tables})" in drawn.how


def test_a_full_affine_plane_meets_everybody_once() -> None:
    drawn = draw(49, 7, sessions=8, steps=0)
    assert drawn.quality.meetings == {1: 49 * 48 // 2}
    assert drawn.how == "affine plane over GF(7)"


@pytest.mark.parametrize(("players", "sessions"), [(43, 7), (44, 7), (47, 5), (22, 5), (67, 11)])
def test_designs_are_drawn_at_once_where_some_sit_out(players: int, sessions: int) -> None:
    size = 6 if players > 22 else 4
    drawn = draw(players, size, sessions=sessions, steps=0)
    check_legal(drawn)
    assert drawn.quality.repeats == 0


@pytest.mark.parametrize("seed", range(4))
def test_one_session_after_another_goes_on_with_a_design_where_one_sits_out(seed: int) -> None:
    history: list[tuple[tuple[str, ...], ...]] = []
    for session in range(7):
        drawn = draw(43, 6, history=history, seed=seed + session, steps=0)
        check_legal(drawn)
        history += played(drawn)
    assert drawn.quality.repeats == 0


def test_search_for_rows_ends_with_its_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(designs, "TRIES", 5)
    assert len(designs._RowSearch(10, 5, most_rows=10, seed=1).run()) == 1
