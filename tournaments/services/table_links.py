"""Making and revoking a table's link and PIN, and ending its phones; for the desk."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_sitting, lock_tournament
from tournaments.models import AuditEntry, Phone, Sitting, Tournament
from tournaments.models.seating import new_link_token
from tournaments.models.tokens import digest
from tournaments.services import closing, guesses, phones, pins


@transaction.atomic
def revoke_link(sitting: Sitting, *, by: Actor) -> None:
    """Also revoke the table's PIN and end all its phones. Idempotent."""
    current = lock_sitting(sitting.first)
    if current.closed_at is None:
        current.closed_at = timezone.now()
        current.pin = ""
        current.save(update_fields=["closed_at", "pin"])
        phones.active_phones(current).update(ended_at=current.closed_at, is_writer=False)
        audit.append_table_entry(current, AuditEntry.Kind.LINK_REVOKED, by, at=current.closed_at)


@transaction.atomic
def end_phones(tournament: Tournament, *, by: Actor) -> None:
    """The phones can join again, because links and PINs stay valid."""
    lock_tournament(tournament)
    now = timezone.now()
    active = Phone.objects.filter(sitting__session__tournament=tournament, ended_at=None)
    if active.update(ended_at=now, is_writer=False):
        audit.append_entry(tournament, AuditEntry.Kind.PHONES_ENDED, by, at=now)


@transaction.atomic
def make_link(sitting: Sitting, *, by: Actor) -> str:
    """Replace a table's link and return the new token; revokes the PIN and ends all phones.

    Raises `closing.EventClosed`.
    """
    revoke_link(sitting, by=by)
    current = lock_sitting(sitting.first)
    closing.check_not_closed(current.session.tournament)
    current.token = new_link_token(current.session.tournament)
    current.closed_at = None
    current.save(update_fields=["token", "closed_at"])
    audit.append_table_entry(
        current, AuditEntry.Kind.LINK_MADE, by, new={"links": [digest(current.token)]}
    )
    return current.token


def make_pin(sitting: Sitting, *, by: Actor, pin: pins.Pin | None = None) -> str:
    """Replace a table's PIN and return the new one in clear; only its hash is stored.

    Callers that hold a lock pass a `pin` that they have generated before taking it. Raises
    `closing.EventClosed`.
    """
    pin = pin or pins.generate_pin()
    with transaction.atomic():
        current = lock_sitting(sitting.first)
        closing.check_not_closed(current.session.tournament)
        current.pin = pin.hashed
        current.save(update_fields=["pin"])
        guesses.delete_guesses(guesses.table_subjects(current))
        audit.append_table_entry(
            current, AuditEntry.Kind.PIN_MADE, by, new={"pins": [digest(current.pin)]}
        )
    return pin.plain
