"""The form for the settings and rules of a tournament."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.forms.rules import RulesForm
from tournaments.i18n.sentences import listed
from tournaments.i18n.session_names import session_name
from tournaments.i18n.units import proposed_rounds_sentence, unit_words
from tournaments.models import Sitting, Tournament
from tournaments.models.field_types import YEARS, has_sane_year
from tournaments.models.tournament import MOST_ROUNDS

ROUNDS_HELP = (
    "How many rounds every table plays before everybody is seated again. Leave blank to play "
    "until time runs out."
)


class DateInput(forms.DateInput):
    """The browser's date picker; a browser without date pickers shows a text field."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class TournamentForm(RulesForm):
    name = forms.CharField(label=pgettext_lazy("of a tournament", "Name"), max_length=200)
    held_on = forms.DateField(label=_("Date"), widget=DateInput())
    venue = forms.CharField(label=_("Venue"), max_length=200, required=False)
    rounds_per_session = forms.IntegerField(
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
    )
    partners = forms.BooleanField(
        label=_("Play in partnerships: seats 1 and 3 against 2 and 4"), required=False
    )
    accepting = forms.ChoiceField(
        label=_("Who accepts a round"),
        choices=Tournament.Accepting.choices,
        help_text=_(
            "Once the other side has accepted a round, only the desk can correct it. Rounds that "
            "are recorded already have to be accepted, too."
        ),
        required=False,  # a missing value leaves the setting unchanged
    )
    totals_only = forms.BooleanField(
        label=_("Record only the final totals, no deals"),
        help_text=_(
            "Applies to sessions seated from now on; those already seated stay as they are."
        ),
        required=False,
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        """`tournament` may be unsaved."""
        self.tournament = tournament
        present = {name: getattr(tournament, name) for name in self.base_fields}
        super().__init__(tournament.rules, *args, initial=present, **kwargs)
        self._name_rounds_or_deals(tournament.rules)
        if tournament._state.adding:  # new
            self.fields["name"].widget.attrs["autofocus"] = True
        if not self.rule_set.partnership_players:
            del self.fields["partners"]

    def _name_rounds_or_deals(self, rules: scoring.Rules) -> None:
        """Set label and help text of `rounds_per_session`, with the rule set's word for a round."""
        field = self.fields["rounds_per_session"]
        field.label = unit_words("Rounds per session", rules)
        field.help_text = (
            f"{unit_words(ROUNDS_HELP, rules)} {proposed_rounds_sentence(rules)}".rstrip()
        )

    def clean_held_on(self) -> date:
        held_on: date = self.cleaned_data["held_on"]
        if not has_sane_year(held_on):
            raise forms.ValidationError(YEARS, "year")
        return held_on

    def clean_accepting(self) -> str:
        """Return the present value if none is chosen."""
        return str(self.cleaned_data["accepting"] or self.tournament.accepting)

    def freeze(self) -> None:
        super().freeze()
        if "partners" in self.fields:
            self.fields["partners"].disabled = True

    def refuse_rules(self) -> None:
        """Add an error that the rules can no longer change, and show the present rules.

        The other fields keep what was typed.
        """
        self.freeze()
        self.rules = self.tournament.rules
        self.add_error(
            None,
            _(
                "A result has been recorded since you opened this page, so the rules stay as they "
                "are. Everything else is below as you typed it: save again."
            ),
        )

    def refuse_partners(self, tables: Iterable[Sitting]) -> None:
        """Add an error to `partners`: these tables have a number of players that it excludes."""
        words = gettext(
            "This does not allow the number of players at these tables: %(tables)s. Leave it as "
            "it is, or create a new tournament."
        )
        named = [
            gettext("%(session)s, table %(table)s")
            % {
                "session": session_name(sitting.session.number, self.tournament.play_off_numbers),
                "table": sitting.shown_number,
            }
            for sitting in tables
        ]
        self.add_error("partners", words % {"tables": listed(named)})

    def with_typed_settings(self) -> Tournament:
        """Return the tournament, unsaved, with the typed settings.

        Rules and partnerships are unchanged: `services.tournaments` sets them together.
        """
        for name in self.base_fields:
            if name != "partners":
                setattr(self.tournament, name, self.cleaned_data[name])
        return self.tournament

    @property
    def wants_partners(self) -> bool:
        return bool(self.cleaned_data.get("partners"))
