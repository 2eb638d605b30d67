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
    """Wrong guesses of one guesser at a table's PIN or an account, since the last right one.

    `who` names a guesser as `phones.guesses` does, and is empty for all strangers together. Rows of
    guessers who were never right are deleted a day after `counted_at`.
    """

    subject = models.CharField(max_length=200)
    who = models.CharField(max_length=100, blank=True)
    count = models.PositiveIntegerField(default=0)
    closed_until = models.DateTimeField(null=True, blank=True)
    counted_at = models.DateTimeField(default=timezone.now, db_index=True)
    succeeded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """One count a subject and guesser."""

        verbose_name_plural = "guesses"
        constraints = (
            models.UniqueConstraint(fields=("subject", "who"), name="one_count_a_guesser"),
        )

    def __str__(self) -> str:
        """Return what was guessed at."""
        return self.subject
