"""Players who join or leave a table (途中参加・途中退席), before or after its first round.

Before the first round the seats of the table change. After it the table stops, and a new one goes
on with the other players for the rounds that are left: a sheet always has the same players, so
earlier rounds stay with who played them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.models import AuditEntry, Entry, Seat, Session, Sitting, Tournament
from tournaments.models.seating import new_link_token
from tournaments.models.tokens import digest
from tournaments.queries.sheets import Sheet, sheet_of
from tournaments.services import clocks, closing, seating


class WrongTableSize(OperationRefused):
    """The rules are not played by that many players at a table."""

    code = "table_size"
    sentence = _("These rules are not played by that many at a table.")


class SeatedElsewhere(OperationRefused):
    """A player sits at another table of the session that goes on, or is named twice."""

    code = "seated_twice"
    sentence = _("A player would sit down twice in one session.")


class RoundUnderWay(OperationRefused):
    """The last round of the table is unfinished, disputed, or no round follows."""

    code = "round_under_way"
    sentence = _("Players change between two rounds: finish the round, or decide it, first.")


class TableIsOver(OperationRefused):
    """No more rounds are played at the table, or its session has ended."""

    code = "table_over"
    sentence = _("This table has played all its rounds, or goes on elsewhere.")


def last_of(sitting: Sitting) -> Sitting:
    """Return the table at which a table goes on with other players, itself if it does not."""
    while (following := Sitting.objects.filter(continues=sitting).first()) is not None:
        following.session = sitting.session
        sitting = following
    return sitting


@transaction.atomic
def change_players(
    sitting: Sitting,
    players: Sequence[Entry],
    *,
    seen_players: Sequence[str],
    by: Actor,
    reason: str = "",
) -> Sitting:
    """Let these players, in seat order, go on at a table; return the table at which they do.

    `seen_players` are the keys of those who were shown to sit there. Idempotent. Raises the
    refusals of this module, `ConflictError` if others sit there by now, `Entry.DoesNotExist`,
    `seating.OneTable`, `seating.TiedLeave` and `closing.EventClosed`.
    """
    tournament = lock_tournament(sitting.session.tournament)
    closing.check_not_closed(tournament)
    if tournament.kind == Tournament.Kind.TABLE:
        raise seating.OneTable
    sheet = sheet_of(sitting)
    current = last_of(sheet.sitting)
    wanted = [Entry.objects.get(pk=each.pk, tournament=tournament) for each in players]
    if [entry.key for entry in wanted] == list(sheet_of(current).players):
        return current
    if list(seen_players) != list(sheet.players):
        raise ConflictError
    if current != sheet.sitting:
        raise TableIsOver
    _check_seats(tournament, sheet, wanted)
    seating.check_tied_stay(sheet.sitting.session, sheet.players, [each.key for each in wanted])
    if sheet.rows:
        return _go_on_elsewhere(sheet, wanted, by=by, reason=reason)
    _seat_anew(sheet, wanted, by=by, reason=reason)
    return sheet.sitting


def _check_seats(tournament: Tournament, sheet: Sheet, wanted: Sequence[Entry]) -> None:
    """Raise a refusal unless these players can go on at the table of this sheet."""
    session = sheet.sitting.session
    if session.ended_at is not None or sheet.is_finished:
        raise TableIsOver
    if sheet.has_unfinished_round or sheet.sitting.disagreements.filter(settled_at=None).exists():
        raise RoundUnderWay
    if len(wanted) not in tournament.table_sizes:
        raise WrongTableSize
    others = Seat.objects.filter(sitting__session=session, sitting__continued_by=None)
    elsewhere = others.exclude(sitting=sheet.sitting).filter(entry__in=wanted)
    if len(set(wanted)) < len(wanted) or elsewhere.exists():
        raise SeatedElsewhere


def _seat_anew(sheet: Sheet, wanted: Sequence[Entry], *, by: Actor, reason: str) -> None:
    """Replace the seats of a table without rounds."""
    Seat.objects.filter(sitting=sheet.sitting).delete()
    _create_seats(sheet.sitting, wanted)
    _append_entry(sheet, sheet.sitting, wanted, {}, by=by, reason=reason)


def _go_on_elsewhere(sheet: Sheet, wanted: Sequence[Entry], *, by: Actor, reason: str) -> Sitting:
    """Stop a table after its rounds; return a new one that goes on with these players."""
    stopped, played = sheet.sitting, len(sheet.rows)
    session: Session = stopped.session
    last_number = session.sittings.aggregate(last=Max("number"))["last"]
    following = Sitting.objects.create(
        session=session,
        number=last_number + 1,
        token=new_link_token(session.tournament),
        continues=stopped,
        rounds_planned=None if sheet.planned is None else sheet.planned - played,
    )
    _create_seats(following, wanted)
    stopped.rounds_planned = played
    stopped.save(update_fields=["rounds_planned"])
    subject = {
        "goes_on_at": following.number,
        "rounds": played,
        "planned": following.rounds_planned,
        "links": [digest(following.token)],
    }
    _append_entry(sheet, following, wanted, subject, by=by, reason=reason)
    clocks.move_extra_time(session, stopped.number, following.number, by=by)
    return following


def _create_seats(sitting: Sitting, wanted: Sequence[Entry]) -> None:
    Seat.objects.bulk_create(
        Seat(sitting=sitting, position=position, entry=entry)
        for position, entry in enumerate(wanted, 1)
    )


def _append_entry(
    sheet: Sheet,
    sitting: Sitting,
    wanted: Sequence[Entry],
    more: Mapping[str, object],
    *,
    by: Actor,
    reason: str,
) -> None:
    """Append the audit entry: the players before at their table, and now at this one."""
    audit.append_entry(
        sheet.sitting.session.tournament,
        AuditEntry.Kind.PLAYERS_CHANGED,
        by,
        subject={**audit.table_subject(sheet.sitting), **more},
        old={str(sheet.sitting.number): list(sheet.players)},
        new={str(sitting.number): [entry.key for entry in wanted]},
        reason=reason,
        is_locked=True,
    )
