"""What a table wrote down."""

from __future__ import annotations

from typing import Any, Never

from django.conf import settings
from django.db import models

from tournaments.models.seats import Sitting

NEVER_CHANGED = "A recorded round is never changed: record a new version."
NEVER_DELETED = "A recorded round is never deleted: record a correction."


class RoundQuerySet(models.QuerySet["Round"]):
    """Rounds to read; a whole set of them is no easier to change than one."""

    def update(self, **kwargs: Any) -> Never:
        """Refuse."""
        raise TypeError(NEVER_CHANGED)

    def delete(self) -> Never:
        """Refuse."""
        raise TypeError(NEVER_DELETED)


class Round(models.Model):
    """One version of one round's facts, as `scoring` reads them. The newest version is in force.

    Rows are never changed and never deleted: going on with a round and correcting it are new
    versions. A correction tells its `reason`.
    """

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()
    facts = models.JSONField()
    reason = models.CharField(max_length=500, blank=True)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    recorded_at = models.DateTimeField(auto_now_add=True)

    objects = RoundQuerySet.as_manager()

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

    def __str__(self) -> str:
        """Return sitting, round and version."""
        return f"{self.sitting}: {self.number} v{self.version}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write a new version; refuse to overwrite one."""
        if not self._state.adding:
            raise TypeError(NEVER_CHANGED)
        super().save(*args, **kwargs | {"force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        """Refuse."""
        raise TypeError(NEVER_DELETED)
