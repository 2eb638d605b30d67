"""The clock of a session: how long it is played."""

from __future__ import annotations

from django.db import models

from tournaments.models.seating import Session

LONGEST = 24 * 3600  # seconds; also of what one table gets more


class Clock(models.Model):
    """The clock (タイマー) of one session. `queries.clocks` derives when its time is up.

    Times are seconds. `extra` is what single tables get more, by table number as text.
    `paused_seconds` is the sum of the pauses that are over.
    """

    session = models.OneToOneField(Session, models.CASCADE, related_name="clock")
    seconds = models.PositiveIntegerField()
    last_round = models.PositiveIntegerField(null=True)  # before the end: the last call
    extra = models.JSONField(default=dict)
    started_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    paused_seconds = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.session}: {self.seconds} s"
