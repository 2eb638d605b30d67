"""Seating a session anew, by lot or as typed, for as long as nothing has happened at its tables.

Tables that are still there keep their links, PINs and phones; those that are no more are gone with
them. Once something is recorded, players are exchanged one by one instead: `desk.exchanges`.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.turns import take_turn
from tournaments.facts import closing
from tournaments.facts.not_done import NotDone
from tournaments.facts.registration import Overtaken, check_may_sit
from tournaments.models import Act, Entry, Seat, Session, Sitting
from tournaments.models.tokens import digest

SEATING = (Act.Kind.SESSION_OPENED, Act.Kind.SESSION_RESEATED, Act.Kind.PLAYERS_EXCHANGED)


class HasBegun(NotDone):
    """Raised when a session would be seated anew at whose tables something has happened."""

    code = "session_begun"
    sentence = _(
        "Something has been recorded in this session, or a table has called the desk. "
        "Its seats stay; exchange players instead."
    )


def has_begun(session: Session) -> bool:
    """Return whether a table of this session has recorded, called or said anything."""
    said = Q(rounds=None, typed_totals=None, calls=None, disagreements=None)
    return session.sittings.exclude(said).exists()


def last_seating(session: Session) -> Act | None:
    """Return the act that last changed who sits where in this session; None where none tells."""
    acts = session.tournament.acts.filter(kind__in=SEATING, subject__session=session.number)
    return acts.last()


def version_of(session: Session) -> int:
    """Return the version to be named as seen by whoever seats a session anew."""
    act = last_seating(session)
    return act.number if act else 0


def seated(session: Session) -> list[list[Entry]]:
    """Return who sits where: a list of entries for each table, in seat order."""
    sittings = session.sittings.prefetch_related("seats__entry")
    return [[seat.entry for seat in sitting.seats.all()] for sitting in sittings]


@transaction.atomic
def reseat(
    session: Session, tables: Sequence[Sequence[Entry]], *, seen: int, by: Actor, reason: str = ""
) -> None:
    """Seat a session like this instead: one list of entries for each table, in seat order.

    Raises `HasBegun`, `Overtaken` when the seats have changed since the version `seen`,
    `registration.LookAgain`, and `closing.EventClosed` once the event is closed. Seats that are as
    they were stay untold.
    """
    tournament = take_turn(session.tournament)
    closing.check_not_closed(tournament)
    if has_begun(session):
        raise HasBegun
    act = last_seating(session)
    if (act.number if act else 0) != seen:
        raise Overtaken(act)
    check_may_sit(tournament, tables)
    old, new = (_keys(each) for each in (seated(session), tables))
    if old == new:
        return
    made = _seat(session, tables)
    subject = {"session": session.number, "links": [digest(each.token) for each in made]}
    kind = Act.Kind.SESSION_RESEATED
    audit.append(tournament, kind, by, subject=subject, old=old, new=new, reason=reason)


def _keys(tables: Sequence[Sequence[Entry]]) -> list[list[str]]:
    return [[entry.key for entry in entries] for entries in tables]


def _seat(session: Session, tables: Sequence[Sequence[Entry]]) -> list[Sitting]:
    """Let everybody get up and sit down anew; return the tables that were not there before."""
    Seat.objects.filter(sitting__session=session).delete()
    session.sittings.filter(number__gt=len(tables)).delete()
    there = {sitting.number: sitting for sitting in session.sittings.all()}
    made = []
    for number, entries in enumerate(tables, 1):
        sitting = there.get(number)
        if sitting is None:
            sitting = Sitting.objects.create(session=session, number=number)
            made.append(sitting)
        Seat.objects.bulk_create(
            Seat(sitting=sitting, position=position, entry=entry)
            for position, entry in enumerate(entries, 1)
        )
    return made
