"""Immutable rows: a change is stored as a new version, and old versions are kept."""

from __future__ import annotations

from typing import Any, Never

from django.db import models
from django.utils import timezone

from tournaments.models.field_types import LONGEST_REASON

NEVER_CHANGED = "What is recorded is never changed: record a new version."
NEVER_DELETED = "What is recorded is never deleted: record a correction."


class ImmutableQuerySet(models.QuerySet[Any]):
    """A queryset that refuses bulk updates and deletes with `TypeError`."""

    def update(self, **kwargs: Any) -> Never:
        raise TypeError(NEVER_CHANGED)

    def delete(self) -> Never:
        raise TypeError(NEVER_DELETED)


class ImmutableModel(models.Model):
    """A version of recorded facts, with who wrote it, when and why. The newest is in force.

    Saving again and deleting raise `TypeError`; database triggers refuse both, too:
    `audit/guards.py`.
    """

    version = models.PositiveIntegerField()
    reason = models.CharField(max_length=LONGEST_REASON, blank=True)
    who = models.CharField(max_length=200)  # the writer's name in the audit trail
    recorded_at = models.DateTimeField(default=timezone.now)  # also the time of the audit entry

    objects = ImmutableQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert a new version. Raises `TypeError` for a row that is stored already."""
        if not self._state.adding:
            raise TypeError(NEVER_CHANGED)
        super().save(*args, **kwargs | {"force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> Never:
        raise TypeError(NEVER_DELETED)
