"""One moment is read for as long as it takes, and nobody who writes waits for the reader."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from tests import cast
from tests.races import AtOnce, race
from tournaments import archives, verification
from tournaments.archives import files, snapshots, writing
from tournaments.models import Round, Sitting, Tournament
from tournaments.server import sqlite

pytestmark = pytest.mark.usefixtures("shared_database")


def meanwhile(act: Callable[[], object]) -> object:
    """Let somebody else do something; fail where they have to wait for us."""

    def do() -> object:
        try:
            return act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(do).result()


def test_what_is_written_meanwhile_is_seen_afterwards() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    with snapshots.one_moment():
        assert Round.objects.count() == 1
        meanwhile(lambda: cast.record(sitting, number=2))
        assert Round.objects.count() == 1
        assert verification.verify(Tournament.objects.get()) == []
    assert Round.objects.count() == 2
    cast.record(sitting, number=3)


def test_so_it_is_while_the_server_opens_only_a_file_that_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = connections["default"].settings_dict
    monkeypatch.setitem(settings, "OPTIONS", settings["OPTIONS"])
    sqlite.never_create(settings)
    connections["default"].close()
    test_what_is_written_meanwhile_is_seen_afterwards()


def test_what_goes_wrong_leaves_the_database_as_usual() -> None:
    sitting = cast.make_sitting()
    with pytest.raises(ValueError, match="wrong"), snapshots.one_moment():
        raise ValueError("wrong")
    assert cast.record(sitting).pk


def test_nothing_stays_beside_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    cast.make_sitting()
    with snapshots.one_moment():
        assert Sitting.objects.count() == 1
        assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("step", ["fits", "_event", "records"])
def test_an_event_is_archived_while_its_tables_go_on(
    monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    place: Any = verification if step == "fits" else writing
    carry_out = getattr(place, step)

    def interrupted(*told: Any, **how: Any) -> Any:
        meanwhile(lambda: cast.record(sitting, number=2))
        return carry_out(*told, **how)

    monkeypatch.setattr(place, step, interrupted)
    content = archives.archived(sitting.session.tournament, private=True)
    assert Round.objects.count() == 2
    archive = files.read(content)
    assert archive.manifest.counts.rounds == 1
    assert len(archive.event.acts) == archive.manifest.counts.acts
    monkeypatch.undo()
    assert (
        files.read(
            archives.archived(sitting.session.tournament, private=True)
        ).manifest.counts.rounds
        == 2
    )


def test_pages_are_answered_while_one_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    address, said = sitting.get_absolute_url(), list[object]()

    def asked(_tournament: Tournament) -> bool:
        said.append(meanwhile(lambda: Client().get(address).status_code))
        return True

    monkeypatch.setattr(verification, "fits", asked)
    assert archives.archived(sitting.session.tournament, private=True)
    assert said == [200]


def test_one_event_at_a_time_takes_up_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    event = cast.make_sitting().session.tournament
    at_once = AtOnce(monkeypatch, verification, "fits")
    contents = race(4, lambda _: archives.archived(event, private=True))
    assert len(set(contents)) == at_once.most == 1
    assert isinstance(contents[0], bytes)
