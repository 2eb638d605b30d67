"""The form that starts a club table: its players, rules and number of rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.forms.fields import ShortTextInput
from tournaments.forms.rules import RulesForm
from tournaments.i18n.units import proposed_rounds_sentence, unit_words
from tournaments.models.entry_fields import MAX_LENGTHS
from tournaments.models.tournament import MOST_ROUNDS


class StartTableForm(RulesForm):
    """The players in seat order, and the rules. A player without a name gets the usual name."""

    has_points_fields = False  # a club table plays without house points

    partners = forms.BooleanField(
        label=_("Play in partnerships: seats 1 and 3 against 2 and 4"), required=False
    )

    rounds = forms.IntegerField(
        help_text=_("Leave blank to play until you stop."),
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        widget=forms.NumberInput(attrs={"min": 1, "max": MOST_ROUNDS, "inputmode": "numeric"}),
    )

    def __init__(self, rules: scoring.Rules, player_count: int, *args: Any, **kwargs: Any) -> None:
        """Add a name field for each of `player_count` players.

        The field `partners` is removed if the rule set has no partnerships of that many players.
        """
        super().__init__(rules, *args, **kwargs)
        rounds = self.fields["rounds"]
        rounds.label = unit_words("Number of rounds", rules)
        rounds.initial = rules.usual_rounds
        rounds.help_text = f"{rounds.help_text} {proposed_rounds_sentence(rules)}".rstrip()
        self.player_count = player_count
        if player_count not in self.rule_set.partnership_players:
            del self.fields["partners"]
        for seat in self._seats():
            self.fields[_name_field(seat)] = forms.CharField(
                label=gettext("Seat %(number)s") % {"number": seat},
                max_length=MAX_LENGTHS["name"],
                required=False,
                widget=ShortTextInput(
                    attrs={
                        "autocomplete": "off",
                        "enterkeyhint": "next",
                        "placeholder": _usual_name(seat),
                    }
                ),
            )

    def _seats(self) -> range:
        return range(1, self.player_count + 1)

    def name_fields(self) -> Iterator[BoundField]:
        return (self[_name_field(seat)] for seat in self._seats())

    @property
    def names(self) -> list[str]:
        return [self.cleaned_data[_name_field(seat)] or _usual_name(seat) for seat in self._seats()]

    @property
    def planned_rounds(self) -> int | None:
        """None for no limit."""
        planned: int | None = self.cleaned_data["rounds"]
        return planned

    @property
    def wants_partners(self) -> bool:
        return bool(self.cleaned_data.get("partners"))

    def clean(self) -> dict[str, Any]:
        """Add an error to every name that several players have; usual names count, too."""
        cleaned = super().clean()
        seats = [seat for seat in self._seats() if _name_field(seat) in cleaned]
        names = [cleaned[_name_field(seat)] or _usual_name(seat) for seat in seats]
        for seat, name in zip(seats, names, strict=True):
            if names.count(name) > 1:
                message = _("Two players have this name; tell them apart.")
                self.add_error(_name_field(seat), message)
        return cleaned


def _name_field(seat: int) -> str:
    return f"name_{seat}"


def _usual_name(seat: int) -> str:
    # Translators: a player whose name nobody typed; short, as in 1番
    return gettext("Player %(number)s") % {"number": seat}
