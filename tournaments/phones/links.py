"""What opens a table to phones, in the desk's hand: its link and its PIN, made anew or closed."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.turns import take_turn, take_turn_at
from tournaments.facts import closing
from tournaments.models import Act, Sitting, TableSession, Tournament
from tournaments.models.seats import random_token_of
from tournaments.models.tokens import digest
from tournaments.phones import guesses, joining, pins


@transaction.atomic
def revoke(sitting: Sitting, *, by: Actor) -> None:
    """Close a table's link, its PIN and all its phones."""
    current = take_turn_at(sitting)
    if current.closed_at is None:
        current.closed_at = timezone.now()
        current.pin = ""
        current.save(update_fields=["closed_at", "pin"])
        joining.living(current).update(ended_at=current.closed_at, is_writer=False)
        _tell(current, Act.Kind.LINK_REVOKED, by, at=current.closed_at)


@transaction.atomic
def end_phones(tournament: Tournament, *, by: Actor) -> None:
    """End all phones of an event. Its links and PINs stay: by these they join again."""
    take_turn(tournament)
    now = timezone.now()
    living = TableSession.objects.filter(sitting__session__tournament=tournament, ended_at=None)
    if living.update(ended_at=now, is_writer=False):
        audit.append(tournament, Act.Kind.PHONES_ENDED, by, at=now)


@transaction.atomic
def make_link(sitting: Sitting, *, by: Actor) -> str:
    """Give a table a new link and return its token; the old one and all its phones end.

    Raises `closing.EventClosed` once the event is closed.
    """
    revoke(sitting, by=by)
    current = take_turn_at(sitting)
    closing.check_not_closed(current.session.tournament)
    current.token = random_token_of(current.session.tournament)
    current.closed_at = None
    current.save(update_fields=["token", "closed_at"])
    _tell(current, Act.Kind.LINK_MADE, by, new={"links": [digest(current.token)]})
    return current.token


def make_pin(sitting: Sitting, *, by: Actor, pin: pins.Pin | None = None) -> str:
    """Give a table a new PIN and return it; it is shown this once. The old one opens nothing.

    Whoever makes many gives each a `pin` drawn before.

    Raises `closing.EventClosed` once the event is closed.
    """
    pin = pin or pins.draw()
    with transaction.atomic():
        current = take_turn_at(sitting)
        closing.check_not_closed(current.session.tournament)
        current.pin = pin.kept
        current.save(update_fields=["pin"])
        guesses.forget(guesses.at_table(current))
        _tell(current, Act.Kind.PIN_MADE, by, new={"pins": [digest(current.pin)]})
    return pin.told


def _tell(
    sitting: Sitting, kind: Act.Kind, by: Actor, *, new: Any = None, at: datetime | None = None
) -> None:
    """Leave in the trail what was done to a table."""
    tournament, subject = sitting.session.tournament, audit.at_table(sitting)
    audit.append(tournament, kind, by, subject=subject, new=new, at=at)
