"""A power cut loses nothing that was acknowledged.

A program records rounds while `strace` logs its writes. From the log the test rebuilds the files
that a power cut could have left at each moment, and checks them. Weaker settings lose rounds in
the same test.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

from tests.faults import power_cut
from tests.faults.disk import STRACE, Disk, Image
from tests.faults.serving import served_before
from tests.programs import find_program

ROUNDS = int(os.environ.get("POWER_CUT_ROUNDS", "5"))
CHANCES = (0, 1, 0.5, 0.1, 0.9)  # that an unsynced sector is on the disk
PROJECT = Path(__file__).parents[2]


class Cut(NamedTuple):
    """A disk image after a power cut, and the facts of rounds acknowledged before."""

    acknowledged: dict[str, Any]
    image: Image


def environment(folder: Path, init_command: str = "") -> dict[str, str]:
    url = f"sqlite:///{folder / power_cut.FILE}"
    if init_command:
        url += f"?init_command={quote(init_command)}"
    return {
        "DATABASE_URL": url,
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "tournaments.settings",
        "PATH": os.environ["PATH"],
        "SECRET_KEY": "only-for-tests",
    }


def run(folder: Path, *arguments: str, init_command: str = "") -> None:
    """Run one of the programs with this data folder."""
    done = subprocess.run(
        arguments,
        check=False,
        cwd=PROJECT,
        env=environment(folder, init_command),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stdout


PROGRAM = (sys.executable, "-m", power_cut.__name__)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    shutil.copy(served_before() / power_cut.FILE, folder)
    run(folder, *PROGRAM, "prepare", str(ROUNDS))
    return folder


def cuts(prepared: Path, scratch: Path, init_command: str) -> Iterator[Cut]:
    """Record rounds; return the distinct images that power cuts could have left."""
    folder = scratch / "written"
    shutil.copytree(prepared, folder)
    disk, log, dice = Disk(folder), scratch / "log", Random(ROUNDS)  # noqa: S311
    traced = (find_program(STRACE[0]), *STRACE[1:], f"--output={log}")
    run(folder, *traced, *PROGRAM, "write", str(ROUNDS), init_command=init_command)
    acknowledged: dict[str, Any] = {}
    known: set[tuple[int, int]] = set()
    with log.open(encoding="ascii") as lines:
        for printed in disk.play(lines):
            if printed is not None:
                said = json.loads(printed)
                acknowledged[str(said["round"])] = said["facts"]
            # More images at the moment after an acknowledgement than at others.
            chances = CHANCES if printed is not None else (dice.choice(CHANCES),)
            for chance in chances:
                image = disk.after_a_power_cut(dice, chance)
                seen = hash(tuple(sorted(image.items()))), len(acknowledged)
                if seen not in known:
                    known.add(seen)
                    yield Cut(dict(acknowledged), image)
    assert len(acknowledged) == ROUNDS
    assert len(known) > 10 * ROUNDS


@pytest.fixture(scope="module")
def looking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[subprocess.Popen[str]]:
    """The process that opens images."""
    with subprocess.Popen(
        [*PROGRAM, "look"],
        cwd=PROJECT,
        env=environment(tmp_path_factory.mktemp("looking")),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


def losses(looking: subprocess.Popen[str], cuts: Iterator[Cut], scratch: Path) -> Iterator[str]:
    """Open each image in the process `looking`; yield all problems."""
    assert looking.stdin is not None
    assert looking.stdout is not None
    for number, cut in enumerate(cuts):
        folder = scratch / f"cut-{number}"
        folder.mkdir()
        for name, content in cut.image.items():
            (folder / name).write_bytes(content)
        looking.stdin.write(f"{folder / power_cut.FILE}\n")
        looking.stdin.flush()
        found = json.loads(looking.stdout.readline())
        stored = found["rounds"]
        missing = {n for n, facts in cut.acknowledged.items() if stored.get(n) != facts}
        # Besides, only the whole round being written at the power cut may be there.
        more = len(stored) - len(cut.acknowledged)
        if found["wrong"] or missing or more > 1 or found["receipts"] != len(stored):
            yield f"{folder.name}: {found['wrong']} {sorted(missing)} {more}"
        shutil.rmtree(folder)


def test_power_cut_loses_no_acknowledged_round(
    prepared: Path, looking: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert list(losses(looking, cuts(prepared, tmp_path, ""), tmp_path)) == []


@pytest.mark.parametrize(
    "weaker",
    [
        "PRAGMA journal_mode=TRUNCATE;PRAGMA synchronous=OFF",
        "PRAGMA journal_mode=DELETE;PRAGMA synchronous=FULL",  # the deletion itself is not synced
    ],
)
def test_weaker_settings_lose_rounds(
    prepared: Path, looking: subprocess.Popen[str], tmp_path: Path, weaker: str
) -> None:
    assert any(losses(looking, cuts(prepared, tmp_path, weaker), tmp_path))
