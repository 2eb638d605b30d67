"""The players and the staff of a tournament."""

from __future__ import annotations

import hashlib
import json
import secrets
import unicodedata
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry_fields import (
    DETAIL_FIELDS,
    ENTRY_FIELDS,
    MAX_LENGTHS,
    PRIVATE_FIELDS,
    PUBLIC_FIELDS,
)
from tournaments.models.name_variants import SELECTORS, VARIANTS
from tournaments.models.tournament import Tournament

EARLIEST_BIRTH = 1900
KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}  # by hiragana
FOLDED = str.maketrans(VARIANTS) | KATAKANA  # for `translate`
# The digest of private fields covers these fields even if empty, and newer ones only if filled in.
ALWAYS_IN_DIGEST = ("contact", "birth_year", "notes")
EMPTY = ("", None)  # values of a private field that is not filled in


def is_plausible_birth_year(year: int) -> bool:
    """Return whether a year lies between 1900 and this year, both included."""
    return EARLIEST_BIRTH <= year <= timezone.localdate().year


def search_key(name: str) -> str:
    r"""Return a name normalised for comparison.

    It has no spaces, narrow small letters, katakana, and the usual one of variant kanji.


    >>> search_key("成田　ＫＩＹＯ") == search_key("成田kiyo")
    True
    >>> search_key("なりた") == search_key("ﾅﾘﾀ")
    True
    >>> search_key("髙﨑 \u845b\U000e0100") == search_key("高崎葛")
    True
    """
    letters = SELECTORS.sub("", unicodedata.normalize("NFKC", name)).casefold()
    return "".join(letters.split()).translate(FOLDED)


def text_field(name: str) -> models.CharField[str, str]:
    """Return the model field for a text field of `ENTRY_FIELDS`; only `name` must not be blank."""
    field = ENTRY_FIELDS[name]
    return models.CharField(field.label, max_length=field.max_length, blank=name != "name")


class Entry(models.Model):
    """A player in one tournament (選手). Records refer to `number`, so it never changes."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(_("Number"))
    name = text_field("name")
    club = text_field("club")
    division = text_field("division")
    reading = text_field("reading")
    team = text_field("team")
    contact = text_field("contact")
    birth_year = models.PositiveSmallIntegerField(
        ENTRY_FIELDS["birth_year"].label, null=True, blank=True
    )
    notes = models.TextField(
        ENTRY_FIELDS["notes"].label, max_length=MAX_LENGTHS["notes"], blank=True
    )
    # Added only to play in the stead of others: seated only as the substitute of an absent player.
    is_substitute = models.BooleanField(default=False, editable=False)
    # The salt for the digest of the private fields.
    salt = models.CharField(max_length=32, blank=True, editable=False)

    class Meta:
        ordering = ("number",)
        verbose_name_plural = "entries"
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="entry_number_once"),
        )

    def __str__(self) -> str:
        return self.name

    def public_details(self) -> list[str]:
        """Return the values of the public fields that are filled in, without number and name."""
        return [value for name in DETAIL_FIELDS if (value := getattr(self, name))]

    def public_values(self) -> dict[str, str | int]:
        """Return the public fields as they are stored in the audit trail.

        `is_substitute` is included only if true: earlier versions of the app did not store it.
        """
        values = {"number": self.number, **{name: getattr(self, name) for name in PUBLIC_FIELDS}}
        return {**values, "is_substitute": True} if self.is_substitute else values

    def private_values(self) -> dict[str, str | int | None]:
        return {name: getattr(self, name) for name in PRIVATE_FIELDS}

    def audit_values(self) -> dict[str, str | int | None]:
        """Return the public values and, as `private`, a salted SHA-256 of the private ones.

        `private` is None if no private field is filled in. The salt is as private as the fields, so
        that few possible values (years of birth) cannot be guessed from the digest. Call
        `draw_salt` first.
        """
        if not self.salt and not self._has_private_values():
            return {**self.public_values(), "private": None}
        return {**self.public_values(), "private": self._private_digest() if self.salt else ""}

    def _private_digest(self) -> str:
        """Return the SHA-256 of salt and private fields; newer fields only if filled in."""
        values = self.private_values()
        private: list[Any] = [self.salt, *(values.pop(name) for name in ALWAYS_IN_DIGEST)]
        if later := {name: value for name, value in values.items() if value not in EMPTY}:
            private.append(later)
        return hashlib.sha256(json.dumps(private).encode()).hexdigest()

    def draw_salt(self) -> None:
        """Set a random salt if a private field is filled in and there is no salt yet."""
        if not self.salt and self._has_private_values():
            self.salt = secrets.token_hex(16)

    def _has_private_values(self) -> bool:
        return any(value not in EMPTY for value in self.private_values().values())

    @property
    def key(self) -> str:
        """Return the number as text: records name players by this key."""
        return str(self.number)


class Membership(models.Model):
    class Role(models.TextChoices):
        """A director runs the tournament; a scorekeeper records and corrects rounds."""

        DIRECTOR = "director", _("Director")
        SCOREKEEPER = "scorekeeper", _("Scorekeeper")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("tournament", "user"), name="one_role_a_person"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"
