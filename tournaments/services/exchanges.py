"""Exchanging two players in a session after it was played; their rounds are corrected."""

from __future__ import annotations

from django.db import transaction

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ConflictError
from tournaments.models import (
    AuditEntry,
    Entry,
    Round,
    Seat,
    Session,
    Sitting,
)
from tournaments.queries import exchanges
from tournaments.queries.exchanges import Exchange
from tournaments.services import rounds, seating
from tournaments.services.totals import write_totals


@transaction.atomic
def exchange(
    session: Session, one: Entry, other: Entry, *, seen_stamp: str, by: Actor, reason: str
) -> Exchange:
    """Exchange two players' seats in a session, and their numbers in all facts recorded there.

    Their rounds are corrected, all or none. `seen_stamp` is the `stamp` of the plan that was shown.
    Raises `ConflictError` if the plan is another one now, what `plan` raises, and
    `Entry.DoesNotExist` if one of the two was removed.
    """
    lock_tournament(session.tournament)
    one, other = (Entry.objects.get(pk=each.pk) for each in (one, other))
    planned = plan(session, one, other)
    if planned.stamp != seen_stamp:
        raise ConflictError
    _reseat(session, one, other)
    for sheet, old, new in planned.rounds:
        _correct_round(sheet.sitting, old=old, new=new, by=by, reason=reason)
    for sheet in planned.after:
        if sheet.typed_totals is not None:
            write_totals(sheet.sitting, sheet.typed_totals.points, by=by, reason=reason)
    audit.append_entry(
        session.tournament,
        AuditEntry.Kind.PLAYERS_EXCHANGED,
        by,
        subject={"session": session.number},
        old={str(sheet.sitting.number): list(sheet.players) for sheet in planned.before},
        new={str(sheet.sitting.number): list(sheet.players) for sheet in planned.after},
        reason=reason,
    )
    return planned


def plan(session: Session, one: Entry, other: Entry) -> Exchange:
    """Return the plan of an exchange, without writing.

    Raises `exchanges.NotSeated`, `exchanges.Undecided`, `seating.TiedLeave` if a tied player of a
    play-off would lose the seat, and `seating.PlayersAway` if who takes a seat is away.
    """
    planned = exchanges.plan_exchange(session, one, other)
    before, after = (
        [key for sheet in sheets for key in sheet.players]
        for sheets in (planned.before, planned.after)
    )
    seating.check_tied_stay(session, before, after)
    came = [entry for entry in (one, other) if entry.key in set(after) - set(before)]
    seating.check_present(session.tournament, session.number, [came])
    return planned


def _reseat(session: Session, one: Entry, other: Entry) -> None:
    """Exchange the entries of two seats. Both are deleted first, because each is unique."""
    seats = list(Seat.objects.filter(sitting__session=session, entry__in=[one, other]))
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    for seat in seats:
        entry = other if seat.entry_id == one.pk else one
        Seat.objects.create(sitting_id=seat.sitting_id, position=seat.position, entry=entry)


def _correct_round(sitting: Sitting, *, old: Round, new: Round, by: Actor, reason: str) -> None:
    """Store the planned next version `new`, not saved yet, with its audit entry."""
    new.reason, new.who = reason, by.who
    new.save()
    rounds.append_audit_entry(sitting, AuditEntry.Kind.ROUND_CORRECTED, row=new, stored=old, by=by)
