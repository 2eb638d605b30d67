"""The form for the ranking rules: how places are decided."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.ranking.absence import Absence
from scoring.ranking.rules import FIXED, OTHER_ABSENCES
from scoring.teams import Counting
from tournaments.forms.fields import SignedField
from tournaments.forms.sessions import ReasonForm
from tournaments.i18n import sentences
from tournaments.i18n.ranking import ABSENCES, CHOICES, LABELS
from tournaments.i18n.units import unit_words
from tournaments.models import Tournament

FEWEST_STEP_FIELDS = 6  # some of them may stay empty
CHOICE_RULES = ("withdrawn", "missed", "substitutes")
TEAM_RULES = ("teams", "team_members")
USUAL_MEMBERS = 3  # the proposed number of members who count for a team
PATH_OF_STEP = re.compile(r"tie_breaks\[(\d+)\]")
AS_ABSENT = _("As for absent players")
NOT_FIXED = _("As for absent players, but no fixed points")
# What a reason counts as unless chosen otherwise, as `RankingRules.counts_as` has it.
USUAL_COUNTS = {
    Absence.LATE: AS_ABSENT,
    Absence.SAT_OUT: NOT_FIXED,
    Absence.TABLE_NOT_PLAYED: NOT_FIXED,
    Absence.REPLACED: AS_ABSENT,
}


class RankingForm(ReasonForm):
    """The ranking rules: a field for each tie-break (step), and the other rules.

    `ranking`, the document for `services.ranking.set_ranking`, is set once the form is valid. The
    rules for teams have fields only if the tournament has teams; else they stay unchanged.
    """

    def __init__(
        self, tournament: Tournament, data: Mapping[str, Any] | None, *, has_teams: bool = False
    ) -> None:
        super().__init__(data)
        self.kind = tournament.rules.game.kind
        self.present = tournament.ranking_rules
        offered = scoring.offered_tie_breaks(self.kind)
        choices = [(each.code, unit_words(each.title, tournament.rules)) for each in offered]
        steps = self.present.tie_breaks
        step_count = min(max(FEWEST_STEP_FIELDS, len(steps) + 2), len(offered))
        fields: dict[str, forms.Field] = {}
        for number in range(1, step_count + 1):
            fields[f"step_{number}"] = forms.ChoiceField(
                label=gettext("Step %(number)s") % {"number": number},
                choices=[("", "–"), *choices],
                required=False,
                initial=steps[number - 1] if number <= len(steps) else "",
            )
        fields["lot_seed"] = forms.CharField(
            label=LABELS["lot_seed"],
            required=False,
            initial=self.present.lot_seed,
            help_text=_(
                "Something that everybody can check, such as rolled dice. Leave blank to have one "
                "generated."
            ),
        )
        for key in CHOICE_RULES:
            fields[key] = forms.ChoiceField(
                label=LABELS[key],
                choices=list(CHOICES[key].items()),
                widget=forms.RadioSelect,
                initial=getattr(self.present, key),
            )
        fields["missed"].help_text = _(
            "Averages are rounded: 2.5 counts as 3, −2.5 as −3. Players without a round "
            "have no place and get no points here."
        )
        fields["missed_points"] = SignedField(
            label=LABELS["missed_points"], required=False, initial=self.present.missed_points
        )
        for reason in OTHER_ABSENCES:
            fields |= self._absence_fields(reason)
        if has_teams:
            fields |= self._team_fields()
        self.fields = fields | self.fields

    def _absence_fields(self, reason: Absence) -> dict[str, forms.Field]:
        """Return the fields of what a session missed for this reason counts as."""
        chosen = self.present.absences.get(reason, "")
        choices = [*CHOICES["missed"].items()]
        if reason in USUAL_COUNTS:
            choices = [("", USUAL_COUNTS[reason]), *choices]
        points = chosen if isinstance(chosen, int) else None
        return {
            f"absence_{reason}": forms.ChoiceField(
                label=ABSENCES[reason],
                choices=choices,
                required=False,
                initial=chosen if points is None else FIXED,
            ),
            f"absence_{reason}_points": SignedField(
                label=_("Fixed points"), required=False, initial=points
            ),
        }

    def _team_fields(self) -> dict[str, forms.Field]:
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
                help_text=_("Not used if all members count."),
            ),
        }

    @property
    def steps(self) -> list[BoundField]:
        return [self[name] for name in self.fields if name.startswith("step_")]

    @property
    def absences(self) -> list[tuple[BoundField, BoundField]]:
        """Return, for each reason of absence, the fields of its choice and its fixed points."""
        names = [f"absence_{reason}" for reason in OTHER_ABSENCES]
        return [(self[name], self[f"{name}_points"]) for name in names]

    @property
    def has_absences(self) -> bool:
        """Return whether a reason has a choice of its own, or an error."""
        errors = any(field.errors for fields in self.absences for field in fields)
        return errors or bool(self.present.absences)

    def clean(self) -> dict[str, Any]:
        """Set `ranking`, or add every problem as an error of its field.

        Problems without a field become errors of the first step.
        """
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        filled_steps = [field.name for field in self.steps if cleaned[field.name]]
        self.ranking = {
            "tie_breaks": [cleaned[name] for name in filled_steps],
            **{key: cleaned[key] for key in (*CHOICE_RULES, "lot_seed")},
            "missed_points": cleaned["missed_points"] or 0,
            "absences": {
                reason.value: (cleaned[f"absence_{reason}_points"] or 0)
                if chosen == FIXED
                else chosen
                for reason in OTHER_ABSENCES
                if (chosen := cleaned[f"absence_{reason}"])
            },
            **self._team_rules(cleaned),
        }
        # An empty seed is no problem: one is made when the rules are stored.
        with_seed = {**self.ranking, "lot_seed": cleaned["lot_seed"] or "made when stored"}
        try:
            scoring.read_ranking(with_seed, self.kind)
        except scoring.BadRanking as bad:
            for problem in bad.problems:
                match = PATH_OF_STEP.fullmatch(problem.at)
                at = re.sub(r"^absences\.(\w+)$", r"absence_\1_points", problem.at)
                name = filled_steps[int(match[1])] if match else at
                field = name if name in self.fields else self.steps[0].name
                self.add_error(field, sentences.problem_sentence(problem, {}))
        return cleaned

    def _team_rules(self, cleaned: Mapping[str, Any]) -> dict[str, Any]:
        """Return the rules for teams: the chosen ones or, without fields, the present ones."""
        if "teams" not in self.fields:
            return {key: getattr(self.present, key) for key in TEAM_RULES}
        members = 0 if cleaned["teams"] == Counting.ALL else cleaned["team_members"] or 0
        return {"teams": cleaned["teams"], "team_members": members}
