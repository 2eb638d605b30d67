"""The check that nobody touched what was recorded: every row against what the trail tells of it.

`trail` is the chain of acts itself, `settings` the tournament's own row, `people` who plays and who
sits where, `recorded` what tables wrote down, `announced` the publications. Reads; writes nothing.

Not compared is what nothing rests on: contacts and notes, calls, phones, links and PINs. Where a
trail tells nothing of some kind of thing, because it is older than such acts, nothing is said.
"""

from __future__ import annotations

import logging

from django.db import DatabaseError, InterfaceError

from tournaments.models import Tournament
from tournaments.verifying.announced import strange_publications
from tournaments.verifying.people import strange_entries, strange_seats
from tournaments.verifying.recorded import strange_acceptances, strange_rounds, strange_totals
from tournaments.verifying.settings import strange_settings, strange_state
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
)

__all__ = ["Fault", "verify"]


def verify(tournament: Tournament) -> list[Fault]:
    """Return everything that does not fit in a tournament."""
    trail = Trail(tournament)
    faults: list[Fault] = []
    for check in CHECKS:
        try:
            faults += check(trail)
        except (DatabaseError, InterfaceError):
            raise
        except Exception as error:  # noqa: BLE001  whatever a touched row does to its reader
            logger.warning("%s of %s: %r", check.__name__, tournament.slug, error)
            what = check.__name__.replace("_", " ")
            faults.append(Fault(what, f"cannot be made out: {type(error).__name__}"))
    return faults
