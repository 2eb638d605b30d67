"""`python manage.py draw`, run as a process."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import forked_commands

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "manage.py", "draw"]
NO_DATABASE = os.environ | {
    "DATABASE_URL": "postgres://nobody@nowhere.invalid:1/nothing",
    "DATA_DIR": "/dev/null/nothing",
    "DJANGO_SETTINGS_MODULE": "tournaments.settings",
}
REQUEST = {
    "players": [{"id": f"選手{i}"} for i in range(42)],
    "sizes": [6],
    "sessions": 7,
    "seed": 1,
}


def run(file: str | Path, given: Any = None) -> subprocess.CompletedProcess[bytes]:
    text = given if isinstance(given, bytes) else json.dumps(given).encode()
    return forked_commands.run(["draw", file], NO_DATABASE, given=text)


def test_a_file_is_drawn_without_a_database(tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(REQUEST), encoding="utf-8")
    done = run(file)
    assert (done.returncode, done.stderr) == (0, b"")
    result = json.loads(done.stdout)
    assert result["quality"]["repeats"] == 0
    assert result["how"] == "transversal design over GF(7)"
    assert "選手41" in done.stdout.decode()


def test_a_bad_request_is_answered_and_fails() -> None:
    done = run("-", REQUEST | {"sizes": [1], "sessions": "7"})
    assert (done.returncode, done.stderr) == (1, b"")
    errors = json.loads(done.stdout)["errors"]
    assert [(each["at"], each["code"]) for each in errors] == [
        ("sizes[0]", "number"),
        ("sessions", "number"),
    ]


@pytest.mark.parametrize("file", ["nowhere.json", "."])
def test_unreadable_file_is_one_line_of_error(file: str) -> None:
    done = run(file)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(f"CommandError: Cannot read {file}: ".encode())


def test_too_long_input_is_refused() -> None:
    done = run("-", b" " * 10_000_001)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.posix("a terminal, and Ctrl-C that reaches one process alone")
def test_progress_is_shown_on_a_terminal_and_ctrl_c_prints_the_best_draw() -> None:
    import pty  # noqa: PLC0415  on POSIX only

    request = REQUEST | {"sessions": 12, "seconds": 3600}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=ROOT,
        env=NO_DATABASE,
    )
    os.close(theirs)
    with process as drawing, os.fdopen(ours, "rb", buffering=0) as terminal:
        assert drawing.stdin
        assert drawing.stdout
        drawing.stdin.write(json.dumps(request).encode())
        drawing.stdin.close()
        assert b"steps" in terminal.read(100)
        drawing.send_signal(signal.SIGINT)
        result = json.loads(drawing.stdout.read())
    assert drawing.returncode == 0
    assert len(result["sessions"]) == 12
    assert result["steps"] >= 0
