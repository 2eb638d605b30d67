"""Verification: compares every row with what the audit trail says it should be. Only reads.

Each check derives the expected values from the audit entries, reads the stored ones, and yields a
`Fault` for every difference.

`trail` checks the chain of digests, `settings` the row of the tournament, `entries` players,
seats and draws, `presence` the marks of the roll call, `substitutions` the substitutes of players,
`schedules` planned seats, `adjustments` points given and ties decided, `clocks` the clocks,
`stages` the stages, `registrations` applications to play, `rounds` rounds, totals and acceptances,
`tables` disputes, calls and revoked links, `access` links, PINs and phones, `publications` and
`receipts` those, `staff` the roles, `series` the series of a tournament. `database` checks the
database as a whole. `exclusions` lists the columns that are not compared.

Older trails lack some kinds of audit entries; rows that only these could describe are then not
checked. Somebody who lifts the guards and rewrites rows, audit entries and all digests, or removes
a whole event, is not detected here, but by comparing with a backup, an archive or a publication:
`docs/verifying.md`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from django.db import DatabaseError, InterfaceError

from tournaments.models import Tournament
from tournaments.verification import database
from tournaments.verification.access import check_links_and_pins, check_phones
from tournaments.verification.adjustments import check_rulings
from tournaments.verification.clocks import check_clocks
from tournaments.verification.entries import (
    check_continued_tables,
    check_draws,
    check_entries,
    check_exchanges,
    check_play_offs,
    check_seats,
)
from tournaments.verification.presence import check_presence
from tournaments.verification.publications import check_publications
from tournaments.verification.receipts import check_receipts
from tournaments.verification.registrations import (
    check_registration_settings,
    check_registrations,
)
from tournaments.verification.rounds import check_acceptances, check_rounds, check_totals
from tournaments.verification.schedules import check_schedule
from tournaments.verification.series import check_series
from tournaments.verification.settings import (
    check_private_end,
    check_ranking,
    check_session_ends,
    check_settings,
    check_state,
)
from tournaments.verification.staff import check_roles
from tournaments.verification.stages import check_stages
from tournaments.verification.substitutions import check_substitutions
from tournaments.verification.tables import check_calls, check_disputes, check_revoked_links
from tournaments.verification.trail import Fault, Trail, check_chain, times_backwards

logger = logging.getLogger(__name__)

CHECKS = (
    check_chain,
    check_settings,
    check_ranking,
    check_private_end,
    check_state,
    check_session_ends,
    check_entries,
    check_seats,
    check_draws,
    check_play_offs,
    check_schedule,
    check_exchanges,
    check_continued_tables,
    check_presence,
    check_rulings,
    check_substitutions,
    check_clocks,
    check_stages,
    check_series,
    check_registration_settings,
    check_registrations,
    check_rounds,
    check_totals,
    check_acceptances,
    check_publications,
    check_roles,
    check_disputes,
    check_calls,
    check_revoked_links,
    check_links_and_pins,
    check_phones,
    check_receipts,
)

__all__ = ["Fault", "is_consistent", "times_that_run_backwards", "verify", "verify_everything"]


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
