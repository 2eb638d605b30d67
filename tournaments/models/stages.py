"""The stages of a tournament after its first: semi-finals and finals."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.stages.places import Carry, Members
from scoring.stages.places import Stage as PlayedStage
from scoring.stages.selection import AtLine, Quota
from tournaments.models.tournament import Tournament, number_after_play_offs

PLANNED_FIELDS = ("name", "sessions_planned", "quotas", "carry", "at_line", "seed")
MOST_STAGES = 9
CONFIRMED_FIELDS = ("first_session", "first_adjustment", "members")  # null until confirmed


class Stage(models.Model):
    """A stage after the first (決勝), defined before it is known who goes on.

    The first stage (予選) has number 1 and no row: everybody plays in it, and its planned sessions
    are `Tournament.sessions_planned`. Null sessions are as many as are seated, but at least one.
    `quotas` is a list of `scoring.stages.Quota` as objects. The following are null until the
    director confirms who goes on:

    - `members`: the groups in order, as objects with `group` and `players` (entry numbers in the
      order of their places in the stage before)
    - `first_session`: the number of the next session at that time, with which this stage begins and
      the one before ends; see `opening_session` for play-offs that are seated since
    - `first_adjustment`: the number of the first adjustment of members that counts in this stage
    """

    class CarryOver(models.TextChoices):
        NONE = Carry.NONE.value, pgettext_lazy("points carried over", "None")
        HALF = Carry.HALF.value, pgettext_lazy("points carried over", "Half, rounded up")
        ALL = Carry.ALL.value, pgettext_lazy("points carried over", "All")

    class TieRule(models.TextChoices):
        """What happens to players who are tied for the last places of a quota."""

        OPEN = AtLine.OPEN.value, _("The director or a play-off decides")
        ALL = AtLine.ALL.value, _("All of them advance")
        NOBODY = AtLine.NOBODY.value, _("None of them advances")
        LOT = AtLine.LOT.value, _("Lots are drawn")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(pgettext_lazy("of a stage", "Name"), max_length=60)
    sessions_planned = models.PositiveSmallIntegerField(
        _("Planned sessions"), null=True, blank=True
    )
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
        return self.members is not None

    def opening_session(self, play_offs: Collection[int]) -> int:
        """Return the number of the first session of a confirmed stage, seated or to come.

        Play-offs are none; `play_offs` are their numbers. Those that are seated once the stage is
        confirmed, and before a session of it, belong to the stage before.
        """
        return number_after_play_offs(self.first_session or 0, play_offs)

    def as_json(self) -> dict[str, Any]:
        return {
            name: getattr(self, name) for name in ("number", *PLANNED_FIELDS, *CONFIRMED_FIELDS)
        }

    def read_quotas(self) -> list[Quota]:
        """Return the quotas in the order in which they are filled."""
        return [Quota(**quota) for quota in self.quotas]

    def as_played(self) -> PlayedStage:
        """Return a confirmed stage as an object of `scoring`."""
        return PlayedStage(
            self.first_session or 0,
            self.first_adjustment or 0,
            Carry(self.carry),
            self.read_members(),
        )

    def read_members(self) -> tuple[Members, ...]:
        """Return the groups with the keys of their members; empty before the stage is confirmed."""
        return tuple(
            Members(each["group"], tuple(map(str, each["players"]))) for each in self.members or ()
        )
