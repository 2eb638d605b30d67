"""Substitutes (代理): somebody plays in an absent player's stead in a session.

The substitute takes the player's seat if the session is seated. Rounds recorded before stay with
the player.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.models import AuditEntry, Entry, Sitting, Substitution, Tournament
from tournaments.queries import presence
from tournaments.queries.sheets import sheet_of
from tournaments.queries.substitutions import seats_given
from tournaments.services import entries
from tournaments.services.presence import lock_for_roll_call
from tournaments.services.table_players import change_players


class NotAway(OperationRefused):
    code = "not_away"
    at = "substitute"
    sentence = _(
        "Only players marked absent, late or withdrawn can have a substitute. Mark the player "
        "first."
    )


class NotCompeting(OperationRefused):
    """A substitute has no substitute: another one is named for the player instead."""

    code = "not_competing"
    at = "substitute"
    sentence = _(
        "This is a substitute. Undo that, and choose another one for the player who is absent."
    )


class SeatGiven(OperationRefused):
    """Somebody else has joined the table in the player's seat."""

    code = "seat_given"
    at = "substitute"
    sentence = _(
        "Somebody else already plays in this player’s seat in this session. Seat whoever has come "
        "at another table."
    )


class AlreadyReplaced(OperationRefused):
    code = "already_replaced"
    at = "substitute"
    sentence = _("This player has another substitute. Undo that first.")


class NotFree(OperationRefused):
    """The substitute is seated in this session, away, replaced or a substitute already."""

    code = "not_free"
    at = "substitute"
    sentence = _(
        "This substitute is away, has a seat, or plays for somebody in this session. Choose "
        "another."
    )


@transaction.atomic
def add_substitute(
    entry: Entry,
    session: int,
    substitute: Entry | Mapping[str, Any],
    *,
    by: Actor,
    reason: str = "",
) -> Substitution:
    """Add a substitute for an absent player in a session, given by its number. Idempotent.

    `substitute` is a player of the tournament, or the fields of a new entry, which gets the next
    number and is marked `is_substitute`. Raises the refusals of this module,
    `entries.TooManyEntries`, `Entry.DoesNotExist`, `exchanges.Undecided`, and what
    `presence.lock_for_roll_call` and `table_players.change_players` raise.
    """
    tournament = lock_for_roll_call(entry.tournament, session)
    absent = Entry.objects.get(pk=entry.pk)
    rows = absent.substitutions.filter(session_number=session).select_related("substitute")
    if (stored := rows.first()) is not None:
        if _is_same_substitute(stored.substitute, substitute):
            return stored
        raise AlreadyReplaced
    roll = presence.roll_call(tournament, session)
    if refusal := why_not_replaced(absent, roll):
        raise refusal
    if isinstance(substitute, Entry):
        player = Entry.objects.get(pk=substitute.pk)
        _check_free(player, session)
    else:
        person = {**substitute, "is_substitute": True}
        [player] = entries.add_entries(tournament, [person], by=by)
    row = Substitution.objects.create(entry=absent, substitute=player, session_number=session)
    _append_substitute_entry(row, AuditEntry.Kind.SUBSTITUTE_ADDED, by, reason)
    table = _table_of(tournament, session, absent)
    _hand_over_seat(table, absent, player, by=by, reason=reason)
    return row


def why_not_replaced(entry: Entry, roll: presence.RollCall) -> OperationRefused | None:
    """Return why nobody can play in the stead of a player of a session; None if somebody can."""
    if roll.statuses[entry] not in presence.AWAY:
        return NotAway()
    if entry.is_substitute:
        return NotCompeting()
    is_given = entry.key in seats_given(entry.tournament, roll.session)
    return SeatGiven() if is_given else None


@transaction.atomic
def remove_substitute(
    entry: Entry, session: int, *, seen_substitute: int, by: Actor, reason: str = ""
) -> None:
    """Remove the substitute of a player in a session, given by its number. Idempotent.

    The player gets the seat back, unless a round is recorded at the table or the session has ended;
    the substitute's rounds stay recorded. `seen_substitute` is the number of the substitute that
    was shown. Raises `ConflictError` if there is another substitute, and what
    `presence.lock_for_roll_call` and `table_players.change_players` raise.
    """
    tournament = lock_for_roll_call(entry.tournament, session)
    stored = Substitution.objects.filter(entry=entry.pk, session_number=session)
    row = stored.select_related("entry", "substitute").first()
    if row is None:
        return
    if row.substitute.number != seen_substitute:
        raise ConflictError
    absent, player = row.entry, row.substitute
    _append_substitute_entry(row, AuditEntry.Kind.SUBSTITUTE_REMOVED, by, reason)
    row.delete()
    table = _table_of(tournament, session, player)
    is_untouched = table is not None and not sheet_of(table).rows and table.session.ended_at is None
    if is_untouched and _table_of(tournament, session, absent) is None:
        _hand_over_seat(table, player, absent, may_be_away=True, by=by, reason=reason)


def _is_same_substitute(player: Entry, substitute: Entry | Mapping[str, Any]) -> bool:
    """Return whether the requested `substitute` is the stored one, `player`.

    A new substitute, given by fields, is compared by name.
    """
    if isinstance(substitute, Entry):
        return player.pk == substitute.pk
    return player.is_substitute and player.name == substitute["name"]


def _check_free(player: Entry, session: int) -> None:
    """Raise `NotFree` unless a player is free to be a substitute in a session.

    The player must not be away, seated, replaced or a substitute there already. An entry added as a
    substitute counts as away only if it is marked so.
    """
    marks = dict(player.presence.values_list("session_number", "status"))
    # Not `status_of`: by that, a substitute without a mark who replaces nobody is absent.
    is_away = presence.status_in(session, marks) in presence.AWAY
    of_session = {"session_number": session}
    if (
        is_away
        or player.seats.filter(
            sitting__session__number=session, sitting__continued_by=None
        ).exists()
        or player.substituting.filter(**of_session).exists()
        or player.substitutions.filter(**of_session).exists()
    ):
        raise NotFree


def _table_of(tournament: Tournament, session: int, player: Entry) -> Sitting | None:
    """Return the table at which a player sits now in a session, or None.

    Tables that go on elsewhere are left out.
    """
    tables = Sitting.objects.select_related("session__tournament").filter(
        session__tournament=tournament, session__number=session, continued_by=None
    )
    return tables.filter(seats__entry=player).first()


def _hand_over_seat(
    table: Sitting | None,
    one: Entry,
    other: Entry,
    *,
    may_be_away: bool = False,
    by: Actor,
    reason: str,
) -> None:
    """Give one player's seat at a table to the other. Does nothing without a table.

    If the table has rounds already, `change_players` lets it go on as another table.
    """
    if table is None:
        return
    sheet = sheet_of(table)
    change_players(
        table,
        [other if each == one else each for each in sheet.seated_now],
        seen_players=sheet.players,
        may_be_away=may_be_away,
        by=by,
        reason=reason,
    )


def _append_substitute_entry(
    row: Substitution, kind: AuditEntry.Kind, by: Actor, reason: str
) -> None:
    """Append the audit entry of adding (`new`) or removing (`old`) a substitute."""
    numbers = {"number": row.entry.number, "substitute": row.substitute.number}
    is_added = kind == AuditEntry.Kind.SUBSTITUTE_ADDED
    audit.append_entry(
        row.entry.tournament,
        kind,
        by,
        subject={"session": row.session_number},
        old=None if is_added else numbers,
        new=numbers if is_added else None,
        reason=reason,
        is_locked=True,
    )
