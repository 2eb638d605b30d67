"""Series of tournaments over a season (年間シリーズ), and links between players in them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.season.rules import SeasonRules, read_season_rules
from tournaments.models.people import Entry
from tournaments.models.tournament import Tournament, random_slug


class Series(models.Model):
    """Tournaments whose results are counted together by `scoring.season`; no results are stored.

    `rules` holds the season rules that differ from the defaults, as `read_season_rules` reads them.
    """

    slug = models.SlugField(max_length=40, unique=True, default=random_slug)
    name = models.CharField(pgettext_lazy("of a series", "Name"), max_length=200)
    season = models.CharField(_("Season"), max_length=60, blank=True)
    rules = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=0)  # the number of the last change
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    owners = models.ManyToManyField(
        settings.AUTH_USER_MODEL, through="SeriesOwner", related_name="series"
    )
    tournaments = models.ManyToManyField(Tournament, through="SeriesEvent", related_name="series")

    class Meta:
        ordering = ("-pk",)
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return " ".join(filter(None, (self.name, self.season)))

    def get_absolute_url(self) -> str:
        return reverse("series", args=[self.slug])

    @property
    def season_rules(self) -> SeasonRules:
        """Return the season rules. Raises `BadSeasonRules` if the row was tampered with."""
        return read_season_rules(self.rules)


class SeriesOwner(models.Model):
    series = models.ForeignKey(Series, models.CASCADE, related_name="ownerships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ownerships")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("series", "user"), name="series_owner_once"),
        )

    def __str__(self) -> str:
        return f"{self.series}: {self.user}"


class SeriesEvent(models.Model):
    series = models.ForeignKey(Series, models.CASCADE, related_name="events")
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="in_series")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("series", "tournament"), name="series_event_once"),
        )

    def __str__(self) -> str:
        return f"{self.series}: {self.tournament}"


class SamePlayer(models.Model):
    """A link: two players of a series, in different tournaments, are the same person.

    Links are transitive: two players linked with a third one are the same person, too.
    """

    series = models.ForeignKey(Series, models.CASCADE, related_name="same_players")
    first = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    second = models.ForeignKey(Entry, models.CASCADE, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("series", "first", "second"), name="linked_once"),
        )

    def __str__(self) -> str:
        return f"{self.first} = {self.second}"


class SeriesChange(models.Model):
    """Rows are never changed or deleted."""

    class Kind(models.TextChoices):
        SET = "set", _("Series settings saved")
        OWNER_ADDED = "owner_added", _("Account may edit the series")
        OWNER_REMOVED = "owner_removed", _("Account may no longer edit the series")
        EVENT_ADDED = "event_added", _("Tournament added to the series")
        EVENT_REMOVED = "event_removed", _("Tournament taken out of the series")
        LINKED = "linked", _("Players linked as one person")
        UNLINKED = "unlinked", _("Players separated again")

    series = models.ForeignKey(Series, models.CASCADE, related_name="changes")
    number = models.PositiveIntegerField()
    at = models.DateTimeField(default=timezone.now)
    who = models.CharField(max_length=200)
    kind = models.CharField(max_length=20, choices=Kind)
    facts = models.JSONField(default=dict)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("series", "number"), name="series_change_once"),
        )

    def __str__(self) -> str:
        return f"{self.number}: {self.who} {self.kind}"
