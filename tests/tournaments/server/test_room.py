"""How many connections fit in the limit of open files."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from tournaments.server import room

INFINITY = -1


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "most"),
    [
        (1024, 524_288, 4400, 4000),
        (1024, INFINITY, 4400, 4000),
        (1024, 1024, 1024, 624),
        (1024, 4096, 4096, 3696),
        (65_536, 524_288, 65_536, 4000),
        (INFINITY, INFINITY, INFINITY, 4000),
    ],
)
def test_limit_of_open_files_is_raised_as_far_as_needed(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int, most: int
) -> None:
    limits = [(soft, hard)]
    system = SimpleNamespace(RLIM_INFINITY=INFINITY, RLIMIT_NOFILE=7)
    system.getrlimit = lambda _kind: limits[-1]
    system.setrlimit = lambda _kind, now: limits.append(now)
    monkeypatch.setitem(sys.modules, "resource", system)
    assert room.allow_connections() == most
    assert limits[-1] == (raised, hard)


def test_select_of_windows_limits_the_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)
    assert room.allow_connections() == room.MAX_CONNECTIONS_ON_WINDOWS
