"""Erasing contacts of applicants by which no player is reached any more (連絡先の消去)."""

from __future__ import annotations

from django.db import transaction

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.models import AuditEntry, Tournament
from tournaments.queries.registrations import contacts_without_use


@transaction.atomic
def erase_contacts(tournament: Tournament, *, by: Actor, at_closing: bool = False) -> int:
    """Erase contacts by which no player is reached any more; return how many. Idempotent.

    They are those of withdrawn and declined applications, at closing also of those that wait, and
    those that were corrected since for the player. The audit trail keeps a digest, from which
    nobody can guess one: the salt is erased, too.
    """
    current = lock_tournament(tournament)
    numbers = [row.number for row in contacts_without_use(current, at_closing=at_closing)]
    if numbers:
        current.registrations.filter(number__in=numbers).update(contact="", salt="")
        audit.append_entry(
            current, AuditEntry.Kind.CONTACTS_ERASED, by, new=numbers, is_locked=True
        )
    return len(numbers)
