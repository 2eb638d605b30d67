"""The queue of requests: who waits for a thread, and who comes first."""

from __future__ import annotations

import pytest

from tournaments.server import dispatcher
from tournaments.server.dispatcher import Priority, RequestQueue


class Waiting:
    """A connection with a request, as the queue sees it."""

    def __init__(self, priority: Priority) -> None:
        self._priority = priority
        self.is_refused = False

    def priority(self) -> Priority:
        return self._priority

    def refuse(self) -> None:
        self.is_refused = True


def test_spectators_wait_behind_tables_and_leave_threads_free() -> None:
    queue = RequestQueue({Priority.SPECTATOR: 2})
    spectators = [Waiting(Priority.SPECTATOR) for _ in range(3)]
    table, another = Waiting(Priority.TABLE_OR_STAFF), Waiting(Priority.TABLE_OR_STAFF)
    for each in (*spectators, table):
        queue.append(each)
    assert queue.popleft() is table
    assert len(queue) == 0  # no page is begun beside a deal
    queue.finish(table)
    assert [queue.popleft() for _ in range(2)] == spectators[:2]
    assert len(queue) == 0
    queue.append(another)
    assert queue.popleft() is another
    queue.finish(another)
    queue.finish(spectators[1])
    assert queue.popleft() is spectators[2]


def test_health_checks_come_first_one_at_a_time() -> None:
    queue = RequestQueue({Priority.HEALTH_CHECK: 1})
    table, spectator = Waiting(Priority.TABLE_OR_STAFF), Waiting(Priority.SPECTATOR)
    checks = [Waiting(Priority.HEALTH_CHECK) for _ in range(2)]
    for each in (table, spectator, *checks):
        queue.append(each)
    assert [queue.popleft() for _ in range(2)] == [checks[0], table]
    queue.finish(table)
    assert queue.popleft() is spectator
    assert len(queue) == 0
    queue.finish(checks[0])
    assert queue.popleft() is checks[1]


def test_pages_do_not_wait_behind_files() -> None:
    queue = RequestQueue()
    files = [Waiting(Priority.SPECTATORS_FILE) for _ in range(3)]
    pages = [Waiting(Priority.SPECTATOR) for _ in range(2)]
    for each in (*files, *pages):
        queue.append(each)
    assert [queue.popleft() for _ in range(3)] == [pages[0], *files[:2]]
    assert len(queue) == 0
    queue.finish(pages[0])
    assert queue.popleft() is pages[1]


def test_only_spectators_are_refused_when_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "MAX_WAITING", {Priority.SPECTATOR: 1})
    queue = RequestQueue()
    spectators = [Waiting(Priority.SPECTATOR) for _ in range(3)]
    tables = [Waiting(Priority.TABLE_OR_STAFF) for _ in range(3)]
    for each in (*spectators, *tables):
        queue.append(each)
    assert [each.is_refused for each in (*spectators, *tables)] == [False, True, True] + 3 * [False]
    assert [queue.popleft() for _ in range(5)] == [*tables, *spectators[1:]]
    for each in tables:
        queue.finish(each)
    assert queue.popleft() is spectators[0]


def test_long_requests_of_the_staff_do_not_hold_spectators_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queue = RequestQueue()
    upload, spectator = Waiting(Priority.TABLE_OR_STAFF), Waiting(Priority.SPECTATOR)
    queue.append(upload)
    queue.append(spectator)
    assert queue.popleft() is upload
    assert len(queue) == 0
    monkeypatch.setattr(dispatcher, "SECONDS_ALONE", -1.0)  # that it has run for longer
    assert queue.popleft() is spectator
