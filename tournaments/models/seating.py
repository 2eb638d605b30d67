"""Who sits where: sessions of sittings, sittings of seats."""

from __future__ import annotations

import re
import secrets

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.people import Entry
from tournaments.models.tournament import SLUG_LETTERS, Tournament

CODE_LETTERS = SLUG_LETTERS.upper()
CODE_LENGTH = 8  # 39 bits; wrong ones are counted as wrong PINs are
WITH_CODE = re.compile(rf"([{CODE_LETTERS}]{{{CODE_LENGTH}}})-[\w-]{{22}}")


def random_token() -> str:
    """Return 128 random bits for a link that lets a table record its own rounds."""
    return secrets.token_urlsafe(16)


def random_token_of(tournament: Tournament) -> str:
    """Return a token for a link of this tournament's tables; a club table's begins with its code.

    So the code begins and ends with the link, and what holds of links holds of it: in the audit
    trail, in archives, in a restored backup. It stands in clear as the link does, because the
    phones of the table show it all evening; a hash of 39 bits would hide it from nobody.
    """
    if tournament.kind != Tournament.Kind.TABLE:
        return random_token()
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    return f"{code}-{random_token()}"


class Session(models.Model):
    """One seating of everybody (回戦)."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="sessions")
    number = models.PositiveSmallIntegerField(_("Session"))
    totals_only = models.BooleanField(default=False, editable=False)  # as the tournament was then
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)  # by the desk

    class Meta:
        """In the order they are played."""

        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="session_number_once"),
        )

    def __str__(self) -> str:
        """Return tournament and number."""
        return f"{self.tournament} {self.number}"

    def get_absolute_url(self) -> str:
        """Return the address of the session's tables."""
        return reverse("session", args=[self.tournament.slug, self.number])


class Sitting(models.Model):
    """One table's players in one session (卓)."""

    session = models.ForeignKey(Session, models.CASCADE, related_name="sittings")
    number = models.PositiveSmallIntegerField(_("Table"))
    token = models.CharField(max_length=40, unique=True, default=random_token, editable=False)
    pin = models.CharField(max_length=128, blank=True, editable=False)  # hashed, as passwords are
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)  # link and PIN revoked

    class Meta:
        """In the order of the tables."""

        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("session", "number"), name="table_number_once"),
        )

    def __str__(self) -> str:
        """Return session and table."""
        return f"{self.session} – {self.number}"

    def get_absolute_url(self) -> str:
        """Return the address of the table's ledger."""
        return reverse(
            "sitting", args=[self.session.tournament.slug, self.session.number, self.number]
        )

    @property
    def code(self) -> str:
        """Return a club table's code; empty for others and for those of earlier versions."""
        found = WITH_CODE.fullmatch(self.token)
        return found[1] if found else ""


class Seat(models.Model):
    """Where a player sat down: position counts from 1, each next one to the right of the last."""

    sitting = models.ForeignKey(Sitting, models.CASCADE, related_name="seats")
    position = models.PositiveSmallIntegerField(_("Seat"))
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seats")

    class Meta:
        """Around the table."""

        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(fields=("sitting", "position"), name="one_player_a_seat"),
            models.UniqueConstraint(fields=("sitting", "entry"), name="one_seat_a_player"),
        )

    def __str__(self) -> str:
        """Return who sits where."""
        return f"{self.sitting}: {self.position} {self.entry}"
