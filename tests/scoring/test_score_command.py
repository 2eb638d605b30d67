"""`python manage.py score`, run as a process."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scoring.answers import answer
from tests import forked_commands
from tests.scoring.expected import EXAMPLES
from tests.scoring.records import GONINKAN, GOUJI

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "manage.py", "score"]
NO_DATABASE = os.environ | {
    "DATABASE_URL": "postgres://nobody@nowhere.invalid:1/nothing",
    "DATA_DIR": "/dev/null/nothing",
    "DJANGO_SETTINGS_MODULE": "tournaments.settings",
}
WORKED_GAME = EXAMPLES["goninkan-association"][0]["record"]
BAD = GONINKAN | {"players": []}


def run(*arguments: str | Path, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return forked_commands.run(["score", *arguments], NO_DATABASE, given=given)


def as_text(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def test_a_file_is_scored_without_a_database(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(WORKED_GAME, indent=2), encoding="utf-8")
    done = run(file)
    assert (done.returncode, done.stderr) == (0, b"")
    result = json.loads(done.stdout)
    assert result["ok"]
    assert result["totals"] == {"A": 13, "B": 13, "C": -13, "D": 13, "E": -13, "F": -13}
    assert done.stdout.endswith(b"\n")
    assert done.stdout.count(b"\n") == 1


def test_a_hyphen_is_standard_input_and_names_are_printed_unchanged() -> None:
    given = as_text(GOUJI).replace(b'"A"', '"太宰"'.encode())
    done = run("-", given=given)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == answer(given)
    assert '"太宰": 2'.encode() in done.stdout


def test_a_bad_record_is_answered_and_fails() -> None:
    done = run("-", given=as_text(BAD))
    assert (done.returncode, done.stderr) == (1, b"")
    assert json.loads(done.stdout) == answer(as_text(BAD))


@pytest.mark.parametrize("given", [b"", b"\xff\xfe\x00"])
def test_any_bytes_are_answered(given: bytes) -> None:
    done = run("-", given=given)
    assert (done.returncode, done.stderr) == (1, b"")
    assert [error["code"] for error in json.loads(done.stdout)["errors"]] == ["not_json"]


def test_every_line_is_answered_in_order_even_blank_ones() -> None:
    deep = b"[" * 200_000
    given = [as_text(WORKED_GAME), b"", as_text(BAD), b"\xff", b"{", deep, as_text(GOUJI)]
    done = run("--lines", "-", given=b"\n".join(given))
    assert (done.returncode, done.stderr) == (1, b"")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        answer(each) for each in given
    ]


def test_valid_lines_exit_with_success_and_may_end_with_crlf(tmp_path: Path) -> None:
    records = [each["record"] for examples in EXAMPLES.values() for each in examples]
    file = tmp_path / "records.jsonl"
    file.write_bytes(b"".join(as_text(record) + b"\r\n" for record in records))
    done = run("--lines", file)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b'"ok": true') == len(done.stdout.splitlines()) == len(records)


def test_empty_input_has_no_answers() -> None:
    done = run("--lines", "-")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("file", ["nowhere.json", "."])
def test_unreadable_file_is_one_line_of_error(file: str) -> None:
    done = run(file)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(f"CommandError: Cannot read {file}: ".encode())
    assert done.stderr.count(b"\n") == 1


def test_missing_argument_prints_the_usage() -> None:
    done = run()
    assert done.returncode == 2
    assert b"usage: manage.py score" in done.stderr
    assert b"Traceback" not in done.stderr


def test_broken_pipe_ends_silently() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            [*COMMAND, "--lines", "-"],
            input=as_text(GOUJI) + b"\n",
            stdout=closed,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=NO_DATABASE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.parametrize("redirection", ["<&-", ">&-", ">/dev/full"])
def test_closed_or_full_output_is_one_line_of_error(redirection: str) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *COMMAND, "-"],
        input=as_text(GOUJI),
        capture_output=True,
        cwd=ROOT,
        env=NO_DATABASE,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"CommandError: ")
    assert done.stderr.count(b"\n") == 1


def test_each_line_is_answered_before_the_next_is_read() -> None:
    """So that another program can write a record and read its answer in turn."""
    process = subprocess.Popen(
        [*COMMAND, "--lines", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=NO_DATABASE,
    )
    with process as talking:
        assert talking.stdin is not None
        assert talking.stdout is not None
        for _ in range(3):
            talking.stdin.write(as_text(GOUJI) + b"\n")
            talking.stdin.flush()
            assert json.loads(talking.stdout.readline())["ok"]
        talking.stdin.close()
    assert talking.returncode == 0
