"""A table's phones: joining by link or PIN, and taking over as the writer.

A joining phone gets a secret for its cookie; the database stores its SHA-256. One phone of a table
is the writer, until another takes over.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
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

MOST_PHONES = 20  # active phones of one table
MOST_TRIED = 10  # tables with the same number for which a PIN is hashed, 5 ms each


class NoSuchLink(Exception):
    """The link does not exist, was revoked, or belongs to an event that is over."""


class WrongPin(OperationRefused):
    """The PIN is not this table's, or the table has none."""

    code = "wrong_pin"
    status = 403
    at = "pin"
    sentence = _(
        "This is not the PIN of this table. Check it; if the card was printed again, enter "
        "the PIN on the new card."
    )


class NotTheWriter(OperationRefused):
    code = "taken_over"
    status = 403
    sentence = _(
        "Not saved: another phone is now recording for this table. Take over again to record on "
        "this one."
    )


class PhoneEnded(NotTheWriter):
    """The phone tried to write after it ended.

    `code` gives the reason: `phone_ended` in general, as after its table's link was revoked, else
    `event_over` or `event_removed`.
    """

    code = "phone_ended"
    status = 401
    sentence = _("This table’s link has been closed. Ask for the new one.")

    def __init__(self, code: str = code) -> None:
        super().__init__()
        self.code = code


class Joined(NamedTuple):
    """A phone that has joined, and the secret for its cookie, which is not stored."""

    phone: Phone
    secret: str


class Writer(NamedTuple):
    """Who sends a write for a table: a phone, or the staff (`phone` is None).

    With `may_correct`, the writer may correct every round of the table, not only the last one.
    `ended` is the code of the reason why the phone has ended, empty if it is active. A phone that
    has ended may only repeat a write that has a receipt.
    """

    actor: Actor
    phone: Phone | None
    may_correct: bool
    ended: str = ""


def actor_of(phone: Phone) -> Actor:
    """Return the actor for a phone, such as `table #7`."""
    return Actor(user=None, who=f"{THE_TABLE} #{phone.pk}")


def join(token: str) -> Joined:
    """Raises `NoSuchLink`."""
    return admit_phone(sitting_of_link(token))


def sitting_of_link(token: str) -> Sitting:
    """Raises `NoSuchLink`."""
    sitting = open_tables().select_related("session__tournament").filter(token=token).first()
    if sitting is None:
        raise NoSuchLink
    return sitting


def open_tables() -> QuerySet[Sitting]:
    """Return the sittings that phones can join: the link is not revoked, the event is not over."""
    return Sitting.objects.filter(closing.open_condition("session__tournament__"), closed_at=None)


def join_by_number(
    slug: str,
    session_number: int | None,
    table_number: int,
    pin: str,
    *,
    guesser: Guesser = guesses.UNKNOWN_GUESSER,
) -> Joined:
    """Admit a phone by PIN at the table with this number.

    Without a session number, the newest session that has such a table is taken. A missing table or
    revoked link cannot be distinguished from a wrong PIN: guesses are counted by the typed number,
    and the same queries and hashes are made. Raises `WrongPin` and `guesses.TooManyGuesses`.
    """
    tables = Sitting.objects.filter(session__tournament__slug=slug, number=table_number)
    if session_number is not None:
        tables = tables.filter(session__number=session_number)
    sitting = tables.order_by("session__number").last()
    subject = guesses.number_subject(table_number, slug)
    guess = Guess(guesser, [subject])
    return admit_phone(_check_pin(sitting, pin, guess, counted_at=subject))


def join_by_number_alone(
    table_number: int, pin: str, *, guesser: Guesser = guesses.UNKNOWN_GUESSER
) -> Joined:
    """Admit a phone by table number and PIN, at the first open table whose PIN matches.

    If a PIN matches, the guess is uncounted at the other tables. If no PIN matches, raises
    `guesses.TooManyGuesses` if the guesser is locked out at one of the tables, else `WrongPin`.
    """
    subjects: dict[str, Sitting | None] = {
        guesses.pin_subject(each): each for each in _open_tables_with_number(table_number)
    }
    if not subjects:
        subjects = {guesses.number_subject(table_number): None}
    guess = Guess(guesser, list(subjects))
    waits: list[guesses.TooManyGuesses] = []
    for subject, sitting in subjects.items():
        with suppress(WrongPin):
            try:
                opened = _check_pin(sitting, pin, guess, counted_at=subject)
            except guesses.TooManyGuesses as throttled:
                waits.append(throttled)
            else:
                return admit_phone(opened)
    if waits:
        raise min(waits, key=lambda throttled: throttled.seconds)
    raise WrongPin


def _open_tables_with_number(table_number: int) -> list[Sitting]:
    """Return the open tables with this number and a PIN, in each event's newest session.

    At most `MOST_TRIED`, ordered by event: today's, past (latest first), future, and last club
    tables, which anybody can set up. Within a day the older event comes first, so that new events
    cannot displace it.
    """
    later = Session.objects.filter(
        tournament=OuterRef("session__tournament"), number__gt=OuterRef("session__number")
    )
    today, day = timezone.localdate(), "session__tournament__held_on"
    is_club = Q(session__tournament__kind=Tournament.Kind.TABLE)
    order = Case(When(is_club, then=2), When(**{f"{day}__gt": today}, then=1), default=0)
    past_day = Case(When(**{f"{day}__lte": today}, then=F(day)), default=None)
    tables = open_tables().filter(~Exists(later), number=table_number).exclude(pin="")
    return list(tables.order_by(order, past_day.desc(nulls_last=True), day, "pk")[:MOST_TRIED])


def _check_pin(sitting: Sitting | None, pin: str, guess: Guess, *, counted_at: str) -> Sitting:
    """Return the sitting if the PIN is right and phones can join there.

    `counted_at` is the subject at which the guess is counted. Raises `guesses.TooManyGuesses` and
    `WrongPin`; if there is no sitting, link or PIN, after the same time as for a wrong PIN.
    """
    guess.count(counted_at)
    is_open = open_tables().filter(pk=sitting.pk if sitting else 0).exists()
    hashed = sitting.pin if sitting else ""
    with guess.limit_hashing():
        is_right = pins.matches(pin, hashed or pins.dummy_hash())
    if sitting is None or not (hashed and is_open and is_right):
        raise WrongPin
    guess.mark_right(counted_at)
    return sitting


def new_secret() -> str:
    """Return 256 random bits as text, for a phone's cookie."""
    return secrets.token_urlsafe(32)


@transaction.atomic
def admit_phone(sitting: Sitting, secret: str = "") -> Joined:
    """Add a phone to a table; it becomes the writer if there is none. Idempotent per `secret`.

    Without a `secret`, a new one is generated. With more than `MOST_PHONES`, ends the oldest phone
    that is not the writer. Raises `NoSuchLink` if phones cannot join, the table was removed, or its
    link has changed since `sitting` was read.
    """
    try:
        current = lock_sitting(sitting)
    except (Tournament.DoesNotExist, Sitting.DoesNotExist):
        raise NoSuchLink from None
    if secret and (existing := any_phone_of(secret)) is not None:
        return Joined(phone=existing, secret=secret)
    if current.token != sitting.token or not open_tables().filter(pk=current.pk).exists():
        raise NoSuchLink
    secret = secret or new_secret()
    is_writer = not has_writer(current)
    phone = Phone.objects.create(sitting=current, digest=digest(secret), is_writer=is_writer)
    # The audit trail stores digests of the stored digests, which do not help to find a phone.
    new: dict[str, Any] = {"writer": is_writer, "phone": digest(phone.digest)}
    ended = _end_surplus_phone(phone)
    if ended is not None:
        new["ended"] = digest(ended.digest)
    audit.append_table_entry(
        phone.sitting, AuditEntry.Kind.PHONE_JOINED, actor_of(phone), new=new, at=phone.started_at
    )
    return Joined(phone=phone, secret=secret)


def _end_surplus_phone(joined: Phone) -> Phone | None:
    """End the oldest phone at the table if `joined` is one more than `MOST_PHONES`.

    The writer and `joined` itself are not ended. Returns the ended phone, or None.
    """
    phones = active_phones(joined.sitting)
    if phones.count() <= MOST_PHONES:
        return None
    oldest = phones.filter(is_writer=False).exclude(pk=joined.pk)[0]
    oldest.ended_at = joined.started_at
    oldest.save(update_fields=["ended_at"])
    return oldest


def has_writer(sitting: Sitting) -> bool:
    return active_phones(sitting).filter(is_writer=True).exists()


def active_phones(sitting: Sitting) -> QuerySet[Phone]:
    """Including phones of players who have left the table."""
    return Phone.objects.filter(sitting__in=sitting.at_table, ended_at=None)


def phone_of(secret: str) -> Phone | None:
    """Return the active phone with this secret, or None.

    A phone is not active if it has ended, its table's link is revoked, or the event is over. These
    conditions are checked in Python, because building the SQL for them takes Django longer.
    """
    phone = any_phone_of(secret)
    if phone is None or phone.ended_at is not None or phone.sitting.closed_at is not None:
        return None
    return None if closing.was_over(phone.sitting.session.tournament) else phone


def any_phone_of(secret: str) -> Phone | None:
    phones = Phone.objects.select_related("sitting__session__tournament")
    return next(iter(phones.filter(digest=digest(secret))), None)  # one at most


def refresh_phone(sitting: Sitting, phone: Phone | None) -> Phone | None:
    """Return an active phone read anew. Call it under the tournament's lock.

    Returns None for None, which stands for the staff. Raises `PhoneEnded` if the phone has ended.
    """
    if phone is None:
        return None
    current = active_phones(sitting).filter(pk=phone.pk).first()
    if current is None:
        raise PhoneEnded
    return current


def refresh_writer(
    sitting: Sitting, writer: Writer, current: Tournament | None = None
) -> Phone | None:
    """Check that a writer may still write; return its phone read anew, None for the staff.

    Call it under the tournament's lock. `current` is the locked row of the tournament: if it has
    the same last audit entry as the one that `phone_of` read with the phone, nothing has changed,
    and the phone is returned as it is. Raises `closing.EventOver`, `PhoneEnded`, and `NotThere` for
    an account no longer on the staff.
    """
    tournament, user, phone = sitting.session.tournament, writer.actor.user, writer.phone
    if current and phone and phone.sitting.session.tournament.last_act == current.last_act:
        return phone
    closing.check_table_may_write(tournament, writer.actor)
    needs_no_role = phone is not None or user is None or user.is_superuser
    if not needs_no_role and not tournament.memberships.filter(user=user).exists():
        raise NotThere
    return refresh_phone(sitting, phone)


def check_writer(phone: Phone) -> None:
    if not phone.is_writer:
        raise NotTheWriter


@transaction.atomic
def take_over(phone: Phone) -> Phone:
    """Make this phone the writer. Idempotent.

    Raises `NoSuchLink` if the phone has ended or the event is over.
    """
    sitting = lock_sitting(phone.sitting)
    current = active_phones(sitting).filter(pk=phone.pk).first()
    if current is None or closing.is_over(sitting.session.tournament):
        raise NoSuchLink
    if not current.is_writer:
        before = active_phones(sitting).filter(is_writer=True).first()
        active_phones(sitting).filter(is_writer=True).update(is_writer=False)
        current.is_writer = True
        current.save(update_fields=["is_writer"])
        old, new = {"writer": before.pk} if before else None, {"writer": current.pk}
        audit.append_table_entry(
            current.sitting, AuditEntry.Kind.PHONE_TOOK_OVER, actor_of(current), old=old, new=new
        )
    return current
