"""The clock of a session."""

from __future__ import annotations

from django.db import models

from tournaments.models.seating import Session

MAX_SECONDS = 24 * 3600  # of a session, and of the extra time of a table


class Clock(models.Model):
    """The clock (タイマー) of one session. `queries.clocks` derives when its time is up.

    `seconds` is the playing time, `extra` the extra seconds of single tables by table number as
    text. `paused_seconds` is the sum of the pauses that are over.
    """

    session = models.OneToOneField(Session, models.CASCADE, related_name="clock")
    seconds = models.PositiveIntegerField()
    last_round = models.PositiveIntegerField(null=True)  # seconds before the end
    extra = models.JSONField(default=dict)
    started_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    paused_seconds = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.session}: {self.seconds} s"
