"""Applications of people who want to become players."""

from __future__ import annotations

import hashlib
import json
import secrets
from typing import TYPE_CHECKING

from django.db import models
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from tournaments.models.entry_fields import DETAIL_FIELDS, ENTRY_FIELDS, PUBLIC_FIELDS
from tournaments.models.people import text_field
from tournaments.models.tournament import Tournament

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

REGISTRATION_FIELDS = (*PUBLIC_FIELDS, "contact")  # fields of an entry that applicants fill in


class Registration(models.Model):
    """An application (参加申し込み). Once sent, only state and player change; contacts are erased.

    `player` is the number of the player that an approved application created. That player may have
    been removed since: `queries.registrations` derives the state that counts. The applicant's link
    contains a secret key; only the key's digest is stored.
    """

    class State(models.TextChoices):
        PENDING = "pending", pgettext_lazy("an application", "waiting for approval")
        APPROVED = "approved", pgettext_lazy("an application", "approved")
        WAITING = "waiting", pgettext_lazy("an application", "on the waiting list")
        DECLINED = "declined", pgettext_lazy("an application", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("an application", "withdrawn by the applicant")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="registrations")
    number = models.PositiveIntegerField()
    name = text_field("name")
    club = text_field("club")
    division = text_field("division")
    reading = text_field("reading")
    team = text_field("team")
    contact = text_field("contact")  # private
    state = models.CharField(max_length=9, choices=State)
    player = models.PositiveSmallIntegerField(null=True, blank=True)
    digest = models.CharField(max_length=64)  # SHA-256 of the key in the applicant's link
    salt = models.CharField(max_length=32, blank=True)  # for the digest of the contact
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "number"), name="registration_number_once"
            ),
            models.UniqueConstraint(fields=("tournament", "digest"), name="one_registration_a_key"),
        )

    def __str__(self) -> str:
        return f"{self.number}: {self.name}"

    def person(self) -> dict[str, str]:
        """Return what the applicant filled in, as fields of an entry."""
        return {name: getattr(self, name) for name in REGISTRATION_FIELDS}

    def details(self) -> list[str]:
        """Return the values of the public fields that are filled in, without name and reading."""
        return [value for _label, value in self.labelled_details()]

    def labelled_details(self) -> list[tuple[str | StrPromise, str]]:
        names = [name for name in DETAIL_FIELDS[1:] if getattr(self, name)]
        return [(ENTRY_FIELDS[name].label, getattr(self, name)) for name in names]

    def audit_values(self) -> dict[str, str | None]:
        """Return the application's facts for the audit trail, with a digest instead of the contact.

        `private` is a salted SHA-256 of the contact; None without one. Call `draw_salt` first.
        """
        private = None
        if self.salt or self.contact:
            document = json.dumps([self.salt, self.contact])
            private = hashlib.sha256(document.encode()).hexdigest()
        public = {name: getattr(self, name) for name in PUBLIC_FIELDS}
        return {**public, "key": self.digest, "private": private}

    def draw_salt(self) -> None:
        """Set a random salt for the digest of the contact; an empty one without a contact."""
        self.salt = secrets.token_hex(16) if self.contact else ""
