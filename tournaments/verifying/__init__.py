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
from contextlib import contextmanager

from django.db import DatabaseError, InterfaceError

from tournaments.models import Tournament
from tournaments.verifying import stored
from tournaments.verifying.announced import strange_publications
from tournaments.verifying.answered import strange_receipts
from tournaments.verifying.keys import strange_keys, strange_phones
from tournaments.verifying.people import strange_entries, strange_seats
from tournaments.verifying.recorded import strange_acceptances, strange_rounds, strange_totals
from tournaments.verifying.settings import strange_settings, strange_state
from tournaments.verifying.staff import strange_roles
from tournaments.verifying.tables import strange_calls, strange_disagreements, strange_links
from tournaments.verifying.trail import Fault, Trail, broken_links

logger = logging.getLogger(__name__)

CHECKS = (
    broken_links,
    strange_settings,
    strange_state,
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

__all__ = ["Fault", "verify", "verify_everything"]


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
    for key, slug in list(Tournament.objects.order_by("pk").values_list("pk", "slug")):
        yield from ((slug, fault) for fault in _verify(key, slug))


def verify(tournament: Tournament) -> list[Fault]:
    """Return everything that does not fit in a tournament."""
    return _verify(tournament.pk, tournament.slug)


def _verify(key: int, slug: str) -> list[Fault]:
    faults: list[Fault] = []
    with _telling("trail", slug, faults):
        trail = Trail(key)
        for check in CHECKS:
            with _telling(check.__name__.replace("_", " "), slug, faults):
                faults += check(trail)
    return faults


@contextmanager
def _telling(what: str, slug: str, faults: list[Fault]) -> Iterator[None]:
    """Add to what was found that something cannot be made out."""
    try:
        yield
    except (DatabaseError, InterfaceError):
        raise
    except Exception as error:  # noqa: BLE001  whatever a touched row does to its reader
        logger.warning("%s of %s: %r", what, slug, error)
        faults.append(Fault(what, f"cannot be made out: {type(error).__name__}"))
