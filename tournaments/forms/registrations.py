"""The forms of registration: an application, the settings, and the directors' decisions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BaseFormSet, formset_factory
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import MomentField
from tournaments.models import Registration
from tournaments.models.entry_fields import DETAIL_FIELDS, ENTRY_FIELDS, MAX_LENGTHS
from tournaments.models.registration_settings import (
    LONGEST_TEXT,
    MAX_CAPACITY,
    MOST_DIVISIONS,
    RegistrationSettings,
)
from tournaments.models.registrations import REGISTRATION_FIELDS
from tournaments.queries.registrations import Vacancies
from tournaments.services.registrations import KEY_PATTERN

if TYPE_CHECKING:
    _DivisionFormSet = BaseFormSet["DivisionForm"]
else:
    _DivisionFormSet = BaseFormSet

State = Registration.State
DECIDED = (State.APPROVED, State.WAITING, State.DECLINED)  # states that a director can set
MOST_LETTERS_OF_CODE = 40  # as typed
AUTOCOMPLETE = {"name": "name", "contact": "tel"}


class RegisterForm(forms.Form):
    """An application. `key` is its idempotency key: a form submitted twice is stored once."""

    key = forms.RegexField(KEY_PATTERN, widget=forms.HiddenInput)
    # Named otherwise than a secret, whose form no tab keeps (`typed-again.js`).
    invitation = forms.CharField(
        label=_("The organiser’s code"),
        help_text=_(
            "On the poster or in your invitation. Without it, the organiser decides later."
        ),
        max_length=MOST_LETTERS_OF_CODE,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    # Names the public fields, so that nothing is shown that the applicant has not agreed to.
    consent = forms.BooleanField(
        label=_("My name, club, class and team may be shown on the pages of the tournament"),
        error_messages={
            "required": _("Players’ names are listed publicly. If you agree, please tick the box.")
        },
    )

    def __init__(
        self, divisions: Sequence[str], vacancies: Vacancies, *args: Any, **kwargs: Any
    ) -> None:
        """Add the fields of an entry; with a choice of class only if there are `divisions`.

        `vacancies` are the free places.
        """
        super().__init__(*args, **kwargs)
        fields = {name: _text_field(name) for name in REGISTRATION_FIELDS}
        if divisions:
            choices = [("", "–"), *((each, _division_label(each, vacancies)) for each in divisions)]
            label = ENTRY_FIELDS["division"].label
            fields["division"] = forms.ChoiceField(label=label, choices=choices)
        else:
            del fields["division"]
        fields["contact"].required = True
        fields["contact"].help_text = _(
            "A telephone number or an e-mail address, for the organiser only. If you do not take "
            "part, it is erased when the tournament is closed, if not before."
        )
        self.fields = fields | self.fields
        self.order_fields(["name", *DETAIL_FIELDS, "contact"])

    def entry_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name in REGISTRATION_FIELDS]

    @property
    def person(self) -> dict[str, str]:
        """Return all fields of `Registration`; those without a form field are empty.

        Call it if the form is valid.
        """
        return {name: self.cleaned_data.get(name, "") for name in REGISTRATION_FIELDS}


def _division_label(division: str, vacancies: Vacancies) -> str:
    """Return the label of a class; it says if it alone has a waiting list for new applications."""
    if vacancies.goes_to_waiting_list or vacancies.has_place_for_new(division):
        return division
    if vacancies.has_place_for(division):
        return gettext("%(division)s (waiting list)") % {"division": division}
    return gettext("%(division)s (full: waiting list)") % {"division": division}


def _text_field(name: str) -> forms.Field:
    """Return a text field for an entry field, required if it is the name."""
    field = ENTRY_FIELDS[name]
    attributes = {"autocomplete": AUTOCOMPLETE.get(name, "off"), "enterkeyhint": "next"}
    return forms.CharField(
        label=field.label,
        help_text=field.help_text,
        max_length=field.max_length,
        required=name == "name",
        widget=forms.TextInput(attrs=attributes),
    )


class RegistrationSettingsForm(forms.Form):
    """The settings of registration, with a form set for the classes to choose from."""

    is_open = forms.BooleanField(
        label=_("Accept applications online"),
        help_text=_(
            "Anyone with the link can apply, even if nothing else is published. The front "
            "page lists it, too."
        ),
        required=False,
    )
    closes_at = MomentField(
        label=_("Closes at"),
        help_text=_("Leave blank to keep it open until you close it here."),
        required=False,
    )
    capacity = forms.IntegerField(
        label=_("Number of places"),
        help_text=_(
            "When all are taken, applicants go on the waiting list. Leave blank for no limit."
        ),
        min_value=1,
        max_value=MAX_CAPACITY,
        required=False,
    )
    approval = forms.ChoiceField(
        label=_("Approval"),
        choices=[
            ("by_hand", _("By hand: the director approves each application")),
            (
                "automatic",
                _("At once with the code from the poster or link, while places are free"),
            ),
        ],
        widget=forms.RadioSelect,
    )
    renews_invitation = forms.BooleanField(
        label=_("Make a new code"),
        help_text=_("The old code on posters and in links then stops working."),
        required=False,
    )
    text = forms.CharField(
        label=_("Information for applicants"),
        help_text=_("Such as the fee, when to arrive, directions, and whom to ask."),
        widget=forms.Textarea(attrs={"rows": 6}),
        max_length=LONGEST_TEXT,
        required=False,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        present: RegistrationSettings,
        *,
        proposes_opening: bool,
    ) -> None:
        """With `proposes_opening` the box `is_open` is ticked."""
        initial = {
            **present._asdict(),
            "is_open": present.is_open or proposes_opening,
            "approval": "automatic" if present.is_automatic else "by_hand",
        }
        self.present = present
        super().__init__(data, initial=initial)
        self.division_formset = _make_division_formset(data, present)

    def is_valid(self) -> bool:
        are_divisions_valid = self.division_formset.is_valid()  # always, to show all errors at once
        return super().is_valid() and are_divisions_valid

    def clean_text(self) -> str:
        return re.sub(r"\r\n|\r", "\n", self.cleaned_data["text"])

    @property
    def settings(self) -> RegistrationSettings:
        """Call it if the form is valid."""
        cleaned, capacity_by_division = self.cleaned_data, self.division_formset.capacities()
        return RegistrationSettings(
            is_open=cleaned["is_open"],
            closes_at=cleaned["closes_at"],
            capacity=cleaned["capacity"],
            is_automatic=cleaned["approval"] == "automatic",
            divisions=tuple(capacity_by_division),
            text=cleaned["text"],
            code_number=self.present.code_number + cleaned["renews_invitation"],
            capacities={
                division: capacity
                for division, capacity in capacity_by_division.items()
                if capacity is not None
            },
        )


class DivisionForm(forms.Form):
    """A class that applicants can choose, and its number of places. An empty line is ignored."""

    name = forms.CharField(
        label=ENTRY_FIELDS["division"].label,
        max_length=MAX_LENGTHS["division"],
        required=False,
        widget=forms.TextInput(attrs={"size": 14, "autocomplete": "off"}),
    )
    places = forms.IntegerField(
        label=_("Number of places"),
        min_value=1,
        max_value=MAX_CAPACITY,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4, "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("places") is not None and not data.get("name"):
            self.add_error("name", _("Enter the class that has this number of places."))
        return data


class DivisionsFormSet(_DivisionFormSet):
    """The classes to choose from, in the order in which they are offered."""

    def clean(self) -> None:
        names = [form.cleaned_data["name"] for form in self.forms if form.cleaned_data.get("name")]
        if len(set(names)) < len(names):
            raise ValidationError(_("A class appears twice; remove one."))

    def capacities(self) -> dict[str, int | None]:
        """Return the number of places by class, in the order of the lines; None is no limit."""
        lines = [form.cleaned_data for form in self.forms]
        return {line["name"]: line["places"] for line in lines if line.get("name")}


def _make_division_formset(
    data: Mapping[str, Any] | None, present: RegistrationSettings
) -> DivisionsFormSet:
    """Return the form set of the present classes, followed by three empty lines."""
    form_set: type[DivisionsFormSet] = formset_factory(  # type: ignore[assignment]
        DivisionForm,
        formset=DivisionsFormSet,
        extra=3,
        max_num=MOST_DIVISIONS,
        absolute_max=MOST_DIVISIONS,
    )
    initial = [{"name": each, "places": present.capacities.get(each)} for each in present.divisions]
    return form_set(data, initial=initial, prefix="division")


class Ticked(NamedTuple):
    """The number of an application, and the state in which it was shown."""

    number: int
    seen: str


class DecisionForm(forms.Form):
    """A button of the list of applications: the ticked applications, and their new state.

    An application is written as its number and the state that the page showed: `12.pending`.
    """

    state = forms.ChoiceField(choices=[(each.value, each.label) for each in DECIDED])
    ticked = forms.MultipleChoiceField(
        error_messages={
            "required": _("First tick the applications concerned."),
            "invalid_choice": _(
                "An application has changed since you opened this page. Nothing was saved. Check "
                "the list."
            ),
        }
    )

    def __init__(self, data: Mapping[str, Any], rows: Sequence[Registration]) -> None:
        """`rows` are all applications of the tournament."""
        super().__init__(data)
        keys = [f"{row.number}.{state}" for row in rows for state in State]
        self.fields["ticked"].choices = [(key, key) for key in keys]  # type: ignore[attr-defined]

    @property
    def ticked_applications(self) -> list[Ticked]:
        """Call it if the form is valid."""
        parts = [key.split(".") for key in self.cleaned_data["ticked"]]
        return [Ticked(int(number), seen) for number, seen in parts]
