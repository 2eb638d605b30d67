"""The players and the staff of a tournament."""

from __future__ import annotations

import hashlib
import json
import secrets
import unicodedata

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament

# The fields of an entry that can be corrected. Private ones are shown to the staff only.
PUBLIC_FIELDS = ("name", "club", "division", "reading")
PRIVATE_FIELDS = ("contact", "birth_year", "notes")
# In characters, for forms, imported files and the API alike.
MAX_LENGTHS = {
    "name": 200,
    "club": 200,
    "division": 100,
    "reading": 200,
    "contact": 200,
    "notes": 2000,
}
EARLIEST_BIRTH = 1900
KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}  # for each hiragana
NOTHING = ["", "", None, ""]  # the salt and the private fields of an entry that has none


def is_plausible_birth_year(year: int) -> bool:
    """Return whether a year lies between 1900 and this year."""
    return EARLIEST_BIRTH <= year <= timezone.localdate().year


def search_form(name: str) -> str:
    """Return a name normalised for searching: no spaces, wide letters, capitals or hiragana.

    >>> search_form("成田　ＫＩＹＯ") == search_form("成田kiyo")
    True
    >>> search_form("なりた") == search_form("ﾅﾘﾀ")
    True
    """
    return "".join(unicodedata.normalize("NFKC", name).casefold().split()).translate(KATAKANA)


class Entry(models.Model):
    """A player in one tournament (選手). Records refer to `number`, so it never changes."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(_("Number"))
    name = models.CharField(_("Name"), max_length=MAX_LENGTHS["name"])
    club = models.CharField(_("Club"), max_length=MAX_LENGTHS["club"], blank=True)
    division = models.CharField(_("Class"), max_length=MAX_LENGTHS["division"], blank=True)
    reading = models.CharField(
        _("Reading"), max_length=MAX_LENGTHS["reading"], blank=True
    )  # furigana
    # Private fields: shown to the tournament's staff, and to nobody else.
    contact = models.CharField(_("Contact"), max_length=MAX_LENGTHS["contact"], blank=True)
    birth_year = models.PositiveSmallIntegerField(_("Year of birth"), null=True, blank=True)
    notes = models.TextField(_("Notes"), max_length=MAX_LENGTHS["notes"], blank=True)
    salt = models.CharField(max_length=32, blank=True, editable=False)  # for the digest of these

    class Meta:
        ordering = ("number",)
        verbose_name_plural = "entries"
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="entry_number_once"),
        )

    def __str__(self) -> str:

        return self.name

    def public_facts(self) -> dict[str, str | int]:
        """Return the public fields as they are stored in the audit trail."""
        return {
            "number": self.number,
            "name": self.name,
            "club": self.club,
            "division": self.division,
            "reading": self.reading,
        }

    def private_facts(self) -> dict[str, str | int | None]:
        """Return the fields that only the tournament's staff may see."""
        return {name: getattr(self, name) for name in PRIVATE_FIELDS}

    def audit_facts(self) -> dict[str, str | int | None]:
        """Return the public facts and, as `private`, a salted SHA-256 of the private ones.

        `private` is None if no private field is filled in. The salt is as private as the fields, so
        that few possible values (years of birth) cannot be guessed from the digest. Call
        `draw_salt` first.
        """
        private = [self.salt, *self.private_facts().values()]
        digest = hashlib.sha256(json.dumps(private).encode()).hexdigest() if self.salt else ""
        return self.public_facts() | {"private": None if private == NOTHING else digest}

    def draw_salt(self) -> None:
        """Set a random salt if a private field is filled in and there is no salt yet."""
        if not self.salt and [*self.private_facts().values()] != NOTHING[1:]:
            self.salt = secrets.token_hex(16)

    @property
    def key(self) -> str:
        """Return the number as text, by which records refer to this entry."""
        return str(self.number)


class Membership(models.Model):
    """The role of an account in one tournament."""

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
