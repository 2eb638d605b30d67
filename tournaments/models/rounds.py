"""What a table wrote down."""

from __future__ import annotations

from django.db import models

from tournaments.models.immutable import ImmutableModel
from tournaments.models.seating import Sitting


class Round(ImmutableModel):
    """One version of one round's facts, as `scoring` reads them. The newest version is in force.

    Going on with a round and correcting it are new versions. A correction tells its `reason`. A
    version with no facts sets the round aside: it stays on record and counts no more.
    """

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    facts = models.JSONField()

    class Meta:
        """As they were written."""

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
        """Return whether this version takes the round out of the count."""
        return not self.facts

    def __str__(self) -> str:
        """Return sitting, round and version."""
        return f"{self.sitting}: {self.number} v{self.version}"
