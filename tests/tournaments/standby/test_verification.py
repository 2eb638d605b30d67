"""A copy is verified every few minutes, in a process of its own, and the desk is told of faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import QuerySet
from django.urls import reverse
from pytest_django import Settings

from tests import cast, live
from tests.tournaments.standby.databases import create, snapshot_of
from tournaments.audit import guards
from tournaments.models import Round, Tournament
from tournaments.standby import status, targets, verification
from tournaments.standby.copier import Copier
from tournaments.standby.verification import Verification
from tournaments.system import processes

TOLD = "The check of a standby copy failed"


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now


def test_copies_are_verified_half_a_minute_after_the_start_then_every_five_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(verification, "time", clock)
    monkeypatch.setattr(processes, "manage", lambda *_: ["true"])
    first, later = (snapshot_of(create(tmp_path / name, rows=1)) for name in ("1", "2"))
    verifying = Verification(tmp_path)
    for seconds, snapshot, finished_at in [
        (29, first, None),
        (31, first, 31),
        (320, later, 31),
        (332, first, 31),  # once is enough
        (333, later, 333),
    ]:
        clock.now = Clock.now + seconds
        verifying.offer(snapshot)
        live.wait_until(lambda: has_ended(verifying))
        expected = None if finished_at is None else Clock.now + finished_at
        assert (verifying.finished_at, verifying.fault) == (expected, ""), seconds
    assert not (tmp_path / "verifying").exists()


@pytest.mark.alike  # there are no copies of PostgreSQL
@pytest.mark.django_db
def test_copy_that_fails_is_told_at_the_desk_until_a_later_one_is_right(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STANDBY_DIR = targets.standby_folder(tmp_path)
    targets.own(settings.STANDBY_DIR).path.mkdir(parents=True)
    monkeypatch.setattr(verification, "SECONDS_BEFORE_THE_FIRST", 0)
    monkeypatch.setattr(verification, "SECONDS_BETWEEN", 0)
    sitting = cast.make_sitting()
    cast.record(sitting)
    event, right = sitting.session.tournament, connection.connection.serialize()
    guards.lift_guards()
    QuerySet(Round).update(facts={})
    guards.set_guards()
    owner = cast.in_english(cast.browser_of(User.objects.create_superuser("owner")))
    database = tmp_path / "database"
    running = Copier(tmp_path, database, 0.01)
    database.write_bytes(connection.connection.serialize())
    live.wait_until(lambda: fault_after_a_look(running))
    for page in pages_of_the_desk(event):
        assert f"{TOLD}: {event.slug}: session 1 table 1 round 1" in owner.get(page).text
    database.write_bytes(right)
    live.wait_until(lambda: not fault_after_a_look(running))
    for page in pages_of_the_desk(event):
        assert TOLD not in owner.get(page).text


def has_ended(verifying: Verification) -> bool:
    verifying.poll()
    return verifying._process is None


def fault_after_a_look(running: Copier) -> str:
    running.look()
    return status.read(running.folder).fault


def pages_of_the_desk(event: Tournament) -> list[str]:
    board = reverse("board", args=[event.slug])
    return [reverse("backups"), board, event.get_absolute_url()]
