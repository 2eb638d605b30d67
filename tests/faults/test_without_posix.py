"""The main day of an event, without what only POSIX has: as on Windows, as far as Linux can."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

from tests.faults.installations import ROUNDS as STORED
from tests.faults.serving import PROJECT, serving, set_up
from tests.faults.test_backups import Phone, acknowledged, exported
from tests.without_posix import ENVIRONMENT

TABLES, ROUNDS = 4, 13
CHART = "/rules/goninkan-association/chart.pdf"


def test_an_event_is_recorded_printed_backed_up_and_restored(tmp_path: Path) -> None:
    data = tmp_path / "var"

    def manage(*command: str) -> None:
        environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(data), **ENVIRONMENT}
        asked = [sys.executable, "manage.py", *command]
        done = subprocess.run(asked, cwd=PROJECT, env=environment, check=False, capture_output=True)
        assert done.returncode == 0, done.stderr.decode("cp932")

    with serving(data, environment=ENVIRONMENT) as server:
        event = set_up(server, TABLES, ROUNDS)
        phones = [Phone(server, table) for table in event.tables]
        with ThreadPoolExecutor(TABLES) as pool:
            list(pool.map(Phone.play, phones, TABLES * [range(1, ROUNDS + 1)]))
        assert len(acknowledged(phones)) == TABLES * ROUNDS
        with urlopen(f"http://127.0.0.1:{server.port}{CHART}") as chart:
            assert chart.read().startswith(b"%PDF-")
        assert exported(server, event).startswith(b"PK")
        manage("backup")
    (backup,) = (data / "backups").glob("*by-hand.zip")
    (data / "makiyaku.sqlite3").unlink()
    manage("restore", str(backup), "--yes")
    with closing(sqlite3.connect(data / "makiyaku.sqlite3")) as restored:
        rows = restored.execute(STORED).fetchall()
    assert {(each[0], each[1]): json.loads(each[2]) for each in rows} == acknowledged(phones)
    assert "Traceback" not in server.log.read_text("cp932")
