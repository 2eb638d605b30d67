"""The end of private data: a date erases them everywhere, and nothing else."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.utils import timezone

from tests import cast
from tests.events import full_event
from tests.private_data import PRIVATE, make_private_world, private_in
from tests.tournaments.views.event_ends import forget
from tournaments import archives, verification
from tournaments.models import AuditEntry, Entry, Tournament
from tournaments.models.tournament import ERASING_SINCE, PRIVATE_DATA_KEPT
from tournaments.queries.private_data import holdings_of
from tournaments.services import private_data, tournaments

pytestmark = pytest.mark.django_db
APPLICANT = {"name": "応募 だけ", "contact": "oubo@example.jp"}


@pytest.fixture
def private() -> Tournament:
    """A tournament with private data of its players, and an application that became no player."""
    tournament = make_private_world().tournament
    cast.open_registration(tournament)
    cast.register(tournament, "z", **APPLICANT)
    return tournament


def everything_stored(*, without: tuple[type, ...] = ()) -> str:
    """Return every value of every table of every app as text."""
    return " ".join(
        repr(row)
        for model in apps.get_models(include_auto_created=True)
        if model not in without
        for row in model._base_manager.values()
    )


def test_no_table_has_a_private_value_after_erasing(private: Tournament) -> None:
    assert private_in(everything_stored()) == set(PRIVATE)
    assert private_data.erase(private, by=cast.SOMEBODY) == (6, 2)
    assert private_in(everything_stored(), {**PRIVATE, "applicant": APPLICANT["contact"]}) == set()
    assert APPLICANT["name"] not in everything_stored(without=(AuditEntry,))
    assert not Entry.objects.filter(tournament=private).exclude(salt="").exists()
    assert private.audit_entries.latest("number").new == {"players": 6, "applications": 2}
    assert verification.verify(private) == []
    assert private_data.erase(private, by=cast.SOMEBODY) == (0, 0)
    assert private.audit_entries.filter(kind="private_erased").count() == 1


def test_players_get_private_data_again_after_erasing(private: Tournament) -> None:
    """An event may still be edited; `verify` accepts private data entered after erasing."""
    private_data.erase(private, by=cast.SOMEBODY)
    cast.make_entries(private, 1, **PRIVATE)
    assert verification.verify(private) == []
    assert private_data.erase(private, by=cast.SOMEBODY) == (1, 0)
    assert verification.verify(private) == []


def test_event_is_archived_and_imported_after_erasing() -> None:
    event = full_event()
    private_data.erase(event, by=cast.SOMEBODY)
    content = archives.export_archive(event, with_private=True)
    assert private_in(archives.read(content).event.model_dump_json()) == set()
    Tournament.objects.filter(pk=event.pk).update(slug="elsewhere", removed_at=timezone.now())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tournaments.backups.take", lambda *_args, **_named: None)
        imported = archives.import_archive(content, by=cast.SOMEBODY)
    assert imported.private_until == event.private_until
    assert verification.verify(imported) == []


def let_end_pass(tournament: Tournament, **changed: Any) -> None:
    yesterday = timezone.localdate() - timedelta(days=1)
    Tournament.every.filter(pk=tournament.pk).update(private_until=yesterday, **changed)


@pytest.mark.parametrize("removed_at", [None, timezone.now()])
def test_date_erases_what_nobody_works_on(private: Tournament, removed_at: Any) -> None:
    let_end_pass(private)
    assert private_data.erase_due() == []  # something was done within a week
    forget(private)
    Tournament.every.filter(pk=private.pk).update(private_until=None)
    assert private_data.erase_due() == []
    let_end_pass(private, removed_at=removed_at)
    assert private_data.erase_due() == [private]
    assert holdings_of(private) == (0, 0)
    assert private.audit_entries.latest("number").who == "server"
    assert private_data.erase_due() == []


def test_default_is_half_a_year_and_never_before_the_app_could_tell() -> None:
    assert Tournament(held_on=date(2027, 1, 1)).private_data_end == date(2027, 7, 3)
    earliest = ERASING_SINCE + PRIVATE_DATA_KEPT
    assert Tournament(held_on=date(2019, 1, 1)).private_data_end == earliest


def test_command_erases_the_data_of_one_event(
    private: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("erase_private_data")
    assert holdings_of(private) == (6, 2)
    call_command("erase_private_data", private.slug)
    assert holdings_of(private) == (0, 0)
    assert capsys.readouterr().out.split()[0] == private.slug


def test_event_with_records_is_removed_only_with_its_newest_archive(tournament: Tournament) -> None:
    cast.record(cast.make_sitting(tournament))
    older = archives.read(archives.export_archive(tournament, with_private=False))
    cast.make_entries(tournament, 1)
    for archived in ("", older.event.acts[-1].digest):
        with pytest.raises(tournaments.HasRecords):
            tournaments.remove_tournament(tournament, by=cast.SOMEBODY, archived=archived)
    newest = archives.read(archives.export_archive(tournament, with_private=False))
    digest = newest.event.acts[-1].digest
    tournaments.remove_tournament(tournament, by=cast.SOMEBODY, archived=digest)
    assert not Tournament.objects.exists()
    assert verification.verify(tournament) == []
