"""A tournament, or one table tonight: its name and the rules it is played by."""

from __future__ import annotations

import secrets
from typing import Any

from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

import scoring

# Without letters and digits that are easily taken for one another when read aloud.
SLUG_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"

# What its director decides and its players are told.
ANNOUNCED = (
    *("name", "held_on", "venue", "rule_set", "options", "points"),
    *("rounds_per_session", "partners", "accepting", "totals_only"),
)
MOST_ROUNDS = 99  # planned for a sitting


def random_slug() -> str:
    """Return a name for a tournament's address that nobody had to think of."""
    return "".join(secrets.choice(SLUG_LETTERS) for _ in range(10))


class ListedManager(models.Manager["Tournament"]):
    """Tournaments that have not been removed. A removed one keeps its row and its audit trail."""

    def get_queryset(self) -> models.QuerySet[Tournament]:
        """Return those not removed."""
        return super().get_queryset().filter(removed_at=None)


class Tournament(models.Model):
    """An event under one set of rules. Its `rules` are frozen by the first result taken down."""

    class Kind(models.TextChoices):
        """A tournament with sessions, or a club's one table tonight."""

        TOURNAMENT = "tournament", _("Tournament")
        TABLE = "table", _("One table")

    class Accepting(models.TextChoices):
        """Who agrees to a round before the next begins."""

        OFF = "off", _("Nobody: a round counts as it is saved")
        SAME = "same", _("The other side, on the same phone")
        SECOND = "second", _("The other side, on a phone of its own")

    class Showing(models.TextChoices):
        """What everybody sees of it; its staff and its tables see it as it stands now."""

        STAFF = "staff", _("Nothing: only the staff")
        LIVE = "live", _("The tournament as it is played")
        PUBLISHED = "published", _("The tournament as last published")

    kind = models.CharField(max_length=10, choices=Kind, default=Kind.TOURNAMENT)
    slug = models.SlugField(max_length=40, unique=True, default=random_slug)
    name = models.CharField(pgettext_lazy("of a tournament", "Name"), max_length=200)
    held_on = models.DateField(_("Date"), default=timezone.localdate)
    venue = models.CharField(_("Venue"), max_length=200, blank=True)
    rule_set = models.CharField(_("Rules"), max_length=40)
    options = models.JSONField(default=dict, blank=True)
    points = models.JSONField(default=dict, blank=True)
    rounds_per_session = models.PositiveSmallIntegerField(
        _("Rounds per session"), null=True, blank=True
    )
    partners = models.BooleanField(_("Partnerships"), default=False)
    accepting = models.CharField(
        _("Who accepts a round"), max_length=6, choices=Accepting, default=Accepting.OFF
    )
    totals_only = models.BooleanField(
        _("Only final totals are taken down, no deals"),
        default=False,
        help_text=_("For the sessions seated from now on; those already seated stay as they are."),
    )
    showing = models.CharField(max_length=9, choices=Showing, default=Showing.STAFF, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # The digests of its last act and its last receipt, empty before the first: their chains end so.
    last_act = models.CharField(max_length=64, blank=True, editable=False)
    last_receipt = models.CharField(max_length=64, blank=True, editable=False)

    objects = ListedManager()
    every = models.Manager["Tournament"]()  # with those removed

    class Meta:
        """Newest first, as people look for them."""

        ordering = ("-held_on", "-pk")

    def __str__(self) -> str:
        """Return the name as announced."""
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of the tournament's own page."""
        return reverse("tournament", args=[self.slug])

    @property
    def rules(self) -> scoring.Rules:
        """Return the rules every sitting is scored by."""
        return scoring.choose(scoring.get_rule_set(self.rule_set), self.options, self.points)

    @property
    def table_sizes(self) -> tuple[int, ...]:
        """Return how many players may sit down at a table."""
        rule_set = scoring.get_rule_set(self.rule_set)
        return rule_set.partners_of if self.partners else rule_set.players

    def announced(self) -> dict[str, Any]:
        """Return what players are told of a tournament, as the audit trail keeps it."""
        told = {field: getattr(self, field) for field in ANNOUNCED}
        return told | {"held_on": str(self.held_on), "fingerprint": self.rules.fingerprint}

    def begun(self) -> dict[str, str]:
        """Return what never changes from when it is set up, as the first act keeps it."""
        return {"kind": str(self.kind), "created_at": self.created_at.isoformat()}

    @property
    def is_frozen(self) -> bool:
        """Return whether rounds or totals are taken down, so that the rules may not change."""
        rounds = models.Q(sessions__sittings__rounds__isnull=False)
        totals = models.Q(sessions__sittings__typed_totals__isnull=False)
        return Tournament.objects.filter(rounds | totals, pk=self.pk).exists()

    @property
    def is_public(self) -> bool:
        """Return whether anybody may see its pages."""
        return self.showing != self.Showing.STAFF
