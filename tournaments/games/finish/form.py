"""The form for a deal of Gouji: the order in which the players ran out of cards, and the teams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.variants.gouji import PLACES
from tournaments.forms.rounds import RoundForm, number_or_text
from tournaments.i18n.sentences import isolated


class FinishForm(RoundForm):
    """A deal of Gouji: the place and the team of each player.

    The first player without cards has place 1.
    """

    def add_fields(self) -> None:
        """Initially every other seat is in team 1."""
        places = [(str(place), str(place)) for place in range(1, len(PLACES) + 1)]
        for i, (key, name) in enumerate(self.sheet.names.items()):
            self.fields[f"place_{key}"] = forms.ChoiceField(
                label=name, choices=places, widget=forms.RadioSelect, required=False
            )
            self.fields[f"team_{key}"] = forms.ChoiceField(
                label=name,
                choices=(("1", _("Team 1")), ("2", _("Team 2"))),
                initial=str(i % 2 + 1),
                widget=forms.RadioSelect,
                required=False,
            )

    def initial_from(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        initial = {f"place_{player}": str(i) for i, player in enumerate(facts["finish"], 1)}
        for i, team in enumerate(facts.get("teams", ()), 1):
            initial |= {f"team_{player}": str(i) for player in team}
        return initial

    def facts(self) -> dict[str, Any]:
        """Return the typed facts. Players without a place are left out of the order.

        `teams` is left out if the teams are the usual ones, every other seat.
        """
        players = self.sheet.players
        places = {player: number_or_text(self[f"place_{player}"].value()) for player in players}
        placed = [player for player in players if places[player] in range(1, len(PLACES) + 1)]
        placed.sort(key=places.__getitem__)
        teams = [
            [player for player in players if self[f"team_{player}"].value() == team]
            for team in ("1", "2")
        ]
        usual_teams = [list(players[::2]), list(players[1::2])]
        facts: dict[str, Any] = {"finish": placed}
        return facts if teams == usual_teams else facts | {"teams": teams}

    def field_at(self, path: str) -> None:
        """Return None: problems with the order or the teams belong to the whole form."""

    def clean(self) -> dict[str, Any]:
        """Check as `RoundForm` does, and add an error to players without a place of their own."""
        cleaned = super().clean()
        name_by_place: dict[str, str] = {}
        for key, name in self.sheet.names.items():
            field = f"place_{key}"
            place = self[field].value()
            if not place:
                self.add_error(field, _("Which place?"))
            elif place in name_by_place:
                self.add_error(
                    field,
                    _("%(name)s has this place already.")
                    % {"name": isolated(name_by_place[place])},
                )
            else:
                name_by_place[place] = name
        return cleaned

    def rows(self) -> list[tuple[str, Any, Any]]:
        """Return each player's name, field of the place and field of the team, in seat order."""
        return [
            (name, self[f"place_{key}"], self[f"team_{key}"])
            for key, name in self.sheet.names.items()
        ]
