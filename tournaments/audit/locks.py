"""The lock of a tournament: a row lock (SELECT … FOR UPDATE) that every write takes first.

A write takes the lock before it reads what it depends on and before it writes a row that refers to
the tournament. Writes of one tournament are serialised: what was read stays valid until commit, and
there are no deadlocks.

Two other locks exist. Rows of wrong guesses are always locked last (`services.guesses`). Restoring
the whole PostgreSQL database locks every tournament before any other table (`backups.postgresql`).

On SQLite a writing transaction locks the whole file from its first statement.
"""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.models import Sitting, Tournament


def lock_tournament(tournament: Tournament, *, include_removed: bool = False) -> Tournament:
    """Lock a tournament until the transaction ends, and return it read anew.

    Raises `Tournament.DoesNotExist` if it was removed, unless `include_removed`.
    """
    current = Tournament.every.select_for_update().get(pk=tournament.pk)
    if current.removed_at is not None and not include_removed:
        raise Tournament.DoesNotExist
    return current


def lock_tournaments(pks: Iterable[int]) -> None:
    """Lock several tournaments until the transaction ends, in an order that cannot deadlock."""
    for pk in sorted(pks):
        Tournament.every.select_for_update().values_list("pk").get(pk=pk)


def lock_sitting(sitting: Sitting) -> Sitting:
    """Lock the tournament of a sitting until the transaction ends; return the sitting read anew.

    Raises `Tournament.DoesNotExist` if the tournament was removed, and `Sitting.DoesNotExist`.
    """
    lock_tournament(sitting.session.tournament)
    return Sitting.objects.select_related("session__tournament").get(pk=sitting.pk)
