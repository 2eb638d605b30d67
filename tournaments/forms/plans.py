"""The form of the plan: the stages of the usual kinds of tournaments, by name and a few numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tournaments.forms.stages import MOST_PLACES, MOST_QUOTAS, sessions_field
from tournaments.i18n.stages import stage_name
from tournaments.models import Stage
from tournaments.models.entry_fields import MAX_LENGTHS
from tournaments.models.stages import PLANNED_FIELDS
from tournaments.models.tournament import MOST_SESSIONS
from tournaments.services.stages import StagePlan

SEPARATORS = re.compile(r"[,、，\n]")
USUAL_FINALISTS = 6


class Numbers(NamedTuple):
    """What a template leaves open: who goes on, the sessions of the final, what is carried over."""

    finalists: int
    semifinalists: int
    classes: Sequence[str]
    final_sessions: int | None
    carry: Carry


def _final(numbers: Numbers, quotas: Sequence[Quota] = ()) -> StagePlan:
    """Return a final of the first so many players, or of those in `quotas`."""
    chosen = quotas or [Quota("", "", numbers.finalists)]
    return StagePlan(
        gettext("Final"), chosen, numbers.carry, AtLine.OPEN, 0, numbers.final_sessions
    )


def _semifinal(numbers: Numbers) -> StagePlan:
    quotas = [Quota("", "", numbers.semifinalists)]
    return StagePlan(gettext("Semi-final"), quotas, numbers.carry, AtLine.OPEN, 0, 1)


def _class_quotas(numbers: Numbers) -> list[Quota]:
    return [Quota(each, each, numbers.finalists) for each in numbers.classes]


# The stages after the first, by template. The template "own" has none: they are defined one by one.
TEMPLATES: dict[str, Callable[[Numbers], list[StagePlan]]] = {
    "sessions": lambda _numbers: [],
    "final": lambda numbers: [_final(numbers)],
    "semifinal": lambda numbers: [_semifinal(numbers), _final(numbers)],
    "classes": lambda numbers: [_final(numbers, _class_quotas(numbers))],
}


class PlanForm(forms.Form):
    plan = forms.ChoiceField(
        label=_("Format"),
        choices=(
            ("sessions", _("All sessions count, no final")),
            ("final", _("Qualifying and a final: 3 sessions, then the best 6, for example")),
            ("semifinal", _("Qualifying, a semi-final and a final")),
            (
                ("classes"),
                _("Qualifying and a final for each class: dan holders and others, for example"),
            ),
            ("own", _("Another format: define the stages one by one")),
        ),
        widget=forms.RadioSelect,
        required=False,  # a missing value leaves the stages as they are
    )
    sessions_planned = forms.IntegerField(
        label=_("Sessions for everybody"),
        min_value=1,
        max_value=MOST_SESSIONS,
        required=False,
        help_text=_(
            "The qualifying sessions, or all sessions if there is no final. Leave blank if the "
            "number is not fixed."
        ),
    )
    semifinalists = forms.IntegerField(
        label=_("Players in the semi-final"),
        min_value=1,
        max_value=MOST_PLACES,
        required=False,
        initial=2 * USUAL_FINALISTS,
    )
    classes = forms.CharField(
        label=_("Classes with a final of their own"),
        max_length=500,
        required=False,
        help_text=_("Separated by commas."),
    )
    finalists = forms.IntegerField(
        label=_("Players in the final"),
        min_value=1,
        max_value=MOST_PLACES,
        required=False,
        initial=USUAL_FINALISTS,
        help_text=_(
            "The best in the standings; with a final for each class, this many from each class."
        ),
    )
    final_sessions = sessions_field(_("Sessions of the final"))
    carry = forms.ChoiceField(
        label=_("Points carried over"),
        choices=Stage.CarryOver.choices,
        initial=Carry.HALF,
        required=False,
    )

    def keep_stages(self) -> None:
        """Leave only the field of the sessions."""
        self.fields = {"sessions_planned": self.fields["sessions_planned"]}
        self.fields["sessions_planned"].label = _("Planned sessions")
        self.fields["sessions_planned"].help_text = _("Leave blank if the number is not fixed.")

    def clean_classes(self) -> list[str]:
        names = [each.strip() for each in SEPARATORS.split(self.cleaned_data["classes"])]
        classes = list(dict.fromkeys(filter(None, names)))
        longest = MAX_LENGTHS["division"]
        if any(len(each) > longest for each in classes) or len(classes) > MOST_QUOTAS:
            self.add_error("classes", _("Too many classes, or a name is too long."))
        return classes

    def clean(self) -> dict[str, Any]:
        """Add errors where the template needs a number of players, or classes."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        template = data.get("plan") or "own"
        needed = {"semifinal": ["semifinalists", "finalists"], "classes": ["classes", "finalists"]}
        for name in needed.get(template, ["finalists"] if template == "final" else []):
            if name not in self.errors and not data.get(name):
                self.add_error(name, _("This is needed for the plan that you have chosen."))
        semifinalists, finalists = data.get("semifinalists") or 0, data.get("finalists") or 0
        if template == "semifinal" and 0 < semifinalists <= finalists:
            sentence = _("More players must play in the semi-final than in the final.")
            self.add_error("semifinalists", sentence)
        return data

    def stage_plans(self) -> list[StagePlan] | None:
        """None if the stages are defined one by one."""
        data = self.cleaned_data
        template = TEMPLATES.get(data.get("plan", ""))
        if template is None:
            return None
        return template(
            Numbers(
                data["finalists"] or USUAL_FINALISTS,
                data["semifinalists"] or 2 * USUAL_FINALISTS,
                data["classes"],
                data["final_sessions"],
                Carry(data["carry"] or Carry.HALF),
            )
        )


def initial_plan(
    sessions: int | None, stages: Sequence[Stage], classes: Iterable[str] = ()
) -> dict[str, Any]:
    """Return initial data of a `PlanForm` for these stages after the first.

    `classes` are the classes of the players. The template is "own" unless one has exactly these
    stages. A semi-final that is not there, or not larger than the final, has twice its players.
    """
    last = stages[-1] if stages else None
    quotas = last.read_quotas() if last else []
    finalists = (quotas[0].places if quotas else None) or USUAL_FINALISTS
    semifinalists = stages[0].read_quotas()[0].places if stages else None
    if not semifinalists or semifinalists <= finalists:
        semifinalists = min(2 * finalists, MOST_PLACES)
    numbers = Numbers(
        finalists,
        semifinalists,
        [each.division for each in quotas if each.division] or list(classes),
        last.sessions_planned if last else 1,
        Carry(last.carry) if last else Carry.HALF,
    )
    stored = [
        {name: getattr(each, name) for name in PLANNED_FIELDS} | {"name": stage_name(each.name)}
        for each in stages
    ]
    matching = (
        name
        for name, template in TEMPLATES.items()
        if [each.as_fields() for each in template(numbers)] == stored
    )
    return {
        "plan": next(matching, "own"),
        "sessions_planned": sessions,
        "semifinalists": numbers.semifinalists,
        "finalists": numbers.finalists,
        "classes": "、".join(numbers.classes),
        "final_sessions": numbers.final_sessions,
        "carry": numbers.carry,
    }
