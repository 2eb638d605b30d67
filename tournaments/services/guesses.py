"""Rate limiting of wrong PINs, passwords and codes, so that strangers cannot lock out known users.

A guess is counted before it is checked, so that parallel guesses are all counted, and no database
lock is held while a password is hashed. Wrong guesses are counted

- per subject (a table's PIN, an account) and guesser;
- per network address over all subjects, where addresses identify peers (`web.peers`);
- per subject over all strangers, with a high limit, against distributed guessing.

Only the first count applies to a browser or address with a right guess at this subject before, and
to the server's own machine, which has a higher limit. Where addresses do not identify peers, all
unknown guessers of a subject share one count. To lock out a count that strangers share would lock
out the owner of an account in a new browser: its passwords are answered slowly instead
(`_count_slowly`).

The row of a count is named by its subject and by `who` guessed, two texts.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import BoundedSemaphore
from time import sleep
from typing import NamedTuple

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.exceptions import OperationRefused
from tournaments.models import Guesses, Sitting

LIMIT = 5  # wrong guesses of one guesser at one subject before a lock-out
LIMIT_OF_AN_ADDRESS = 20  # wrong guesses of one address at all subjects
LIMIT_OF_STRANGERS = 100  # wrong guesses of all strangers at one subject
LIMIT_ON_SERVER = 100  # from the server's own machine, where a proxy may hide strangers
FIRST_WAIT = timedelta(seconds=30)  # lock-out after the limit, doubled with every further guess
LONGEST_WAIT = timedelta(minutes=15)
LONGEST_SLOWNESS = timedelta(seconds=8)  # between two passwords that strangers share a count for
PATIENCE = 2 * LONGEST_SLOWNESS  # a stranger's longest wait for an answer
STALE_AFTER = timedelta(days=1)
KNOWN_FOR = timedelta(days=90)  # after the last right guess
BATCH_SIZE = 1000  # stale rows deleted with each guess

ALL_STRANGERS, SERVER, UNKNOWN_ADDRESS = "", "here", "anybody"  # values of `Guesses.who`
ACCOUNT = "account:"  # begins the subjects of guesses at passwords
ANY_SUBJECT = "any"  # value of `Guesses.subject` in the count of an address over all subjects

# Each process hashes two guesses at a time. One more stranger may wait; others get `Crowded`.
HASHING = BoundedSemaphore(2)
STRANGERS = BoundedSemaphore(3)
SLOW_ANSWERS = BoundedSemaphore(1)  # a process delays one answer at a time; others get `Crowded`
WAIT_WHEN_CROWDED = timedelta(seconds=2)


class TooManyGuesses(OperationRefused):
    """The guesser is locked out for `seconds`."""

    code = "throttled"
    status = 429
    sentence = _("Too many wrong attempts. Wait a moment, then try again.")
    sentence_with_seconds: Promise = _("Too many wrong attempts. Try again in %(seconds)s s.")

    def __init__(self, wait: timedelta) -> None:
        self.wait = wait
        self.seconds = math.ceil(wait.total_seconds())
        self.more = {"seconds": self.seconds}
        super().__init__(f"Wait {self.seconds} seconds.")

    @property
    def words(self) -> str:
        return str(self.sentence_with_seconds) % self.more


class Slow(TooManyGuesses):
    """Only counts that strangers share are locked out: the guess may wait for its turn."""


class Crowded(TooManyGuesses):
    """This process is hashing or delaying as many guesses of strangers as it allows."""

    code = "crowded"
    sentence = _("Many people are logging in right now. Try again in a moment.")
    sentence_with_seconds = _("Many people are logging in right now. Try again in %(seconds)s s.")


class Guesser(NamedTuple):
    """Who guesses, as far as known: a network address, a browser's secret, or this machine."""

    address: str | None = None
    browser: str = ""
    is_server: bool = False

    def names(self) -> list[str]:
        """Return the values of `Guesses.who` for this guesser: first browser, last address."""
        if self.is_server:
            return [SERVER]
        parts = [("browser", self.browser), ("peer", self.address)]
        return [f"{kind}:{_keyed_digest(value)}" for kind, value in parts if value]


UNKNOWN_GUESSER = Guesser()


def _keyed_digest(value: str) -> str:
    return salted_hmac("guesses", value, algorithm="sha256").hexdigest()


def pin_subject(sitting: Sitting) -> str:
    return f"pin:{sitting.pk}"


def number_subject(table_number: int, slug: str = "") -> str:
    """Return the subject of guesses at a table named by its number, whether or not it exists.

    `slug` is the tournament's; empty if the PIN was typed with the number alone.
    """
    return f"number:{hashlib.sha256(f'{slug} {table_number}'.encode()).hexdigest()}"


def code_subject(code: str) -> str:
    """Return the subject of guesses at a club table's code, whether or not the table exists.

    The subject is the first half of the code, so that guessing at one table locks only that table.
    """
    return f"code:{code[: len(code) // 2]}"


def table_subjects(sitting: Sitting) -> list[str]:
    tournament = sitting.session.tournament
    return [pin_subject(sitting), number_subject(sitting.number, tournament.slug)]


def account_subject(username: str) -> str:
    """Return the subject of guesses at an account, whether or not the account exists."""
    return f"{ACCOUNT}{hashlib.sha256(_normalize_username(username).encode()).hexdigest()}"


def _normalize_username(username: str) -> str:
    """Return a user name as accounts store it; case-sensitive."""
    return str(User.normalize_username(username)).strip()


class Guess:
    """One guess at one or several subjects: a PIN may be tried at tables with the same number."""

    def __init__(self, guesser: Guesser, subjects: Sequence[str]) -> None:
        """Count the guess for its address over all subjects, if the guesser is a stranger.

        `subjects` are all that the guess may be right about; `count` counts it at one of them. A
        stranger is not the server's machine and has no right guess at one of them before. Raises
        `TooManyGuesses` if the address is locked out.
        """
        self.guesser = guesser
        self._known = _known_names(guesser, subjects)
        self._counted: list[tuple[str, str]] = []  # rows, for `_uncount`
        self.is_by_stranger = not (guesser.is_server or self._known)
        if self.is_by_stranger and guesser.address is not None:
            self._count_in_rows({(ANY_SUBJECT, guesser.names()[-1]): LIMIT_OF_AN_ADDRESS})

    def count(self, subject: str) -> None:
        """Count the guess at a subject. Raises `TooManyGuesses`, and then counts nothing."""
        limits = {
            (subject, self._who_at(subject)): LIMIT_ON_SERVER if self.guesser.is_server else LIMIT
        }
        if (
            not self.guesser.is_server
            and self.guesser.address is not None
            and subject not in self._known
        ):
            limits[subject, ALL_STRANGERS] = LIMIT_OF_STRANGERS
        self._count_in_rows(limits)

    def _who_at(self, subject: str) -> str:
        """Return the `Guesses.who` under which this guess is counted at a subject.

        That is the browser or address with a right guess there before, else the address.
        """
        if self.guesser.is_server:
            return SERVER
        if subject in self._known:
            return self._known[subject]
        return self.guesser.names()[-1] if self.guesser.address is not None else UNKNOWN_ADDRESS

    def _count_in_rows(self, limits: dict[tuple[str, str], int]) -> None:
        """Count the guess in rows, given as (subject, who) with their limits. Raises as `count`."""
        _count_slowly(limits)
        self._counted += limits

    @contextmanager
    def limit_hashing(self) -> Iterator[None]:
        """Hold a semaphore while the guess is hashed.

        A stranger gets `Crowded` if enough strangers wait; the guess is then uncounted.
        """
        if self.is_by_stranger and not STRANGERS.acquire(blocking=False):
            _uncount(self._counted)
            raise Crowded(WAIT_WHEN_CROWDED)
        try:
            with HASHING:
                yield
        finally:
            if self.is_by_stranger:
                STRANGERS.release()

    def mark_right(self, subject: str) -> None:
        """Reset the guesser's count at the subject that was guessed; uncount the guess elsewhere.

        A guesser with an address or browser is known at this subject for `KNOWN_FOR` from now on.
        """
        who = self._who_at(subject)
        succeeded_at = None if who == UNKNOWN_ADDRESS else timezone.now()
        with transaction.atomic():
            rows = Guesses.objects.filter(subject=subject, who=who)
            rows.update(count=0, closed_until=None, succeeded_at=succeeded_at)
            _uncount([each for each in self._counted if each != (subject, who)])


def _known_names(guesser: Guesser, subjects: Sequence[str]) -> dict[str, str]:
    """Return the `Guesses.who` of a right guess within `KNOWN_FOR`, by subject.

    The browser is preferred to the address. Subjects without a right guess are left out.
    """
    names = guesser.names()
    since = timezone.now() - KNOWN_FOR
    rows = Guesses.objects.filter(subject__in=subjects, who__in=names, succeeded_at__gte=since)
    known = set(rows.values_list("subject", "who"))
    # A later item replaces an earlier one, so the browser comes last.
    pairs = ((subject, who) for who in reversed(names) for subject in subjects)
    return {subject: who for subject, who in pairs if (subject, who) in known}


def _count_guess(limits: dict[tuple[str, str], int]) -> None:
    """Count a guess in several rows; `limits` has the limit of each row, by (subject, who).

    If one of the rows is locked out, raises `TooManyGuesses` and counts the guess in none.
    """
    _delete_stale()
    now = timezone.now()
    with transaction.atomic():
        rows = [_lock_row(*key) for key in sorted(limits)]  # sorted, to avoid deadlocks
        if locked_out := [row for row in rows if _remaining_lock_out(row, now)]:
            wait = max(_remaining_lock_out(row, now) for row in locked_out)
            raise (Slow if all(map(_is_slow, locked_out)) else TooManyGuesses)(wait)
        for row in rows:
            row.count += 1
            row.closed_until = _lock_out_end(
                guesses_over_limit=row.count - limits[row.subject, row.who],
                now=now,
                longest=LONGEST_SLOWNESS if _is_slow(row) else LONGEST_WAIT,
            )
            row.counted_at = now
            row.save()


def _is_slow(row: Guesses) -> bool:
    """Return whether a lock-out of this row only delays: it counts all strangers at an account."""
    return row.subject.startswith(ACCOUNT) and row.who in {ALL_STRANGERS, UNKNOWN_ADDRESS}


def _count_slowly(limits: dict[tuple[str, str], int]) -> None:
    """Count a guess as `_count_guess`, after a delay if only slow rows are locked out.

    Raises `Crowded` if this process delays an answer already, or others were always faster.
    """
    delay = timedelta()
    while True:
        try:
            return _count_guess(limits)
        except Slow as slow:
            delay += slow.wait
            if delay > PATIENCE or not SLOW_ANSWERS.acquire(blocking=False):
                raise Crowded(slow.wait) from None
            try:
                sleep(slow.wait.total_seconds())
            finally:
                SLOW_ANSWERS.release()


def _uncount(counted: Sequence[tuple[str, str]]) -> None:
    """Take one guess back from each of these rows, (subject, who), and end their lock-outs.

    A lock-out that a row has was begun by this guess: locked rows count no further ones.
    """
    for subject, who in counted:
        rows = Guesses.objects.filter(subject=subject, who=who, count__gt=0)
        rows.update(count=F("count") - 1, closed_until=None)


def _lock_row(subject: str, who: str) -> Guesses:
    """Return the row, created if missing, locked until the commit."""
    row, _created = Guesses.objects.select_for_update().get_or_create(subject=subject, who=who)
    return row


def _remaining_lock_out(row: Guesses, now: datetime) -> timedelta:
    """Zero if there is no lock-out or the clock was set back."""
    wait = row.closed_until - now if row.closed_until is not None else timedelta()
    return wait if timedelta() < wait <= LONGEST_WAIT else timedelta()


def _lock_out_end(
    guesses_over_limit: int, now: datetime, longest: timedelta = LONGEST_WAIT
) -> datetime | None:
    """Return the time until which a row is locked out, at most `longest`; None below its limit.

    `guesses_over_limit` is 0 at the limit, negative below it.
    """
    if guesses_over_limit < 0:
        return None
    wait: timedelta = FIRST_WAIT * 2 ** min(guesses_over_limit, 10)
    return now + min(wait, longest)


def _delete_stale() -> None:
    """Delete a batch of stale rows in a transaction of its own, skipping locked rows."""
    now = timezone.now()
    is_known = Q(succeeded_at__gte=now - KNOWN_FOR)
    stale = Guesses.objects.filter(~is_known, counted_at__lt=now - STALE_AFTER)
    if stale.exists():
        with transaction.atomic():
            free = stale.select_for_update(skip_locked=True)[:BATCH_SIZE]
            Guesses.objects.filter(pk__in=[each.pk for each in free]).delete()


def delete_guesses(subjects: Sequence[str]) -> None:
    """Call it when the PINs of these subjects have been replaced."""
    Guesses.objects.filter(subject__in=subjects).delete()


def authenticate_account(
    username: str, password: str, *, guesser: Guesser = UNKNOWN_GUESSER
) -> User | None:
    """Raises `TooManyGuesses`."""
    subject = account_subject(username)
    guess = Guess(guesser, [subject])
    guess.count(subject)
    with guess.limit_hashing():
        user = authenticate(username=_normalize_username(username), password=password)
    if not isinstance(user, User):
        return None
    guess.mark_right(subject)
    return user


def remember_browser(username: str, secret: str) -> None:
    """Store a right guess at this account by the browser with this secret in its cookie."""
    Guesses.objects.update_or_create(
        subject=account_subject(username),
        who=Guesser(browser=secret).names()[0],
        defaults={"count": 0, "closed_until": None, "succeeded_at": timezone.now()},
    )
