"""Forms for points given or deducted, for decisions on ties, and for taking either back."""

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
from tournaments.models.people import search_key
from tournaments.web.numbers import MAX_NUMBER

MOST_POINTS = 9999  # of one adjustment, given or deducted


class NumberedForm(forms.Form):
    """A form that adds something under the next number of its kind, with a reason."""

    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=500)


class AdjustmentForm(NumberedForm):
    """Points for one player, or for a team by its name; `whose` once it is valid."""

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
        help_text=_("With a minus sign they are deducted."),
    )

    def __init__(
        self, entries: Sequence[Entry], data: Mapping[str, Any] | None, **options: Any
    ) -> None:
        """Set up with the players to choose from."""
        super().__init__(data, **options)
        self.players = find_among(self, "player", entries)
        self.teams = sorted({each.team for each in entries} - {""})
        if not self.teams:
            del self.fields["team"]

    def clean_team(self) -> str:
        """Return the name of the team as it is written in the list of players."""
        typed = self.cleaned_data["team"]
        found = next((each for each in self.teams if search_key(each) == search_key(typed)), "")
        if typed and not found:
            raise forms.ValidationError(_("No player is in a team of this name."))
        return found

    def clean(self) -> dict[str, Any]:
        """Return what was typed; refuse nobody, and a player and a team."""
        cleaned = super().clean() or {}
        is_read = not {"player", "team"} & self.errors.keys()
        if is_read and bool(cleaned.get("player")) == bool(cleaned.get("team")):
            words = _("Name a player, or else a team.") if self.teams else _("Name a player.")
            self.add_error("player", words)
        return cleaned

    def clean_points(self) -> int:
        """Return the points, which are not 0."""
        points: int = self.cleaned_data["points"]
        if points == 0:
            raise forms.ValidationError(_("Give or deduct at least one point."))
        return points

    @property
    def whose(self) -> Entry | str:
        """Return the player, or the name of the team; call it if the form is valid."""
        player: Entry | None = self.cleaned_data["player"]
        team: str = self.cleaned_data.get("team", "")
        return player or team


class TieForm(NumberedForm):
    """The place of each of some tied players, from 1. `order` once it is valid."""

    def __init__(
        self, tied: Sequence[Entry], data: Mapping[str, Any] | None, **options: Any
    ) -> None:
        """Set up with the players who are tied."""
        super().__init__(data, **options)
        self.tied = list(tied)
        places: dict[str, forms.Field] = {
            _place_of(each): forms.IntegerField(
                label=f"{each.number} {each.name}", min_value=1, max_value=len(self.tied)
            )
            for each in self.tied
        }
        self.fields = places | self.fields

    @property
    def places(self) -> list[BoundField]:
        """Return the fields, one for each player."""
        return [self[_place_of(each)] for each in self.tied]

    @property
    def order(self) -> list[int]:
        """Return the numbers of the players, the first place first."""
        places = {each.number: self.cleaned_data[_place_of(each)] for each in self.tied}
        return sorted(places, key=lambda number: int(places[number]))

    def clean(self) -> dict[str, Any]:
        """Return what was typed; refuse a place that is given twice."""
        cleaned = super().clean() or {}
        places = [cleaned[field.name] for field in self.places if field.name in cleaned]
        if len(set(places)) < len(places):
            raise forms.ValidationError(_("Give every place from 1 on to one player only."))
        return cleaned


class LotForm(forms.Form):
    """The number of the decision which a lot for tied players becomes."""

    number = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput)


def _place_of(entry: Entry) -> str:
    """Return the name of the field of a player's place."""
    return f"place_{entry.number}"


class TakeBackForm(ReasonForm):
    """The number of what is taken back."""

    take_back = forms.IntegerField(min_value=1, max_value=MAX_NUMBER, widget=forms.HiddenInput)


class TakeBackDecisionForm(TakeBackForm):
    """The number of a decision on a tie, and why it is taken back."""

    reason = forms.CharField(label=_("Reason"), max_length=500)
