"""The form for how places are decided."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.teams import Counting
from tournaments.forms.fields import SignedField
from tournaments.forms.sessions import ReasonForm
from tournaments.i18n import sentences
from tournaments.i18n.ranking import CHOICES, LABELS
from tournaments.i18n.units import unit_words
from tournaments.models import Tournament

FEWEST_LISTS = 6  # for steps, of which some may stay empty
CHOSEN_HERE = ("withdrawn", "missed", "substitutes")
ABOUT_TEAMS = ("teams", "team_members")
USUAL_MEMBERS = 3  # proposed, of a team
PLACE_OF_STEP = re.compile(r"tie_breaks\[(\d+)\]")


class RankingForm(ReasonForm):
    """The steps, one list each, and what is chosen beside them.

    `ranking` is the document for `services.ranking.set_ranking` once the form is valid. What counts
    for a team is asked only where somebody has one, and else stays.
    """

    def __init__(
        self, tournament: Tournament, data: Mapping[str, Any] | None, *, has_teams: bool = False
    ) -> None:
        """Set up with the present ranking rules."""
        super().__init__(data)
        self.kind = tournament.rules.game.kind
        self.present = tournament.ranking_rules
        offered = scoring.offered_tie_breaks(self.kind)
        choices = [(each.code, unit_words(each.title, tournament.rules)) for each in offered]
        steps = self.present.tie_breaks
        lists = min(max(FEWEST_LISTS, len(steps) + 2), len(offered))
        own: dict[str, forms.Field] = {}
        for number in range(1, lists + 1):
            own[f"step_{number}"] = forms.ChoiceField(
                label=gettext("Step %(number)s") % {"number": number},
                choices=[("", "–"), *choices],
                required=False,
                initial=steps[number - 1] if number <= len(steps) else "",
            )
        own["lot_seed"] = forms.CharField(
            label=LABELS["lot_seed"],
            required=False,
            initial=self.present.lot_seed,
            help_text=_("Whatever everybody can check, such as dice. Empty: one is made."),
        )
        for key in CHOSEN_HERE:
            own[key] = forms.ChoiceField(
                label=LABELS[key],
                choices=list(CHOICES[key].items()),
                widget=forms.RadioSelect,
                initial=getattr(self.present, key),
            )
        own["missed_points"] = SignedField(
            label=LABELS["missed_points"], required=False, initial=self.present.missed_points
        )
        if has_teams:
            own |= self._fields_about_teams()
        self.fields = own | self.fields

    def _fields_about_teams(self) -> dict[str, forms.Field]:
        return {
            "teams": forms.ChoiceField(
                label=LABELS["teams"],
                choices=list(CHOICES["teams"].items()),
                widget=forms.RadioSelect,
                initial=self.present.teams,
            ),
            "team_members": forms.IntegerField(
                label=LABELS["team_members"],
                required=False,
                initial=self.present.team_members or USUAL_MEMBERS,
                help_text=_("Unless all count."),
            ),
        }

    @property
    def steps(self) -> list[BoundField]:
        """Return the lists of steps, in their order."""
        return [self[name] for name in self.fields if name.startswith("step_")]

    def clean(self) -> dict[str, Any]:
        """Set `ranking`, or add every problem as an error of its field."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        chosen = [field.name for field in self.steps if cleaned[field.name]]
        self.ranking = {
            "tie_breaks": [cleaned[name] for name in chosen],
            **{key: cleaned[key] for key in (*CHOSEN_HERE, "lot_seed")},
            "missed_points": cleaned["missed_points"] or 0,
            **self._about_teams(cleaned),
        }
        with_seed = {**self.ranking, "lot_seed": cleaned["lot_seed"] or "made when stored"}
        try:
            scoring.read_ranking(with_seed, self.kind)
        except scoring.BadRanking as bad:
            for problem in bad.problems:
                place = PLACE_OF_STEP.fullmatch(problem.at)
                at = chosen[int(place[1])] if place else problem.at
                field = at if at in self.fields else self.steps[0].name
                self.add_error(field, sentences.problem_sentence(problem, {}))
        return cleaned

    def _about_teams(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """Return what counts for a team: as chosen, else as it is."""
        if "teams" not in self.fields:
            return {key: getattr(self.present, key) for key in ABOUT_TEAMS}
        members = 0 if cleaned["teams"] == Counting.ALL else cleaned["team_members"] or 0
        return {"teams": cleaned["teams"], "team_members": members}
