"""Who takes part, and who runs it."""

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

# What can be put right of an entry; the last are for the staff alone. The number stays.
PUBLIC = ("name", "club", "division", "reading")
PRIVATE = ("contact", "birth_year", "notes")
# How many characters there is room for, wherever a player is typed in, read from a file or sent.
ROOM = {"name": 200, "club": 200, "division": 100, "reading": 200, "contact": 200, "notes": 2000}
EARLIEST_BIRTH = 1900
KATAKANA = {code: code + 0x60 for code in range(0x3041, 0x3097)}  # for each hiragana
NOTHING = ["", "", None, ""]  # salt and private columns where only public facts are known


def may_be_born_in(year: int) -> bool:
    """Return whether somebody alive may have been born in this year."""
    return EARLIEST_BIRTH <= year <= timezone.localdate().year


def plain(name: str) -> str:
    """Return a name as people look for it: no spaces, wide letters, capitals or hiragana.

    >>> plain("成田　ＫＩＹＯ") == plain("成田kiyo"), plain("なりた") == plain("ﾅﾘﾀ")
    (True, True)
    """
    return "".join(unicodedata.normalize("NFKC", name).casefold().split()).translate(KATAKANA)


class Entry(models.Model):
    """A player in one tournament. Records name entries by `number`, so it never changes."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    number = models.PositiveSmallIntegerField(_("Number"))
    name = models.CharField(_("Name"), max_length=ROOM["name"])
    club = models.CharField(_("Club"), max_length=ROOM["club"], blank=True)
    division = models.CharField(_("Class"), max_length=ROOM["division"], blank=True)
    reading = models.CharField(_("Reading"), max_length=ROOM["reading"], blank=True)  # furigana
    # Private: for this tournament's staff, found nowhere else.
    contact = models.CharField(_("Contact"), max_length=ROOM["contact"], blank=True)
    birth_year = models.PositiveSmallIntegerField(_("Year of birth"), null=True, blank=True)
    notes = models.TextField(_("Notes"), max_length=ROOM["notes"], blank=True)
    salt = models.CharField(max_length=32, blank=True, editable=False)  # for the digest of these

    class Meta:
        """In the order of their numbers."""

        ordering = ("number",)
        verbose_name_plural = "entries"
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="entry_number_once"),
        )

    def __str__(self) -> str:
        """Return the player's name."""
        return self.name

    def public_facts(self) -> dict[str, str | int]:
        """Return what anybody may know of an entry, as the audit trail keeps it."""
        return {
            "number": self.number,
            "name": self.name,
            "club": self.club,
            "division": self.division,
            "reading": self.reading,
        }

    def private_facts(self) -> dict[str, str | int | None]:
        """Return what only the tournament's staff may know of an entry."""
        return {name: getattr(self, name) for name in PRIVATE}

    def told(self) -> dict[str, str | int | None]:
        """Return the same, with a digest of what is private, as acts keep it; draw the salt before.

        None where nothing private is filled in. Nobody can tell from it what is, however few years
        of birth there are: the salt is private, too, and leaves only with what it is for.
        """
        private = [self.salt, *self.private_facts().values()]
        digest = hashlib.sha256(json.dumps(private).encode()).hexdigest() if self.salt else ""
        return self.public_facts() | {"private": None if private == NOTHING else digest}

    def draw_salt(self) -> None:
        """Give an entry a salt where something private is filled in, and there is none yet."""
        if not self.salt and [*self.private_facts().values()] != NOTHING[1:]:
            self.salt = secrets.token_hex(16)

    @property
    def key(self) -> str:
        """Return how records name this entry."""
        return str(self.number)


class Membership(models.Model):
    """What a member of staff does in one tournament."""

    class Role(models.TextChoices):
        """A director runs the tournament; a scorekeeper takes down and corrects rounds."""

        DIRECTOR = "director", _("Director")
        SCOREKEEPER = "scorekeeper", _("Scorekeeper")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role)

    class Meta:
        """One role a person."""

        constraints = (
            models.UniqueConstraint(fields=("tournament", "user"), name="one_role_a_person"),
        )

    def __str__(self) -> str:
        """Return who does what."""
        return f"{self.user}: {self.get_role_display()}"
