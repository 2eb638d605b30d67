"""Verification: compares every row with what the audit trail says it should be. Only reads.

Each check derives the expected values from the audit entries, reads the stored ones, and yields a
`Fault` for every difference.

Every module but `database`, which checks the database as a whole, checks the rows of a tournament
that it is named after, by functions marked `@check`. `exclusions` lists the columns that are not
compared.

Older trails lack some kinds of audit entries; rows that only these could describe are then not
checked. Somebody who lifts the guards and rewrites rows, audit entries and all digests, or removes
a whole event, is not detected here, but by comparing with a backup, an archive or a publication:
`docs/verifying.md`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from django.db import DatabaseError, InterfaceError

from tournaments.models import Tournament
from tournaments.verification import database
from tournaments.verification.trail import CHECKS, Fault, Trail, times_backwards

logger = logging.getLogger(__name__)

__all__ = ["Fault", "is_consistent", "times_that_run_backwards", "verify", "verify_everything"]

for each in iter_modules(__path__, f"{__name__}."):
    import_module(each.name)  # registers its checks


def verify_everything() -> Iterator[tuple[str, Fault]]:
    """Yield every fault of the installation, each with its tournament's slug or "database".

    If SQLite's file is damaged, only that is reported, and no table is read.
    """
    is_damaged = False
    for fault in database.check_file():
        is_damaged = True
        yield "database", fault
    if is_damaged:
        return
    for check in (database.check_values, database.check_foreign_keys):
        yield from (("database", fault) for fault in check())
    for pk, slug in list(Tournament.every.order_by("pk").values_list("pk", "slug")):
        yield from ((slug, fault) for fault in _faults_of(pk, slug))


def times_that_run_backwards() -> Iterator[tuple[str, Fault]]:
    """Yield what is dated before what came before it, each with its tournament's slug.

    That is no fault: clocks are set wrongly and put right.
    """
    for pk, slug in list(Tournament.every.order_by("pk").values_list("pk", "slug")):
        yield from ((slug, fault) for fault in times_backwards(Trail(pk)))


def verify(tournament: Tournament) -> list[Fault]:
    return list(_faults_of(tournament.pk, tournament.slug))


def is_consistent(tournament: Tournament) -> bool:
    """Stops at the first fault."""
    return next(_faults_of(tournament.pk, tournament.slug), None) is None


def _faults_of(tournament_pk: int, slug: str) -> Iterator[Fault]:
    """Yield every fault of a tournament. The slug is for the log.

    An exception of a check is yielded as a fault, unless the database failed: then it is raised.
    """
    try:
        trail = Trail(tournament_pk)
    except Exception as error:  # noqa: BLE001  as below
        yield _failed_check("trail", slug, error)
        return
    for check in CHECKS:
        try:
            yield from check(trail)
        except Exception as error:  # noqa: BLE001  a changed row may raise anything
            name = check.__name__.removeprefix("check_").replace("_", " ")
            yield _failed_check(name, slug, error)


def _failed_check(what: str, slug: str, error: Exception) -> Fault:
    """Return the fault for an exception of a check. Raises the exception if the database failed."""
    if isinstance(error, (DatabaseError, InterfaceError)):
        raise error
    logger.warning("%s of %s: %r", what, slug, error)
    return Fault(what, f"cannot be made out: {type(error).__name__}")
