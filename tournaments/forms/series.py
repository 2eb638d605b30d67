"""The forms of a series: its season rules, its owners, and players who are the same person."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.forms.boundfield import BoundField
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.season.rules import TIE_BREAKS, BadSeasonRules, read_season_rules
from tournaments.i18n import sentences
from tournaments.i18n.series import COUNTING, STEPS
from tournaments.models import Entry, Series
from tournaments.queries.same_players import entries_by_key
from tournaments.queries.season import PlayerKey, Season
from tournaments.web.numbers import parse_number

SEPARATORS = re.compile(r"[\s,、，;・\-‐–−ー]+")
STEP_NAMES = tuple(f"step_{number}" for number in range(1, len(TIE_BREAKS) + 1))


class SeriesForm(forms.Form):
    """Name, season and rules of a series. `rules` is set once the form is valid.

    It is the document that `read_season_rules` reads.
    """

    name = forms.CharField(label=pgettext_lazy("of a series", "Name"), max_length=200)
    season = forms.CharField(
        label=_("Season"),
        max_length=60,
        required=False,
        help_text=_("For example the year; shown after the name."),
    )
    counting = forms.ChoiceField(
        label=_("What is added up"), choices=list(COUNTING.items()), widget=forms.RadioSelect
    )
    place_points = forms.CharField(
        label=_("Points for each place, from the first"),
        max_length=1000,
        required=False,
        help_text=_("Used if places are added up. Later places get none."),
    )
    best = forms.IntegerField(
        label=_("How many results of a player count"),
        required=False,
        min_value=0,
        help_text=_("The best ones. Leave blank for all."),
    )
    least = forms.IntegerField(
        label=_("Tournaments a player must play to be ranked"),
        required=False,
        min_value=1,
        help_text=_("Leave blank for one."),
    )

    def __init__(self, series: Series, data: Mapping[str, Any] | None) -> None:
        rules = series.season_rules
        initial = {
            "name": series.name,
            "season": series.season,
            "counting": rules.counting,
            "place_points": "-".join(map(str, rules.place_points)),
            "best": rules.best or None,
            "least": rules.least,
        }
        super().__init__(data, initial=initial)
        for i, name in enumerate(STEP_NAMES):
            self.fields[name] = forms.ChoiceField(
                label=gettext("Step %(number)s") % {"number": i + 1},
                choices=[("", "–"), *STEPS.items()],
                required=False,
                initial=rules.tie_breaks[i] if i < len(rules.tie_breaks) else "",
            )

    @property
    def steps(self) -> list[BoundField]:
        return [self[name] for name in STEP_NAMES]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        filled_steps = [name for name in STEP_NAMES if cleaned[name]]
        document = {
            "counting": cleaned["counting"],
            "best": cleaned["best"] or 0,
            "least": cleaned["least"] or 1,
            "tie_breaks": [cleaned[name] for name in filled_steps],
        }
        if points := _read_place_points(cleaned["place_points"]):
            document["place_points"] = points
        try:
            self.rules = read_season_rules(document).as_json()
        except BadSeasonRules as bad:
            for problem in bad.problems:
                name, _bracket, index = problem.at.partition("[")
                field = filled_steps[int(index[:-1])] if name == "tie_breaks" else name
                self.add_error(field, sentences.problem_sentence(problem, {}))
        return cleaned

    def settings(self) -> dict[str, Any]:
        """Return the settings that `services.series.edit_series` takes. Call it if it is valid."""
        names = ("name", "season")
        return {**{name: self.cleaned_data[name] for name in names}, "rules": self.rules}


def _read_place_points(typed: str) -> list[int | None]:
    """Return the typed numbers, with None for a text that is no number.

    Empty if nothing is typed: then the usual points count.
    """
    return [parse_number(part) for part in SEPARATORS.split(typed) if part]


class OwnerForm(forms.Form):
    """The name of an account that may edit the series from now on.

    `user`, the account, is set once the form is valid.
    """

    username = forms.CharField(
        label=_("Account name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    def clean_username(self) -> str:
        """The name of an unknown or disabled account is an error."""
        name = str(self.cleaned_data["username"])
        self.user = User.objects.filter(username=name, is_active=True).first()
        if self.user is None:
            raise forms.ValidationError(_("There is no account with this name: correct it."))
        return name


def read_pairs(season: Season, values: Sequence[str]) -> list[tuple[Entry, Entry]] | None:
    """Return the pairs of players in posted values such as `12.3=15.7`; makes one query.

    A player is written as the primary key of the tournament and the player's number. Returns None
    if a value has another form, or if a player is not in the season table.
    """
    key_pairs = [[_read_player_key(part) for part in value.split("=")] for value in values]
    if any(len(pair) != 2 or None in pair for pair in key_pairs):
        return None
    entries = entries_by_key(season, {key for pair in key_pairs for key in pair if key})
    pairs = [[entries.get(key) for key in pair if key] for pair in key_pairs]
    complete_pairs = [(first, second) for first, second in pairs if first and second]
    return complete_pairs if len(complete_pairs) == len(key_pairs) else None


def _read_player_key(text: str) -> PlayerKey | None:
    """Return the primary key of a tournament and a player's number from a text such as `12.3`.

    None for a text of another form.
    """
    event_text, _point, number_text = text.partition(".")
    event, number = parse_number(event_text), parse_number(number_text)
    return None if event is None or number is None else (event, number)
