"""What was announced: the event as it stood at one moment, under a number."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Case, Exists, OuterRef, Value, When

from tournaments.models.immutable import ImmutableQuerySet
from tournaments.models.tournament import Tournament

SHOWN_DIGITS = 12  # of the digest, where people compare it by eye


class PublicationQuerySet(ImmutableQuerySet):
    """Publications, and which of them are final."""

    def with_final(self) -> Self:
        """Return them with `is_final`: the last one of a closed event."""
        later = Publication.objects.filter(
            tournament=OuterRef("tournament"), number__gt=OuterRef("number")
        )
        final = When(~Exists(later), tournament__closed_at__isnull=False, then=Value(True))
        return self.annotate(
            is_final=Case(final, default=Value(False), output_field=models.BooleanField())
        )


class Publication(models.Model):
    """An event's facts as they were announced, and the standings they came to.

    What is corrected later changes nothing in it; it is announced by the next publication.
    `content` is what `publications.content_of` returns, `digest` its SHA-256.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="publications")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    who = models.CharField(max_length=200)
    content = models.JSONField()
    digest = models.CharField(max_length=64)

    is_final = False  # until `with_final` tells

    objects = PublicationQuerySet.as_manager()

    class Meta:
        """As they were announced."""

        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "number"), name="publication_number_once"
            ),
        )

    def __str__(self) -> str:
        """Return tournament and number."""
        return f"{self.tournament}: publication {self.number}"

    @property
    def mark(self) -> str:
        """Return as much of the digest as people compare by eye."""
        return self.digest[:SHOWN_DIGITS]
