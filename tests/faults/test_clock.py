"""The clock of the machine is set while tables play: see `set_clock.py`."""

from __future__ import annotations

import json
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import accumulate
from pathlib import Path

from tests.faults import soak
from tests.faults.serving import serving, set_up, verify
from tests.faults.set_clock import environment, set_clock

JUMPS = [1500, -3000]
ROUNDS, PATIENCE = 10, 60
TRAIL = "SELECT new FROM tournaments_act WHERE kind = 'clock_jumped' ORDER BY number"


def jumps_in(database: Path) -> list[int]:
    """Return the jumps in the audit trail."""
    with closing(sqlite3.connect(database)) as opened:
        return [json.loads(new)["seconds"] for (new,) in opened.execute(TRAIL)]


def test_jumps_of_the_clock_change_no_result(tmp_path: Path) -> None:
    """Forward and back; each is in the audit trail."""
    data, clock = tmp_path / "var", tmp_path / "clock"
    set_clock(clock, 0)
    with serving(data, environment=environment(clock)) as server, ThreadPoolExecutor() as pool:
        event = set_up(server, tables=2, rounds=ROUNDS)
        phones = [
            soak.Phone(table, seed, ROUNDS, event.token) for seed, table in enumerate(event.tables)
        ]
        sending = [pool.submit(phone.send_all, server.port) for phone in phones]
        for count, seconds in enumerate(accumulate(JUMPS), 1):
            set_clock(clock, seconds)
            end = time.monotonic() + PATIENCE
            while len(found := jumps_in(data / "makiyaku.sqlite3")) < count:
                assert time.monotonic() < end
                time.sleep(0.1)
            assert found == JUMPS[:count]
        for each in sending:
            each.result()
        assert [*soak.wrong_standings(server, event, phones)] == []
        assert [*soak.wrong_rounds(server, phones)] == []
        items = sum(len(phone.outbox) for phone in phones)
    assert [*soak.wrong_in_the_database(data / "makiyaku.sqlite3", items)] == []
    assert verify(data).startswith("0 ")
