"""The lock of a tournament: every write locks its row first.

A write takes the lock (its turn) before it reads what it depends on, and before it writes a row
that refers to the tournament. No other lock is needed: nobody else writes about this tournament
until the transaction ends. So there are no deadlocks, and what was read stays true until it is
committed.

Only two other things are locked. A row of wrong guesses is always locked last (`guesses`). And
replacing the whole PostgreSQL database takes the lock of every tournament before it locks any
other table (`backups.postgresql`).

On SQLite a transaction that writes has the whole file to itself, from its first statement.
"""

from __future__ import annotations

from tournaments.models import Sitting, Tournament


def lock_tournament(tournament: Tournament, *, removed: bool = False) -> Tournament:
    """Lock this tournament until the transaction ends, and return it as it is now.

    Raises `Tournament.DoesNotExist` where it has been removed meanwhile, unless `removed` ones are
    meant, too.
    """
    current = Tournament.every.select_for_update().get(pk=tournament.pk)
    if current.removed_at is not None and not removed:
        raise Tournament.DoesNotExist
    return current


def lock_sitting(sitting: Sitting) -> Sitting:
    """Lock the tournament of this table, and return the table as it is now."""
    lock_tournament(sitting.session.tournament)
    return Sitting.objects.select_related("session__tournament").get(pk=sitting.pk)
