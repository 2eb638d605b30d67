"""The recorded rounds of a sitting, in versions."""

from __future__ import annotations

from django.db import models

from tournaments.models.immutable import ImmutableModel
from tournaments.models.seating import Sitting


class Round(ImmutableModel):
    """One version of a round's facts (役), in the format that `scoring` reads.

    Continuing a round and correcting it both add a version; a correction has a `reason`. A version
    without facts sets the round aside: the round stays on record and no longer counts.
    """

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    facts = models.JSONField()

    class Meta:
        ordering = ("sitting", "number", "version")
        constraints = (
            models.UniqueConstraint(
                fields=("sitting", "number", "version"), name="round_version_once"
            ),
            models.CheckConstraint(
                condition=models.Q(number__gte=1) & models.Q(version__gte=1),
                name="round_counts_from_1",
            ),
        )

    @property
    def is_set_aside(self) -> bool:
        """Return whether this version has no facts, so that the round does not count."""
        return not self.facts

    def __str__(self) -> str:
        return f"{self.sitting}: {self.number} v{self.version}"
