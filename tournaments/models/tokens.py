"""Keys to the API, and wrong guesses at keys."""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import models
from django.utils import timezone


def digest(secret: str) -> str:
    """Return how a secret is kept."""
    return hashlib.sha256(secret.encode()).hexdigest()


class StaffToken(models.Model):
    """What a name and password were exchanged for. What is kept fits nothing but the token."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        """Return whose it is."""
        return str(self.user)


class Guesses(models.Model):
    """Wrong PINs for one table, or wrong passwords for one account, since the last right one.

    Counted by what is guessed at, never by address: a whole venue shares one. Where nobody has
    guessed since long before `counted_at`, the row goes.
    """

    subject = models.CharField(max_length=200, unique=True)
    count = models.PositiveIntegerField(default=0)
    closed_until = models.DateTimeField(null=True, blank=True)
    counted_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        """Said in the plural everywhere."""

        verbose_name_plural = "guesses"

    def __str__(self) -> str:
        """Return what was guessed at."""
        return self.subject
