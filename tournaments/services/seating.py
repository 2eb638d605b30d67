"""Seating sessions: opening the next session, and reseating a session that has not begun.

Reseating keeps the links, PINs and phones of the tables that remain and deletes those of the
others. Once a session has begun, players are exchanged instead: `services.exchanges`.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import Actor
from tournaments.audit.locks import lock_tournament
from tournaments.exceptions import ChangedSince, ConflictError, OperationRefused
from tournaments.models import AuditEntry, Draw, Entry, Epoch, Seat, Session, Sitting, Tournament
from tournaments.models.seating import new_link_token
from tournaments.models.tokens import digest
from tournaments.queries import presence
from tournaments.queries.progress import current_plan
from tournaments.queries.seated_tables import SEATING_KINDS, with_seats
from tournaments.services import automatic_backups, closing
from tournaments.services.versions import check_version, number_of


class PlayOffPlan(NamedTuple):
    """The numbers of the tied players of a play-off, and its number of rounds (None: as usual)."""

    tied: Sequence[int]
    rounds: int | None = None


# A draw's `request` and `answer`, as `models.Draw` stores them.
DrawFacts = Mapping[str, Any]


class HasBegun(OperationRefused):
    code = "session_begun"
    sentence = _(
        "Something has been recorded in this session, or a table has called the desk, so "
        "its seats cannot be drawn again. Exchange players instead."
    )


def has_begun(session: Session) -> bool:
    is_untouched = Q(rounds=None, typed_totals=None, calls=None, disagreements=None)
    return session.sittings.exclude(is_untouched).exists()


def last_seating(session: Session) -> AuditEntry | None:
    """Return the audit entry that last changed the seats of this session."""
    entries = session.tournament.audit_entries
    return entries.filter(kind__in=SEATING_KINDS, subject__session=session.number).last()


def seats_version(session: Session) -> int:
    return number_of(last_seating(session))


def seating_of(session: Session) -> list[list[Entry]]:
    """Return the seated entries: a list for each table, in seat order."""
    sittings = with_seats(session.sittings.all())
    return [[seat.entry for seat in sitting.seats.all()] for sitting in sittings]


@transaction.atomic
def reseat(
    session: Session,
    tables: Sequence[Sequence[Entry]],
    *,
    seen_version: int,
    by: Actor,
    reason: str = "",
    draw: DrawFacts | None = None,
) -> None:
    """Replace the seats of a session. `tables` has a list of entries for each table, in seat order.

    Does nothing if the seats are the same. `seen_version` is the version of the seats that was
    shown. `draw` replaces the stored draw; without it, the stored draw remains. Raises `HasBegun`,
    `VersionConflict`, `SeatingConflict`, `PlayersAway`, `closing.EventClosed` and, if a play-off
    would lose one of its tied players, `TiedNotSeated`.
    """
    tournament = lock_tournament(session.tournament)
    closing.check_not_closed(tournament)
    if has_begun(session):
        raise HasBegun
    check_version(last_seating(session), seen_version)
    check_seating(tournament, tables)
    check_present(tournament, session.number, tables)
    if not set(session.tied or ()) <= {entry.number for table in tables for entry in table}:
        raise TiedNotSeated
    old, new = (_seating_keys(each) for each in (seating_of(session), tables))
    if old == new:
        return
    created = _replace_seats(session, tables)
    subject: dict[str, Any] = {"session": session.number}
    subject |= _links_and_keys_of(created)
    if draw is not None:
        subject["draw"] = draw
        Draw.objects.update_or_create(session=session, defaults=draw)
    kind = AuditEntry.Kind.SESSION_RESEATED
    audit.append_entry(tournament, kind, by, subject=subject, old=old, new=new, reason=reason)


def _seating_keys(tables: Sequence[Sequence[Entry]]) -> list[list[str]]:
    """Return seats as audit entries store them: entry numbers as text, in seat order."""
    return [[entry.key for entry in entries] for entries in tables]


def _replace_seats(session: Session, tables: Sequence[Sequence[Entry]]) -> list[Sitting]:
    """Replace all seats of a session; return the new sittings.

    Sittings with a number that is still needed stay; those with a higher one are deleted.
    """
    Seat.objects.filter(sitting__session=session).delete()
    session.sittings.filter(number__gt=len(tables)).delete()
    existing = {sitting.number: sitting for sitting in session.sittings.all()}
    seed, created = _seed_of_keys(session), []
    for number, entries in enumerate(tables, 1):
        sitting = existing.get(number)
        if sitting is None:
            key_and_token = _key_and_token(session, seed, number, entries)
            sitting = Sitting.objects.create(session=session, number=number, **key_and_token)
            created.append(sitting)
        Seat.objects.bulk_create(
            Seat(sitting=sitting, position=position, entry=entry)
            for position, entry in enumerate(entries, 1)
        )
    return created


class AlreadySeated(ChangedSince):
    code = "already_seated"
    at = "number"
    sentence = _("This session has been seated since you opened this page. Check its seats first.")


class NotSeatedBefore(OperationRefused):
    code = "session_missing"
    status = 422
    at = "number"
    sentence = _("The session before this one has not been seated yet. Seat that first.")


class OneTable(OperationRefused):
    code = "one_table"
    sentence = _("A single table is seated only once. Start another table, or create a tournament.")


class BeyondPlan(OperationRefused):
    """All planned sessions of the stage are seated: see `plans.add_session`."""

    code = "beyond_plan"
    at = "extra"
    sentence = _(
        "All planned sessions of this stage are seated. Confirm first who advances to the next"
        " stage, or ask for an extra session of this one."
    )


class TiedNotSeated(OperationRefused):
    """Fewer than two tied players are named, one is named twice, or one has no seat."""

    code = "tied_not_seated"
    status = 422
    at = "tables"
    sentence = _(
        "A play-off needs at least two tied players. Choose them, each once, and seat all of them."
    )


class TiedLeave(OperationRefused):
    code = "tied_leave"
    status = 422
    sentence = _(
        "This player is competing for a place in this play-off, so nobody else can take the seat. "
        "If nothing is recorded, remove the play-off and seat it again. Otherwise end it, and "
        "decide the order under Ties."
    )


def check_tied_stay(session: Session, before: Iterable[str], after: Iterable[str]) -> None:
    """Raise `TiedLeave` if a tied player of a play-off would lose the seat by a change of seats.

    `before` and `after` have the keys of the players seated before and after the change.
    """
    tied = {str(number) for number in session.tied or ()}
    if tied.intersection(before) - set(after):
        raise TiedLeave


class PlayersAway(OperationRefused):
    """Players with a seat are marked as away in the roll call; `players` are these.

    `places` has the table and the seat of each, both from 0.
    """

    code = "player_away"
    status = 422
    sentence = _(
        "Players who are late, absent or have withdrawn cannot be seated. Mark them as present in"
        " the roll call, or leave them out."
    )

    def __init__(self, players: Collection[Entry], tables: Sequence[Sequence[Entry]]) -> None:
        super().__init__(self.code)
        self.players = sorted(players, key=lambda entry: entry.number)
        self.places = [
            (table, seat)
            for table, entries in enumerate(tables)
            for seat, entry in enumerate(entries)
            if entry in players
        ]


class PlayersReplaced(PlayersAway):
    code = "player_replaced"
    sentence = _(
        "A player whose substitute plays in this session cannot be seated as well. Seat the "
        "substitute, or undo the substitution."
    )


class SeatingConflict(ConflictError):
    """A player in the seating was removed, or a table size is not allowed any more."""


def next_session_number(tournament: Tournament) -> int:
    last = tournament.sessions.order_by("number").last()
    return last.number + 1 if last else 1


def can_be_called(tournament: Tournament, number: int) -> bool:
    """Return whether there is a roll call for a session: it is seated, or the next to be seated."""
    return 1 <= number <= next_session_number(tournament)


@transaction.atomic
def open_session(
    tournament: Tournament,
    tables: Sequence[Sequence[Entry]],
    *,
    by: Actor,
    number: int | None = None,
    draw: DrawFacts | None = None,
    play_off: PlayOffPlan | None = None,
) -> Session:
    """Create the next session. `tables` has a list of entries for each table, in seat order.

    `number` is the session number that the writer expects. `draw` is stored with the session; the
    seats may differ from it, if they were changed by hand. `play_off` is given only by
    `services.play_offs`. Raises `AlreadySeated`, `NotSeatedBefore`, `OneTable`, `BeyondPlan`,
    `SeatingConflict`, `PlayersAway` and `closing.EventClosed`.
    """
    current = lock_tournament(tournament)
    closing.check_not_closed(current)
    next_number = _checked_next_number(current, number)
    is_first = next_number == 1  # which is in every plan
    if not is_first and play_off is None and current_plan(current).is_stage_full:
        raise BeyondPlan
    check_seating(current, tables)
    check_present(current, next_number, tables)
    if not is_first:
        automatic_backups.schedule_before_session(current)
    session = Session.objects.create(
        tournament=tournament,
        number=next_number,
        totals_only=current.totals_only,
        tied=list(play_off.tied) if play_off else None,
        rounds_planned=play_off.rounds if play_off else None,
    )
    subject: dict[str, Any] = {"session": next_number}
    if play_off is not None:
        store_play_off_numbers(tournament)
        subject |= {"tied": session.tied, "rounds_planned": session.rounds_planned}
    if draw is not None:
        subject["draw"] = draw
        Draw.objects.create(session=session, **draw)
    subject |= _links_and_keys_of(_seat_tables(session, tables))
    kind, new = AuditEntry.Kind.SESSION_OPENED, _seating_keys(tables)
    audit.append_entry(tournament, kind, by, subject=subject, new=new, is_locked=True)
    return session


def _checked_next_number(tournament: Tournament, expected: int | None) -> int:
    """Return the number of the next session, which the writer expects to be `expected`, if given.

    Raises `OneTable` if a club table would have a second session, and `AlreadySeated` or
    `NotSeatedBefore` if the number is another than expected.
    """
    number = next_session_number(tournament)
    if tournament.kind == Tournament.Kind.TABLE and number > 1:
        raise OneTable
    if expected is not None and expected != number:
        raise AlreadySeated if expected < number else NotSeatedBefore
    return number


def store_play_off_numbers(tournament: Tournament) -> None:
    """Call it under the lock."""
    play_offs = tournament.sessions.filter(tied__isnull=False).order_by("number")
    tournament.play_off_numbers = list(play_offs.values_list("number", flat=True))
    tournament.save(update_fields=["play_off_numbers"])


def _links_and_keys_of(sittings: Sequence[Sitting]) -> dict[str, list[str]]:
    """Return the digests of links, and the keys, of new tables, for an audit entry."""
    links, keys = [digest(each.token) for each in sittings], [each.key for each in sittings]
    return {"links": links, "keys": keys}


def _seat_tables(session: Session, tables: Sequence[Sequence[Entry]]) -> list[Sitting]:
    seed, sittings = _seed_of_keys(session), []
    for table, entries in enumerate(tables, 1):
        key_and_token = _key_and_token(session, seed, table, entries)
        sitting = Sitting.objects.create(session=session, number=table, **key_and_token)
        sittings.append(sitting)
        Seat.objects.bulk_create(
            Seat(sitting=sitting, position=position, entry=entry)
            for position, entry in enumerate(entries, 1)
        )
    return sittings


def _seed_of_keys(session: Session) -> list[Any]:
    """Return what the keys and tokens of tables seated now are derived from, beside the seats.

    Nothing in it is random: see `_key_and_token`. Yet no two seatings in a database have the same,
    since each leaves an audit entry, nor have one before and one after a restore. Call it before
    the audit entry of the seating is appended.
    """
    tournament = session.tournament
    last = audit.last_number(tournament, SEATING_KINDS)
    restored = Epoch.objects.filter(reason=Epoch.Reason.RESTORED).count()
    event = [tournament.pk, tournament.created_at.isoformat()]
    return [*event, session.number, last, restored]


def _key_and_token(
    session: Session, seed: list[Any], table: int, entries: Sequence[Entry]
) -> dict[str, str]:
    """Return the key and the link's token of a new table: 128 bits each, made with the secret key.

    They are derived, not random: a database that goes on from a standby copy makes the same ones if
    it seats the same players in the same seats next, so that cards printed since the copy stay
    valid.
    """
    if session.tournament.kind == Tournament.Kind.TABLE:
        return {"token": new_link_token(session.tournament)}
    seated = json.dumps([*seed, table, [entry.pk for entry in entries]])
    macs = {
        name: salted_hmac(f"tournaments.table-{name}", seated, algorithm="sha256").digest()
        for name in ("key", "token")
    }
    return {name: urlsafe_b64encode(mac[:16]).decode()[:22] for name, mac in macs.items()}


def check_seating(tournament: Tournament, tables: Sequence[Sequence[Entry]]) -> None:
    existing = set(tournament.entries.values_list("pk", flat=True))
    sizes = tournament.table_sizes
    for table in tables:
        if len(table) not in sizes or not existing.issuperset(entry.pk for entry in table):
            raise SeatingConflict


def check_present(tournament: Tournament, session: int, tables: Sequence[Sequence[Entry]]) -> None:
    """Raise `PlayersReplaced` if a substitute plays for a seated player, else `PlayersAway`.

    The roll call of session number `session` says who is away. A club table has none.
    """
    if tournament.kind == Tournament.Kind.TABLE:
        return
    seated = [entry for table in tables for entry in table]
    roll = presence.marked_roll_call(tournament, session, seated)
    if replaced := [entry for entry in roll.statuses if entry.number in roll.substitutes]:
        raise PlayersReplaced(replaced, tables)
    if away := roll.with_status(presence.AWAY):
        raise PlayersAway(away, tables)
