"""What a table's players ended with, where nobody took down the deals."""

from __future__ import annotations

from django.db import models

from tournaments.models.immutable import ImmutableModel
from tournaments.models.seating import Sitting


class SittingTotals(ImmutableModel):
    """One version of a sitting's final totals, by entry number. The newest version is in force.

    Only sessions marked `totals_only` have any: everywhere else points are derived, never typed.
    """

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="typed_totals")
    points = models.JSONField()

    class Meta:
        """As they were written."""

        ordering = ("sitting", "version")
        verbose_name_plural = "sitting totals"
        constraints = (
            models.UniqueConstraint(fields=("sitting", "version"), name="totals_version_once"),
        )

    def __str__(self) -> str:
        """Return sitting and version."""
        return f"{self.sitting}: totals v{self.version}"
