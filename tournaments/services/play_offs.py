"""Play-offs (決定戦): sessions that decide the order of tied players and count for nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.models import Entry, Session, Tournament
from tournaments.queries.play_offs import late_or_absent
from tournaments.queries.presence import Status
from tournaments.services import adjustments, presence, seating
from tournaments.services.seating import DrawFacts, PlayOffPlan, TiedNotSeated


@transaction.atomic
def open_play_off(
    tournament: Tournament,
    plan: PlayOffPlan,
    tables: Sequence[Sequence[Entry]],
    *,
    number: int,
    by: Actor,
    draw: DrawFacts | None = None,
) -> Session:
    """Seat tied players as session `number`, the next one. Idempotent by that number.

    Tied players who are late or absent by the roll call are marked as present: their seats say so.
    Players at these tables who are not in `plan.tied` only fill the seats. It is not checked that
    the players are tied: a play-off decides every tie of players who are all in `plan.tied`. Raises
    `TiedNotSeated`, what `adjustments.check_undecided` and what `seating.open_session` raises.
    """
    current = lock_tournament(tournament)
    tied, seated = sorted(plan.tied), [entry.number for table in tables for entry in table]
    has_duplicates = len(set(seated)) < len(seated) or len(set(tied)) < len(tied)
    if len(tied) < 2 or has_duplicates or not set(tied) <= set(seated):
        raise TiedNotSeated
    plan = plan._replace(tied=tied)
    stored = current.sessions.filter(number=number).first()
    if stored and _is_same_play_off(stored, plan, tables):
        return stored
    if not stored:
        adjustments.check_undecided(current, tied)
    if number == seating.next_session_number(current):
        players = [entry for table in tables for entry in table if entry.number in tied]
        for entry, status in late_or_absent(current, number, players).items():
            presence.mark_presence(entry, number, Status.PRESENT, seen_status=status, by=by)
    return seating.open_session(tournament, tables, by=by, number=number, draw=draw, play_off=plan)


def _is_same_play_off(
    session: Session, plan: PlayOffPlan, tables: Sequence[Sequence[Entry]]
) -> bool:
    """`plan.tied` is sorted."""
    stored_plan = PlayOffPlan(session.tied or (), session.rounds_planned)
    has_same_seats = seating.seating_of(session) == [list(table) for table in tables]
    return stored_plan == plan and has_same_seats
