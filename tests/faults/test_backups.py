"""Backups and restores while phones post, on a full disk, and killed midway.

Real processes on SQLite and PostgreSQL. `BACKUP_PHONES` sets the number of phones.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from time import monotonic, sleep
from typing import Any
from urllib.request import urlopen

import pytest

from tests.faults.installations import PROJECT, Installer, make_played
from tests.faults.serving import Event, Server, Table, ask, serving, set_up
from tests.programs import find_program

DOCUMENT = PROJECT / "docs" / "backups.md"
PHONES = int(os.environ.get("BACKUP_PHONES", "4"))
SECONDS_A_ROUND_TAKES = 0.3  # so that phones still play while a backup is taken
MOUNTED = 'mount -t tmpfs -o size="$1"k tmpfs "$0" && shift && "$@"; echo "ended $?"; ls -A "$0"'

AWAY = 503
PATIENCE = 180  # seconds until a phone fails if it is told to retry


@dataclass
class Phone:
    """A phone that records plain rounds, and the responses it got."""

    server: Server
    table: Table
    stored: dict[tuple[int, int], Any] = field(default_factory=dict)
    refused: list[Any] = field(default_factory=list)

    def play(self, rounds: range) -> None:
        for number in rounds:
            players = self.table.players
            facts = {
                "dealer": players[number % 6],
                "kankei": [players[(number + 1) % 6], players[(number + 3) % 6]],
                "deals": [{"kankei": number % 8, "mukankei": 9}],
            }
            path = f"/api/sittings/{self.table.sitting}/rounds/{number}"
            key, body = f"{self.table.sitting}/{number}", {"facts": facts, "seen": 0}
            give_up = monotonic() + PATIENCE
            while True:  # retries, as phones do
                answer = ask(self.server.port, "PUT", path, body, token=self.table.token, key=key)
                if answer.status != AWAY or monotonic() > give_up:
                    break
                sleep(0.2)
            if answer.status == 201:
                self.stored[self.table.sitting, number] = facts
            else:
                self.refused.append(answer)

    def play_until(self, stopped: Flag, rounds: range) -> None:
        for number in rounds:
            if stopped.is_set():
                return
            self.play(range(number, number + 1))
            sleep(SECONDS_A_ROUND_TAKES)


def acknowledged(phones: list[Phone]) -> dict[tuple[int, int], Any]:
    return {place: facts for phone in phones for place, facts in dict(phone.stored).items()}


def exported(server: Server, event: Event) -> bytes:
    """Return the workbook of the standings, requested without a log-in."""
    address = f"http://127.0.0.1:{server.port}/tournaments/{event.slug}/standings.xlsx"
    with urlopen(address) as answer:
        return bytes(answer.read())


def test_backup_taken_while_phones_post_is_restored_elsewhere(install: Installer) -> None:
    here, there = install.served(), install()
    with serving(here.data, environment=here.environment) as server:
        event = set_up(server, PHONES, rounds=99)
        phones, stopped = [Phone(server, table) for table in event.tables], Flag()
        with ThreadPoolExecutor(PHONES) as pool:
            playing = [pool.submit(phone.play_until, stopped, range(1, 99)) for phone in phones]
            try:
                while len(acknowledged(phones)) < 2 * PHONES:
                    sleep(0.05)
                before = acknowledged(phones)
                backup = here.back_up()
                assert not all(each.done() for each in playing)
            finally:
                stopped.set()
        assert all(each.exception() is None for each in playing)
        assert [phone.refused for phone in phones] == [[]] * PHONES
        there.surely("restore", "--yes", backup)  # which verifies what it has restored
        found = there.rounds()
        assert before.items() <= found.items()
        assert found.items() <= acknowledged(phones).items()
        last, workbook = here.back_up(), exported(server, event)
    there.surely("restore", "--yes", last)
    with serving(there.data, environment=there.environment) as server:
        assert exported(server, event) == workbook
    assert "everything fits" in there.surely("verify")


def test_restore_while_phones_post(install: Installer) -> None:
    """Acknowledged rounds are present afterwards, or in the backup made just before."""
    here, there = install.served(), install()
    with serving(here.data, environment=here.environment) as server:
        event = set_up(server, PHONES, rounds=99)
        phones, stopped = [Phone(server, table) for table in event.tables], Flag()
        for phone in phones:
            phone.play(range(1, 2))
        backup = here.back_up()

        with ThreadPoolExecutor(len(phones)) as pool:
            playing = [pool.submit(phone.play_until, stopped, range(2, 99)) for phone in phones]
            try:
                while len(acknowledged(phones)) < 3 * len(phones):
                    sleep(0.05)
                here.surely("restore", "--yes", backup)
            finally:
                stopped.set()
        assert all(each.exception() is None for each in playing)
        statuses = {answer.status for phone in phones for answer in phone.refused}
        # All phones have ended, or the rounds before are gone. On PostgreSQL a write
        # may also be refused with a request to retry, since it and the restore would have
        # deadlocked.
        assert statuses <= {401, 409, 422} | (
            {503} if "DATABASE_URL" in here.environment else set()
        )
        assert ask(server.port, "GET", "/healthz").status == 200
    (kept,) = here.backups("before-restore")
    there.surely("restore", "--yes", kept)
    found = there.rounds() | here.rounds()
    assert acknowledged(phones).items() <= found.items()
    assert "everything fits" in here.surely("verify")


@pytest.mark.parametrize("install", ["PostgreSQL"], indirect=True)
def test_commands_of_the_document_restore_a_backup(install: Installer, tmp_path: Path) -> None:
    here, there = install.served(make_played), install()
    (commands,) = re.findall(
        r"^```sh\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    programs = f"{Path(sys.executable).parent}:{Path(find_program('pg_restore')).parent}"
    names = {"BACKUP": str(here.back_up()), "FOLDER": str(tmp_path), "SECRET_KEY": "only-for-tests"}
    done = subprocess.run(
        [find_program("bash"), "-euo", "pipefail", "-c", commands],
        check=False,
        cwd=PROJECT,
        env={"PATH": f"{programs}:{os.environ['PATH']}", "DATA_DIR": str(there.data), "LANG": "C"}
        | names
        | there.environment,
        stderr=subprocess.STDOUT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stdout
    assert "everything fits" in done.stdout
    assert there.rounds() == here.rounds()


# Killed midway


def test_killed_restore_is_atomic(install: Installer, tmp_path: Path) -> None:
    """The program is killed at its first, at its last, and at a write between."""
    before, here = install.served(), install.served(make_played)
    backup, earlier, later = before.back_up(), before.state(), here.state()
    is_file = "DATABASE_URL" not in here.environment
    call = "pwrite64" if is_file else "sendto"
    only = [f"--trace-path={here.database}"] if is_file else []
    log = tmp_path / "strace"
    counted = [find_program("strace"), "-o", str(log), f"--trace={call}", *only]
    assert here.manage("restore", "--yes", backup, strace=counted).returncode == 0
    assert here.state() == earlier
    (whole,) = here.backups("before-restore")
    calls = log.read_text().count(f"{call}(")
    states = [earlier]
    for number in (1, calls // 2, calls):
        if states[-1] == earlier:
            here.surely("restore", "--yes", whole)
            assert here.state() == later
        killed = [*counted, f"--inject={call}:signal=SIGKILL:when={number}"]
        done = here.manage("restore", "--yes", backup, strace=killed)
        assert done.returncode != 0 or number == calls  # fewer calls may send as many bytes
        states.append(here.state())
        assert states[-1] in (earlier, later)
    assert later in states
    assert "everything fits" in here.surely("verify")


# A full disk


@pytest.mark.parametrize("install", ["SQLite"], indirect=True)
def test_full_disk_leaves_no_partial_backup(install: Installer) -> None:
    here = install.served(make_played)
    shelf = here.data / "backups"
    shelf.mkdir(exist_ok=True)
    size = here.database.stat().st_size // 1024
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    apart = [find_program("unshare"), "--mount", "--propagation", "unchanged", *as_root]
    outcomes = set()
    for room in (4, size // 4, size + size // 8, 3 * size):
        mounted = [*apart, "sh", "-c", MOUNTED, str(shelf), str(room)]
        try:
            said = here.manage("backup", before=mounted).stdout.splitlines()
        finally:
            unmount = [find_program("umount"), "--lazy", str(shelf)]
            subprocess.run(unmount, check=False, stderr=subprocess.DEVNULL)
        ended = next(i for i, line in enumerate(said) if line.startswith("ended "))
        left = [name for name in said[ended + 1 :] if name != ".lock"]
        outcomes.add(said[ended])
        if said[ended] == "ended 0":
            assert len(left) == 1
            assert left[0].endswith(".zip")
        else:
            assert left == []
    assert outcomes == {"ended 0", "ended 1"}
