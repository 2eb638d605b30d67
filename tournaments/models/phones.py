"""A table's own side: the phones that hold its link, what they accepted, and whom they called."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.rounds import Round
from tournaments.models.seating import Sitting


class Phone(models.Model):
    """A phone at a table: what its link or PIN was exchanged for. The newest writer is in charge.

    `digest` is the SHA-256 of the secret the phone keeps; the secret itself is stored nowhere.
    """

    sitting = models.ForeignKey(Sitting, models.CASCADE, related_name="phones")
    digest = models.CharField(max_length=64, unique=True)
    is_writer = models.BooleanField(default=False)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """As they joined; one writer a table."""

        db_table = "tournaments_tablesession"  # as the table was named when it was made
        ordering = ("started_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("sitting",),
                condition=models.Q(is_writer=True, ended_at__isnull=True),
                name="one_writer_a_table",
            ),
        )

    def __str__(self) -> str:
        """Return whose phone it is."""
        return f"{self.sitting} #{self.pk}"


class Acceptance(models.Model):
    """That the other side has looked at a round, as it stands in one version, and agrees."""

    round = models.OneToOneField(Round, models.PROTECT, related_name="acceptance")
    phone = models.ForeignKey(Phone, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        """Return what was accepted."""
        return str(self.round)


class Disagreement(models.Model):
    """Facts for a round that somebody else had already recorded otherwise: the desk decides."""

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="disagreements")
    number = models.PositiveSmallIntegerField()
    facts = models.JSONField()
    phone = models.ForeignKey(Phone, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """As they came."""

        ordering = ("at", "pk")

    def __str__(self) -> str:
        """Return which round is disputed."""
        return f"{self.sitting}: {self.number}"


class Call(models.Model):
    """A table asks the desk to come, or to put something right."""

    class Kind(models.TextChoices):
        """What for."""

        DIRECTOR = "director", _("Please come to the table")
        CORRECTION = "correction", _("Please correct a round")

    sitting = models.ForeignKey(Sitting, models.CASCADE, related_name="calls")
    kind = models.CharField(max_length=10, choices=Kind)
    words = models.CharField(_("What is it about?"), max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    answered_at = models.DateTimeField(null=True, blank=True)  # or taken back by the table

    class Meta:
        """As they came."""

        ordering = ("at", "pk")

    def __str__(self) -> str:
        """Return which table called."""
        return f"{self.sitting}: {self.kind}"
