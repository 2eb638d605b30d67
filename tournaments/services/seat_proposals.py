"""Proposed seats (席の案): made, changed by hand, and confirmed as they stand on the page.

They are working papers of the staff: changes have no audit entries, and old ones are deleted. What
is confirmed is written by `seating` and `schedules`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.models import SeatProposal, Session, Tournament
from tournaments.queries import presence, schedules, stages
from tournaments.queries.seat_proposals import (
    Proposal,
    Purpose,
    digest_of_seats,
    keys_in,
    read,
    removal_of,
)
from tournaments.services import closing, seating
from tournaments.services import schedules as schedules_service
from tournaments.services.seating import DrawFacts

KEPT = 20  # the newest proposals of a tournament, for Back and for a second helper

Seats = Sequence[Sequence[str]]  # keys of players


class ProposalChanged(ConflictError):
    """The proposal is another one than the writer was shown."""


class ProposalOver(OperationRefused):
    code = "proposal_over"
    sentence = _(
        "These proposed seats no longer apply: the session or its seats have changed. Draw again."
    )


def basis_of(tournament: Tournament, session: int) -> dict[str, int]:
    """Return the basis of a proposal. Call it before reading what is proposed."""
    seated = tournament.sessions.filter(number=session).first()
    return {
        "roll": presence.marks_version(tournament),
        "seats": seating.seats_version(seated) if seated else 0,
        **_basis_of_new_session(tournament, session),
    }


def _basis_of_new_session(tournament: Tournament, session: int) -> dict[str, int]:
    """Return what ends a proposal for a session that is not seated, if it changes."""
    stage = stages.stage_of_session(tournament, session)
    return {
        "plan": schedules.schedule_version(tournament),
        "stage": stage.number if stage else 0,
        "removal": removal_of(tournament, session),
    }


def is_open(row: SeatProposal) -> bool:
    """Whether it can still be confirmed: its session and its plan are the same.

    If a session of this number was removed since, it is another one.
    """
    tournament = row.tournament
    if row.purpose == Purpose.RESEAT:
        session = tournament.sessions.filter(number=row.session).first()
        return (
            session is not None
            and not seating.has_begun(session)
            and seating.seats_version(session) == row.basis["seats"]
        )
    return seating.next_session_number(tournament) == row.session and all(
        row.basis.get(name, 0) == now
        for name, now in _basis_of_new_session(tournament, row.session).items()
    )


def newest(tournament: Tournament, purpose: Purpose, session: int) -> SeatProposal | None:
    """Return the newest proposal that is still open; see `is_open`."""
    row = tournament.seat_proposals.filter(purpose=purpose, session=session).last()
    return row if row and is_open(row) else None


@transaction.atomic
def propose(
    tournament: Tournament,
    purpose: Purpose,
    session: int,
    seats: Sequence[Any],
    *,
    basis: Mapping[str, int],
    by: Actor,
    draw: DrawFacts | None = None,
    choices: Mapping[str, str] | None = None,
    has_moves: bool = False,
) -> SeatProposal:
    """Store proposed seats under the next number, and delete the oldest ones.

    `basis` is as `basis_of` returned it before the seats were made. Players who are to be seated
    and have no seat sit out. `has_moves` says that the seats are those of a proposal with moves by
    hand. Raises `closing.EventClosed`.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    proposals = current.seat_proposals
    last = proposals.aggregate(last=Max("number"))["last"] or 0
    row = SeatProposal(
        tournament=current,
        number=last + 1,
        purpose=purpose,
        session=session,
        basis=dict(basis),
        choices={**(choices or {}), "proposed": "" if has_moves else digest_of_seats(seats)},
        draw=dict(draw or {}),
        seats=seats,
        who=by.who,
    )
    if purpose != Purpose.PLAN:
        proposal = read(row)
        row.left_out = [entry.key for entry in proposal.without_seat]
        chosen, to_seat = row.choices.get("out", "").split(), proposal.roll.to_be_seated()
        too_many = {entry.key for entry in to_seat}.intersection(row.left_out).difference(chosen)
        row.choices["too_many"] = " ".join(sorted(too_many, key=int))
    row.save()
    proposals.filter(number__lte=row.number - KEPT).delete()
    return row


@transaction.atomic
def change(row: SeatProposal, seats: Seats, *, seen: str, by: Actor) -> Proposal:
    """Replace the tables of proposed seats: a move by hand. Idempotent.

    `seen` is the digest of the seats that the writer was shown. Sizes of tables are not checked:
    while players are moved, a table may have too many.
    Raises `ProposalOver`, `ProposalChanged` and `closing.EventClosed`.
    """
    current = _locked(row)
    new = [list(table) for table in seats]
    proposal = read(current)
    if new == current.seats:
        return proposal
    if not proposal.has_seats_of(seen):
        raise ProposalChanged
    current.left_out = sorted({*current.left_out, *keys_in(current.seats)}, key=int)
    current.seats, current.who = new, by.who
    current.save()
    return read(current)


@transaction.atomic
def confirm(row: SeatProposal, seats: Seats, *, seen: str, by: Actor, reason: str = "") -> Session:
    """Seat the session as proposed. Idempotent: two presses for the same `seats` are one act.

    `seats` are those that the writer wants, `seen` is the digest of what the writer was shown.
    Raises `ProposalOver`, also where other seats have been confirmed; `ProposalChanged` if the
    seats are others now or something does not fit that was not shown; and what
    `seating.open_session` and `seating.reseat` raise.
    """
    wanted = [list(table) for table in seats]
    tournament = lock_tournament(row.tournament)
    seated = tournament.sessions.filter(number=row.session).first()
    if seated and not is_open(row) and wanted == row.seats and is_confirmed(row):
        return seated
    current = _locked(row)
    proposal = read(current)
    lost = proposal.misfits.gone or proposal.misfits.not_in_stage
    if lost or wanted != current.seats or not proposal.was_shown(seen):
        raise ProposalChanged
    tables, draw = proposal.tables, current.draw or None
    if seated is None:
        return seating.open_session(tournament, tables, number=row.session, by=by, draw=draw)
    seen_version = current.basis["seats"]
    seating.reseat(seated, tables, seen_version=seen_version, by=by, reason=reason, draw=draw)
    return seated


@transaction.atomic
def confirm_plan(row: SeatProposal, *, by: Actor) -> None:
    """Store a proposed plan of several sessions. Idempotent.

    A plan is never changed by hand, so its number identifies what was shown. Raises `ProposalOver`
    and what `schedules.store_schedule` raises.
    """
    stored = schedules.schedule_of(lock_tournament(row.tournament))
    if stored and stored.seats == row.seats and not schedules.has_unused_sessions(stored):
        return
    current = _locked(row)
    schedules_service.store_schedule(
        current.tournament, row.session, current.draw, seen_version=current.basis["plan"], by=by
    )


def _locked(row: SeatProposal) -> SeatProposal:
    """Take the tournament's lock and return the proposal read again.

    Raises `closing.EventClosed` and `ProposalOver`.
    """
    tournament = lock_tournament(row.tournament)
    closing.check_not_closed(tournament)
    current = tournament.seat_proposals.filter(pk=row.pk).first()
    if current is None or not is_open(current):
        raise ProposalOver
    return current


def is_confirmed(row: SeatProposal) -> bool:
    """Return whether its session has the proposed seats."""
    session = row.tournament.sessions.filter(number=row.session).first()
    return session is not None and has_seats(session, row.seats)


def has_seats(session: Session, seats: Seats) -> bool:
    tables = seating.seating_of(session)
    return [[entry.key for entry in table] for table in tables] == seats
