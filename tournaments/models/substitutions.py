"""Substitutions of absent players."""

from __future__ import annotations

from django.db import models

from tournaments.models.people import Entry


class Substitution(models.Model):
    """In one session, `substitute` plays in place of `entry` (代理), who is absent.

    The session is given by number, as in `Presence`. Seats and records name the substitute.
    """

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="substitutions")
    substitute = models.ForeignKey(Entry, models.PROTECT, related_name="substituting")
    session_number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("session_number", "entry")
        constraints = (
            models.UniqueConstraint(
                fields=("entry", "session_number"), name="one_substitute_a_session"
            ),
            models.UniqueConstraint(
                fields=("substitute", "session_number"), name="substitutes_one_a_session"
            ),
        )

    def __str__(self) -> str:
        return f"{self.session_number}: {self.substitute} for {self.entry}"

    def as_json(self) -> dict[str, int]:
        """Return the numbers of session and players, for archives and publications."""
        players = {"player": self.entry.number, "substitute": self.substitute.number}
        return {"session": self.session_number, **players}
