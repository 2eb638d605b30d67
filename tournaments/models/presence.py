"""Who is there: the marks of the roll call."""

from __future__ import annotations

from django.db import models
from django.utils.translation import pgettext_lazy

from tournaments.models.people import Entry


class Presence(models.Model):
    """A player's mark in the roll call (点呼) of one session.

    The session is a number: the roll is called before its `Session` exists. Which mark counts in a
    session is told by `queries.presence`.
    """

    class Status(models.TextChoices):
        """What is known of a player. Without a mark, and after a restart: expected."""

        EXPECTED = "expected", pgettext_lazy("roll call", "Not checked")
        PRESENT = "present", pgettext_lazy("roll call", "Present")
        LATE = "late", pgettext_lazy("roll call", "Late")  # announced: comes after the beginning
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
