"""A consistent snapshot is read while others write."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from tests import cast, live
from tests.races import ConcurrencyCounter, race
from tournaments import archives, verification
from tournaments.archives import exporting, files
from tournaments.backups import snapshots
from tournaments.models import Round, Sitting, Tournament
from tournaments.server import sqlite

pytestmark = pytest.mark.usefixtures("shared_database")


def in_another_thread(function: Callable[[], object]) -> object:
    """Call a function on another connection; it fails if a lock of ours keeps it waiting."""

    def run() -> object:
        try:
            return function()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


def test_concurrent_write_is_seen_after_the_snapshot() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    with snapshots.consistent_snapshot():
        assert Round.objects.count() == 1
        in_another_thread(lambda: cast.record(sitting, number=2))
        assert Round.objects.count() == 1
        assert verification.verify(Tournament.objects.get()) == []
    assert Round.objects.count() == 2
    cast.record(sitting, number=3)


def test_snapshot_of_a_database_opened_without_creating(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = connections["default"].settings_dict
    monkeypatch.setitem(settings, "OPTIONS", settings["OPTIONS"])
    sqlite.require_existing_file(settings)
    connections["default"].close()
    test_concurrent_write_is_seen_after_the_snapshot()


def test_connection_is_restored_after_an_exception() -> None:
    sitting = cast.make_sitting()
    with pytest.raises(ValueError, match="wrong"), snapshots.consistent_snapshot():
        raise ValueError("wrong")
    assert cast.record(sitting).pk


@pytest.mark.parametrize(
    "after", [pytest.param("a kill", marks=pytest.mark.posix("removes open files")), "the end"]
)
def test_no_temporary_file_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    cast.make_sitting()
    with snapshots.consistent_snapshot():
        assert Sitting.objects.count() == 1
        assert list((tmp_path / "tmp").iterdir()) == [] or after == "the end"
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("function", ["is_consistent", "_event_document", "records_as_lines"])
def test_export_ignores_concurrent_writes(monkeypatch: pytest.MonkeyPatch, function: str) -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    place: Any = verification if function == "is_consistent" else exporting
    original = getattr(place, function)

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        in_another_thread(lambda: cast.record(sitting, number=2))
        return original(*args, **kwargs)

    monkeypatch.setattr(place, function, interrupted)
    content = archives.export_archive(sitting.session.tournament, with_private=True)
    assert Round.objects.count() == 2
    archive = files.read(content)
    assert archive.manifest.counts.rounds == 1
    assert len(archive.event.acts) == archive.manifest.counts.acts
    monkeypatch.undo()
    assert (
        files.read(
            archives.export_archive(sitting.session.tournament, with_private=True)
        ).manifest.counts.rounds
        == 2
    )


def test_pages_are_answered_during_an_export(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    address, said = sitting.get_absolute_url(), list[object]()

    def asked(_tournament: Tournament) -> bool:
        said.append(in_another_thread(lambda: Client().get(address).status_code))
        return True

    monkeypatch.setattr(verification, "is_consistent", asked)
    assert archives.export_archive(sitting.session.tournament, with_private=True)
    assert said == [200]


def test_exports_run_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SECONDS_TO_WAIT", live.PATIENCE)
    event = cast.make_sitting().session.tournament
    at_once = ConcurrencyCounter(monkeypatch, verification, "is_consistent")
    contents = race(4, lambda _: archives.export_archive(event, with_private=True))
    assert len(set(contents)) == at_once.most == 1
    assert isinstance(contents[0], bytes)


@pytest.mark.alike  # copies are of SQLite's file
def test_what_is_written_into_a_scratch_copy_is_lost() -> None:
    sitting = cast.make_sitting()
    with snapshots.scratch_copy():
        cast.record(sitting)
        in_another_thread(lambda: cast.record(sitting))  # no lock of the copy keeps it waiting
        with snapshots.consistent_snapshot():  # of the copy
            assert Round.objects.count() == 1
    assert Round.objects.count() == 1
    cast.record(sitting, number=2)
