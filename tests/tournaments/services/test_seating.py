"""Who may be given a seat: nobody who is away, and nobody for whom a substitute plays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings

from tests import cast
from tests.api import base, director_of, json_of
from tests.cast import SOMEBODY
from tournaments.models import Entry, Epoch, Session, Tournament
from tournaments.queries.presence import AWAY, Status, status_of
from tournaments.services import (
    epochs,
    exchanges,
    play_offs,
    presence,
    seating,
    sessions,
    substitutions,
)
from tournaments.services.seating import PlayersAway, PlayersReplaced, PlayOffPlan

pytestmark = pytest.mark.django_db


@pytest.fixture
def players(tournament: Tournament) -> list[Entry]:
    return cast.make_entries(tournament, 8)


def mark(entry: Entry, status: Status) -> None:
    seen = status_of(entry, 1)
    presence.mark_presence(entry, 1, status, seen_status=seen, by=SOMEBODY)


def seat(tournament: Tournament, players: list[Entry]) -> Session:
    return seating.open_session(tournament, [players], by=SOMEBODY)


@pytest.mark.parametrize("status", sorted(AWAY))
def test_nobody_who_is_away_is_seated_by_any_way(
    tournament: Tournament, players: list[Entry], status: Status
) -> None:
    """Another mark makes the player seatable again."""
    away, table = players[6], players[:5]
    mark(away, status)
    with pytest.raises(PlayersAway) as refused:
        seat(tournament, [*table, away])
    assert (refused.value.players, refused.value.places) == ([away], [(0, 5)])
    plan = PlayOffPlan([1, 2])
    with pytest.raises(PlayersAway):
        play_offs.open_play_off(tournament, plan, [[*table, away]], number=1, by=SOMEBODY)
    session = seat(tournament, players[:6])
    seen = seating.seats_version(session)
    with pytest.raises(PlayersAway):
        seating.reseat(session, [[*table, away]], seen_version=seen, by=SOMEBODY)
    with pytest.raises(PlayersAway):
        exchanges.plan(session, players[0], away)
    mark(away, Status.PRESENT)
    assert exchanges.plan(session, players[0], away)


def test_who_is_replaced_never_gets_a_second_seat(
    tournament: Tournament, players: list[Entry]
) -> None:
    """Marking as present does not suffice: the substitution has to be undone."""
    replaced, table = players[0], players[1:6]
    mark(replaced, Status.ABSENT)
    substitute = substitutions.add_substitute(replaced, 1, {"name": "代理"}, by=SOMEBODY).substitute
    mark(replaced, Status.PRESENT)
    with pytest.raises(PlayersReplaced):
        seat(tournament, [*table, replaced])
    session = seat(tournament, [*table, substitute])
    with pytest.raises(PlayersReplaced):
        exchanges.plan(session, table[0], replaced)


def test_program_is_told_each_seat(tournament: Tournament, players: list[Entry]) -> None:
    mark(players[1], Status.LATE)
    mark(players[3], Status.WITHDRAWN)
    program, url = director_of(tournament), f"{base(tournament)}/sessions"
    answer = program.post(url, {"tables": [[1, 2, 3, 4, 5, 6]], "pins": False})
    assert answer.status_code == 422
    told = [(each["at"], each["code"]) for each in json.loads(answer.content)["errors"]]
    assert told == [("tables[0][1]", "player_away"), ("tables[0][3]", "player_away")]
    assert json_of(program.post(url, {"tables": [[1, 3, 5, 6, 7, 8]], "pins": False}))


def seated_anew(event: Tournament, players: list[Entry], **other: Any) -> str:
    """Seat the next session, roll that back as if a copy had been made before; return the token."""
    with transaction.atomic():
        if other:
            epochs.begin(**other)
        token = seat(event, players).sittings.get().token
        transaction.set_rollback(True)
    return token


def test_link_stays_only_if_a_copy_seats_the_same_next(
    tournament: Tournament, players: list[Entry]
) -> None:
    """Cards printed since the copy stay valid; a revoked link never comes back in a database."""
    table = players[:6]
    first = seated_anew(tournament, table)
    assert len(first) == 22
    assert seated_anew(tournament, table) == first
    assert seated_anew(tournament, table, reason=Epoch.Reason.CONTINUED) == first
    assert seated_anew(tournament, table, reason=Epoch.Reason.RESTORED) != first
    assert seated_anew(tournament, table[::-1]) != first
    with override_settings(SECRET_KEY="another"):
        assert seated_anew(tournament, table) != first
    sessions.remove_session(seat(tournament, table), by=SOMEBODY)
    assert seated_anew(tournament, table) != first
