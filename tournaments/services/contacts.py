"""Erasing the contacts of applicants that are no longer needed to reach a player (連絡先の消去)."""

from __future__ import annotations

from django.db import transaction

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.models import AuditEntry, Tournament
from tournaments.queries.registrations import contacts_without_use


@transaction.atomic
def erase_contacts(tournament: Tournament, *, by: Actor, at_closing: bool = False) -> int:
    """Erase the contacts of applications that no longer reach a player; return the number erased.

    These are the contacts of withdrawn and declined applications, contacts replaced by a newer one
    of the player and, with `at_closing`, those of pending and waiting applications. Idempotent. The
    salts are erased, too, so that nobody can guess a contact from its digest in the audit trail.
    """
    current = lock_tournament(tournament)
    numbers = [row.number for row in contacts_without_use(current, at_closing=at_closing)]
    if numbers:
        current.registrations.filter(number__in=numbers).update(contact="", salt="")
        audit.append_entry(
            current, AuditEntry.Kind.CONTACTS_ERASED, by, new=numbers, is_locked=True
        )
    return len(numbers)
