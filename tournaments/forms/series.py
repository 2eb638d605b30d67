"""The forms of a series: how it is counted, who edits it, and who is the same person."""

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
    """Name, season and rules of a series; `rules` holds the document once the form is valid."""

    name = forms.CharField(label=pgettext_lazy("of a series", "Name"), max_length=200)
    season = forms.CharField(
        label=_("Season"),
        max_length=60,
        required=False,
        help_text=_("For example the year, which stands after the name."),
    )
    counting = forms.ChoiceField(
        label=_("What is added up"), choices=list(COUNTING.items()), widget=forms.RadioSelect
    )
    place_points = forms.CharField(
        label=_("Points for the places, from the first"),
        max_length=1000,
        required=False,
        help_text=_("Where places count. Later places get none."),
    )
    best = forms.IntegerField(
        label=_("How many results of a player count"),
        required=False,
        min_value=0,
        help_text=_("The best ones. Empty: all."),
    )
    least = forms.IntegerField(
        label=_("Tournaments that a player needs for a place"),
        required=False,
        min_value=1,
        help_text=_("Empty: one."),
    )

    def __init__(self, series: Series, data: Mapping[str, Any] | None) -> None:
        """Set up with the present settings."""
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
        """Return the lists of steps, in their order."""
        return [self[name] for name in STEP_NAMES]

    def clean(self) -> dict[str, Any]:
        """Set `rules`, or add every problem as an error of its field."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        chosen = [name for name in STEP_NAMES if cleaned[name]]
        document = {
            "counting": cleaned["counting"],
            "best": cleaned["best"] or 0,
            "least": cleaned["least"] or 1,
            "tie_breaks": [cleaned[name] for name in chosen],
        }
        if numbers := self._place_points(cleaned["place_points"]):
            document["place_points"] = numbers
        try:
            self.rules = read_season_rules(document).as_json()
        except BadSeasonRules as bad:
            for problem in bad.problems:
                name, _bracket, index = problem.at.partition("[")
                field = chosen[int(index[:-1])] if name == "tie_breaks" else name
                self.add_error(field, sentences.problem_sentence(problem, {}))
        return cleaned

    def _place_points(self, typed: str) -> list[int | None]:
        """Return the typed numbers, None for what is none; empty stands for the usual ones."""
        parts = [part for part in SEPARATORS.split(typed) if part]
        return [parse_number(part) for part in parts]

    def settings(self) -> dict[str, Any]:
        """Return what was typed, as `services.series.edit_series` takes it."""
        names = ("name", "season")
        return {**{name: self.cleaned_data[name] for name in names}, "rules": self.rules}


class OwnerForm(forms.Form):
    """An account that is to edit the series; `user` is it once the form is valid."""

    username = forms.CharField(
        label=_("Account name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    def clean_username(self) -> str:
        """Set `user`, or refuse an unknown name."""
        name = str(self.cleaned_data["username"])
        self.user = User.objects.filter(username=name, is_active=True).first()
        if self.user is None:
            raise forms.ValidationError(_("There is no account of this name: correct it."))
        return name


def read_pairs(season: Season, values: Sequence[str]) -> list[tuple[Entry, Entry]] | None:
    """Return the players of posted pairs, such as `12.3=15.7`; None if one is not in the table.

    A player is the primary key of the tournament and the number there. Makes one query.
    """
    wanted = [[_player_key(each) for each in value.split("=")] for value in values]
    if any(len(pair) != 2 or None in pair for pair in wanted):
        return None
    found = entries_by_key(season, {who for pair in wanted for who in pair if who})
    pairs = [[found.get(who) for who in pair if who] for pair in wanted]
    complete = [(one, other) for one, other in pairs if one and other]
    return complete if len(complete) == len(wanted) else None


def _player_key(typed: str) -> PlayerKey | None:
    """Return a tournament's key and a player's number; None if it is something else."""
    event, _point, number = typed.partition(".")
    parsed = parse_number(event), parse_number(number)
    return None if parsed[0] is None or parsed[1] is None else (parsed[0], parsed[1])
