"""A replica is read from only while it has what was committed a second ago."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError

from tournaments.models import Tournament
from tournaments.server import replica
from tournaments.server.replica import REPLICA, Replica, Router, reading_from_replica


class Databases:
    """A primary and its replica: the positions written and replayed, and the time."""

    def __init__(self) -> None:
        self.written, self.replayed, self.now = 10, 10, 100.0
        self.away: set[str] = set()
        self.asked: list[str] = []

    def ask(self, alias: str, _statement: str, positions: Any = None) -> tuple[Any, ...]:
        self.asked.append(alias)
        if alias in self.away:
            raise OperationalError
        if alias == DEFAULT_DB_ALIAS:
            return (str(self.written),)
        return tuple(self.replayed >= int(each) for each in positions) or (True,)


@pytest.fixture
def databases() -> Databases:
    return Databases()


def replica_of(databases: Databases) -> Replica:
    return Replica(databases.ask, lambda: databases.now)


def test_replica_that_has_everything_is_current(databases: Databases) -> None:
    assert replica_of(databases).is_current()


def test_replica_a_moment_behind_is_current(databases: Databases) -> None:
    """It has replayed what was written at the previous check."""
    found = replica_of(databases)
    for _ in range(5):
        databases.replayed, databases.written = databases.written, databases.written + 1
        databases.now += replica.SECONDS_BETWEEN_CHECKS
        is_current = found.is_current()
    assert is_current


def test_replica_that_stands_still_is_not_used_after_a_second(databases: Databases) -> None:
    found = replica_of(databases)
    assert found.is_current()
    databases.written += 1
    databases.now += replica.SECONDS_BEHIND
    assert found.is_current()
    databases.now += 0.01
    assert not found.is_current()


def test_last_check_does_not_hold_after_a_pause(databases: Databases) -> None:
    found = replica_of(databases)
    assert found.is_current()
    databases.now, databases.written = databases.now + 3600, 20
    assert not found.is_current()


def test_both_databases_are_asked_once_each_interval(databases: Databases) -> None:
    found = replica_of(databases)
    assert all(found.is_current() for _ in range(20))
    assert databases.asked == [DEFAULT_DB_ALIAS, REPLICA]


def test_replica_away_is_not_used(databases: Databases) -> None:
    databases.away = {REPLICA}
    assert not replica_of(databases).is_current()


def test_replica_is_current_while_the_primary_is_away(databases: Databases) -> None:
    """Nothing can be committed then."""
    found = replica_of(databases)
    databases.away = {DEFAULT_DB_ALIAS}
    assert found.is_current()


def test_distrusted_replica_is_used_again_after_a_check(databases: Databases) -> None:
    found = replica_of(databases)
    assert found.is_current()
    found.distrust()
    assert not found.is_current()
    databases.now += replica.SECONDS_BETWEEN_CHECKS
    assert found.is_current()


def test_reads_go_to_the_replica_until_something_is_written() -> None:
    router = Router()
    assert router.db_for_read(Tournament) == DEFAULT_DB_ALIAS
    with reading_from_replica():
        assert router.db_for_read(Tournament) == REPLICA
        assert router.db_for_write(Tournament) == DEFAULT_DB_ALIAS
        assert router.db_for_read(Tournament) == DEFAULT_DB_ALIAS
    assert router.db_for_read(Tournament) == DEFAULT_DB_ALIAS


def test_replica_is_not_migrated() -> None:
    assert not Router().allow_migrate(REPLICA, "tournaments")
    assert Router().allow_migrate(DEFAULT_DB_ALIAS, "tournaments")
