"""Players who join or leave a table (途中参加・途中退席), before or after its first round.

Before the first round the seats of the table change. After it the table stops, and a new table goes
on with the new players for the rounds that are left. So a sheet always has the same players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from scoring import seats
from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.models import AuditEntry, Entry, Seat, Session, Sitting, Tournament
from tournaments.models.seating import new_link_token
from tournaments.models.tokens import digest
from tournaments.queries.presence import AWAY, Status, roll_call
from tournaments.queries.seated_tables import last_continuation
from tournaments.queries.sheets import Sheet, sheet_of
from tournaments.services import closing, presence, seating


class WrongTableSize(OperationRefused):
    code = "table_size"
    status = 422
    at = "players"
    sentence = _("These rules do not allow this number of players at a table. Correct the number.")


class SeatedElsewhere(OperationRefused):
    """A player is named twice, or sits at another table of the session that still plays."""

    code = "seated_twice"
    status = 422
    at = "players"
    sentence = _(
        "A player would have two seats in one session. Choose another player, or remove the "
        "player from the other seat first."
    )


class RoundUnderWay(OperationRefused):
    """The last round of the table is unfinished, or the table has an open dispute."""

    code = "round_under_way"
    sentence = _(
        "Players can change only between two rounds. First finish the round, or decide which "
        "version is right."
    )


class RoundsSince(ConflictError):
    """Rounds have been recorded at the table since the writer saw it."""


class TableIsOver(OperationRefused):
    code = "table_over"
    sentence = _(
        "This table has played all its rounds, or its session has ended, so its players can no "
        "longer change. Reopen a session that has ended if play continues."
    )


@transaction.atomic
def change_players(
    sitting: Sitting,
    players: Sequence[Entry],
    *,
    seen_players: Sequence[str],
    seen_rounds: int | None = None,
    withdraw: bool | None = None,
    may_be_away: bool = False,
    by: Actor,
    reason: str = "",
) -> Sitting:
    """Replace the players of a table by these, in seat order; return the sitting where they play.

    That is the same sitting if it has no rounds, else a new one that continues it. Idempotent.
    `seen_players` are the keys of the players whom the writer was shown at the table, and
    `seen_rounds` is the number of rounds that they had recorded, None if it does not matter. Unless
    `withdraw` is None, who joins is marked as present, and if it is true, who leaves is marked as
    withdrawn. Raises the refusals of this module, `ConflictError` if other players sit there by
    now, `RoundsSince`, `Entry.DoesNotExist`, `seating.OneTable`, `seating.TiedLeave`,
    `closing.EventClosed` and, unless who joins `may_be_away`, `seating.PlayersAway`.
    """
    tournament = lock_tournament(sitting.session.tournament)
    closing.check_not_closed(tournament)
    if tournament.kind == Tournament.Kind.TABLE:
        raise seating.OneTable
    sheet = sheet_of(sitting)
    current = last_continuation(sheet.sitting)
    entries = [Entry.objects.get(pk=each.pk, tournament=tournament) for each in players]
    sheet_now = sheet if current == sheet.sitting else sheet_of(current)
    if [entry.key for entry in entries] == list(sheet_now.players):
        return current
    if list(seen_players) != list(sheet.players) or current != sheet.sitting:
        raise ConflictError
    if seen_rounds is not None and seen_rounds != len(sheet.rows):
        raise RoundsSince
    _check_can_change(tournament, sheet, entries)
    seating.check_tied_stay(sheet.sitting.session, sheet.players, [each.key for each in entries])
    if withdraw is not None:
        _mark_players(sheet, entries, withdraw=withdraw, by=by, reason=reason)
    if not may_be_away:
        joining = [entry for entry in entries if entry not in sheet.entries]
        seating.check_present(tournament, sheet.sitting.session.number, [joining])
    if sheet.rows:
        return _continue_at_new_table(sheet, entries, by=by, reason=reason)
    _replace_seats(sheet, entries, by=by, reason=reason)
    return sheet.sitting


def _mark_players(
    sheet: Sheet, entries: Sequence[Entry], *, withdraw: bool, by: Actor, reason: str
) -> None:
    """Mark in the roll call who joins as present, and who leaves if they `withdraw`.

    Who is not checked yet is marked only if the roll is called.
    """
    session = sheet.sitting.session.number
    roll = roll_call(sheet.sitting.session.tournament, session)
    is_called = roll.has_begun
    marks = {entry: Status.PRESENT for entry in entries if entry not in sheet.entries}
    if withdraw:
        left = (entry for entry in sheet.entries if entry not in entries)
        marks |= dict.fromkeys(left, Status.WITHDRAWN)
    for entry, status in marks.items():
        seen = roll.statuses[entry]
        is_unchecked = seen == Status.EXPECTED and is_called
        if (seen in AWAY) != (status in AWAY) or is_unchecked:
            presence.mark_presence(entry, session, status, seen_status=seen, by=by, reason=reason)


def _check_can_change(tournament: Tournament, sheet: Sheet, entries: Sequence[Entry]) -> None:
    """Raise a refusal of this module unless these players can go on at the table of the sheet."""
    session = sheet.sitting.session
    if session.ended_at is not None or sheet.is_finished:
        raise TableIsOver
    if sheet.has_unfinished_round or sheet.sitting.disagreements.filter(settled_at=None).exists():
        raise RoundUnderWay
    if len(entries) not in tournament.table_sizes:
        raise WrongTableSize
    seats_in_use = Seat.objects.filter(sitting__session=session, sitting__continued_by=None)
    elsewhere = seats_in_use.exclude(sitting=sheet.sitting).filter(entry__in=entries)
    if len(set(entries)) < len(entries) or elsewhere.exists():
        raise SeatedElsewhere


def _replace_seats(sheet: Sheet, entries: Sequence[Entry], *, by: Actor, reason: str) -> None:
    """Of a table with rounds, only the order may change."""
    Seat.objects.filter(sitting=sheet.sitting).delete()
    _create_seats(sheet.sitting, entries)
    _append_players_entry(sheet, sheet.sitting, entries, by=by, reason=reason)


def _continue_at_new_table(
    sheet: Sheet, entries: Sequence[Entry], *, by: Actor, reason: str
) -> Sitting:
    """Stop a table after its rounds; return a new table that goes on with these players.

    The new table plays the rounds that are left, and gets the extra time.
    """
    stopped, played = sheet.sitting, len(sheet.rows)
    session: Session = stopped.session
    last_number = session.sittings.aggregate(last=Max("number"))["last"]
    following = Sitting.objects.create(
        session=session,
        number=last_number + 1,
        token=new_link_token(session.tournament),
        continues=stopped,
    )
    _create_seats(following, entries)
    stopped.rounds_planned = played
    stopped.save(update_fields=["rounds_planned"])
    more_subject = {
        "goes_on_at": following.number,
        "rounds": played,
        "links": [digest(following.token)],
        "keys": [following.key],
    }
    _append_players_entry(sheet, following, entries, more_subject, by=by, reason=reason)
    return following


def reseat_who_goes_on(before: Sheet, after: Sheet, *, by: Actor) -> None:
    """Let the players who go on at a table sit as the rounds of those before them now end.

    `after` is a sheet with a new version of a round, `before` the same sheet without it. Call it
    under the lock.
    """
    following = Sitting.objects.filter(continues=after.sitting).first()
    if following is None or before.seated_now == after.seated_now:
        return
    sheet = sheet_of(following)
    by_key = {entry.key: entry for entry in sheet.entries}
    left_as = [[entry.key for entry in each.seated_now] for each in (before, after)]
    players = seats.seats_going_on(sheet.players, *left_as)
    if players != sheet.players:
        seated = [by_key[key] for key in players]
        _replace_seats(sheet, seated, by=by, reason=audit.SEATS_FOLLOW)
        reseat_who_goes_on(sheet, sheet_of(following), by=by)


def _create_seats(sitting: Sitting, entries: Sequence[Entry]) -> None:
    """The entries are in seat order."""
    Seat.objects.bulk_create(
        Seat(sitting=sitting, position=position, entry=entry)
        for position, entry in enumerate(entries, 1)
    )


def _append_players_entry(
    sheet: Sheet,
    sitting: Sitting,
    entries: Sequence[Entry],
    more_subject: Mapping[str, object] = {},
    *,
    by: Actor,
    reason: str,
) -> None:
    """Append the audit entry of changed players: `sheet` has them before, `sitting` those now.

    `more_subject` has further keys of the entry's subject.
    """
    audit.append_entry(
        sheet.sitting.session.tournament,
        AuditEntry.Kind.PLAYERS_CHANGED,
        by,
        subject={**audit.table_subject(sheet.sitting), **more_subject},
        old={str(sheet.sitting.number): list(sheet.players)},
        new={str(sitting.number): [entry.key for entry in entries]},
        reason=reason,
        is_locked=True,
    )
