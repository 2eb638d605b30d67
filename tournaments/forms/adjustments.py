"""Forms for points given or deducted, for decisions on ties, and for taking either back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms.sessions import ReasonForm
from tournaments.models import Entry
from tournaments.web.numbers import MAX_NUMBER

MOST_POINTS = 9999  # of one adjustment, given or deducted


class NumberedForm(forms.Form):
    """A form that adds something under the next number of its kind, with a reason."""

    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=500)


class AdjustmentForm(NumberedForm):
    """Points for one player; `entry` once it is valid."""

    field_order = ("player", "points", "reason", "number")

    player = forms.TypedChoiceField(label=_("Player"), coerce=int)
    points = forms.IntegerField(
        label=_("Points"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        help_text=_("With a minus sign they are deducted."),
    )

    def __init__(
        self, entries: Sequence[Entry], data: Mapping[str, Any] | None, **options: Any
    ) -> None:
        """Set up with the players to choose from."""
        super().__init__(data, **options)
        choices = [(each.number, f"{each.number} {each.name}") for each in entries]
        self.fields["player"].choices = [("", "–"), *choices]  # type: ignore[attr-defined]
        self.by_number = {each.number: each for each in entries}

    def clean_points(self) -> int:
        """Return the points, which are not 0."""
        points: int = self.cleaned_data["points"]
        if points == 0:
            raise forms.ValidationError(_("Give or deduct at least one point."))
        return points

    @property
    def entry(self) -> Entry:
        return self.by_number[self.cleaned_data["player"]]


class TieForm(NumberedForm):
    """The order of some tied players: one list for each place. `order` once it is valid."""

    def __init__(
        self, tied: Sequence[Entry], data: Mapping[str, Any] | None, **options: Any
    ) -> None:
        """Set up with the players, in the order in which they are proposed."""
        super().__init__(data, **options)
        choices = [(each.number, f"{each.number} {each.name}") for each in tied]
        places: dict[str, forms.Field] = {
            f"place_{place}": forms.TypedChoiceField(
                label=gettext("Place %(number)s") % {"number": place},
                choices=choices,
                coerce=int,
                initial=entry.number,
            )
            for place, entry in enumerate(tied, 1)
        }
        self.fields = places | self.fields

    @property
    def places(self) -> list[BoundField]:
        """Return the lists, in their order."""
        return [self[name] for name in self.fields if name.startswith("place_")]

    @property
    def order(self) -> list[int]:
        return [self.cleaned_data[field.name] for field in self.places]

    def clean(self) -> dict[str, Any]:
        """Return what was chosen; refuse a player in two places."""
        cleaned = super().clean() or {}
        if not self.errors and len(set(self.order)) < len(self.places):
            raise forms.ValidationError(_("Name each of the tied players once, in their order."))
        return cleaned


class TakeBackForm(ReasonForm):
    """The number of what is taken back."""

    take_back = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput)
