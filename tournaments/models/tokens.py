"""API tokens of the staff, and counts of wrong guesses and of writes that need no account."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import models
from django.utils import timezone


def digest(secret: str) -> str:
    """Return the SHA-256 under which a secret is stored, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


class StaffToken(models.Model):
    """An API token, issued for the name and password of an account. Only its digest is stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.user)


class Guesses(models.Model):
    """The number of wrong guesses by one guesser at a PIN or an account, since the last right one.

    `who` identifies the guesser as in `services.guesses`; empty for all strangers together. The row
    of a guesser who was never right is deleted a day after `counted_at`.
    """

    subject = models.CharField(max_length=200)
    who = models.CharField(max_length=100, blank=True)
    count = models.PositiveIntegerField(default=0)
    closed_until = models.DateTimeField(null=True, blank=True)
    counted_at = models.DateTimeField(default=timezone.now, db_index=True)
    succeeded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "guesses"
        constraints = (
            models.UniqueConstraint(fields=("subject", "who"), name="one_count_a_guesser"),
        )

    def __str__(self) -> str:
        return self.subject


class DailyCount(models.Model):
    """The number of writes of one kind that came from a network address within a day.

    `who` is a keyed digest of the address; the day begins at `begun_at`.
    """

    kind = models.CharField(max_length=20)
    who = models.CharField(max_length=64)
    begun_at = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("kind", "who"), name="one_daily_count_an_address"),
        )

    def __str__(self) -> str:
        return self.kind
