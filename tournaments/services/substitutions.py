"""Substitutes (代打ち): somebody plays in an absent player's stead in a session.

Where the session is seated and nothing is recorded at the table, the two change places in the seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.exceptions import ConflictError, OperationRefused
from tournaments.models import AuditEntry, Entry, Seat, Substitution, Tournament
from tournaments.queries import exchanges, presence
from tournaments.services import entries
from tournaments.services.exchanges import exchange
from tournaments.services.presence import lock_for_roll_call


class NotAway(OperationRefused):
    """The player to be replaced is not away in this session."""

    code = "not_away"
    sentence = _("Only who is absent, late or withdrawn can be replaced. Mark that first.")


class AlreadyReplaced(OperationRefused):
    """Somebody else plays in the player's stead."""

    code = "already_replaced"
    sentence = _("Somebody else plays in this player’s stead. Take that back first.")


class NotFree(OperationRefused):
    """The substitute is seated in this session, away, replaced or a substitute already."""

    code = "not_free"
    sentence = _("This substitute is away, has a seat, or plays for somebody in this session.")


class TableHasBegun(OperationRefused):
    """Rounds or totals are recorded at the table of the player to be replaced."""

    code = "table_begun"
    sentence = _("Something is recorded at this table. Let the players leave and join it.")


@transaction.atomic
def add_substitute(
    entry: Entry,
    session: int,
    substitute: Entry | Mapping[str, Any],
    *,
    by: Actor,
    reason: str = "",
) -> Substitution:
    """Let somebody play in a player's stead in a session, given by its number. Idempotent.

    `substitute` is a player of the tournament, or the fields of a new one, who gets the next number
    and is no competitor. Raises the refusals of this module, `entries.TooManyEntries`,
    `Entry.DoesNotExist`, `exchanges.Undecided`, and what `presence.mark_presence` raises about the
    session.
    """
    tournament = lock_for_roll_call(entry.tournament, session)
    absent = Entry.objects.get(pk=entry.pk)
    stored = absent.substitutions.filter(session_number=session).select_related("substitute")
    if (before := stored.first()) is not None:
        if _is_same(before.substitute, substitute):
            return before
        raise AlreadyReplaced
    roll = presence.roll_call(tournament, session)
    if roll.statuses[absent] not in presence.AWAY:
        raise NotAway
    if isinstance(substitute, Entry):
        player = Entry.objects.get(pk=substitute.pk)
        _check_free(player, session)
    else:
        person = {**substitute, "is_substitute": True}
        [player] = entries.add_entries(tournament, [person], by=by)
    _check_nothing_recorded(tournament, session, absent)
    row = Substitution.objects.create(entry=absent, substitute=player, session_number=session)
    _append_entry(row, AuditEntry.Kind.SUBSTITUTE_ADDED, by, reason)
    _hand_over_seat(tournament, session, absent, player, by=by, reason=reason)
    return row


@transaction.atomic
def remove_substitute(
    entry: Entry, session: int, *, seen_substitute: int, by: Actor, reason: str = ""
) -> None:
    """End that somebody plays in a player's stead. Idempotent.

    `seen_substitute` is the number of the substitute that was shown. The player gets back the seat,
    unless something is recorded at the table: then the substitute has played there as any other.
    Raises `ConflictError` if it is another substitute, and what `presence.mark_presence` raises
    about the session.
    """
    tournament = lock_for_roll_call(entry.tournament, session)
    stored = Substitution.objects.filter(entry=entry.pk, session_number=session)
    row = stored.select_related("entry", "substitute").first()
    if row is None:
        return
    if row.substitute.number != seen_substitute:
        raise ConflictError
    absent, player = row.entry, row.substitute
    _append_entry(row, AuditEntry.Kind.SUBSTITUTE_REMOVED, by, reason)
    row.delete()
    if not _has_records(tournament, session, player):
        _hand_over_seat(tournament, session, player, absent, by=by, reason=reason)


def _is_same(player: Entry, substitute: Entry | Mapping[str, Any]) -> bool:
    """Return whether a request names the substitute that is stored already."""
    if isinstance(substitute, Entry):
        return player.pk == substitute.pk
    return player.is_substitute and player.name == substitute["name"]


def _check_free(player: Entry, session: int) -> None:
    """Raise `NotFree` unless a player of the tournament can play in another's stead.

    Who was added as a substitute is away wherever they replace nobody, unless marked as present.
    """
    marks = dict(player.presence.values_list("session_number", "status"))
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


def _check_nothing_recorded(tournament: Tournament, session: int, absent: Entry) -> None:
    if _has_records(tournament, session, absent):
        raise TableHasBegun


def _has_records(tournament: Tournament, session: int, player: Entry) -> bool:
    """Return whether rounds or totals are recorded at the player's table in a session."""
    seats = Seat.objects.filter(
        entry=player, sitting__session__tournament=tournament, sitting__session__number=session
    )
    has_rounds = seats.filter(sitting__rounds__isnull=False)
    return has_rounds.exists() or seats.filter(sitting__typed_totals__isnull=False).exists()


def _hand_over_seat(
    tournament: Tournament, session: int, one: Entry, other: Entry, *, by: Actor, reason: str
) -> None:
    """Give one player's seat in a session to the other, if only the first has one."""
    found = tournament.sessions.filter(number=session).first()
    if found is None:
        return
    seated = Seat.objects.filter(sitting__session=found)
    if not seated.filter(entry=one).exists() or seated.filter(entry=other).exists():
        return
    found.tournament = tournament
    planned = exchanges.plan_exchange(found, one, other)
    exchange(found, one, other, seen_stamp=planned.stamp, by=by, reason=reason)


def _append_entry(row: Substitution, kind: AuditEntry.Kind, by: Actor, reason: str) -> None:
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
