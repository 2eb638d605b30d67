"""A table's link, PIN and phones are dead after the event: once it is closed, or forgotten."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from tests import cast
from tests.api import Program, code, phone
from tests.cast import SOMEBODY
from tournaments.audit import guards
from tournaments.facts import closing
from tournaments.models import Sitting, Tournament
from tournaments.phones import links

pytestmark = pytest.mark.django_db


def let_weeks_pass(tournament: Tournament) -> None:
    """Let everything have been done some weeks ago."""
    Tournament.objects.filter(pk=tournament.pk).update(
        held_on=timezone.localdate() - timedelta(days=30)
    )
    guards.lift_guards()
    with connection.cursor() as cursor:
        then = timezone.now() - timedelta(days=30)
        cursor.execute("UPDATE tournaments_act SET at = %s", [then])


@pytest.mark.parametrize("how", ["closed", "forgotten"])
def test_nothing_opens_after_the_event(tournament: Tournament, how: str) -> None:
    sitting = cast.make_sitting(tournament)
    pin = links.make_pin(sitting, by=SOMEBODY)
    table = phone(sitting)
    where = f"/api/sittings/{sitting.pk}"
    assert table.ask("GET", where).status_code == 200
    if how == "closed":
        closing.close(tournament, by=SOMEBODY)
    else:
        let_weeks_pass(tournament)
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    assert code(table.put(f"{where}/rounds/1", body)) == (401, "event_over")
    link = {"token": Sitting.objects.get().token}
    card = {"tournament": tournament.slug, "table": 1, "pin": pin}
    for opening in (link, card):
        assert Program().post("/api/join", opening).status_code in {401, 403, 404}
