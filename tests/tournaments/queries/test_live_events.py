"""Live events are read once for all readers, and only what has changed is read again."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.db import transaction
from pytest_django import Settings

from tests import cast
from tests.api import phone
from tournaments.models import Sitting, Tournament
from tournaments.queries import live_events, ranking_facts
from tournaments.queries.events import Event
from tournaments.queries.live_events import LiveEvents
from tournaments.queries.sheets import sheet_of, sheets_for
from tournaments.services import entries, seating
from tournaments.services.table_players import change_players


def read_now(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


@pytest.fixture
def shared() -> LiveEvents:
    return LiveEvents()


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A list to which each reading of tables appends their number."""
    counted: list[int] = []
    for module, name in ((live_events, "sheets_of"), (ranking_facts, "sheets_for")):
        function = getattr(module, name)

        def counting(*arguments: Any, function: Any = function) -> Any:
            sheets = function(*arguments)
            counted.append(len(sheets))
            return sheets

        monkeypatch.setattr(module, name, counting)
    return counted


def two_tables(tournament: Tournament) -> list[Sitting]:
    return list(cast.make_session(tournament, tables=2).sittings.order_by("number"))


@pytest.mark.django_db
def test_unchanged_event_is_read_once(
    tournament: Tournament, shared: LiveEvents, read: list[int]
) -> None:
    two_tables(tournament)
    found = [shared.get(read_now(tournament)) for _ in range(3)]
    assert found[0] is found[1] is found[2]
    assert read == [2]


@pytest.mark.django_db
def test_only_the_changed_table_is_read_again(
    tournament: Tournament, shared: LiveEvents, read: list[int]
) -> None:
    first, second = two_tables(tournament)
    cast.record(first)
    before = shared.get(read_now(tournament))
    cast.record(second)
    after = shared.get(read_now(tournament))
    assert read == [2, 1]
    assert after.sheets[0] is before.sheets[0]
    assert len(after.sheets[1].rows) == 1


@pytest.mark.django_db
def test_both_tables_are_read_again_when_a_round_before_a_change_of_players_arrives(
    shared: LiveEvents, read: list[int]
) -> None:
    tournament = cast.make_tournament("goninkan-classic")
    players = cast.make_entries(tournament, 6)
    table = seating.open_session(tournament, [players[:5]], by=cast.SOMEBODY).sittings.get()
    cast.record(table)
    writer, seen = phone(table), sheet_of(table).players
    stay = [*players[:4], players[5]]
    change_players(table, stay, seen_players=seen, by=cast.SOMEBODY)
    shared.get(read_now(tournament))
    late = {"facts": cast.plain_round(table), "seen": 0}
    assert writer.put(f"/api/sittings/{table.pk}/rounds/2", late).status_code == 201
    assert [sheet.planned for sheet in shared.get(read_now(tournament)).sheets] == [2, 8]
    assert read == [2, 2]


@pytest.mark.django_db
def test_everything_is_read_again_after_other_changes(
    tournament: Tournament, shared: LiveEvents, read: list[int]
) -> None:
    first, _second = two_tables(tournament)
    shared.get(read_now(tournament))
    entry = tournament.entries.get(number=1)
    entries.correct_entry(entry, {"name": "櫛引 トシ"}, seen_version=0, by=cast.SOMEBODY)
    assert shared.get(read_now(tournament)).sheets[0].entries[0].name == "櫛引 トシ"
    assert read == [2, 2]
    assert first.pk


@pytest.mark.django_db
def test_changes_rolled_back_are_read_again(tournament: Tournament, shared: LiveEvents) -> None:
    first, _second = two_tables(tournament)
    with transaction.atomic():
        cast.record(first)
        assert len(shared.get(read_now(tournament)).sheets[0].rows) == 1
        transaction.set_rollback(True)
    assert shared.get(read_now(tournament)).sheets[0].rows == ()


@pytest.mark.django_db
def test_shared_event_equals_one_read_anew(event: Tournament, shared: LiveEvents) -> None:
    """Even after updates of single tables."""
    shared.get(read_now(event))
    for sitting in Sitting.objects.filter(session__tournament=event, session__ended_at=None):
        cast.make_call(sitting)
    found, anew = shared.get(read_now(event)), Event(read_now(event))
    assert found.entries == anew.entries
    assert found.standings == anew.standings
    assert found.sessions == anew.sessions
    assert [each.score for each in found.sheets] == [each.score for each in anew.sheets]
    assert found.tables == anew.tables
    assert found.cache_key == anew.cache_key
    assert found.as_of == anew.as_of


@pytest.mark.django_db
def test_public_sees_an_event_at_most_a_moment_old(
    tournament: Tournament, shared: LiveEvents, settings: Settings
) -> None:
    settings.PUBLIC_CACHE_SECONDS = 3600
    first, _second = two_tables(tournament)
    before = shared.recent(read_now(tournament))
    cast.record(first)
    assert shared.recent(read_now(tournament)) is before
    assert len(shared.current(read_now(tournament)).sheets[0].rows) == 1
    settings.PUBLIC_CACHE_SECONDS = 0
    assert len(shared.recent(read_now(tournament)).sheets[0].rows) == 1


@pytest.mark.django_db
def test_public_is_not_kept_waiting_while_the_event_is_read(
    tournament: Tournament, shared: LiveEvents, settings: Settings
) -> None:
    settings.PUBLIC_CACHE_SECONDS = 0.000001
    first, _second = two_tables(tournament)
    before = shared.recent(read_now(tournament))
    cast.record(first)
    with shared._slot_of(tournament).lock:
        assert shared.recent(read_now(tournament)) is before


@pytest.mark.django_db
def test_event_is_as_old_as_the_beginning_of_its_reading(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change made while it is read may be missing from it."""
    two_tables(tournament)
    moments = list[float]()

    def slowly(of: Tournament) -> Any:
        moments.append(time.monotonic())
        return sheets_for(of)

    monkeypatch.setattr(ranking_facts, "sheets_for", slowly)
    assert live_events.read_event(read_now(tournament)).read_at <= moments[0]


@pytest.mark.django_db
def test_tournament_without_a_change_is_not_kept(
    tournament: Tournament, shared: LiveEvents
) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(last_act="")
    assert type(shared.get(read_now(tournament))) is Event


@pytest.mark.django_db
def test_least_recently_used_events_are_dropped(read: list[int]) -> None:
    shared, tournaments = LiveEvents(max_events=1), [cast.make_tournament() for _ in range(2)]
    for each in tournaments:
        cast.make_sitting(each)
    for each in (*tournaments, tournaments[0]):
        shared.get(read_now(each))
    assert read == [1, 1, 1]
