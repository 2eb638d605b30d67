"""What opens a table to phones, in the desk's hand: its link and its PIN, made anew or closed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_sitting, lock_tournament
from tournaments.models import AuditEntry, Phone, Sitting, Tournament
from tournaments.models.seating import random_token_of
from tournaments.models.tokens import digest
from tournaments.services import closing, guesses, phones, pins


@transaction.atomic
def revoke(sitting: Sitting, *, by: Actor) -> None:
    """Close a table's link, its PIN and all its phones."""
    current = lock_sitting(sitting)
    if current.closed_at is None:
        current.closed_at = timezone.now()
        current.pin = ""
        current.save(update_fields=["closed_at", "pin"])
        phones.active_phones(current).update(ended_at=current.closed_at, is_writer=False)
        _tell(current, AuditEntry.Kind.LINK_REVOKED, by, at=current.closed_at)


@transaction.atomic
def end_phones(tournament: Tournament, *, by: Actor) -> None:
    """End all phones of an event. Its links and PINs stay: by these they join again."""
    lock_tournament(tournament)
    now = timezone.now()
    living = Phone.objects.filter(sitting__session__tournament=tournament, ended_at=None)
    if living.update(ended_at=now, is_writer=False):
        audit.append(tournament, AuditEntry.Kind.PHONES_ENDED, by, at=now)


@transaction.atomic
def make_link(sitting: Sitting, *, by: Actor) -> str:
    """Give a table a new link and return its token; the old one and all its phones end.

    Raises `closing.EventClosed` once the event is closed.
    """
    revoke(sitting, by=by)
    current = lock_sitting(sitting)
    closing.check_not_closed(current.session.tournament)
    current.token = random_token_of(current.session.tournament)
    current.closed_at = None
    current.save(update_fields=["token", "closed_at"])
    _tell(current, AuditEntry.Kind.LINK_MADE, by, new={"links": [digest(current.token)]})
    return current.token


def make_pin(sitting: Sitting, *, by: Actor, pin: pins.Pin | None = None) -> str:
    """Give a table a new PIN and return it; it is shown this once. The old one opens nothing.

    Whoever makes many gives each a `pin` drawn before.

    Raises `closing.EventClosed` once the event is closed.
    """
    pin = pin or pins.draw()
    with transaction.atomic():
        current = lock_sitting(sitting)
        closing.check_not_closed(current.session.tournament)
        current.pin = pin.kept
        current.save(update_fields=["pin"])
        guesses.forget(guesses.at_table(current))
        _tell(current, AuditEntry.Kind.PIN_MADE, by, new={"pins": [digest(current.pin)]})
    return pin.told


def _tell(
    sitting: Sitting,
    kind: AuditEntry.Kind,
    by: Actor,
    *,
    new: Any = None,
    at: datetime | None = None,
) -> None:
    """Leave in the trail what was done to a table."""
    tournament, subject = sitting.session.tournament, audit.at_table(sitting)
    audit.append(tournament, kind, by, subject=subject, new=new, at=at)
