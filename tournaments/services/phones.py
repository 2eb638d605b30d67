"""A table's phones: they join by its link or its PIN, and one takes over from another.

What a link or a PIN was exchanged for is a secret that only the phone keeps; we keep its SHA-256.
One phone of a table is its writer; another becomes it by taking over. Every act leaves its trace.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import audit
from tournaments.audit import THE_TABLE, Actor
from tournaments.audit.locks import lock_sitting
from tournaments.exceptions import OperationRefused
from tournaments.models import AuditEntry, Phone, Session, Sitting, Tournament
from tournaments.models.tokens import digest
from tournaments.queries.events import NotThere
from tournaments.services import closing, guesses, pins
from tournaments.services.guesses import Guess, Guesser

MOST_PHONES = 20  # of one table at a time: whoever has its link could let in phones without end
MOST_TRIED = 10  # tables of one number, at 5 ms each to look whether a PIN fits


class NoSuchLink(Exception):
    """Raised for a link that is no table's, or revoked, or of an event that is over."""


class WrongPin(OperationRefused):
    """Raised for a PIN that is not this table's, or while it has none."""

    code = "wrong_pin"
    sentence = _(
        "This is not the PIN of this table."
        " If the card was printed again, the new card has the PIN."
    )


class NotTheWriter(OperationRefused):
    """Raised when a phone would write and another one of its table has taken over."""

    code = "taken_over"
    sentence = _("Another phone has taken over at this table.")


class PhoneEnded(NotTheWriter):
    """Raised when a phone would write whose table's link has been closed."""

    code = "phone_ended"
    sentence = _("This table's link has been closed. Ask for the new one.")


class Joined(NamedTuple):
    """A phone that has joined, and the secret by which it will be known. We do not keep that."""

    phone: Phone
    secret: str


class Writer(NamedTuple):
    """Who writes at a table. `phone` is None for the staff.

    `may_correct` tells whether they may correct every round there, and not only the table's last.
    """

    actor: Actor
    phone: Phone | None
    may_correct: bool


def actor(phone: Phone) -> Actor:
    """Return a phone as the audit trail names it."""
    return Actor(None, f"{THE_TABLE} #{phone.pk}")


def join(token: str) -> Joined:
    """Exchange a table's link for a place among its phones. Raises `NoSuchLink`."""
    return admit_phone(table_of(token))


def table_of(token: str) -> Sitting:
    """Return the table that a link opens. Raises `NoSuchLink`."""
    sitting = open_tables().select_related("session__tournament").filter(token=token).first()
    if sitting is None:
        raise NoSuchLink
    return sitting


def open_tables() -> QuerySet[Sitting]:
    """Return the tables whose links and PINs open them: not revoked, and the event not over."""
    return Sitting.objects.filter(closing.is_open("session__tournament__"), closed_at=None)


def join_by_number(
    tournament: str,
    session: int | None,
    number: int,
    pin: str,
    *,
    guesser: Guesser = guesses.UNKNOWN,
) -> Joined:
    """Exchange a PIN for the same, at a table of the session, or of the newest.

    A table that is not there, or opens for nobody, is told from a wrong PIN by nothing: guesses are
    counted by what was typed, and as much is asked and hashed. Raises as `join_with_pin` does.
    """
    tables = Sitting.objects.filter(session__tournament__slug=tournament, number=number)
    if session is not None:
        tables = tables.filter(session__number=session)
    sitting = tables.order_by("session__number").last()
    subject = guesses.at_number(number, tournament)
    return admit_phone(_check_pin(sitting, pin, Guess(guesser, [subject]), subject))


def join_with_pin(sitting: Sitting, pin: str, *, guesser: Guesser = guesses.UNKNOWN) -> Joined:
    """Exchange a table's PIN for the same. Raises `WrongPin` and `guesses.TooManyGuesses`."""
    subject = guesses.at_pin(sitting)
    return admit_phone(_check_pin(sitting, pin, Guess(guesser, [subject]), subject))


def join_anywhere(number: int, pin: str, *, guesser: Guesser = guesses.UNKNOWN) -> Joined:
    """Exchange a PIN typed with a table's number alone; it tells in which tournament that is.

    Once it has opened one, it was no guess at the others. Raises `guesses.TooManyGuesses` where it
    may be that of a table at which this guesser has to wait, else `WrongPin`.
    """
    subjects: dict[str, Sitting | None] = {guesses.at_pin(at): at for at in _tables_now(number)}
    if not subjects:
        subjects = {guesses.at_number(number): None}
    guess = Guess(guesser, list(subjects))
    waits: list[guesses.TooManyGuesses] = []
    for subject, sitting in subjects.items():
        with suppress(WrongPin):
            try:
                opened = _check_pin(sitting, pin, guess, subject)
            except guesses.TooManyGuesses as throttled:
                waits.append(throttled)
            else:
                return admit_phone(opened)
    if waits:
        raise min(waits, key=lambda throttled: throttled.seconds)
    raise WrongPin


def _tables_now(number: int) -> list[Sitting]:
    """Return the tables of this number with a PIN, in the newest sessions, today's events first.

    Then come events of days before, of days to come, and clubs' single tables, which anybody sets
    up. Among events alike the older comes first: a newer one cannot keep it from being tried.
    """
    later = Session.objects.filter(
        tournament=OuterRef("session__tournament"), number__gt=OuterRef("session__number")
    )
    today, day = timezone.localdate(), "session__tournament__held_on"
    is_club = Q(session__tournament__kind=Tournament.Kind.TABLE)
    order = Case(When(is_club, then=2), When(**{f"{day}__gt": today}, then=1), default=0)
    past = Case(When(**{f"{day}__lte": today}, then=F(day)), default=None)
    tables = open_tables().filter(~Exists(later), number=number).exclude(pin="")
    return list(tables.order_by(order, past.desc(nulls_last=True), day, "pk")[:MOST_TRIED])


def _check_pin(sitting: Sitting | None, pin: str, guess: Guess, subject: str) -> Sitting:
    """Return the table that a guess opens. Raises `WrongPin` and `guesses.TooManyGuesses`.

    Whether there is such a table makes no difference to how long that takes.
    """
    guess.count(subject)
    is_open = open_tables().filter(pk=sitting.pk if sitting else 0).exists()
    kept = sitting.pin if sitting else ""
    with guess.checking():
        is_right = pins.fits(pin, kept or pins.of_nothing())
    if sitting is None or not (kept and is_open and is_right):
        raise WrongPin
    guess.was_right(subject)
    return sitting


def new_secret() -> str:
    """Return what a phone is to be known by."""
    return secrets.token_urlsafe(32)


@transaction.atomic
def admit_phone(sitting: Sitting, secret: str = "") -> Joined:
    """Make a phone one of the table's. The first is the writer; those after it may take over.

    Where it has `MOST_PHONES` already, the one that joined first and does not write ends. A
    `secret` that was made before lets its phone in once, however often it comes. Raises
    `NoSuchLink` also where the table has another link by now than `sitting` says, and where it or
    its event has been removed.
    """
    try:
        current = lock_sitting(sitting)
    except (Tournament.DoesNotExist, Sitting.DoesNotExist):
        raise NoSuchLink from None
    if secret and (known := former_phone_of(secret)) is not None:
        return Joined(known, secret)
    if current.token != sitting.token or not open_tables().filter(pk=current.pk).exists():
        raise NoSuchLink
    secret = secret or new_secret()
    is_writer = not has_writer(current)
    phone = Phone.objects.create(sitting=current, digest=digest(secret), is_writer=is_writer)
    told: dict[str, Any] = {"writer": is_writer, "phone": digest(phone.digest)}
    ended = _end_one_too_many(phone)
    if ended is not None:
        told["ended"] = digest(ended.digest)
    _tell(phone, AuditEntry.Kind.PHONE_JOINED, new=told, at=phone.started_at)
    return Joined(phone, secret)


def _end_one_too_many(joined: Phone) -> Phone | None:
    """End the first of a table's phones but its writer, and return it, where there are too many."""
    phones = active_phones(joined.sitting)
    if phones.count() <= MOST_PHONES:
        return None
    first = phones.filter(is_writer=False).exclude(pk=joined.pk)[0]
    first.ended_at = joined.started_at
    first.save(update_fields=["ended_at"])
    return first


def has_writer(sitting: Sitting) -> bool:
    """Return whether a phone writes at a table, so that the next may only take over."""
    return active_phones(sitting).filter(is_writer=True).exists()


def active_phones(sitting: Sitting) -> QuerySet[Phone]:
    """Return the phones of a table that are still its own."""
    return Phone.objects.filter(sitting=sitting, ended_at=None)


def phone_of(secret: str) -> Phone | None:
    """Return the phone that keeps this secret, unless its table is closed or the event over."""
    phones = Phone.objects.select_related("sitting__session__tournament")
    is_open = closing.is_open("sitting__session__tournament__")
    kept = {"digest": digest(secret), "ended_at": None, "sitting__closed_at": None}
    return phones.filter(is_open, **kept).first()


def former_phone_of(secret: str) -> Phone | None:
    """Return the phone that keeps this secret, whether or not it still is its table's."""
    phones = Phone.objects.select_related("sitting__session__tournament")
    return phones.filter(digest=digest(secret)).first()


def current_phone(sitting: Sitting, phone: Phone | None) -> Phone | None:
    """Return the phone as it is now. Call it under the tournament's lock.

    None, for somebody of the staff, stays None. Raises `PhoneEnded` where the table has it no more.
    """
    if phone is None:
        return None
    found = active_phones(sitting).filter(pk=phone.pk).first()
    if found is None:
        raise PhoneEnded
    return found


def current_writer(sitting: Sitting, writer: Writer) -> Phone | None:
    """Return a writer's phone as it is now, None for the staff. Call it under the lock.

    Raises `closing.EventOver`, `PhoneEnded`, and `NotThere` for who is no longer on the staff.
    """
    tournament, user = sitting.session.tournament, writer.actor.user
    closing.check_table_may_write(tournament, writer.actor)
    may_all = writer.phone is not None or user is None or user.is_superuser
    if not may_all and not tournament.memberships.filter(user=user).exists():
        raise NotThere
    return current_phone(sitting, writer.phone)


def check_writer(phone: Phone) -> None:
    """Raise `NotTheWriter` for a phone from which another has taken over."""
    if not phone.is_writer:
        raise NotTheWriter


@transaction.atomic
def take_over(phone: Phone) -> Phone:
    """Make this phone the writer. The one before is told when it next asks."""
    sitting = lock_sitting(phone.sitting)
    mine = active_phones(sitting).filter(pk=phone.pk).first()
    if mine is None or closing.is_over(sitting.session.tournament):
        raise NoSuchLink
    if not mine.is_writer:
        before = active_phones(sitting).filter(is_writer=True).first()
        active_phones(sitting).filter(is_writer=True).update(is_writer=False)
        mine.is_writer = True
        mine.save(update_fields=["is_writer"])
        old = {"writer": before.pk} if before else None
        _tell(mine, AuditEntry.Kind.PHONE_TOOK_OVER, old=old, new={"writer": mine.pk})
    return mine


def _tell(
    phone: Phone, kind: AuditEntry.Kind, *, old: Any = None, new: Any, at: datetime | None = None
) -> None:
    """Leave in the trail what a phone did."""
    sitting = phone.sitting
    tournament, subject = sitting.session.tournament, audit.at_table(sitting)
    audit.append(tournament, kind, actor(phone), subject=subject, old=old, new=new, at=at)
