"""Forms of the stages: define a stage, confirm who goes on, and replace a member."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.stages.places import Carry
from scoring.stages.selection import AtLine, Quota
from tournaments.forms.sessions import ReasonForm
from tournaments.i18n.facts_in_words import SEPARATOR
from tournaments.models import Entry, Stage
from tournaments.models.field_types import LONGEST_REASON
from tournaments.models.tournament import MOST_SESSIONS
from tournaments.queries.seat_draws import new_seed
from tournaments.services.stages import StagePlan
from tournaments.web.numbers import MAX_NUMBER

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    _QuotaFormSet = BaseFormSet["QuotaForm"]
else:
    _QuotaFormSet = BaseFormSet

MOST_QUOTAS = 20
LONGEST_GROUP = 60
MOST_PLACES = 9999
MOST_POINTS = 99_999


def sessions_field(label: str | StrPromise) -> forms.IntegerField:
    """Return the field of the planned number of sessions of a stage after the first."""
    return forms.IntegerField(
        label=label,
        min_value=1,
        max_value=MOST_SESSIONS,
        required=False,
        initial=1,
        help_text=_("Leave blank if the number is not fixed."),
    )


class StageForm(forms.Form):
    """The name of a stage, the points carried over, and the rule for ties at the line.

    The line is the limit between the players who go on and the others.
    """

    seen = forms.IntegerField(min_value=0, max_value=MAX_NUMBER, widget=forms.HiddenInput)
    name = forms.CharField(
        label=pgettext_lazy("of a stage", "Name"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    sessions_planned = sessions_field(_("Planned sessions"))
    carry = forms.ChoiceField(
        label=_("Points carried over"),
        choices=Stage.CarryOver.choices,
        initial=Stage.CarryOver.NONE,
        widget=forms.RadioSelect,
        help_text=_("Half of 5 is 3, half of −5 is −2."),
    )
    at_line = forms.ChoiceField(
        label=_("If players share the last place that advances"),
        choices=Stage.TieRule.choices,
        initial=Stage.TieRule.OPEN,
        widget=forms.RadioSelect,
    )

    def plan(self, quotas: Sequence[Quota], seed: int | None) -> StagePlan:
        """Return the definition of the stage. Call it if the form is valid.

        `seed` is the stored seed of the stage's lot; None makes a new seed.
        """
        data = self.cleaned_data
        return StagePlan(
            name=data["name"],
            quotas=quotas,
            carry=Carry(data["carry"]),
            at_line=AtLine(data["at_line"]),
            seed=seed or new_seed(),
            sessions_planned=data["sessions_planned"],
        )


class QuotaForm(forms.Form):
    """One quota of players who go on. An empty line is ignored.

    Cleaned, it adds `quota`: a `Quota`, or None for an empty line.
    """

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
        """`classes` are the classes to choose from, besides all classes."""
        super().__init__(*args, **kwargs)
        self.fields["division"].choices = [  # type: ignore[attr-defined]
            ("", _("All classes")),
            *((each, each) for each in classes),
        ]

    def clean(self) -> dict[str, Any]:
        """Add `quota`. A class or a group without `places` and `at_least` is an error."""
        data = super().clean() or {}
        has_limit = data.get("places") is not None or data.get("at_least") is not None
        if not self.errors and not has_limit and (data["group"] or data["division"]):
            self.add_error("places", _("Enter how many players, or with how many points."))
        data["quota"] = None
        if not self.errors and has_limit:
            data["quota"] = Quota(data["group"], data["division"], data["places"], data["at_least"])
        return data


class QuotasFormSet(_QuotaFormSet):
    """The quotas of a stage, in the order in which they are filled."""

    def clean(self) -> None:
        """Raises `ValidationError` without a quota."""
        if not any(self.errors) and not self.quotas():
            raise ValidationError(_("Fill in at least one line."))

    def quotas(self) -> list[Quota]:
        """In the order of the lines, without empty lines."""
        quotas = [form.cleaned_data.get("quota") for form in self.forms]
        return [quota for quota in quotas if quota is not None]


def quotas_form(
    data: Mapping[str, Any] | None, quotas: Sequence[Quota], classes: Iterable[str]
) -> QuotasFormSet:
    """Return the form set for `quotas`, followed by some empty lines.

    The classes to choose from are `classes` and those of the quotas.
    """
    divisions = [quota.division for quota in quotas if quota.division]
    choices = list(dict.fromkeys([*classes, *divisions]))
    form_set: type[QuotasFormSet] = formset_factory(  # type: ignore[assignment]
        QuotaForm,
        formset=QuotasFormSet,
        extra=2 if quotas else max(3, len(choices) + 1),
        max_num=MOST_QUOTAS,
        absolute_max=MOST_QUOTAS,
    )
    initial = [quota._asdict() for quota in quotas]
    return form_set(data, initial=initial, prefix="quota", form_kwargs={"classes": choices})


class ConfirmForm(ReasonForm):
    """The members that the page showed, as JSON, and the players chosen in a tie at the line."""

    members = forms.CharField(max_length=70_000, widget=forms.HiddenInput)
    chosen = forms.CharField(max_length=70_000, required=False, widget=forms.HiddenInput)

    def clean_members(self) -> list[dict[str, Any]]:
        """Return the groups, which should have the shape of `Stage.members`.

        The shape is not checked: `services.stages` refuses members other than those who go on.
        """
        try:
            members = json.loads(self.cleaned_data["members"])
        except (ValueError, RecursionError):
            raise ValidationError(_("This cannot be read. Reload the page.")) from None
        return members if isinstance(members, list) else []

    def clean_chosen(self) -> list[str]:
        return str(self.cleaned_data["chosen"]).split()


PLEASE_CHOOSE = _("Please choose")
NO_CHOICE = "?"  # of who advances instead; it is refused, as it is no number


class ReplaceForm(ReasonForm):
    """The member who leaves a stage, the player who goes on instead, if any, and the reason."""

    leaving = forms.TypedChoiceField(label=_("Does not advance"), coerce=int)
    following = forms.TypedChoiceField(
        label=_("Advances instead"), coerce=int, required=False, empty_value=None
    )
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON)

    def __init__(
        self,
        members: Iterable[Entry],
        reserves: Sequence[Entry],
        gave_up: Sequence[Entry],
        *args: Any,
        is_one_line: bool,
        **kwargs: Any,
    ) -> None:
        """The `reserves` and those who `gave_up` may follow, see `InLine`.

        At first no member is chosen. The first reserve is, or nobody if there is none; but no
        choice is made unless `is_one_line`, as it depends on the member who may follow.
        """
        super().__init__(*args, **kwargs)
        in_line = [(each, "") for each in reserves] + [
            (each, gettext("gave up the place")) for each in gave_up
        ]
        following = [
            (
                each.number,
                SEPARATOR.join(filter(None, (f"{each.number} {each.name}", each.division, word))),
            )
            for each, word in in_line
        ]
        self.fields["leaving"].choices = [  # type: ignore[attr-defined]
            ("", PLEASE_CHOOSE),
            *((each.number, f"{each.number} {each.name}") for each in members),
        ]
        no_choice = [] if is_one_line else [(NO_CHOICE, PLEASE_CHOOSE)]
        self.fields["following"].choices = [*no_choice, *following, ("", _("Nobody"))]  # type: ignore[attr-defined]
        if not is_one_line:
            self.fields["following"].initial = NO_CHOICE
        elif reserves:
            self.fields["following"].initial = reserves[0].number
