"""An event in which everybody has played ten rounds, for benchmarks within one process.

Set Django up before importing it.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

from django.core.management import call_command
from django.db import connection, transaction

from tournaments.audit import Actor
from tournaments.models import Round, Sitting, Tournament
from tournaments.queries.seated_tables import with_seats
from tournaments.services.entries import add_entries
from tournaments.services.seating import open_session

ROUNDS = 10
WON, LOST = {"kankei": 9, "mukankei": 4}, {"kankei": 5, "mukankei": 9}
JUROKU = {"kankei": 16, "mukankei": 0, "declaration": "juroku"}


def prepare_database() -> None:
    call_command("migrate", verbosity=0)


@transaction.atomic
def play_event(players: int, *, planned: int | None = None) -> Tournament:
    """Seat these players by six, with ten rounds each recorded deal by deal, and return the event.

    The rounds have no audit entries. `planned` is the number of rounds of a session.
    """
    desk = Actor(None, "desk")
    tournament = Tournament.objects.create(
        name=f"世界大会 {players}",
        rule_set="goninkan-association",
        showing=Tournament.Showing.LIVE,
        rounds_per_session=planned,
    )
    people = [{"name": f"選手{i}", "division": "一般"} for i in range(players)]
    entries = add_entries(tournament, people, by=desk)
    tables = [entries[i : i + 6] for i in range(0, players, 6)]
    session = open_session(tournament, tables, by=desk)
    sittings = with_seats(session.sittings.all())
    Round.objects.bulk_create(
        Round(sitting=sitting, number=number, version=len(facts["deals"]), facts=facts)
        for sitting in sittings
        for number in range(1, ROUNDS + 1)
        for facts in versions(players_of(sitting), number)
    )
    tournament.refresh_from_db()
    return tournament


def players_of(sitting: Sitting) -> list[str]:
    """Return the players at a table as records name them."""
    return [seat.entry.key for seat in sitting.seats.all()]


def versions(players: list[str], number: int) -> list[dict[str, Any]]:
    """Return the versions of a round after one, two and three deals."""
    dealer = number % 6
    kankei = [players[(dealer + 1) % 6], players[(dealer + 3) % 6]]
    dice = Random(f"{players[0]} {number}")  # noqa: S311  so that places differ
    deals = [WON, dice.choice([WON, JUROKU]), dice.choice([WON, LOST])]
    return [
        {"dealer": players[dealer], "kankei": kankei, "deals": deals[:count]} for count in (1, 2, 3)
    ]


def read_rows() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, sitting_id, number, version, facts FROM tournaments_round")
        for row in cursor.fetchall():
            json.loads(row[-1])
