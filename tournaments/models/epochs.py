"""Epochs of the database: since when it goes on from an earlier state, or another one goes on."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Epoch(models.Model):
    """The database goes on from an earlier state, a backup or a standby copy, since `at`.

    The last row is in force; a database without rows is in epoch 0. Of two databases of one
    installation, the one with the higher number goes on. The other one learns of it (`ELSEWHERE`),
    and serves no more.
    """

    class Reason(models.TextChoices):
        RESTORED = "restored", _("A backup was restored")
        CONTINUED = "continued", _("This computer took over from a standby copy")
        ELSEWHERE = "elsewhere", _("Another computer took over")

    number = models.PositiveIntegerField(unique=True)
    reason = models.CharField(max_length=9, choices=Reason)
    at = models.DateTimeField(default=timezone.now)
    # Whether phones send again what they have sent, and the earlier state lacks.
    sends_again = models.BooleanField(default=True)

    class Meta:
        ordering = ("number",)

    def __str__(self) -> str:
        return f"{self.number}: {self.reason}"

    @property
    def is_sent_again(self) -> bool:
        """Return whether there is something to send again: not in the first epoch."""
        return self.sends_again and self.number > 0
