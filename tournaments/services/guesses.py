"""Throttling of wrong PINs and passwords, without letting one person lock out another.

A guess is counted before it is checked, so that parallel guesses are all counted, and no database
lock is held while a password is hashed. Wrong guesses are counted

- per subject (a table's PIN, an account) and guesser;
- per network address over all subjects, where addresses tell people apart (`web.peers`);
- per subject over all strangers, with a high limit: the brake on many addresses guessing together.

Only the first count applies to a browser or address that was right about this subject before, and
to the server's own machine, which is allowed more: strangers cannot lock those out. Where addresses
tell nobody apart, all unknown guessers of a subject share one count.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import BoundedSemaphore
from typing import NamedTuple

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import Guesses, Sitting

FREE = 5  # wrong guesses of one guesser at one subject before a wait
FREE_OF_A_PEER = 20  # wrong guesses of one address at all subjects
FREE_OF_STRANGERS = 100  # wrong guesses of all strangers at one subject
FREE_HERE = 100  # on the server's own machine: bounded, should a proxy there hide strangers
FIRST_WAIT = timedelta(seconds=30)  # doubled with every wrong guess that follows
LONGEST_WAIT = timedelta(minutes=15)
STALE_AFTER = timedelta(days=1)
KNOWN_FOR = timedelta(days=90)  # after the last right guess
AT_ONCE = 1000  # stale rows; with every guess goes more than comes

ALL_STRANGERS, HERE, ANYBODY = "", "here", "anybody"
ANY_SUBJECT = "any"

# In each process two hashes at a time; of strangers one more may wait, the others are told to.
HASHING = BoundedSemaphore(2)
STRANGERS = BoundedSemaphore(3)
SECONDS_OF_A_CROWD = 2


class TooManyGuesses(Exception):
    """Raised while a guesser has to wait. `seconds` says for how long."""

    code = "throttled"
    sentence: Promise = _("Too many wrong guesses. Wait %(seconds)s seconds.")

    def __init__(self, seconds: int) -> None:
        """Keep the seconds to wait."""
        super().__init__(f"Wait {seconds} seconds.")
        self.seconds = seconds

    @property
    def words(self) -> str:
        """Return the sentence for the reader."""
        return str(self.sentence) % {"seconds": self.seconds}


class Crowded(TooManyGuesses):
    """Raised when as many guesses as may be are being checked in this process."""

    code = "crowded"
    sentence = _("Many people are logging in right now. Try again in %(seconds)s seconds.")


class Guesser(NamedTuple):
    """What tells one guesser from another: an address, a browser, or that it is this machine."""

    address: str | None = None
    browser: str = ""
    is_here: bool = False

    def names(self) -> list[str]:
        """Return the names under which a right guess is remembered, the best one first."""
        if self.is_here:
            return [HERE]
        told = [("browser", self.browser), ("peer", self.address)]
        return [f"{kind}:{_hidden(value)}" for kind, value in told if value]


UNKNOWN = Guesser()


def _hidden(value: str) -> str:
    """Return an address or a browser's secret as it is stored."""
    return salted_hmac("guesses", value, algorithm="sha256").hexdigest()


def at_pin(sitting: Sitting) -> str:
    """Return the subject of guesses at a table's PIN."""
    return f"pin:{sitting.pk}"


def at_number(number: int, tournament: str = "") -> str:
    """Return the subject of guesses at whatever table has this number, if there is one.

    Typed with a tournament, it is of that one alone.
    """
    return f"number:{hashlib.sha256(f'{tournament} {number}'.encode()).hexdigest()}"


def at_code(code: str) -> str:
    """Return the subject of guesses at a club table's code, whether or not there is such a table.

    The first half of the code stands for the table, as its number does beside a PIN: whoever
    guesses at one table closes it to guesses, and no other.
    """
    return f"code:{code[: len(code) // 2]}"


def at_table(sitting: Sitting) -> list[str]:
    """Return the subjects of guesses at a table's PIN, however the table was named."""
    tournament = sitting.session.tournament
    return [at_pin(sitting), at_number(sitting.number, tournament.slug)]


def at_account(username: str) -> str:
    """Return the subject of guesses at an account, whether or not the account exists."""
    return f"account:{hashlib.sha256(_spelled(username).encode()).hexdigest()}"


def _spelled(username: str) -> str:
    """Return an account's name as accounts keep it: capitals and small letters are two names."""
    return str(User.normalize_username(username)).strip()


class Guess:
    """One guess by one guesser, which may be meant for any of several subjects.

    Raises `TooManyGuesses` when its address has to wait.
    """

    def __init__(self, by: Guesser, subjects: Sequence[str]) -> None:
        """Count the guess for its address, unless it was right about one of the subjects before."""
        self.by = by
        self._known = _known(by, subjects)
        self._counted: list[tuple[str, str]] = []
        self.is_strange = not (by.is_here or self._known)
        if self.is_strange and by.address is not None:
            self._count({(ANY_SUBJECT, by.names()[-1]): FREE_OF_A_PEER})

    def count(self, subject: str) -> None:
        """Count the guess at a subject. Raises `TooManyGuesses` without counting it."""
        limits = {(subject, self._name(subject)): FREE_HERE if self.by.is_here else FREE}
        if not self.by.is_here and self.by.address is not None and subject not in self._known:
            limits[subject, ALL_STRANGERS] = FREE_OF_STRANGERS
        self._count(limits)

    def _name(self, subject: str) -> str:
        if self.by.is_here:
            return HERE
        if subject in self._known:
            return self._known[subject]
        return self.by.names()[-1] if self.by.address is not None else ANYBODY

    def _count(self, limits: dict[tuple[str, str], int]) -> None:
        _count(limits)
        self._counted += limits

    @contextmanager
    def checking(self) -> Iterator[None]:
        """Hold one of the places in which a guess is hashed. Raises `Crowded`."""
        if self.is_strange and not STRANGERS.acquire(blocking=False):
            _take_back(self._counted)
            raise Crowded(SECONDS_OF_A_CROWD)
        try:
            with HASHING:
                yield
        finally:
            if self.is_strange:
                STRANGERS.release()

    def was_right(self, subject: str) -> None:
        """Note that the guess was right about this subject: it was no wrong guess at others."""
        own = subject, self._name(subject)
        known_since = None if own[1] == ANYBODY else timezone.now()
        with transaction.atomic():
            right = Guesses.objects.filter(subject=subject, who=own[1])
            right.update(count=0, closed_until=None, succeeded_at=known_since)
            _take_back([each for each in self._counted if each != own])


def _known(by: Guesser, subjects: Sequence[str]) -> dict[str, str]:
    """Return by subject the name under which this guesser was right about it before."""
    names = by.names()
    since = timezone.now() - KNOWN_FOR
    found = Guesses.objects.filter(subject__in=subjects, who__in=names, succeeded_at__gte=since)
    known = set(found.values_list("subject", "who"))
    best_last = ((at, who) for who in reversed(names) for at in subjects)
    return {at: who for at, who in best_last if (at, who) in known}


def _count(limits: dict[tuple[str, str], int]) -> None:
    """Count a guess in each of these rows, or in none. Raises `TooManyGuesses`."""
    _clear()
    now = timezone.now()
    with transaction.atomic():
        rows = [_locked(*key) for key in sorted(limits)]  # one order of locking for everybody
        wait = max(_wait(row, now) for row in rows)
        if wait:
            raise TooManyGuesses(math.ceil(wait.total_seconds()))
        for row in rows:
            row.count += 1
            row.closed_until = _closed_until(row.count - limits[row.subject, row.who], now)
            row.counted_at = now
            row.save()


def _take_back(counted: Sequence[tuple[str, str]]) -> None:
    """Count one guess less in each of these rows, which opens those that it has closed."""
    for subject, who in counted:
        rows = Guesses.objects.filter(subject=subject, who=who, count__gt=0)
        rows.update(count=F("count") - 1, closed_until=None)


def _locked(subject: str, who: str) -> Guesses:
    row, _made = Guesses.objects.select_for_update().get_or_create(subject=subject, who=who)
    return row


def _wait(row: Guesses, now: datetime) -> timedelta:
    """Return how long this row is closed; a longer wait was set by a clock put right since."""
    wait = row.closed_until - now if row.closed_until is not None else timedelta()
    return wait if timedelta() < wait <= LONGEST_WAIT else timedelta()


def _closed_until(surplus: int, now: datetime) -> datetime | None:
    if surplus < 0:
        return None
    wait: timedelta = FIRST_WAIT * 2 ** min(surplus, 10)
    return now + min(wait, LONGEST_WAIT)


def _clear() -> None:
    """Delete what was counted long ago, in a transaction of its own, and waiting for nobody."""
    now = timezone.now()
    is_known = Q(succeeded_at__gte=now - KNOWN_FOR)
    stale = Guesses.objects.filter(~is_known, counted_at__lt=now - STALE_AFTER)
    if stale.exists():
        with transaction.atomic():
            free = stale.select_for_update(skip_locked=True)[:AT_ONCE]
            Guesses.objects.filter(pk__in=[each.pk for each in free]).delete()


def forget(subjects: Sequence[str]) -> None:
    """Forget the guesses at these subjects: what they were guesses at is no more."""
    Guesses.objects.filter(subject__in=subjects).delete()


def account(username: str, password: str, *, guesser: Guesser = UNKNOWN) -> User | None:
    """Return the account with this name and password. Raises `TooManyGuesses`.

    However the name is typed, what is counted is what is looked at.
    """
    subject = at_account(username)
    guess = Guess(guesser, [subject])
    guess.count(subject)
    with guess.checking():
        user = authenticate(username=_spelled(username), password=password)
    if not isinstance(user, User):
        return None
    guess.was_right(subject)
    return user


def remember_browser(username: str, secret: str) -> None:
    """Know the browser that keeps this secret as one in which this account has logged in."""
    Guesses.objects.update_or_create(
        subject=at_account(username),
        who=Guesser(browser=secret).names()[0],
        defaults={"count": 0, "closed_until": None, "succeeded_at": timezone.now()},
    )
