"""Forms for adjustments of points and for decisions on ties, and the forms that take them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import SignedField
from tournaments.forms.players import PlayerField, find_among
from tournaments.forms.sessions import ReasonForm
from tournaments.models import Entry
from tournaments.models.field_types import LONGEST_REASON
from tournaments.models.people import search_key
from tournaments.services.adjustments import NoPoints
from tournaments.web.numbers import MAX_NUMBER

MOST_POINTS = 9999  # of one adjustment, given or deducted


class NumberedForm(forms.Form):
    """The base of forms that add an adjustment or a decision, with a reason.

    `number` is its number: the next number when the page was made.
    """

    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON)


class AdjustmentForm(NumberedForm):
    """Points for a player or for a team, which is named."""

    field_order = ("player", "team", "points", "reason", "number")

    player = PlayerField(label=_("Player"), required=False)
    team = forms.CharField(
        label=_("Or a whole team"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"list": "teams", "size": 24}),
    )
    points = SignedField(
        label=_("Points"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        help_text=_("A minus sign deducts them."),
    )

    def __init__(
        self, entries: Sequence[Entry], data: Mapping[str, Any] | None, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.players = find_among(self, "player", entries)
        self.teams = sorted({each.team for each in entries} - {""})
        if not self.teams:
            del self.fields["team"]

    def clean_team(self) -> str:
        """Return the team's name as the players have it, however it is typed; empty without one.

        A name that no player's team has is an error.
        """
        typed = self.cleaned_data["team"]
        team = next((each for each in self.teams if search_key(each) == search_key(typed)), "")
        if typed and not team:
            raise forms.ValidationError(_("There is no team with this name. Check the name."))
        return team

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        has_errors = bool({"player", "team"} & self.errors.keys())
        if not has_errors and bool(cleaned.get("player")) == bool(cleaned.get("team")):
            words = _("Enter a player or a team.") if self.teams else _("Enter a player.")
            self.add_error("player", words)
        return cleaned

    def clean_points(self) -> int:
        points: int = self.cleaned_data["points"]
        if points == 0:
            raise forms.ValidationError(NoPoints.sentence)
        return points

    @property
    def player_or_team(self) -> Entry | str:
        """Call it if the form is valid."""
        player: Entry | None = self.cleaned_data["player"]
        team: str = self.cleaned_data.get("team", "")
        return player or team


class TieForm(NumberedForm):
    """The places of tied players among themselves, from 1."""

    def __init__(
        self, tied: Sequence[Entry], data: Mapping[str, Any] | None, **options: Any
    ) -> None:
        super().__init__(data, **options)
        self.tied = list(tied)
        place_fields: dict[str, forms.Field] = {
            _place_field_name(each): forms.IntegerField(
                label=f"{each.number} {each.name}", min_value=1, max_value=len(self.tied)
            )
            for each in self.tied
        }
        self.fields = place_fields | self.fields

    @property
    def place_fields(self) -> list[BoundField]:
        return [self[_place_field_name(each)] for each in self.tied]

    @property
    def order(self) -> list[int]:
        """Return the numbers of the players by place. Call it if the form is valid."""
        places = {each.number: self.cleaned_data[_place_field_name(each)] for each in self.tied}
        return sorted(places, key=lambda number: int(places[number]))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        places = [cleaned[field.name] for field in self.place_fields if field.name in cleaned]
        if len(set(places)) < len(places):
            raise forms.ValidationError(_("Enter each place once, starting from 1."))
        return cleaned


class LotForm(forms.Form):
    """A button that decides a tie by lot: the number of the new decision."""

    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput)


def _place_field_name(entry: Entry) -> str:
    return f"place_{entry.number}"


class TakeBackForm(ReasonForm):
    """The number of an adjustment or decision that is taken back, and an optional reason."""

    take_back = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput)


class TakeBackDecisionForm(TakeBackForm):
    """The number of a decision on a tie that is taken back, and a required reason."""

    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON)
