"""Backups that nobody has to think of: before an import, and once a session is over."""

from __future__ import annotations

import errno
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests import cast
from tests.races import race
from tournaments import backups
from tournaments.backups import shelf, taking
from tournaments.models import Round, Session, Sitting, SittingTotals, Tournament
from tournaments.services import automatic_backups, sessions, totals


def reasons() -> list[str]:
    """Return why each backup there is was taken, once those under way are done."""
    automatic_backups.wait_for_threads()
    return [each.manifest.reason for each in backups.listed() if each.manifest]


def refuse(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let no copy of the database be made."""

    def copy(_to: Path) -> Any:
        raise error

    monkeypatch.setattr(taking.engine(), "copy", copy)


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


@pytest.mark.parametrize("bring_in", [paste, choose_file, send_file])
def test_one_is_taken_before_an_import(
    director: Client, tournament: Tournament, bring_in: Any
) -> None:
    assert bring_in(director, tournament).status_code in {201, 302}
    assert reasons() == ["before-import"]
    manifest = backups.listed()[0].manifest
    assert manifest is not None
    assert manifest.who == "director"


def test_none_is_taken_for_what_is_not_imported(director: Client, tournament: Tournament) -> None:
    entries = reverse("entries", args=[tournament.slug])
    director.post(entries, {"name": "成田 キヨ"})
    director.post(entries, {"people": ""})
    assert reasons() == []


@pytest.mark.parametrize("bring_in", [paste, choose_file, send_file])
@pytest.mark.parametrize(
    ("error", "status"), [(OSError(errno.ENOSPC, "full"), 507), (backups.NotTaken("away"), 503)]
)
def test_nothing_is_imported_without_it(
    director: Client,
    tournament: Tournament,
    bring_in: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    status: int,
) -> None:
    refuse(monkeypatch, error)
    answer = bring_in(cast.in_english(director), tournament)
    assert answer.status_code == status
    assert "disk of the server" in answer.content.decode()
    assert not tournament.entries.exists()


# After a session


@pytest.fixture
def tables(shared_database: None) -> list[Sitting]:
    """Two tables of a session that is over once each has recorded two rounds."""
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
def test_one_is_taken_when_the_last_round_is_recorded(tables: list[Sitting]) -> None:
    play(tables[0])
    cast.record(tables[1], number=1)
    assert reasons() == []
    cast.record(tables[1], number=2)
    assert reasons() == ["after-session"]
    manifest = backups.listed()[0].manifest
    assert manifest is not None
    assert manifest.contents.rounds == 4


@pytest.mark.django_db(transaction=True)
def test_a_correction_is_not_the_end_of_a_session(tables: list[Sitting]) -> None:
    for sitting in tables:
        play(sitting)
    assert reasons() == ["after-session"]
    facts = cast.plain_round(tables[0]) | {"deals": [{"kankei": 4, "mukankei": 9}]}
    cast.record(tables[0], facts, number=2, seen=1, reason="miscounted")
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
def test_two_tables_ending_together_make_one(tables: list[Sitting]) -> None:
    for sitting in tables:
        cast.record(sitting, number=1)
    with shelf.locked():  # so that none is taken before both have asked for it
        ended = race(2, lambda writer: cast.record(tables[writer], number=2))
    assert all(isinstance(each, Round) for each in ended)
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
def test_one_is_taken_when_the_last_totals_are_typed(tables: list[Sitting]) -> None:
    Session.objects.update(totals_only=True)
    for sitting in Sitting.objects.all():
        assert reasons() == []
        points = dict.fromkeys(cast.keys(sitting), 0)
        totals.enter_totals(sitting, points, seen=0, by=cast.SOMEBODY)
    assert reasons() == ["after-session"]
    first = SittingTotals.objects.first()
    assert first is not None
    changed = {**first.points, next(iter(first.points)): 1}
    totals.enter_totals(first.sitting, changed, seen=1, by=cast.SOMEBODY, reason="misread")
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("planned", [2, None])
def test_one_is_taken_when_the_desk_ends_a_session(
    tables: list[Sitting], planned: int | None
) -> None:
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
def test_one_is_taken_when_the_next_session_is_seated(
    tables: list[Sitting], planned: int | None
) -> None:
    Tournament.objects.update(rounds_per_session=planned)
    cast.record(tables[0], number=1)
    assert reasons() == []
    cast.make_sitting(Tournament.objects.get())
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
def test_a_session_that_was_backed_up_is_not_again_when_the_next_is_seated(
    tables: list[Sitting],
) -> None:
    for sitting in tables:
        play(sitting)
    cast.make_sitting(Tournament.objects.get())
    assert reasons() == ["after-session"]


@pytest.mark.django_db(transaction=True)
def test_failing_fails_nothing_else_and_is_told(
    tables: list[Sitting], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        refuse(patched, OSError(errno.ENOSPC, "full"))
        for sitting in tables:
            play(sitting)
        assert reasons() == []
    assert Round.objects.count() == 4
    assert backups.is_missing()
    backups.take(backups.Reason.BY_HAND)
    assert not backups.is_missing()


@pytest.mark.django_db(transaction=True)
def test_a_folder_that_cannot_be_made_fails_nothing_else(
    tables: list[Sitting], settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    settings.BACKUPS_DIR = tmp_path / "file" / "backups"
    for sitting in tables:
        play(sitting)
    assert reasons() == []
    assert Round.objects.count() == 4
    assert backups.is_missing()


def test_one_that_was_cut_short_is_told(settings: Settings) -> None:
    shelf.want()
    assert not backups.is_missing()
    shelf.give_up()
    assert backups.is_missing()


@pytest.mark.usefixtures("shared_database")
def test_the_demonstration_leaves_none_behind() -> None:
    call_command("demo", stdout=StringIO())
    assert Tournament.objects.exists()
    assert reasons() == []
    assert not backups.is_missing()
