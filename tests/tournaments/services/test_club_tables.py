"""A club table is one table with one session: it has no plan, stage, series or other players."""

from __future__ import annotations

import pytest

from tests import cast, series, stages
from tests.cast import SOMEBODY
from tournaments.models import Entry
from tournaments.services import schedules, seating, table_players
from tournaments.services import series as series_service

pytestmark = pytest.mark.django_db


def test_what_events_have_is_refused_at_a_club_table() -> None:
    sitting = cast.start_club_table()
    tournament = sitting.session.tournament
    players = list(Entry.objects.filter(tournament=tournament))
    some_series = series.make_series()
    for write in (
        lambda: stages.make_stage(tournament),
        lambda: series_service.add_event(some_series, tournament, by=SOMEBODY),
        lambda: schedules.delete_schedule(tournament, seen_version=0, by=SOMEBODY),
        lambda: table_players.change_players(
            sitting, players, seen_players=cast.keys(sitting), withdraw=None, by=SOMEBODY
        ),
        lambda: seating.open_session(tournament, [players], by=SOMEBODY),
    ):
        with pytest.raises(seating.OneTable):
            write()
