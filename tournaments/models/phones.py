"""Phones at a table, and what they send apart from rounds: acceptances, disputes and calls."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.rounds import Round
from tournaments.models.seating import Sitting


class Phone(models.Model):
    """A browser that joined a table by its link or PIN. At most one active phone is the writer.

    `digest` is the SHA-256 of the secret in the phone's cookie. The secret itself is not stored.
    """

    sitting = models.ForeignKey(Sitting, models.CASCADE, related_name="phones")
    digest = models.CharField(max_length=64, unique=True)
    is_writer = models.BooleanField(default=False)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "tournaments_tablesession"  # the model's name at first
        ordering = ("started_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("sitting",),
                condition=models.Q(is_writer=True, ended_at__isnull=True),
                name="one_writer_a_table",
            ),
        )

    def __str__(self) -> str:
        return f"{self.sitting} #{self.pk}"


class Acceptance(models.Model):
    """The other side's agreement to one version of a round (承認)."""

    round = models.OneToOneField(Round, models.PROTECT, related_name="acceptance")
    phone = models.ForeignKey(Phone, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return str(self.round)


class Disagreement(models.Model):
    """Facts that differ from the stored round (食い違い), until the desk decides between them."""

    sitting = models.ForeignKey(Sitting, models.PROTECT, related_name="disagreements")
    number = models.PositiveSmallIntegerField()
    facts = models.JSONField()
    phone = models.ForeignKey(Phone, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("at", "pk")

    def __str__(self) -> str:
        return f"{self.sitting}: {self.number}"


class Call(models.Model):
    """A request of a table that the desk comes or corrects a round (呼び出し)."""

    class Kind(models.TextChoices):
        DIRECTOR = "director", _("Please come to the table")
        CORRECTION = "correction", _("Please correct a round")

    sitting = models.ForeignKey(Sitting, models.CASCADE, related_name="calls")
    kind = models.CharField(max_length=10, choices=Kind)
    words = models.CharField(_("What is it about?"), max_length=300, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)
    answered_at = models.DateTimeField(null=True, blank=True)  # by the desk, or withdrawn

    class Meta:
        ordering = ("at", "pk")

    def __str__(self) -> str:
        return f"{self.sitting}: {self.kind}"
