"""The form for a deal of Gouji: the order of going out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.variants.gouji import PLACES
from tournaments.forms.rounds import RoundForm, number_or_text
from tournaments.i18n.sentences import isolated


class FinishForm(RoundForm):
    """A deal of Gouji: in which place each player went out, and the teams."""

    template = "rounds/finish.html"

    def add_fields(self) -> None:
        """Add a place and a team for each player; initially teams are every other seat."""
        places = [(str(place), str(place)) for place in range(1, len(PLACES) + 1)]
        for i, entry in enumerate(self.sheet.entries):
            self.fields[f"place_{entry.key}"] = forms.ChoiceField(
                label=entry.name, choices=places, widget=forms.RadioSelect, required=False
            )
            self.fields[f"team_{entry.key}"] = forms.ChoiceField(
                label=entry.name,
                choices=(("1", _("Team 1")), ("2", _("Team 2"))),
                initial=str(i % 2 + 1),
                widget=forms.RadioSelect,
                required=False,
            )

    def initial_from(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the initial values for a recorded deal."""
        initial = {f"place_{player}": str(i) for i, player in enumerate(facts["finish"], 1)}
        for i, team in enumerate(facts.get("teams", ()), 1):
            initial |= {f"team_{player}": str(i) for player in team}
        return initial

    def facts(self) -> dict[str, Any]:
        """Return the typed facts; with teams only where they are not every other seat."""
        players = self.sheet.players
        places = {player: number_or_text(self[f"place_{player}"].value()) for player in players}
        placed = [player for player in players if places[player] in range(1, len(PLACES) + 1)]
        placed.sort(key=places.__getitem__)
        teams = [
            [player for player in players if self[f"team_{player}"].value() == team]
            for team in ("1", "2")
        ]
        usual = [list(players[::2]), list(players[1::2])]
        facts: dict[str, Any] = {"finish": placed}
        return facts if teams == usual else facts | {"teams": teams}

    def field_at(self, place: str) -> None:
        """Return None: problems with order or teams are about no single field."""

    def clean(self) -> dict[str, Any]:
        """Add an error to each player without a place, or with a place already taken."""
        cleaned = super().clean()
        taken: dict[str, str] = {}
        for entry in self.sheet.entries:
            field = f"place_{entry.key}"
            place = self[field].value()
            if not place:
                self.add_error(field, _("Which place?"))
            elif place in taken:
                self.add_error(
                    field,
                    _("%(name)s has this place already.") % {"name": isolated(taken[place])},
                )
            else:
                taken[place] = entry.name
        return cleaned

    def rows(self) -> list[tuple[str, Any, Any]]:
        """Return each player's name, places and teams, in seat order."""
        return [
            (entry.name, self[f"place_{entry.key}"], self[f"team_{entry.key}"])
            for entry in self.sheet.entries
        ]
