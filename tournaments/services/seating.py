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
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.models import AuditEntry, Entry, Seat, Session, Sitting, Tournament
from tournaments.models.seating import random_token_of
from tournaments.models.tokens import digest
from tournaments.services import automatic_backups, closing
from tournaments.services.versions import VersionConflict

SEATING = (
    AuditEntry.Kind.SESSION_OPENED,
    AuditEntry.Kind.SESSION_RESEATED,
    AuditEntry.Kind.PLAYERS_EXCHANGED,
)


class HasBegun(OperationRefused):
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


def last_seating(session: Session) -> AuditEntry | None:
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

    Raises `HasBegun`, `VersionConflict` when the seats have changed since the version `seen`,
    `registration.LookAgain`, and `closing.EventClosed` once the event is closed. Seats that are as
    they were stay untold.
    """
    tournament = lock_tournament(session.tournament)
    closing.check_not_closed(tournament)
    if has_begun(session):
        raise HasBegun
    act = last_seating(session)
    if (act.number if act else 0) != seen:
        raise VersionConflict(act)
    check_may_sit(tournament, tables)
    old, new = (_keys(each) for each in (seated(session), tables))
    if old == new:
        return
    made = _seat(session, tables)
    subject = {"session": session.number, "links": [digest(each.token) for each in made]}
    kind = AuditEntry.Kind.SESSION_RESEATED
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


class AlreadySeated(OperationRefused):
    """Raised when a session has been seated since its writer looked."""

    code = "already_seated"
    sentence = _("This session has been seated meanwhile; look at it first.")


class NotSeatedBefore(OperationRefused):
    """Raised when a session would be seated before the one that comes first."""

    code = "session_missing"
    sentence = _("The session before this one has not been seated yet.")


class OneTable(OperationRefused):
    """Raised when a club's one table would be seated once more."""

    code = "one_table"
    sentence = _("This is one table, seated once. Set up another table, or a tournament.")


class SeatingConflict(ConflictError):
    """Raised when players were deleted, or tables are of another size, since a seating was read.

    Whoever reads it anew finds out which.
    """


def next_session(tournament: Tournament) -> int:
    """Return the number of the session to be seated next."""
    last = tournament.sessions.order_by("number").last()
    return last.number + 1 if last else 1


@transaction.atomic
def open_session(
    tournament: Tournament,
    tables: Sequence[Sequence[Entry]],
    *,
    by: Actor,
    number: int | None = None,
) -> Session:
    """Seat everybody for the next session: one list of entries for each table, in seat order.

    `number` is the session the writer meant to seat. Raises `AlreadySeated` if there is one,
    `NotSeatedBefore` if it is not the next, `OneTable`, `SeatingConflict`, and
    `closing.EventClosed` once the event is closed.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(tournament)
    following = next_session(tournament)
    if current.kind == Tournament.Kind.TABLE and following > 1:
        raise OneTable
    if number is not None and number != following:
        raise AlreadySeated if number < following else NotSeatedBefore
    check_may_sit(current, tables)
    automatic_backups.before_session(current)
    session = Session.objects.create(
        tournament=tournament, number=following, totals_only=current.totals_only
    )
    links = []
    for table, entries in enumerate(tables, 1):
        token = random_token_of(current)
        sitting = Sitting.objects.create(session=session, number=table, token=token)
        links.append(digest(sitting.token))
        Seat.objects.bulk_create(
            Seat(sitting=sitting, position=position, entry=entry)
            for position, entry in enumerate(entries, 1)
        )
    audit.append(
        tournament,
        AuditEntry.Kind.SESSION_OPENED,
        by,
        subject={"session": following, "links": links},
        new=[[entry.key for entry in entries] for entries in tables],
    )
    return session


def check_may_sit(tournament: Tournament, tables: Sequence[Sequence[Entry]]) -> None:
    """Raise `SeatingConflict` where this is no seating of a tournament as it is now."""
    known = set(tournament.entries.values_list("pk", flat=True))
    sizes = tournament.table_sizes
    for table in tables:
        if len(table) not in sizes or not known.issuperset(entry.pk for entry in table):
            raise SeatingConflict
