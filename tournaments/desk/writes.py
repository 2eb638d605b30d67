"""What the desk does beside taking down rounds: each act in one transaction, with its trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.turns import take_turn, take_turn_at
from tournaments.desk import exchanges
from tournaments.desk.exchanges import Exchange
from tournaments.desk.typed_sheets import Line
from tournaments.facts import backing_up, recording
from tournaments.facts.not_done import Stale
from tournaments.facts.sheets import is_the_same
from tournaments.models import (
    Act,
    Call,
    Disagreement,
    Entry,
    Round,
    Seat,
    Session,
    Sitting,
    SittingTotals,
)


class SettledAlready(Exception):
    """Raised when somebody else has settled a disagreement meanwhile."""


@transaction.atomic
def answer_call(call: Call, *, by: Actor) -> None:
    """Say that a call is answered. Answering twice is answering once."""
    take_turn_at(call.sitting)
    current = Call.objects.get(pk=call.pk)
    if current.answered_at is not None:
        return
    current.answered_at = timezone.now()
    current.save(update_fields=["answered_at"])
    audit.append(
        call.sitting.session.tournament,
        Act.Kind.CALL_ANSWERED,
        by,
        subject=audit.at_table(call.sitting),
        new={"kind": call.kind, "words": call.words},
        at=current.answered_at,
    )


@transaction.atomic
def keep_stored(disagreement: Disagreement, *, seen: int, by: Actor, reason: str = "") -> None:
    """Settle a disagreement: the round stays as it is stored.

    `seen` is the version looked at. Raises `SettledAlready` and `recording.StaleRound`.
    """
    _check_open(disagreement)
    stored = _stored(disagreement)
    if (stored.version if stored else 0) != seen:
        raise recording.StaleRound(stored)
    _settle(disagreement, by, stored, reason)


@transaction.atomic
def take_other(
    disagreement: Disagreement, *, seen: int, by: Actor, reason: str, set_aside: bool = False
) -> Round:
    """Settle a disagreement: the other facts replace the stored ones, as a correction.

    `set_aside`: as `recording.record_round` has it. Raises what that raises, and `SettledAlready`.
    """
    _check_open(disagreement)
    before = _stored(disagreement)
    row = recording.record_round(
        disagreement.sitting,
        disagreement.number,
        disagreement.facts,
        seen=seen,
        by=by,
        reason=reason,
        set_aside=set_aside,
    )
    _settle(disagreement, by, before, reason)
    return row


@transaction.atomic
def record_lines(
    sitting: Sitting,
    lines: Sequence[Line],
    *,
    seen: int,
    by: Actor,
    on_paper: Mapping[str, int] | None = None,
) -> list[Round]:
    """Record every line of a paper sheet, or none if one of them cannot be.

    `on_paper` are totals that the sheet has otherwise than these rounds come to: an act keeps both.

    `seen` is the version of the first line's round that its writer looked at, 0 if there was none.
    Raises what `recording.record_round` raises.
    """
    sheet = recording.sheet_in_turn(sitting)
    for line in lines:
        facts = line.facts or {}
        try:
            sheet = recording.record_on(sheet, line.number, facts, seen=seen, by=by)
        except recording.ReasonNeeded:
            # A round under way that is typed just as it is stored: nothing to write.
            if not is_the_same(sheet, line.number, sheet.rows[line.number - 1].facts, facts):
                raise
        seen = 0
    if on_paper:
        audit.append(
            sitting.session.tournament,
            Act.Kind.PAPER_OVERRULED,
            by,
            subject=audit.at_table(sitting),
            old=dict(on_paper),
            new={player: sheet.score.totals[player] for player in on_paper},
        )
    return [sheet.rows[line.number - 1] for line in lines]


@transaction.atomic
def enter_totals(
    sitting: Sitting, points: Mapping[str, int], *, seen: int, by: Actor, reason: str = ""
) -> None:
    """Keep a table's final totals as the next version.

    Raises `Stale` when there is another version than the one `seen`, and
    `recording.ReasonNeeded` when totals would change and nobody says why.
    """
    take_turn_at(sitting)
    stored = SittingTotals.objects.filter(sitting=sitting).order_by("version").last()
    if (stored.version if stored else 0) != seen:
        raise Stale
    if stored is not None and stored.points == points:
        return
    if stored is not None and not reason:
        raise recording.ReasonNeeded
    _write_totals(sitting, points, by, reason)


def _write_totals(sitting: Sitting, points: Mapping[str, int], by: Actor, reason: str) -> None:
    stored = SittingTotals.objects.filter(sitting=sitting).order_by("version").last()
    row = SittingTotals.objects.create(
        sitting=sitting,
        version=stored.version + 1 if stored else 1,
        points=dict(points),
        reason=reason,
        who=by.who,
    )
    audit.append(
        sitting.session.tournament,
        Act.Kind.TOTALS_CORRECTED if stored else Act.Kind.TOTALS_ENTERED,
        by,
        subject=audit.at_table(sitting) | {"version": row.version},
        old=stored.points if stored else None,
        new=row.points,
        reason=reason,
        at=row.recorded_at,
    )
    if stored is None:
        backing_up.after_writing(sitting)


@transaction.atomic
def exchange(
    session: Session, one: Entry, other: Entry, *, seen: str, by: Actor, reason: str
) -> Exchange:
    """Let two players take each other's place in a session, with everything recorded there.

    Their rounds are recorded anew as corrections, all of them or none. `seen` is the stamp of what
    the writer looked at. Raises `Stale`, `exchanges.NotSeated`, `exchanges.Undecided`, and
    `Entry.DoesNotExist` when somebody has deleted one of the two meanwhile.
    """
    take_turn(session.tournament)
    one, other = (Entry.objects.get(pk=each.pk) for each in (one, other))
    planned = exchanges.plan(session, one, other)
    if planned.stamp != seen:
        raise Stale
    _reseat(session, one, other)
    for sheet, old, new in planned.rounds:
        _record_anew(sheet.sitting, old, new, by, reason)
    for sheet in planned.after:
        if sheet.typed is not None:
            _write_totals(sheet.sitting, sheet.typed.points, by, reason)
    audit.append(
        session.tournament,
        Act.Kind.PLAYERS_EXCHANGED,
        by,
        subject={"session": session.number},
        old={str(sheet.sitting.number): list(sheet.players) for sheet in planned.before},
        new={str(sheet.sitting.number): list(sheet.players) for sheet in planned.after},
        reason=reason,
    )
    return planned


def _reseat(session: Session, one: Entry, other: Entry) -> None:
    """Exchange the two on their seats; both get up first, for a seat and a player are one pair."""
    seats = list(Seat.objects.filter(sitting__session=session, entry__in=[one, other]))
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    for seat in seats:
        entry = other if seat.entry_id == one.pk else one
        Seat.objects.create(sitting_id=seat.sitting_id, position=seat.position, entry=entry)


def _record_anew(sitting: Sitting, old: Round, new: Round, by: Actor, reason: str) -> None:
    new.reason, new.who = reason, by.who
    new.save()
    recording.tell(sitting, Act.Kind.ROUND_CORRECTED, new, old, by)


def _check_open(disagreement: Disagreement) -> None:
    take_turn_at(disagreement.sitting)
    if Disagreement.objects.get(pk=disagreement.pk).settled_at is not None:
        raise SettledAlready


def _stored(disagreement: Disagreement) -> Round | None:
    rounds = Round.objects.filter(sitting=disagreement.sitting, number=disagreement.number)
    latest = rounds.order_by("version").last()
    return None if latest is None or latest.is_set_aside else latest


def _settle(disagreement: Disagreement, by: Actor, stored: Round | None, reason: str) -> None:
    disagreement.settled_at = timezone.now()
    disagreement.save(update_fields=["settled_at"])
    sitting = disagreement.sitting
    latest = _stored(disagreement)
    audit.append(
        sitting.session.tournament,
        Act.Kind.DISPUTE_SETTLED,
        by,
        subject=audit.at_table(sitting) | {"round": disagreement.number},
        old={"stored": stored.facts if stored else None, "other": disagreement.facts},
        new=latest.facts if latest else None,
        reason=reason,
        at=disagreement.settled_at,
    )
