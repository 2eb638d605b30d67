"""Publications: numbered, immutable copies of an event's facts as they were announced."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import Case, Exists, OuterRef, Q, Subquery, Value, When

from tournaments.models.audit import AuditEntry, Touches, kinds_touching
from tournaments.models.immutable import ImmutableQuerySet
from tournaments.models.tournament import Tournament

SHOWN_DIGITS = 12  # of a digest that people compare by eye
PLAY_KINDS = kinds_touching(Touches.PLAY)


class PublicationQuerySet(ImmutableQuerySet):
    def with_final(self) -> Self:
        """Annotate `is_final`: of a closed event the last publication, if it has all of the play.

        It lacks some if something was played, or handed in, after it. Corrections do not count.
        """
        later = Publication.objects.filter(
            tournament=OuterRef("tournament"), number__gt=OuterRef("number")
        )
        published = AuditEntry.objects.filter(
            tournament=OuterRef(OuterRef("tournament")), kind=AuditEntry.Kind.PUBLISHED
        ).order_by("-number")
        played_since = AuditEntry.objects.filter(
            tournament=OuterRef("tournament"),
            number__gt=Subquery(published.values("number")[:1]),
            kind__in=PLAY_KINDS,
        )
        is_closed = Q(tournament__closed_at__isnull=False)
        when_final = When(is_closed & ~Exists(later) & ~Exists(played_since), then=Value(True))
        return self.annotate(
            is_final=Case(when_final, default=Value(False), output_field=models.BooleanField())
        )

    def final(self) -> Self:
        """Return only the publications that are final."""
        return self.with_final().filter(is_final=True)


class Publication(models.Model):
    """An event's facts and standings as they were announced (第N報).

    A later correction does not change it; the next publication contains the correction.
    `content` is what `queries.publications.content_of` returns, `digest` its SHA-256.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="publications")
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    who = models.CharField(max_length=200)
    content = models.JSONField()
    digest = models.CharField(max_length=64)

    is_final = False  # annotated by `with_final`

    objects = PublicationQuerySet.as_manager()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "number"), name="publication_number_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}: publication {self.number}"

    @property
    def short_digest(self) -> str:
        """Return the first 12 digits of the digest, which pages and prints show."""
        return self.digest[:SHOWN_DIGITS]
