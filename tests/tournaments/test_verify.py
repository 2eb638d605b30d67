"""`manage.py verify` finds whatever was touched, in any tournament."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection

from tests import cast
from tournaments import guards
from tournaments.models import Sitting

pytestmark = pytest.mark.django_db


LAST_ROUND = "WHERE id = (SELECT max(id) FROM tournaments_round)"


def tampered(sql: str) -> None:
    guards.lift_guards()
    with connection.cursor() as cursor:
        cursor.execute(sql)
    guards.set_guards()


@pytest.fixture
def sitting() -> Sitting:
    cast.record(cast.make_sitting())
    sitting = cast.make_sitting()
    cast.record(sitting)
    return sitting


def test_everything_fits(sitting: Sitting, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify")
    assert capsys.readouterr().out == "2 tournaments verified: everything fits.\n"


@pytest.mark.parametrize(
    "sql",
    [
        f"UPDATE tournaments_round SET facts = '{{}}' {LAST_ROUND}",
        f"DELETE FROM tournaments_round {LAST_ROUND}",
        "UPDATE tournaments_act SET who = 'x' WHERE id = (SELECT max(id) FROM tournaments_act)",
    ],
)
def test_what_was_touched_is_named(
    sitting: Sitting, capsys: pytest.CaptureFixture[str], sql: str
) -> None:
    tampered(sql)
    with pytest.raises(SystemExit) as ended:
        call_command("verify")
    assert ended.value.code == 1
    assert sitting.session.tournament.slug in capsys.readouterr().out
