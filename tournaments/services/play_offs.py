"""Play-offs (決定戦): sessions that decide the order of tied players and count for nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import OperationRefused
from tournaments.models import Entry, Session, Tournament
from tournaments.queries.presence import withdrawn_from
from tournaments.services import adjustments, seating
from tournaments.services.seating import DrawFacts, PlayOffPlan, TiedNotSeated


class PlayerWithdrew(OperationRefused):
    """A player with a seat has withdrawn."""

    code = "player_withdrew"
    sentence = _(
        "This player has withdrawn. Name somebody else, or mark the player as present in the roll"
        " call first."
    )


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

    Others at these tables fill them. Whether the players are tied is not asked: a play-off decides
    wherever all who are tied are among its players. Raises `TiedNotSeated`, `PlayerWithdrew`,
    `adjustments.AlreadyDecided`, and what `seating.open_session` raises.
    """
    current = lock_tournament(tournament)
    tied, seated = sorted(plan.tied), [entry.number for table in tables for entry in table]
    is_once = len(set(seated)) == len(seated) and len(set(tied)) == len(tied)
    if len(tied) < 2 or not is_once or not set(tied) <= set(seated):
        raise TiedNotSeated
    wanted = plan._replace(tied=tied)
    stored = current.sessions.filter(number=number).first()
    if stored and _is_as_wanted(stored, wanted, tables):
        return stored
    adjustments.check_undecided(current, tied)
    if not withdrawn_from(current).keys().isdisjoint(map(str, seated)):
        raise PlayerWithdrew
    return seating.open_session(
        tournament, tables, by=by, number=number, draw=draw, play_off=wanted
    )


def _is_as_wanted(session: Session, wanted: PlayOffPlan, tables: Sequence[Sequence[Entry]]) -> bool:
    """Return whether a session is this play-off, with these seats."""
    plan = (session.tied, session.rounds_planned)
    return plan == wanted and seating.seating_of(session) == [list(table) for table in tables]
