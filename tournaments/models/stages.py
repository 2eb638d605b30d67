"""The stages of a tournament after its first: semi-finals and finals."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.stages.places import Carry, Members
from scoring.stages.places import Stage as PlayedStage
from scoring.stages.selection import AtLine, Quota
from tournaments.models.tournament import Tournament

PLANNED = ("name", "quotas", "carry", "at_line", "seed")  # chosen beforehand
SETTLED = ("first_session", "first_adjustment", "members")  # when it is confirmed who goes on


class Stage(models.Model):
    """A stage after the first (決勝), defined before it is known who goes on.

    The first stage (予選) has number 1 and no row: everybody plays in it. `quotas` holds a list of
    `scoring.stages.Quota` as objects. When the director confirms who goes on, `members` holds the
    groups in order, as objects with `group` and `players` (entry numbers in the order of their
    places), and `first_session` the number of the session that opens next: it and later ones, up
    to the next stage's, are sessions of this stage. Likewise adjustments of its members count in
    this stage from number `first_adjustment` on. All three are null before that.
    """

    class CarryOver(models.TextChoices):
        """The share of the points of the stage before with which its members begin."""

        NONE = Carry.NONE.value, pgettext_lazy("points carried over", "None")
        HALF = Carry.HALF.value, pgettext_lazy("points carried over", "Half, rounded up")
        ALL = Carry.ALL.value, pgettext_lazy("points carried over", "All")

    class TieRule(models.TextChoices):
        """What happens to players who share the last place that goes on."""

        OPEN = AtLine.OPEN.value, _("The director decides, or they play it off")
        ALL = AtLine.ALL.value, _("All of them go on")
        NOBODY = AtLine.NOBODY.value, _("None of them goes on")
        LOT = AtLine.LOT.value, _("A lot decides")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(pgettext_lazy("of a stage", "Name"), max_length=60)
    quotas = models.JSONField()
    carry = models.CharField(_("Points carried over"), max_length=4, choices=CarryOver)
    at_line = models.CharField(_("Ties at the line"), max_length=6, choices=TieRule)
    seed = models.PositiveIntegerField(default=0)  # of the lot
    first_session = models.PositiveSmallIntegerField(null=True, blank=True)
    first_adjustment = models.PositiveSmallIntegerField(null=True, blank=True)
    members = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.tournament}: {self.name}"

    @property
    def is_confirmed(self) -> bool:
        """Return whether it is settled who goes on."""
        return self.members is not None

    def as_json(self) -> dict[str, Any]:
        """Return all fields, as archives and publications hold them."""
        return {name: getattr(self, name) for name in ("number", *PLANNED, *SETTLED)}

    def read_quotas(self) -> list[Quota]:
        """Return the quotas in the order in which they are filled."""
        return [Quota(**quota) for quota in self.quotas]

    def as_played(self) -> PlayedStage:
        """Return a confirmed stage as `scoring` takes it."""
        return PlayedStage(
            self.first_session or 0,
            self.first_adjustment or 0,
            Carry(self.carry),
            self.read_members(),
        )

    def read_members(self) -> tuple[Members, ...]:
        """Return the members by group, as keys of entries; empty before they are confirmed."""
        return tuple(
            Members(each["group"], tuple(map(str, each["players"]))) for each in self.members or ()
        )
