"""How many connections fit in the limit of open files."""

from __future__ import annotations

import resource

import pytest

from tournaments.server import room


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "most"),
    [
        (1024, 524_288, 4400, 4000),
        (1024, resource.RLIM_INFINITY, 4400, 4000),
        (1024, 1024, 1024, 624),
        (1024, 4096, 4096, 3696),
        (65_536, 524_288, 65_536, 4000),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, resource.RLIM_INFINITY, 4000),
    ],
)
def test_limit_of_open_files_is_raised_as_far_as_needed(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int, most: int
) -> None:
    limits = [(soft, hard)]
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _kind, now: limits.append(now))
    assert room.allow_connections() == most
    assert limits[-1] == (raised, hard)
