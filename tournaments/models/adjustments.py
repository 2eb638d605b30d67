"""Rulings of a director: adjustments of points, and decisions on the order of tied players."""

from __future__ import annotations

from typing import Annotated, Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from pydantic import AfterValidator, Field

import scoring
from scoring.ranking.rules import LONGEST_SEED
from tournaments.models.field_types import (
    IN_AN_EVENT,
    LONGEST_REASON,
    Moment,
    Number,
    Points,
    Reason,
    Short,
    StrictModel,
)
from tournaments.models.people import Entry
from tournaments.models.stages import MOST_STAGES
from tournaments.models.tournament import Tournament


class Ruling(models.Model):
    """A ruling of a director, in force until it is taken back.

    Rulings of one kind are numbered in each tournament.
    """

    number = models.PositiveSmallIntegerField()
    reason = models.CharField(_("Reason"), max_length=LONGEST_REASON)
    who = models.CharField(max_length=200)
    at = models.DateTimeField(default=timezone.now, editable=False)
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Adjustment(Ruling):
    """Points given to a player or a team, or deducted if below 0 (減点・加点).

    It is for the player `entry`, or else for the team named `team`.
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

    @property
    def player(self) -> int | None:
        """Return the number of the player; None for a team, or a player of another tournament."""
        is_own = self.entry is not None and self.entry.tournament_id == self.tournament_id
        return self.entry.number if self.entry and is_own else None


class TieDecision(Ruling):
    """The order of players who are equal in all steps: the director's (裁定), or a lot's (くじ).

    `order` has the numbers of the entries, the best first. `seed` is the seed of a lot, from which
    this order can be derived again; empty if the director decided. `stage` is the number of the
    stage whose places it decides; null if made by an earlier version, and counting in all stages.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="tie_decisions")
    order = models.JSONField()
    seed = models.CharField(max_length=LONGEST_SEED, blank=True)
    stage = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="decision_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.number}: {self.order}"

    def as_json(self) -> Any:
        """Return the JSON for audit entries and publications: order, seed and stage.

        Without a stage it is that of earlier versions: order and seed, or only the order.
        """
        if self.stage is not None:
            return {"order": self.order, "seed": self.seed, "stage": self.stage}
        return {"order": self.order, "seed": self.seed} if self.seed else list(self.order)

    def as_scored(self) -> scoring.TieDecision:
        return scoring.TieDecision([str(each) for each in self.order], self.seed, self.stage)


class RulingFacts(StrictModel):
    """A ruling of the director; those of one kind are numbered in each tournament."""

    number: Number
    reason: Reason


class RulingRecord(RulingFacts):
    """A ruling with who stored it, and when."""

    who: Short
    at: Moment
    taken_back_at: Annotated[
        Moment | None, Field(description="When it was taken back; null while it counts.")
    ]


class AdjustmentFacts(RulingFacts):
    """Points given to a player or to a team; below 0 they are deducted."""

    player: Number | None = None
    team: Short = ""
    points: Points


class AdjustmentRecord(RulingRecord, AdjustmentFacts):
    """An adjustment with who stored it, and when."""


def _check_player_or_team(facts: AdjustmentFacts) -> AdjustmentFacts:
    """Return the adjustment. Raises `ValueError` unless it is for either a player or a team."""
    if (facts.player is None) == (not facts.team):
        raise ValueError(facts.number)
    return facts


FOR_ONE = AfterValidator(_check_player_or_team)


class DecisionRecord(RulingRecord):
    """The numbers of tied players in the order that the director or a lot has decided."""

    order: Annotated[list[Number], IN_AN_EVENT]
    seed: Annotated[
        str,
        Field(
            max_length=LONGEST_SEED,
            description="What the lot was derived from; empty without a lot.",
        ),
    ] = ""
    stage: Annotated[
        int | None,
        Field(
            ge=1,
            le=MOST_STAGES,
            description="The number of the stage whose places it decides, 1 for the first; null if "
            "an earlier version stored it: then it counts in every stage.",
        ),
    ] = None
