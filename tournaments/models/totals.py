"""Final totals of sittings whose rounds are not recorded."""

from __future__ import annotations

from django.db import models

from tournaments.models.immutable import ImmutableModel
from tournaments.models.seating import Sitting


class SittingTotals(ImmutableModel):
    """One version of a sitting's final totals: `points` by key of the player.

    Only sittings of sessions with `totals_only` have totals; points of others are derived.
    """

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="typed_totals")
    points = models.JSONField()

    class Meta:
        ordering = ("sitting", "version")
        verbose_name_plural = "sitting totals"
        constraints = (
            models.UniqueConstraint(fields=("sitting", "version"), name="totals_version_once"),
        )

    def __str__(self) -> str:
        return f"{self.sitting}: totals v{self.version}"
