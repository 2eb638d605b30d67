"""The epoch of the database: a number that rises when it goes on from an earlier state.

Phones hold rounds that the earlier state may lack (`docs/phones.md`), and another computer may
still hold the later state: requests and responses name the number.
"""

from __future__ import annotations

import time
from contextlib import suppress

from django.core import signing
from django.db import DatabaseError, connection, transaction

from tournaments.models import Epoch, Sitting

SECONDS_CACHED = 1.0
FIRST = Epoch(number=0)  # that of a database that has never gone on from an earlier state
_cached: tuple[float, Epoch] = (float("-inf"), FIRST)


def current_epoch() -> Epoch:
    return Epoch.objects.last() or FIRST


def cached_epoch() -> Epoch:
    """Return the epoch as of at most a second ago: every response asks for it.

    It is older while the database is away.
    """
    global _cached  # noqa: PLW0603  one for all threads of the process
    if time.monotonic() - _cached[0] > SECONDS_CACHED:
        with suppress(DatabaseError):
            _cached = time.monotonic(), current_epoch()
    return _cached[1]


def forget_cached_epoch() -> None:
    global _cached  # noqa: PLW0603
    _cached = (float("-inf"), FIRST)


@transaction.atomic
def begin(
    reason: Epoch.Reason, *, sends_again: bool = True, above: int = 0, last_sitting: int = 0
) -> Epoch:
    """Begin an epoch with a number higher than `above` and than that of the epoch before.

    Phones know tables by the primary keys of sittings. New sittings get keys above `last_sitting`,
    so that none of the later state is used again.
    """
    number = max(current_epoch().number, above) + 1
    epoch = Epoch.objects.create(number=number, reason=reason, sends_again=sends_again)
    raise_primary_keys(last_sitting)
    forget_cached_epoch()
    return epoch


def end(number: int) -> None:
    """Store that another database serves in the epoch `number`, higher than ours. Idempotent."""
    Epoch.objects.get_or_create(number=number, defaults={"reason": Epoch.Reason.ELSEWHERE})
    forget_cached_epoch()


def set_sends_again(*, sends_again: bool) -> None:
    Epoch.objects.filter(pk=current_epoch().pk).update(sends_again=sends_again)
    forget_cached_epoch()


LAST_PRIMARY_KEY = {
    "sqlite": "SELECT seq FROM sqlite_sequence WHERE name = %(name)s",
    "postgresql": "SELECT pg_sequence_last_value(pg_get_serial_sequence(%(name)s, 'id')::regclass)",
}


def last_sitting() -> int:
    """Return the primary key above which new sittings get theirs; 0 before the first sitting.

    It is that of a sitting, or the one to which `begin` has raised them.
    """
    with connection.cursor() as cursor:
        cursor.execute(LAST_PRIMARY_KEY[connection.vendor], {"name": Sitting._meta.db_table})
        return (cursor.fetchone() or (0,))[0] or 0


RAISE_PRIMARY_KEYS = {
    "sqlite": (
        "DELETE FROM sqlite_sequence WHERE name = %(name)s",
        "INSERT INTO sqlite_sequence (name, seq) VALUES (%(name)s, %(last)s)",
    ),
    "postgresql": (  # whose sequences begin at 1
        """SELECT setval(
            pg_get_serial_sequence(%(name)s, 'id'), greatest(%(last)s, 1), %(last)s > 0
        )""",
    ),
}


def raise_primary_keys(at_least: int) -> None:
    """Let the next sitting get a primary key above `at_least`."""
    last = max(at_least, last_sitting())
    values: dict[str, str | int] = {"name": Sitting._meta.db_table, "last": last}
    with connection.cursor() as cursor:
        for statement in RAISE_PRIMARY_KEYS[connection.vendor]:
            cursor.execute(statement, values)


def signed(epoch: Epoch) -> str:
    """Return the number of an epoch with a signature, as a browser's cookie has it."""
    return _signer().sign(str(epoch.number))


def number_in(cookie: str) -> int:
    """Return the number of the epoch in a browser's cookie; 0 if it is not signed by us."""
    try:
        return int(_signer().unsign(cookie))
    except (signing.BadSignature, ValueError):
        return 0


def _signer() -> signing.Signer:
    return signing.Signer(salt="epoch")  # `serve` sets the secret key after the import
