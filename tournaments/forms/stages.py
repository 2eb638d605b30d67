"""Forms of the stages: what is chosen beforehand, who goes on, and who replaces somebody."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tournaments.forms.sessions import ReasonForm
from tournaments.models import Entry, Stage
from tournaments.queries.seat_draws import new_seed
from tournaments.services.stages import Plan
from tournaments.web.numbers import MAX_NUMBER

if TYPE_CHECKING:
    _QuotaFormSet = BaseFormSet["QuotaForm"]
else:
    _QuotaFormSet = BaseFormSet

MOST_QUOTAS = 20
LONGEST_GROUP = 60
MOST_PLACES = 9999
MOST_POINTS = 99_999


class StageForm(forms.Form):
    """The name of a stage, what is carried over, and what happens to ties at the line."""

    seen = forms.IntegerField(min_value=0, max_value=MAX_NUMBER, widget=forms.HiddenInput)
    name = forms.CharField(
        label=pgettext_lazy("of a stage", "Name"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    carry = forms.ChoiceField(
        label=_("Points carried over"),
        choices=Stage.CarryOver.choices,
        initial=Stage.CarryOver.NONE,
        widget=forms.RadioSelect,
    )
    at_line = forms.ChoiceField(
        label=_("If players share the last place that goes on"),
        choices=Stage.TieRule.choices,
        initial=Stage.TieRule.OPEN,
        widget=forms.RadioSelect,
    )

    def plan(self, quotas: Sequence[Quota], seed: int | None) -> Plan:
        """Return what was chosen; `seed` is that of an earlier lot, None for a new one."""
        data = self.cleaned_data
        return Plan(
            name=data["name"],
            quotas=quotas,
            carry=Carry(data["carry"]),
            at_line=AtLine(data["at_line"]),
            seed=seed or new_seed(),
        )


class QuotaForm(forms.Form):
    """One line of who goes on; left empty it does not count. Cleaned: `quota`, or None."""

    division = forms.ChoiceField(label=_("Class"), required=False)
    places = forms.IntegerField(
        label=_("The first …"),
        min_value=1,
        max_value=MOST_PLACES,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4}),
    )
    at_least = forms.IntegerField(
        label=_("With at least … points"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "text", "size": 6}),
    )
    group = forms.CharField(
        label=_("To the group"),
        max_length=LONGEST_GROUP,
        required=False,
        widget=forms.TextInput(attrs={"size": 10, "autocomplete": "off"}),
    )

    def __init__(self, *args: Any, classes: Iterable[str], **kwargs: Any) -> None:
        """Set up with the classes of the players."""
        super().__init__(*args, **kwargs)
        self.fields["division"].choices = [  # type: ignore[attr-defined]
            ("", _("All classes")),
            *((each, each) for each in classes),
        ]

    def clean(self) -> dict[str, Any]:
        """Add the quota. A line that says neither how many nor how good is an error."""
        data = super().clean() or {}
        counts = data.get("places") is not None or data.get("at_least") is not None
        if not self.errors and not counts and (data["group"] or data["division"]):
            self.add_error("places", _("Say how many, or with how many points."))
        data["quota"] = None
        if not self.errors and counts:
            data["quota"] = Quota(data["group"], data["division"], data["places"], data["at_least"])
        return data


class QuotasFormSet(_QuotaFormSet):
    """The lines of who goes on, in the order in which they are filled."""

    def clean(self) -> None:
        """Require a line."""
        if not any(self.errors) and not self.quotas():
            raise ValidationError(_("Say in one line at least who goes on."))

    def quotas(self) -> list[Quota]:
        """Return the quotas of the lines that are filled in."""
        found = [form.cleaned_data.get("quota") for form in self.forms]
        return [each for each in found if each is not None]


def quotas_form(
    data: Mapping[str, Any] | None, quotas: Sequence[Quota], classes: Iterable[str]
) -> QuotasFormSet:
    """Return the form of the quotas, with some empty lines."""
    known = list(dict.fromkeys([*classes, *(each.division for each in quotas if each.division)]))
    made: type[QuotasFormSet] = formset_factory(  # type: ignore[assignment]
        QuotaForm,
        formset=QuotasFormSet,
        extra=2 if quotas else max(3, len(known) + 1),
        max_num=MOST_QUOTAS,
        absolute_max=MOST_QUOTAS,
    )
    initial = [quota._asdict() for quota in quotas]
    return made(data, initial=initial, prefix="quota", form_kwargs={"classes": known})


class ConfirmForm(ReasonForm):
    """The members that were shown, as JSON, and who was chosen of those tied at the line."""

    members = forms.CharField(max_length=20_000, widget=forms.HiddenInput)
    chosen = forms.CharField(max_length=5000, required=False, widget=forms.HiddenInput)

    def clean_members(self) -> list[dict[str, Any]]:
        """Return the groups as `Stage.members` holds them; others match no selection."""
        try:
            members = json.loads(self.cleaned_data["members"])
        except (ValueError, RecursionError):
            raise ValidationError(_("This cannot be read. Load the page again.")) from None
        return members if isinstance(members, list) else []

    def clean_chosen(self) -> list[str]:
        """Return the numbers of the players, as text."""
        return str(self.cleaned_data["chosen"]).split()


class ReplaceForm(ReasonForm):
    """Who does not go on, who does instead if anybody, and why."""

    leaving = forms.TypedChoiceField(label=_("Does not go on"), coerce=int)
    following = forms.TypedChoiceField(
        label=_("Goes on instead"), coerce=int, required=False, empty_value=None
    )
    reason = forms.CharField(label=_("Reason"), max_length=500)

    def __init__(
        self, members: Iterable[Entry], in_line: Iterable[Entry], *args: Any, **kwargs: Any
    ) -> None:
        """Set up with those who go on, and those who may, in order."""
        super().__init__(*args, **kwargs)
        following = [(each.number, f"{each.number} {each.name}") for each in in_line]
        self.fields["leaving"].choices = [  # type: ignore[attr-defined]
            (each.number, f"{each.number} {each.name}") for each in members
        ]
        self.fields["following"].choices = [*following, ("", _("Nobody"))]  # type: ignore[attr-defined]
        if following:
            self.fields["following"].initial = following[0][0]
