"""Many readers at once read a live event once. The test commits, so it has a file of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from tests import cast, live
from tournaments.models import Tournament
from tournaments.queries import live_events
from tournaments.queries.live_events import LiveEvent, LiveEvents


@pytest.mark.usefixtures("shared_database")
def test_20_concurrent_readers_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shared, readings = LiveEvents(), list[LiveEvent]()
    all_have_asked = Barrier(20)
    present = Tournament.objects.get(pk=cast.make_sitting().session.tournament.pk)
    read_event, slot_of = live_events.read_event, LiveEvents._slot_of

    def asking(events: LiveEvents, tournament: Tournament) -> Any:
        slot = slot_of(events, tournament)
        all_have_asked.wait(live.PATIENCE)
        return slot

    def noting(tournament: Tournament, previous: LiveEvent | None = None) -> LiveEvent:
        readings.append(read_event(tournament, previous))
        return readings[-1]

    monkeypatch.setattr(LiveEvents, "_slot_of", asking)
    monkeypatch.setattr(live_events, "read_event", noting)

    def look(_number: int) -> int:
        try:
            return len(shared.get(present).standings)
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        assert {*pool.map(look, range(20), timeout=live.PATIENCE)} == {6}
    assert len(readings) == 1
