"""Counts of writes that need no account, by kind and network address, shared by all processes."""

from __future__ import annotations

from datetime import timedelta
from math import ceil

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from tournaments.exceptions import OperationRefused
from tournaments.models import DailyCount

A_DAY = timedelta(days=1)
BATCH_SIZE = 1000  # stale rows deleted with each write


class TooManyToday(OperationRefused):
    """There were as many writes as are allowed within a day; wait `seconds`."""

    code = "too_many_today"
    status = 429
    sentence = _(
        "Not sent: too many applications have been sent from here today. Ask the organiser."
    )

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Wait {seconds} seconds.")
        self.seconds = seconds
        self.more = {"seconds": seconds}


@transaction.atomic
def count(kind: str, address: str, limit: int) -> None:
    """Count a write of this address in its transaction. Raises `TooManyToday`.

    A day begins with the first write. Counts of past days are deleted, but for those in use.
    """
    now = timezone.now()
    rows = DailyCount.objects.select_for_update()
    stale = DailyCount.objects.select_for_update(skip_locked=True).filter(begun_at__lte=now - A_DAY)
    DailyCount.objects.filter(pk__in=[each.pk for each in stale[:BATCH_SIZE]]).delete()
    row, _is_new = rows.get_or_create(
        kind=kind, who=_keyed_digest(address), defaults={"begun_at": now}
    )
    if row.begun_at <= now - A_DAY:
        row.begun_at, row.count = now, 0
    if row.count >= limit:
        raise TooManyToday(ceil((row.begun_at + A_DAY - now).total_seconds()))
    row.count += 1
    row.save()


def _keyed_digest(address: str) -> str:
    return salted_hmac("daily counts", address, algorithm="sha256").hexdigest()
