"""Wrong guesses at PINs and passwords: after a few, whoever guesses has to wait.

Counted by what is guessed at, a table's PIN or a person's account, never by address: a whole venue
shares one. A guess is counted before it is looked at, so that twenty at once are still twenty, and
no lock is held while a password is checked.

Anybody can guess at names that nobody has: a day after the last guess its row goes, which is far
longer than anybody is made to wait.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone

from tournaments.models import Guesses, Sitting

FREE = 5  # wrong guesses before anybody waits
FIRST_WAIT = timedelta(seconds=30)  # doubled with every wrong guess that follows
LONGEST_WAIT = timedelta(minutes=15)
STALE_AFTER = timedelta(days=1)
AT_ONCE = 1000  # stale rows; with every guess goes more than comes


class TooManyGuesses(Exception):
    """Raised while nobody may guess. `seconds` says for how long."""

    def __init__(self, seconds: int) -> None:
        """Keep the seconds to wait."""
        super().__init__(f"Too many wrong guesses; wait {seconds} seconds.")
        self.seconds = seconds


def at_pin(sitting: Sitting) -> str:
    """Return what guesses at a table's PIN are counted under."""
    return f"pin:{sitting.pk}"


def at_account(username: str) -> str:
    """Return what guesses at an account are counted under, whether or not there is such a one."""
    return f"account:{hashlib.sha256(_spelled(username).encode()).hexdigest()}"


def _spelled(username: str) -> str:
    """Return an account's name as accounts keep it: capitals and small letters are two names."""
    return str(User.normalize_username(username)).strip()


def count(subject: str) -> None:
    """Count a guess that is about to be looked at. Raises `TooManyGuesses` without counting it."""
    _clear()
    _count(subject)


@transaction.atomic
def _count(subject: str) -> None:
    guesses, _ = Guesses.objects.select_for_update().get_or_create(subject=subject)
    now = timezone.now()
    wait = guesses.closed_until - now if guesses.closed_until is not None else timedelta()
    if timedelta() < wait <= LONGEST_WAIT:  # a longer one was counted by a clock put right since
        raise TooManyGuesses(math.ceil(wait.total_seconds()))
    guesses.count += 1
    guesses.closed_until = _closed_until(guesses.count, now)
    guesses.counted_at = now
    guesses.save()


def _clear() -> None:
    """Delete what was counted long ago, in a transaction of its own, and waiting for nobody."""
    stale = Guesses.objects.filter(counted_at__lt=timezone.now() - STALE_AFTER)
    if stale.exists():
        with transaction.atomic():
            free = stale.select_for_update(skip_locked=True)[:AT_ONCE]
            Guesses.objects.filter(pk__in=[each.pk for each in free]).delete()


def _closed_until(guesses: int, now: datetime) -> datetime | None:
    if guesses < FREE:
        return None
    doublings = min(guesses - FREE, 10)
    wait: timedelta = FIRST_WAIT * 2**doublings
    return now + min(wait, LONGEST_WAIT)


def forget(subject: str) -> None:
    """Forget the wrong guesses: the last one was right."""
    Guesses.objects.filter(subject=subject).update(count=0, closed_until=None)


def take_back(subjects: Collection[str]) -> None:
    """Count one guess less at each: it turned out to be meant for another.

    Had it closed one of them, that is open again, as it was when the guess was let through.
    """
    counted = Guesses.objects.filter(subject__in=subjects, count__gt=0)
    counted.update(count=F("count") - 1, closed_until=None)


def account(request: HttpRequest | None, username: str, password: str) -> User | None:
    """Return whose name and password these are. Raises `TooManyGuesses`.

    However the name is typed, what is counted is what is looked at.
    """
    subject = at_account(username)
    count(subject)
    user = authenticate(request, username=_spelled(username), password=password)
    if not isinstance(user, User):
        return None
    forget(subject)
    return user
