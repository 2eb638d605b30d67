"""A table's own side: phones that join by link or PIN, accept a round, and call the desk.

What a link or a PIN was exchanged for is a secret that only the phone keeps; we keep its SHA-256.
One phone of a table is its writer; another becomes it by taking over. Every act leaves its trace.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.hashers import PBKDF2PasswordHasher, make_password
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from tournaments import audit, closing, guesses
from tournaments.audit import THE_TABLE, Actor
from tournaments.models import (
    Acceptance,
    Act,
    Call,
    Disagreement,
    Round,
    Session,
    Sitting,
    TableSession,
    Tournament,
)
from tournaments.models.seats import random_token
from tournaments.sheets import sheet_of

PIN_DIGITS = 6


class NoSuchLink(Exception):
    """Raised for a link that is no table's, or revoked, or of an event that is over."""


class WrongPin(Exception):
    """Raised for a PIN that is not this table's, or while it has none."""


class NotTheWriter(Exception):
    """Raised when a phone would write and another one of its table has taken over."""


class PhoneEnded(NotTheWriter):
    """Raised when a phone would write whose table's link has been closed."""


class NothingToAccept(Exception):
    """Raised when a round cannot be accepted: not recorded, not complete, or changed since."""


class AnotherPhone(Exception):
    """Raised when the writer's own phone would accept what another phone has to."""


class Joined(NamedTuple):
    """A phone that has joined, and the secret by which it will be known. We do not keep that."""

    phone: TableSession
    secret: str


class PinHasher(PBKDF2PasswordHasher):
    """Django's hasher with fewer rounds: a hall's PINs are printed at once, and live for a day.

    Six digits are soon tried out by whoever holds the database, however slow each try; whoever
    does not is kept off by `guesses`.
    """

    iterations = 20_000


def digest(secret: str) -> str:
    """Return how a secret is kept."""
    return hashlib.sha256(secret.encode()).hexdigest()


def actor(phone: TableSession) -> Actor:
    """Return a phone as the audit trail names it."""
    return Actor(None, f"{THE_TABLE} #{phone.pk}")


# Joining


def join(token: str) -> Joined:
    """Exchange a table's link for a place among its phones. Raises `NoSuchLink`."""
    return let_in(table_of(token))


def table_of(token: str) -> Sitting:
    """Return the table that a link opens. Raises `NoSuchLink`."""
    sitting = open_tables().select_related("session__tournament").filter(token=token).first()
    if sitting is None:
        raise NoSuchLink
    return sitting


def open_tables() -> QuerySet[Sitting]:
    """Return the tables whose links and PINs open them: not revoked, and the event not over."""
    return Sitting.objects.filter(closing.is_open("session__tournament__"), closed_at=None)


def join_with_pin(sitting: Sitting, pin: str) -> Joined:
    """Exchange a table's PIN for the same. Raises `WrongPin` and `guesses.TooManyGuesses`."""
    subject = guesses.at_pin(sitting)
    guesses.count(subject)
    if not _is_pin(sitting, pin):
        raise WrongPin
    guesses.forget(subject)
    return let_in(sitting)


def join_anywhere(number: int, pin: str) -> Joined:
    """Exchange a PIN typed with a table's number alone; it tells in which tournament that is.

    Raises `WrongPin`, and `guesses.TooManyGuesses` where nobody may guess at any such table.
    """
    refused: WrongPin | guesses.TooManyGuesses = WrongPin()
    for sitting in _tables_now(number):
        try:
            return join_with_pin(sitting, pin)
        except WrongPin as wrong:
            refused = wrong
        except guesses.TooManyGuesses as throttled:
            refused = throttled
    raise refused


def _tables_now(number: int) -> list[Sitting]:
    """Return the tables of this number with a PIN, in the newest sessions of the latest events."""
    later = Session.objects.filter(
        tournament=OuterRef("session__tournament"), number__gt=OuterRef("session__number")
    )
    tables = open_tables().filter(~Exists(later), number=number)
    return list(tables.exclude(pin="").order_by("-session__tournament__held_on", "-pk")[:10])


def _is_pin(sitting: Sitting, pin: str) -> bool:
    is_kept = bool(sitting.pin) and open_tables().filter(pk=sitting.pk).exists()
    return is_kept and PinHasher().verify(pin, sitting.pin)


@transaction.atomic
def let_in(sitting: Sitting) -> Joined:
    """Make a phone one of the table's. The first is the writer; those after it may take over."""
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    if not open_tables().filter(pk=locked.pk).exists():
        raise NoSuchLink
    secret = secrets.token_urlsafe(32)
    is_writer = not living(locked).filter(is_writer=True).exists()
    phone = TableSession.objects.create(sitting=locked, digest=digest(secret), is_writer=is_writer)
    _tell(locked, Act.Kind.PHONE_JOINED, actor(phone), {"writer": is_writer})
    return Joined(phone, secret)


def living(sitting: Sitting) -> QuerySet[TableSession]:
    """Return the phones of a table that are still its own."""
    return TableSession.objects.filter(sitting=sitting, ended_at=None)


def phone_of(secret: str) -> TableSession | None:
    """Return the phone that keeps this secret, unless its table is closed or the event over."""
    phones = TableSession.objects.select_related("sitting__session__tournament")
    is_open = closing.is_open("sitting__session__tournament__")
    kept = {"digest": digest(secret), "ended_at": None, "sitting__closed_at": None}
    return phones.filter(is_open, **kept).first()


def former_phone_of(secret: str) -> TableSession | None:
    """Return the phone that keeps this secret, whether or not it still is its table's."""
    phones = TableSession.objects.select_related("sitting__session__tournament")
    return phones.filter(digest=digest(secret)).first()


@transaction.atomic
def take_over(phone: TableSession) -> TableSession:
    """Make this phone the writer. The one before is told when it next asks."""
    sitting = Sitting.objects.select_for_update().get(pk=phone.sitting_id)
    mine = living(sitting).filter(pk=phone.pk).first()
    if mine is None or closing.is_over(sitting.session.tournament):
        raise NoSuchLink
    if not mine.is_writer:
        before = living(sitting).filter(is_writer=True).first()
        living(sitting).filter(is_writer=True).update(is_writer=False)
        mine.is_writer = True
        mine.save(update_fields=["is_writer"])
        old = {"writer": before.pk} if before else None
        _tell(sitting, Act.Kind.PHONE_TOOK_OVER, actor(mine), {"writer": mine.pk}, old=old)
    return mine


def check_writer(phone: TableSession) -> None:
    """Raise `NotTheWriter` unless this phone may write now. Call it within the transaction.

    That is a `PhoneEnded` where it is its table's no longer.
    """
    mine = living(phone.sitting).filter(pk=phone.pk).first()
    if mine is None:
        raise PhoneEnded
    if not mine.is_writer:
        raise NotTheWriter


# The desk's side


@transaction.atomic
def revoke(sitting: Sitting, *, by: Actor) -> None:
    """Close a table's link, its PIN and all its phones."""
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    if locked.closed_at is None:
        locked.closed_at = timezone.now()
        locked.pin = ""
        locked.save(update_fields=["closed_at", "pin"])
        living(locked).update(ended_at=locked.closed_at, is_writer=False)
        _tell(locked, Act.Kind.LINK_REVOKED, by)


@transaction.atomic
def make_link(sitting: Sitting, *, by: Actor) -> str:
    """Give a table a new link and return its token; the old one and all its phones end.

    Raises `closing.EventClosed` once the event is closed.
    """
    revoke(sitting, by=by)
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    closing.check_not_closed(locked.session.tournament)
    locked.token = random_token()
    locked.closed_at = None
    locked.save(update_fields=["token", "closed_at"])
    _tell(locked, Act.Kind.LINK_MADE, by)
    return locked.token


@transaction.atomic
def make_pin(sitting: Sitting, *, by: Actor) -> str:
    """Give a table a new PIN and return it; it is shown this once. The old one opens nothing.

    Raises `closing.EventClosed` once the event is closed.
    """
    pin = drawn_pin()
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    closing.check_not_closed(locked.session.tournament)
    locked.pin = make_password(pin, hasher=PinHasher())
    locked.save(update_fields=["pin"])
    guesses.forget(guesses.at_pin(locked))
    _tell(locked, Act.Kind.PIN_MADE, by)
    return pin


def drawn_pin() -> str:
    """Return a PIN by lot."""
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"


# What a table says besides facts


@transaction.atomic
def accept(
    sitting: Sitting, number: int, version: int, *, by: Actor, phone: TableSession | None = None
) -> Acceptance:
    """Keep that the other side agrees to a round as it stands. Agreeing twice is agreeing once.

    Raises `NothingToAccept`, `AnotherPhone` where a second phone has to, `NotTheWriter`, and
    `closing.EventOver`.
    """
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    closing.check_table_may_write(locked.session.tournament, by)
    sheet = sheet_of(locked)
    tournament = sheet.sitting.session.tournament
    if not 1 <= number <= len(sheet.rows):
        raise NothingToAccept
    row, score = sheet.rows[number - 1], sheet.score.rounds[number - 1]
    if row.version != version or not score.complete:
        raise NothingToAccept
    known = Acceptance.objects.filter(round=row).first()
    if known is not None:
        return known
    if phone is not None:
        _check_accepting(tournament, living(locked).filter(pk=phone.pk).first())
    acceptance = Acceptance.objects.create(round=row, phone=phone)
    _tell(
        *(locked, Act.Kind.ROUND_ACCEPTED, by, row.facts),
        number=number,
        version=version,
        at=acceptance.at,
    )
    return acceptance


def _check_accepting(tournament: Tournament, phone: TableSession | None) -> None:
    """Raise unless this is the phone by which the other side agrees in this tournament."""
    match tournament.accepting:
        case Tournament.Accepting.OFF:
            raise NothingToAccept
        case Tournament.Accepting.SAME if phone is None or not phone.is_writer:
            raise NotTheWriter
        case Tournament.Accepting.SECOND if phone is None or phone.is_writer:
            raise AnotherPhone


@transaction.atomic
def dispute(
    sitting: Sitting,
    number: int,
    facts: Mapping[str, Any],
    stored: Round,
    *,
    by: Actor,
    phone: TableSession | None = None,
) -> Disagreement:
    """Keep facts that differ from the stored ones for the desk to decide; the same ones once."""
    open_ones = Disagreement.objects.filter(sitting=sitting, number=number, settled_at=None)
    known = next((each for each in open_ones if each.facts == dict(facts)), None)
    if known is not None:
        return known
    disagreement = Disagreement.objects.create(
        sitting=sitting, number=number, facts=dict(facts), phone=phone
    )
    _tell(
        sitting,
        Act.Kind.ROUND_DISPUTED,
        by,
        dict(facts),
        old=stored.facts,
        number=number,
        version=stored.version,
    )
    return disagreement


@transaction.atomic
def call(sitting: Sitting, kind: str, words: str, *, by: Actor) -> Call:
    """Ask the desk to come, or to put something right. The same call waits once.

    Raises `closing.EventOver`.
    """
    locked = Sitting.objects.select_for_update().get(pk=sitting.pk)
    closing.check_table_may_write(locked.session.tournament, by)
    waiting = Call.objects.filter(sitting=locked, kind=kind, words=words, answered_at=None).first()
    if waiting is not None:
        return waiting
    made = Call.objects.create(sitting=locked, kind=kind, words=words)
    _tell(locked, Act.Kind.DESK_CALLED, by, {"kind": kind, "words": words})
    return made


def _tell(
    sitting: Sitting,
    kind: Act.Kind,
    by: Actor,
    new: Any = None,
    *,
    old: Any = None,
    number: int | None = None,
    version: int | None = None,
    at: datetime | None = None,
) -> None:
    """Leave the act in the trail of the table's tournament."""
    session = sitting.session
    subject: dict[str, int] = {"session": session.number, "table": sitting.number}
    if number is not None and version is not None:
        subject |= {"round": number, "version": version}
    audit.append(session.tournament, kind, by, subject=subject, old=old, new=new, at=at)
