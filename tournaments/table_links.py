"""What opens a table to phones, in the desk's hand: its link and its PIN, made anew or closed."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from tournaments import audit, closing, guesses, phones, pins
from tournaments.audit import Actor
from tournaments.models import Act, Sitting
from tournaments.models.seats import random_token


@transaction.atomic
def revoke(sitting: Sitting, *, by: Actor) -> None:
    """Close a table's link, its PIN and all its phones."""
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    if locked.closed_at is None:
        locked.closed_at = timezone.now()
        locked.pin = ""
        locked.save(update_fields=["closed_at", "pin"])
        phones.living(locked).update(ended_at=locked.closed_at, is_writer=False)
        _tell(locked, Act.Kind.LINK_REVOKED, by)


@transaction.atomic
def make_link(sitting: Sitting, *, by: Actor) -> str:
    """Give a table a new link and return its token; the old one and all its phones end.

    Raises `closing.EventClosed` once the event is closed.
    """
    revoke(sitting, by=by)
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    closing.check_not_closed(locked.session.tournament)
    locked.token = random_token()
    locked.closed_at = None
    locked.save(update_fields=["token", "closed_at"])
    _tell(locked, Act.Kind.LINK_MADE, by)
    return locked.token


@transaction.atomic
def make_pin(sitting: Sitting, *, by: Actor) -> str:
    """Give a table a new PIN and return it; it is shown this once. The old one opens nothing.

    Raises `closing.EventClosed` once the event is closed.
    """
    pin = pins.drawn()
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    closing.check_not_closed(locked.session.tournament)
    locked.pin = pins.hashed(pin)
    locked.save(update_fields=["pin"])
    guesses.forget(guesses.at_pin(locked))
    _tell(locked, Act.Kind.PIN_MADE, by)
    return pin


def _tell(sitting: Sitting, kind: Act.Kind, by: Actor) -> None:
    """Leave in the trail what was done to a table."""
    audit.append(sitting.session.tournament, kind, by, subject=audit.at_table(sitting))
