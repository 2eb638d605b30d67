"""The copier's loop: what it takes, what it refuses, and how faults of targets are named."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests import live
from tests.tournaments.standby.databases import append, create, execute, snapshot_of
from tournaments.standby import copier, status, targets, writers
from tournaments.standby.copier import Copier
from tournaments.standby.status import TargetStatus
from tournaments.standby.targets import Target
from tournaments.standby.verification import Verification
from tournaments.system import processes

STANDBY = "standby"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a database and a secret key."""
    folder = tmp_path / "data"
    targets.own(folder / STANDBY).path.mkdir(parents=True)
    create(folder / "database.sqlite3")
    (folder / "secret-key").write_text("a secret\n")
    return folder


@pytest.fixture
def running(data: Path) -> Copier:
    """A copier whose changes count at once, as if time had passed since."""
    return Copier(data, data / "database.sqlite3", 0.01)


def look(running: Copier) -> None:
    """Let the copier look once, and wait until the targets are done."""
    running._seen_at = float("inf")
    running.look()
    live.wait_until(lambda: all(each.is_idle() for each in running.writers.values()))
    running.report()


def reported(running: Copier, number: int = 0) -> TargetStatus:
    return status.read(running.folder).targets[number]


def choose(running: Copier, disk: Path) -> Target:
    disk.mkdir(exist_ok=True)
    return targets.choose(running.folder, disk)


def written_to(target: Target) -> bytes:
    newest = target.folder().newest()
    assert newest is not None
    return newest[1]


def test_nothing_is_written_while_nothing_changes(running: Copier, data: Path) -> None:
    look(running)
    assert running.snapshot is not None
    assert written_to(targets.own(data / STANDBY)) == running.snapshot.content
    before = {path: path.stat().st_mtime_ns for path in targets.own(data / STANDBY).path.iterdir()}
    for _ in range(3):
        look(running)
    (data / "database.sqlite3").touch()  # as a transaction that was rolled back does
    look(running)
    assert {
        path: path.stat().st_mtime_ns for path in targets.own(data / STANDBY).path.iterdir()
    } == before
    assert reported(running).current_until == pytest.approx(running.checked_at)


def test_change_is_copied_and_the_copy_goes_on_after_a_restart(running: Copier, data: Path) -> None:
    look(running)
    append(data / "database.sqlite3")
    look(running)
    again = Copier(data, data / "database.sqlite3", 0.01)
    append(data / "database.sqlite3")
    look(again)
    assert again.state == ""
    sidecars = targets.own(data / STANDBY).folder().sidecars().values()
    assert [each.number for each in sidecars] == [3, 2]
    assert again.snapshot is not None
    assert written_to(targets.own(data / STANDBY)) == again.snapshot.content


def test_what_was_erased_is_in_neither_copy_once_nothing_has_changed_for_a_minute(
    running: Copier, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = targets.own(data / STANDBY).folder()
    for _ in range(2):
        append(data / "database.sqlite3")
        look(running)
    append(data / "database.sqlite3")
    look(running)
    monkeypatch.setattr(writers, "SECONDS_UNCHANGED", 0)
    for _ in range(2):
        look(running)
    assert running.snapshot is not None
    assert [each.number for each in folder.sidecars().values()] == [4, 3]  # renewed once
    for name, sidecar in folder.sidecars().items():
        assert folder.content(name, sidecar) == running.snapshot.content


def test_change_within_the_same_time_stamp_is_seen(running: Copier, data: Path) -> None:
    look(running)
    known = (data / "database.sqlite3").stat()
    append(data / "database.sqlite3")
    os.utime(data / "database.sqlite3", ns=(known.st_atime_ns, known.st_mtime_ns))
    running.look()
    assert running.snapshot is not None
    assert running.snapshot.header.heads["1"][0] == 2


def test_state_that_does_not_continue_is_refused_until_somebody_asks(
    running: Copier, data: Path
) -> None:
    database = data / "database.sqlite3"
    before = database.read_bytes()
    append(database)
    look(running)
    whole = written_to(targets.own(data / STANDBY))
    database.write_bytes(before)
    for each in (running, Copier(data, database, 0.01)):
        look(each)
        assert each.state == "other"
        assert written_to(targets.own(data / STANDBY)) == whole
    targets.ask_to_begin_again(running.folder)
    look(running)
    assert running.state == ""
    assert written_to(targets.own(data / STANDBY)) == before
    kept = list(targets.own(data / STANDBY).path.glob("kept-*.json"))
    assert len(kept) == 1


def test_higher_epoch_is_copied_and_the_copies_before_are_kept(running: Copier, data: Path) -> None:
    database = data / "database.sqlite3"
    before = database.read_bytes()
    append(database)
    look(running)
    database.write_bytes(before)
    execute(database, "INSERT INTO tournaments_epoch (number) VALUES (1)")
    look(running)
    assert (running.state, reported(running).state) == ("", "copied")
    assert len(list(targets.own(data / STANDBY).path.glob("kept-*.json"))) == 1


def test_database_that_is_away_or_damaged_is_named(running: Copier, data: Path) -> None:
    look(running)
    database = data / "database.sqlite3"
    database.rename(data / "away")
    look(running)
    assert running.state == "missing"
    database.write_bytes(b"SQLite format 3\0" + bytes(5000))
    look(running)
    assert running.state in {"damaged", "unreadable"}
    database.unlink()
    (data / "away").rename(database)
    look(running)
    assert running.state == ""


def test_stick_gets_the_same_and_another_when_it_is_back(
    running: Copier, data: Path, tmp_path: Path
) -> None:
    stick = choose(running, tmp_path / "stick")
    look(running)
    assert written_to(stick) == written_to(targets.own(data / STANDBY))
    (tmp_path / "stick").rename(tmp_path / "pulled-out")
    append(data / "database.sqlite3")
    look(running)
    assert reported(running, 1).state == "missing"
    assert reported(running, 0).state == "copied"
    (tmp_path / "stick").mkdir()  # the empty mount point
    look(running)
    assert reported(running, 1).state == "missing"
    assert not list((tmp_path / "stick").iterdir())
    (tmp_path / "stick").rmdir()
    (tmp_path / "pulled-out").rename(tmp_path / "stick")
    look(running)
    assert reported(running, 1).state == "copied"
    assert written_to(stick) == written_to(targets.own(data / STANDBY))


FAULTS = [
    (errno.ENOSPC, "full"),
    (errno.EROFS, "read_only"),
    (errno.EIO, "damaged"),
    (errno.ENODEV, "missing"),
    (errno.EBUSY, "failed"),
]


@pytest.mark.parametrize(("number", "named"), FAULTS)
def test_fault_of_a_target_is_named_and_tried_again(
    running: Copier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, named: str
) -> None:
    stick = choose(running, tmp_path / "stick")

    def fail(descriptor: int, *arguments: Any) -> int:
        if is_in(tmp_path / "stick", descriptor):
            raise OSError(number, "injected")
        return written(descriptor, *arguments)

    written = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", fail)
        look(running)
    assert (reported(running, 0).state, reported(running, 1).state) == ("copied", named)
    assert not reported(running, 1).is_fine
    look(running)
    assert reported(running, 1).state == "copied"
    assert written_to(stick) == written_to(targets.own(running.folder))


def test_slow_target_delays_no_other(
    running: Copier, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(running, tmp_path / "stick")
    goes_on = Event()
    monkeypatch.setattr(os, "fsync", wait_on(tmp_path / "stick", goes_on))
    monkeypatch.setattr(writers, "SECONDS_SLOW", 0)
    for number in (2, 3):
        append(data / "database.sqlite3")
        running._seen_at = float("inf")
        running.look()
        live.wait_until(lambda number=number: last_entry(targets.own(data / STANDBY)) == number)  # type: ignore[misc]
    running.report()
    assert reported(running, 1).state == "slow"
    goes_on.set()
    look(running)
    assert reported(running, 1).state == "copied"


def is_in(folder: Path, descriptor: int) -> bool:
    return folder in Path(f"/proc/self/fd/{descriptor}").readlink().parents


def wait_on(folder: Path, goes_on: Event) -> Callable[[int], None]:
    """Return a function that syncs, but for files in this folder waits first."""
    sync = os.fsync

    def wait(descriptor: int) -> None:
        if is_in(folder, descriptor):
            goes_on.wait(live.PATIENCE)
        sync(descriptor)

    return wait


def last_entry(target: Target) -> int:
    newest = next(iter(target.folder().sidecars().values()), None)
    return newest.header.heads["1"][0] if newest else 0


def test_stick_of_another_database_is_not_overwritten(
    running: Copier, tmp_path: Path, data: Path
) -> None:
    other = tmp_path / "other-data"
    targets.own(other / STANDBY).path.mkdir(parents=True)
    create(other / "database.sqlite3")
    stick = choose(running, tmp_path / "stick")
    look(running)
    (other / "standby" / "targets.json").write_bytes(
        (data / "standby" / "targets.json").read_bytes()
    )
    elsewhere = Copier(other, other / "database.sqlite3", 0.01)
    look(elsewhere)
    assert reported(elsewhere, 1).state == "other"
    assert written_to(stick) == written_to(targets.own(data / STANDBY))
    targets.remove(other / STANDBY, stick.id)
    again = choose(elsewhere, tmp_path / "stick")  # who chooses it there decides
    look(elsewhere)
    assert reported(elsewhere, 1).state == "copied"
    aside = list(again.path.glob("before-*/copy-*.json"))
    assert len(aside) == 1


def test_removed_target_gets_no_more_copies(running: Copier, data: Path, tmp_path: Path) -> None:
    stick = choose(running, tmp_path / "stick")
    look(running)
    before = written_to(stick)
    targets.remove(running.folder, stick.id)
    append(data / "database.sqlite3")
    look(running)
    assert written_to(stick) == before
    assert len(status.read(data / STANDBY).targets) == 1


def test_copy_is_kept_every_ten_minutes_on_other_disks(
    running: Copier, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "SECONDS_BETWEEN_KEPT", 0)
    stick = choose(running, tmp_path / "stick")
    look(running)
    assert len(list(stick.path.glob("kept-*.json"))) == 1
    assert not list(targets.own(data / STANDBY).path.glob("kept-*"))


def test_copier_pauses_longer_where_a_copy_costs_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert copier.pause_after(0.01, 5) == 5
    assert copier.pause_after(0.09, 5) == pytest.approx(10)
    assert copier.pause_after(1.00, 5) == copier.LONGEST_PAUSE
    assert copier.pause_after(1.00, 60) == 60


def test_verification_tells_what_is_wrong_where_the_console_is_not_unicode(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = "import sys; print('青森杯: 点数が違います'); sys.exit(1)"
    monkeypatch.setattr(processes, "manage", lambda *_: [sys.executable, "-c", program])
    monkeypatch.setenv("PYTHONIOENCODING", "cp932")
    verification = Verification(data)
    verification._due = 0
    verification.offer(snapshot_of(data / "database.sqlite3"))

    def has_ended() -> bool:
        verification.poll()
        return verification.finished_at is not None

    live.wait_until(has_ended)
    assert verification.fault == "青森杯: 点数が違います"
