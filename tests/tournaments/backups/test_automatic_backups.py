"""Backups before an import, and when a session is over."""

from __future__ import annotations

import errno
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from tests import cast
from tests.private_data import PRIVATE
from tests.races import race
from tournaments import backups
from tournaments.backups import Reason, creation, storage
from tournaments.models import Round, Session, Sitting, SittingTotals, Tournament
from tournaments.queries import private_data as queries
from tournaments.services import (
    automatic_backups,
    entries,
    private_data,
    sessions,
    totals,
    versions,
)


def reasons() -> list[str]:
    """Wait for running backups and return the reason of each."""
    automatic_backups.wait_for_threads()
    return [each.manifest.reason for each in backups.all_backups() if each.manifest]


def refuse(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let copying the database fail."""

    def copy(_to: Path) -> Any:
        raise error

    monkeypatch.setattr(creation.engine(), "copy", copy)


# Before an import

PASTED = {"people": "成田 キヨ\n工藤 正"}


def paste(director: Client, tournament: Tournament) -> Any:
    return director.post(reverse("entries", args=[tournament.slug]), PASTED)


def send_file(director: Client, tournament: Tournament) -> Any:
    file = SimpleUploadedFile("people.csv", "名前\n成田 キヨ\n".encode())
    return director.post(reverse("api-import-entries", args=[tournament.slug]), {"file": file})


def choose_file(director: Client, tournament: Tournament) -> Any:
    file = SimpleUploadedFile("people.csv", "名前\n成田 キヨ\n".encode())
    chosen = {"file": file, "encoding": ""}
    return director.post(reverse("entries", args=[tournament.slug]), chosen)


@pytest.mark.parametrize("add_players", [paste, choose_file, send_file])
def test_import_takes_a_backup(director: Client, tournament: Tournament, add_players: Any) -> None:
    assert add_players(director, tournament).status_code in {201, 302}
    assert reasons() == ["before-import"]
    manifest = backups.all_backups()[0].manifest
    assert manifest is not None
    assert manifest.who == "director"


def test_single_entry_takes_no_backup(director: Client, tournament: Tournament) -> None:
    entries = reverse("entries", args=[tournament.slug])
    director.post(entries, {"name": "成田 キヨ"})
    director.post(entries, {"people": ""})
    assert reasons() == []


@pytest.mark.parametrize("add_players", [paste, choose_file, send_file])
@pytest.mark.parametrize(
    ("error", "status"),
    [(OSError(errno.ENOSPC, "full"), 507), (backups.BackupNotTaken("away"), 503)],
)
def test_import_is_refused_without_a_backup(
    director: Client,
    tournament: Tournament,
    add_players: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
) -> None:
    refuse(monkeypatch, error)
    answer = add_players(cast.in_english(director), tournament)
    assert answer.status_code == status
    assert "server’s disk" in answer.content.decode()
    assert not tournament.entries.exists()


# After a session


@pytest.fixture
def tables(shared_database: None) -> list[Sitting]:
    """Two tables of a session with two planned rounds."""
    tournament = cast.make_tournament(rounds_per_session=2)
    one = cast.make_sitting(tournament)
    other = Sitting.objects.create(session=one.session, number=2)
    for position, entry in enumerate(cast.make_entries(tournament, 6), 1):
        other.seats.create(position=position, entry=entry)
    return [one, other]


def play(sitting: Sitting) -> None:
    for number in (1, 2):
        cast.record(sitting, number=number)


@pytest.mark.django_db(transaction=True)
def test_last_round_takes_a_backup(tables: list[Sitting]) -> None:
    play(tables[0])
    cast.record(tables[1], number=1)
    assert reasons() == []
    cast.record(tables[1], number=2)
    assert reasons() == ["after-session"]
    manifest = backups.all_backups()[0].manifest
    assert manifest is not None
    assert manifest.contents.rounds == 4


@pytest.mark.django_db(transaction=True)
def test_correction_takes_no_backup(tables: list[Sitting]) -> None:
    for sitting in tables:
        play(sitting)
    assert reasons() == ["after-session"]
    facts = cast.plain_round(tables[0]) | {"deals": [{"kankei": 4, "mukankei": 9}]}
    cast.record(tables[0], facts, number=2, seen=1, reason="miscounted")
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
def test_tables_ending_at_the_same_time_take_one_backup(tables: list[Sitting]) -> None:
    for sitting in tables:
        cast.record(sitting, number=1)
    with storage.locked():  # so that no backup starts before both are wanted
        ended = race(2, lambda writer: cast.record(tables[writer], number=2))
    assert all(isinstance(each, Round) for each in ended)
    assert reasons() == ["after-session"]


@pytest.mark.usefixtures("tables")
@pytest.mark.django_db(transaction=True)
def test_backup_made_since_serves_a_table_that_ended_before() -> None:
    ended = timezone.now()
    for _ in range(2):
        automatic_backups._make_backup(ended, Reason.AFTER_SESSION)
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
def test_last_totals_take_a_backup(tables: list[Sitting]) -> None:
    Session.objects.update(totals_only=True)
    for sitting in Sitting.objects.all():
        assert reasons() == []
        points = dict.fromkeys(cast.keys(sitting), 0)
        totals.enter_totals(sitting, points, seen_version=0, by=cast.SOMEBODY)
    assert reasons() == ["after-session"]
    first = SittingTotals.objects.first()
    assert first is not None
    changed = {**first.points, next(iter(first.points)): 1}
    totals.enter_totals(first.sitting, changed, seen_version=1, by=cast.SOMEBODY, reason="misread")
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("planned", [2, None])
def test_ending_a_session_takes_a_backup(tables: list[Sitting], planned: int | None) -> None:
    Tournament.objects.update(rounds_per_session=planned)
    session = Session.objects.get()
    cast.record(tables[0], number=1)
    assert reasons() == []
    sessions.end_session(session, stopping=[1, 2], by=cast.SOMEBODY)
    assert reasons() == ["after-session"]
    cast.record(Sitting.objects.get(pk=tables[1].pk), number=1)  # its phone was offline
    assert reasons() == ["after-session"] * 2
    sessions.end_session(session, stopping=[], by=cast.SOMEBODY)
    assert reasons() == ["after-session"] * 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("planned", [2, None])
def test_seating_the_next_session_takes_a_backup(
    tables: list[Sitting], planned: int | None
) -> None:
    Tournament.objects.update(rounds_per_session=planned)
    cast.record(tables[0], number=1)
    assert reasons() == []
    cast.make_sitting(Tournament.objects.get())
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
def test_seating_after_a_complete_session_takes_no_second_backup(
    tables: list[Sitting],
) -> None:
    for sitting in tables:
        play(sitting)
    cast.make_sitting(Tournament.objects.get())
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
def test_failed_backup_fails_no_write_and_is_reported(
    tables: list[Sitting], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        refuse(patched, OSError(errno.ENOSPC, "full"))
        for sitting in tables:
            play(sitting)
        assert reasons() == []
    assert Round.objects.count() == 4
    assert backups.is_automatic_backup_missing()
    backups.take(backups.Reason.BY_HAND)
    assert not backups.is_automatic_backup_missing()


@pytest.mark.django_db(transaction=True)
def test_unusable_folder_fails_no_write(
    tables: list[Sitting], settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    settings.BACKUPS_DIR = tmp_path / "file" / "backups"
    for sitting in tables:
        play(sitting)
    assert reasons() == []
    assert Round.objects.count() == 4
    assert backups.is_automatic_backup_missing()


def test_interrupted_backup_is_reported(settings: Settings) -> None:
    storage.mark_due()
    assert not backups.is_automatic_backup_missing()
    storage.mark_failed()
    assert backups.is_automatic_backup_missing()


@pytest.mark.django_db(transaction=True)
def test_erased_values_are_in_no_file_and_old_backups_go(
    played: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The values are not in free pages of SQLite's file either. Backups made by hand stay."""
    before = [backups.take(reason) for reason in (Reason.AFTER_SESSION, Reason.BY_HAND)]
    if connection.vendor == "sqlite":  # as built on some systems
        connection.cursor().execute("PRAGMA secure_delete=OFF")
    cast.make_entries(played, 1, **PRIVATE)
    player = played.entries.latest("number")
    seen = versions.version_of(player)
    entries.correct_entry(player, {"contact": "", "notes": ""}, seen_version=seen, by=cast.SOMEBODY)
    private_data.erase(played, by=cast.SOMEBODY)
    automatic_backups.wait_for_threads()
    if connection.vendor == "sqlite":
        content = Path(connection.settings_dict["NAME"]).read_bytes()
        assert str(PRIVATE["notes"]).encode() not in content
    else:
        with connection.cursor() as cursor:
            cursor.execute("SELECT relname FROM pg_stat_user_tables WHERE last_vacuum IS NOT NULL")
            assert ("tournaments_entry",) in cursor.fetchall()
    left = queries.left_of(played)
    assert left is not None
    assert (left.automatic, left.others) == ([before[0].name], [before[1].name])
    monkeypatch.setattr(private_data, "BACKUPS_KEPT", timedelta())
    assert private_data.erase_due() == []
    assert sorted(reasons()) == ["after-erasing", "by-hand"]
    assert queries.left_of(played) == left._replace(automatic=[])
