"""Restoring a backup."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session as DjangoSession
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from tests import cast
from tests.api import code, staff
from tests.backup_files import everything
from tournaments import backups
from tournaments.audit import guards
from tournaments.backups import Reason
from tournaments.models import Round, Sitting, StaffToken, Tournament
from tournaments.services import table_links, tokens
from tournaments.services.phones import join, join_by_number_alone, phone_of


@pytest.fixture
def change_guarded_rows() -> Callable[[str], None]:
    """Return a function that executes a statement which the guards refuse."""

    def execute(statement: str) -> None:
        guards.lift_guards()
        with connection.cursor() as cursor:
            cursor.execute(statement)
        guards.set_guards()

    return execute


def exported(tournament: Tournament) -> bytes:
    """Return the workbook of the standings."""
    owner = cast.browser_of(User.objects.get_or_create(username="owner", is_superuser=True)[0])
    return owner.get(reverse("standings-workbook", args=[tournament.slug])).content


def test_restore_brings_back_the_database(played: Tournament) -> None:
    before, made = exported(played), backups.take(Reason.BY_HAND)
    later = cast.make_sitting(played)
    cast.record(later)
    cast.make_entries(cast.make_tournament(), 1)
    assert exported(played) != before
    kept = backups.restore(made.path, who="director")
    assert Tournament.objects.get() == played
    assert exported(played) == before
    assert kept is not None
    assert kept.manifest is not None
    assert (kept.manifest.reason, kept.manifest.who) == ("before-restore", "director")
    assert (kept.manifest.contents.tournaments, kept.manifest.contents.rounds) == (2, 2)
    again = cast.make_sitting(played)
    assert again.pk > later.pk  # phones of the later table are not taken for those of this one
    backups.restore(kept.path)
    assert Round.objects.count() == 2
    assert cast.make_sitting(played).pk > again.pk


def test_restore_ends_all_log_ins_tokens_and_phones(played: Tournament) -> None:
    """Those of the backup and those since; table links and PINs of the backup still work."""
    keeper = cast.make_user("keeper")
    sitting = Sitting.objects.get()
    pin = table_links.make_pin(sitting, by=cast.SOMEBODY)
    browsers, programs, phones = [], [], []

    def let_in() -> None:
        browser = cast.browser_of(keeper)
        browser.get(reverse("join-table", args=[sitting.token]), follow=True)
        browsers.append(browser)
        programs.append(staff(keeper))
        phones.append(join(sitting.token).secret)

    let_in()
    made = backups.take(Reason.BY_HAND)
    tokens.revoke_tokens(keeper)
    let_in()
    backups.restore(made.path)
    play = f"{sitting.get_absolute_url()}play/"
    for browser in browsers:
        assert browser.get(reverse("account")).status_code == 302
        assert browser.get(play).status_code == 404
    assert {code(each.ask("GET", "/api/token"))[0] for each in programs} == {401}
    assert [phone_of(each) for each in phones] == [None, None]
    assert not DjangoSession.objects.exists()
    assert not StaffToken.objects.exists()
    stored = Sitting.objects.get()
    assert join_by_number_alone(stored.number, pin).phone.is_writer
    assert join(sitting.token).phone.sitting == stored
    call_command("verify")


def test_guards_are_set_after_a_restore(played: Tournament) -> None:
    backups.restore(backups.take(Reason.BY_HAND).path)
    for statement in ("DELETE FROM tournaments_round", "UPDATE tournaments_act SET number = 7"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    call_command("verify")


def test_backup_that_does_not_verify_is_refused(
    played: Tournament, change_guarded_rows: Callable[[str], None]
) -> None:
    change_guarded_rows("UPDATE tournaments_act SET who = 'x' WHERE number = 1")
    made, before = backups.take(Reason.BY_HAND), everything()
    with pytest.raises(backups.Tampered, match=played.slug):
        backups.restore(made.path)
    assert everything() == before
