"""What a table's players ended with, where nobody took down the deals."""

from __future__ import annotations

from typing import Any, Never

from django.conf import settings
from django.db import models

from tournaments.models.seats import Sitting

NEVER_CHANGED = "Totals are never changed: enter a new version."
NEVER_DELETED = "Totals are never deleted: enter a new version."


class TotalsQuerySet(models.QuerySet["SittingTotals"]):
    """Totals to read; a whole set of them is no easier to change than one."""

    def update(self, **kwargs: Any) -> Never:
        """Refuse."""
        raise TypeError(NEVER_CHANGED)

    def delete(self) -> Never:
        """Refuse."""
        raise TypeError(NEVER_DELETED)


class SittingTotals(models.Model):
    """One version of a sitting's final totals, by entry number. The newest version is in force.

    Only sessions marked `totals_only` have any: everywhere else points are derived, never typed.
    """

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="typed_totals")
    version = models.PositiveIntegerField()
    points = models.JSONField()
    reason = models.CharField(max_length=500, blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    recorded_at = models.DateTimeField(auto_now_add=True)

    objects = TotalsQuerySet.as_manager()

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

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write a new version; refuse to overwrite one."""
        if not self._state.adding:
            raise TypeError(NEVER_CHANGED)
        super().save(*args, **kwargs | {"force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        """Refuse."""
        raise TypeError(NEVER_DELETED)
