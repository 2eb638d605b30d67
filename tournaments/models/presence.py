"""The marks of the roll call."""

from __future__ import annotations

from django.db import models
from django.utils.translation import pgettext_lazy

from tournaments.models.people import Entry


class Presence(models.Model):
    """A player's mark in the roll call (点呼) of one session.

    The session is given by number, because the roll is called before its `Session` exists.
    `queries.presence` derives the status of a player from the marks.
    """

    class Status(models.TextChoices):
        """The status of a player: expected without a mark, and after a restart of the roll call."""

        EXPECTED = "expected", pgettext_lazy("roll call", "Not checked")
        PRESENT = "present", pgettext_lazy("roll call", "Present")
        LATE = "late", pgettext_lazy("roll call", "Late")  # will come after the start
        ABSENT = "absent", pgettext_lazy("roll call", "Absent")
        WITHDRAWN = (
            "withdrawn",
            pgettext_lazy("roll call", "Withdrawn"),
        )  # for the rest of the event

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="presence")
    session_number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=9, choices=Status)

    class Meta:
        verbose_name_plural = "presence"
        ordering = ("session_number", "entry")
        constraints = (
            models.UniqueConstraint(
                fields=("entry", "session_number"), name="one_mark_a_roll_call"
            ),
        )

    def __str__(self) -> str:
        return f"{self.session_number}: {self.entry} {self.status}"
