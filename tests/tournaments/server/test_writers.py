"""Who waits for SQLite's file, and who is told at once to come again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError

from tournaments.server.writers import Line
from tournaments.web import storage_errors

FOR_EVER = 3600.0


@contextmanager
def holding(line: Line, times: int) -> Iterator[None]:
    """Let this many threads have their turn until the end, as where another program holds it."""
    over, here = threading.Event(), threading.Barrier(times + 1)

    def hold() -> None:
        with line.turn():
            here.wait()
            over.wait()

    threads = [threading.Thread(target=hold) for _ in range(times)]
    for thread in threads:
        thread.start()
    here.wait()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_where_no_turn_comes_more_than_a_few_are_told_at_once() -> None:
    line = Line(most=3, patience=0)
    with holding(line, 3):
        for _ in range(20):
            with pytest.raises(OperationalError) as refused, line.turn():
                pass
    assert storage_errors.status_of(refused.value) == storage_errors.AWAY


def test_where_turns_come_everybody_waits_for_theirs() -> None:
    line, had = Line(most=1, patience=FOR_EVER), []

    def write(number: int) -> None:
        with line.turn():
            had.append(number)

    with holding(line, 1):
        threads = [threading.Thread(target=write, args=[number]) for number in range(20)]
        for thread in threads:
            thread.start()
        assert had == []
    for thread in threads:
        thread.join()
    assert sorted(had) == list(range(20))


def test_a_place_is_free_again_after_a_failure() -> None:
    line = Line(most=1, patience=0)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), line.turn():
            raise ZeroDivisionError
    with line.turn():
        pass
