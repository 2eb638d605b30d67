"""What a director gives or takes beside the rounds: points, and the order of tied players."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.ranking.rules import LONGEST_SEED
from tournaments.models.people import Entry
from tournaments.models.tournament import Tournament


class Ruling(models.Model):
    """What a director rules, under the next number of its kind, until it is taken back."""

    number = models.PositiveSmallIntegerField()
    reason = models.CharField(_("Reason"), max_length=500)
    who = models.CharField(max_length=200)
    at = models.DateTimeField(default=timezone.now, editable=False)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Adjustment(Ruling):
    """Points given to a player or a team, or deducted if below 0 (減点・加点).

    It is for the player `entry`, or else for the team with the name `team`.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="adjustments")
    entry = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="adjustments"
    )
    team = models.CharField(max_length=200, blank=True)
    points = models.SmallIntegerField(_("Points"))

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="adjustment_number_once"),
            models.CheckConstraint(
                condition=models.Q(entry__isnull=True) ^ models.Q(team=""),
                name="for_a_player_or_a_team",
            ),
        )

    def __str__(self) -> str:
        return f"{self.number}: {self.entry or self.team} {self.points:+}"


class TieDecision(Ruling):
    """The order of players who are equal in all steps: the director's (裁定), or a lot's (くじ).

    `order` are the numbers of entries, the best first. `seed` is what a lot was derived from; it
    gives this order, and is empty where the director decided.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="tie_decisions")
    order = models.JSONField()
    seed = models.CharField(max_length=LONGEST_SEED, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="decision_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.number}: {self.order}"

    def as_json(self) -> Any:
        """Return order and seed as audit entries and publications hold them: without one a list."""
        return {"order": self.order, "seed": self.seed} if self.seed else list(self.order)

    def as_scored(self) -> scoring.TieDecision:
        """Return it as `scoring` takes it."""
        return scoring.TieDecision([str(each) for each in self.order], self.seed)
