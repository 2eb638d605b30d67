"""Archives move events with rows of every model from SQLite to PostgreSQL and back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from tests.faults import archiving
from tests.faults.serving import served_before

PROJECT = Path(__file__).parents[2]


@contextmanager
def steps() -> Iterator[Callable[..., Any]]:
    """Yield a function that runs a step in a separate process and database.

    It returns what the step prints.
    """
    program = subprocess.Popen(
        [sys.executable, "-m", archiving.__name__],
        cwd=PROJECT,
        env={"DJANGO_SETTINGS_MODULE": "tests.settings", "PATH": os.environ["PATH"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    asked, told = program.stdin, program.stdout
    assert asked is not None
    assert told is not None

    def at(place: Path, url: str, *what: str) -> Any:
        place.mkdir(exist_ok=True)
        environment = {"DATABASE_URL": url, "DATA_DIR": str(place)}
        print(json.dumps([environment, what]), file=asked, flush=True)
        printed = told.readline()
        assert printed, f"{what} has failed"
        return json.loads(printed)

    with program:
        yield at
        asked.close()


def test_archives_move_events_both_ways_with_equal_exports(
    postgres_url: str, tmp_path: Path
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE away TEMPLATE served")
    away = postgres_url.removesuffix("postgres") + "away"
    home, back = (f"sqlite:///{tmp_path / name}.sqlite3" for name in ("home", "back"))
    for name in ("home", "back"):
        shutil.copy(served_before() / "makiyaku.sqlite3", tmp_path / f"{name}.sqlite3")
    files = [tmp_path / name for name in ("there", "here")]
    for folder in files:
        folder.mkdir()
    with steps() as at:
        before = at(tmp_path / "home", home, "make", str(files[0]))
        moved = at(tmp_path / "away", away, "move", str(files[0]), str(files[1]))
        again = at(tmp_path / "back", back, "move", str(files[1]), str(files[1]))
    assert len(before) >= len(archiving.RULE_SETS)
    for slug, exports in before.items():
        assert exports["faults"] == moved[slug]["faults"] == again[slug]["faults"] == []
        assert moved[slug]["said"] == exports["said"], slug
        assert again[slug]["said"] == exports["said"], slug
