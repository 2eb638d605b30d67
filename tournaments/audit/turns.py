"""Whose turn it is to write about a tournament: one row that everybody waits for, and waits first.

Every write takes its turn before it reads what it rests on, and before it writes a row that refers
to the tournament. Whoever has the turn needs no other lock: nobody else writes about this
tournament until the transaction ends. So no two can ever wait for each other, and what one reads
stays true until it is committed.

Beside it only two things are locked. A row of wrong guesses is the last that anybody asks for
(`guesses`). And replacing the whole of PostgreSQL's database waits for the turn of every
tournament before it asks for any other table (`backups.postgresql`).

On SQLite a transaction that writes has the whole file to itself, from its first statement.
"""

from __future__ import annotations

from tournaments.models import Sitting, Tournament


def take_turn(tournament: Tournament, *, removed: bool = False) -> Tournament:
    """Wait for whoever writes about this tournament; let others wait until our transaction ends.

    Return it as it is now. Raises `Tournament.DoesNotExist` where it has been removed meanwhile,
    unless `removed` ones are meant, too.
    """
    current = Tournament.every.select_for_update().get(pk=tournament.pk)
    if current.removed_at is not None and not removed:
        raise Tournament.DoesNotExist
    return current


def take_turn_at(sitting: Sitting) -> Sitting:
    """Take the turn of the tournament in which this table plays; return the table as it is now."""
    take_turn(sitting.session.tournament)
    return Sitting.objects.select_related("session__tournament").get(pk=sitting.pk)
