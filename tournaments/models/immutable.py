"""Rows that stay as they were written: a change is a new version beside the old."""

from __future__ import annotations

from typing import Any, Never

from django.db import models
from django.utils import timezone

NEVER_CHANGED = "What is recorded is never changed: record a new version."
NEVER_DELETED = "What is recorded is never deleted: record a correction."


class ImmutableQuerySet(models.QuerySet[Any]):
    """Rows to read; a whole set of them is no easier to change than one."""

    def update(self, **kwargs: Any) -> Never:
        """Refuse."""
        raise TypeError(NEVER_CHANGED)

    def delete(self) -> Never:
        """Refuse."""
        raise TypeError(NEVER_DELETED)


class ImmutableModel(models.Model):
    """A version of what somebody wrote down, and why and when. The newest version is in force.

    Python refuses to change or delete it, and so does the database: see `audit/guards.py`.
    """

    version = models.PositiveIntegerField()
    reason = models.CharField(max_length=500, blank=True)
    who = models.CharField(max_length=200)  # as the audit trail names whoever wrote it down
    recorded_at = models.DateTimeField(default=timezone.now)  # the time of the act that tells of it

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        """Shared by what is recorded."""

        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write a new version; refuse to overwrite one."""
        if not self._state.adding:
            raise TypeError(NEVER_CHANGED)
        super().save(*args, **kwargs | {"force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        """Refuse."""
        raise TypeError(NEVER_DELETED)
