"""The check that nobody touched what was recorded: every row against what the trail tells of it.

`trail` is the chain of acts itself, `settings` the tournament's own row, `people` who plays and who
sits where, `recorded` what tables wrote down, `tables` what else they said and whether their links
are closed, `keys` what opens them and which phones write, `announced` the publications, `staff` who
may do what, `answered` the chain of receipts. `stored` looks at the database as a whole. Reads;
writes nothing.

`uncompared` lists what is not compared. Where a trail tells nothing of some kind of thing, because
it is older than such acts, nothing is said. Whoever lifts the guards and rewrites rows, acts and
all digests alike, or removes an event with everything in it, is not found here, but by a backup, an
archive or a publication from before: `docs/verifying.md`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from django.db import DatabaseError, InterfaceError

from tournaments.models import Tournament
from tournaments.verification import stored
from tournaments.verification.announced import strange_publications
from tournaments.verification.answered import strange_receipts
from tournaments.verification.keys import strange_keys, strange_phones
from tournaments.verification.people import strange_entries, strange_seats
from tournaments.verification.recorded import strange_acceptances, strange_rounds, strange_totals
from tournaments.verification.settings import strange_ends, strange_settings, strange_state
from tournaments.verification.staff import strange_roles
from tournaments.verification.tables import strange_calls, strange_disagreements, strange_links
from tournaments.verification.trail import Fault, Trail, broken_links

logger = logging.getLogger(__name__)

CHECKS = (
    broken_links,
    strange_settings,
    strange_state,
    strange_ends,
    strange_entries,
    strange_seats,
    strange_rounds,
    strange_totals,
    strange_acceptances,
    strange_publications,
    strange_roles,
    strange_disagreements,
    strange_calls,
    strange_links,
    strange_keys,
    strange_phones,
    strange_receipts,
)

__all__ = ["Fault", "fits", "verify", "verify_everything"]


def verify_everything() -> Iterator[tuple[str, Fault]]:
    """Give everything that does not fit: where, and what.

    A file that is damaged is looked at no further: what stands in it cannot be made out.
    """
    found = False
    for fault in stored.damage():
        found = True
        yield "database", fault
    if found:
        return
    for check in (stored.strange_values, stored.orphans):
        yield from (("database", fault) for fault in check())
    for key, slug in list(Tournament.every.order_by("pk").values_list("pk", "slug")):
        yield from ((slug, fault) for fault in _faults(key, slug))


def verify(tournament: Tournament) -> list[Fault]:
    """Return everything that does not fit in a tournament."""
    return list(_faults(tournament.pk, tournament.slug))


def fits(tournament: Tournament) -> bool:
    """Return whether everything in a tournament fits; look no further than what does not."""
    return next(_faults(tournament.pk, tournament.slug), None) is None


def _faults(key: int, slug: str) -> Iterator[Fault]:
    try:
        trail = Trail(key)
    except Exception as error:  # noqa: BLE001  as below
        yield _not_made_out("trail", slug, error)
        return
    for check in CHECKS:
        try:
            yield from check(trail)
        except Exception as error:  # noqa: BLE001  whatever a touched row does to its reader
            yield _not_made_out(check.__name__.replace("_", " "), slug, error)


def _not_made_out(what: str, slug: str, error: Exception) -> Fault:
    """Return that something cannot be made out. Raises what the database could not do."""
    if isinstance(error, (DatabaseError, InterfaceError)):
        raise error
    logger.warning("%s of %s: %r", what, slug, error)
    return Fault(what, f"cannot be made out: {type(error).__name__}")
