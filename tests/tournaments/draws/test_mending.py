"""Drawn tables with as few changes as possible, where players came or left since."""

from __future__ import annotations

import pytest

from tournaments.draws import count_seat_changes, mend_tables

TABLES = [["1", "2", "3", "4", "5", "6"], ["7", "8", "9", "10", "11", "12"]]
EVERYBODY = [key for table in TABLES for key in table]


def without(*keys: str) -> list[str]:
    return [key for key in EVERYBODY if key not in keys]


def test_same_players_keep_every_seat() -> None:
    assert mend_tables(TABLES, EVERYBODY, substitutes={}, sizes=(5, 6)) == (TABLES, [])


def test_substitute_takes_the_seat() -> None:
    tables, out = mend_tables(TABLES, [*without("8"), "20"], substitutes={"8": "20"}, sizes=(5, 6))
    assert (tables[0], tables[1][1], out) == (TABLES[0], "20", [])


def test_newcomer_takes_an_empty_seat() -> None:
    tables, out = mend_tables(TABLES, [*without("8"), "20"], substitutes={}, sizes=(6,))
    assert (tables[1][1], out) == ("20", [])


def test_table_one_player_too_small_gets_the_one_who_met_fewest() -> None:
    met = [[["1", "7"], ["2", "7"], ["3", "7"], ["4", "9"], ["6", "10"]]]
    playing = without("11", "12")
    tables, out = mend_tables(TABLES, playing, substitutes={}, sizes=(5, 6), other_sessions=met)
    assert tables == [["1", "2", "3", "4", "6"], ["7", "8", "9", "10", "5"]]
    assert out == []
    pairs = [("1", "7"), ("2", "7"), ("3", "7"), ("4", "9"), ("6", "10")]
    assert tables == mend_tables(TABLES, playing, substitutes={}, sizes=(5, 6), met=pairs).tables


def test_table_that_lost_too_many_is_given_up() -> None:
    five = [TABLES[0][:5], TABLES[1][:5], ["13", "14", "15", "16", "17"]]
    playing = [*five[0], *five[1], "13", "14"]
    tables, out = mend_tables(five, playing, substitutes={}, sizes=(5, 6))
    assert sorted(map(len, tables)) == [6, 6]
    assert out == []


@pytest.mark.parametrize(("new", "sizes"), [(5, [6, 6, 5]), (1, [6, 6])])
def test_who_finds_no_room_plays_at_a_new_table_or_sits_out(new: int, sizes: list[int]) -> None:
    newcomers = [str(number) for number in range(20, 20 + new)]
    tables, out = mend_tables(TABLES, [*EVERYBODY, *newcomers], substitutes={}, sizes=(5, 6))
    assert [len(table) for table in tables] == sizes
    assert len(out) == 12 + new - sum(sizes)


def test_players_of_a_table_that_cannot_be_mended_sit_out() -> None:
    tables, out = mend_tables(TABLES, without("12"), substitutes={}, sizes=(6,))
    assert (tables, out) == (TABLES[:1], ["7", "8", "9", "10", "11"])


@pytest.mark.parametrize("absent", range(1, 25))
def test_the_last_table_is_given_up_so_that_others_keep_their_seats(absent: int) -> None:
    """Whoever is away: one player of the last table takes the seat, the others sit out."""
    drawn = [[str(first + seat) for seat in range(6)] for first in range(1, 25, 6)]
    playing = [key for table in drawn for key in table if key != str(absent)]
    tables, out = mend_tables(drawn, playing, substitutes={}, sizes=(6,))
    assert len(out) == 5
    assert set(out) < set(drawn[-1])
    assert count_seat_changes(drawn, tables) == (6 if str(absent) in drawn[-1] else 7)


def test_a_table_without_its_drawn_size_is_filled_up_from_the_last() -> None:
    """It was made smaller by hand, so that no seat of it is empty."""
    by_hand = [TABLES[0][:4], TABLES[1], ["13", "14", "15", "16", "17", "18"]]
    playing = [key for table in by_hand for key in table]
    tables, out = mend_tables(by_hand, playing, substitutes={}, sizes=(6,))
    assert tables == [[*by_hand[0], "13", "14"], TABLES[1]]
    assert out == ["15", "16", "17", "18"]


def test_who_is_too_many_at_a_table_finds_another_place() -> None:
    """A player was moved there by hand."""
    by_hand = [[*TABLES[0], "7"], TABLES[1][1:]]
    tables, out = mend_tables(by_hand, EVERYBODY, substitutes={}, sizes=(5, 6))
    assert (tables, out) == ([TABLES[0], [*TABLES[1][1:], "7"]], [])
