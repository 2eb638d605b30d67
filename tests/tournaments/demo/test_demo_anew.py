"""`manage.py demo` where there is another tournament, in a database that other threads can see."""

from io import StringIO

import pytest
from django.core.management import call_command

import scoring
from tests.cast import make_tournament
from tournaments import backups
from tournaments.models import Tournament
from tournaments.services import automatic_backups


@pytest.mark.usefixtures("shared_database")
def test_demo_changes_no_other_tournament_and_takes_no_backup() -> None:
    mine = make_tournament()
    call_command("demo", stdout=StringIO())
    assert not mine.is_frozen
    assert Tournament.objects.count() == 1 + len(scoring.RULE_SETS)
    automatic_backups.wait_for_threads()
    assert backups.all_backups() == []
    assert not backups.is_automatic_backup_missing()
