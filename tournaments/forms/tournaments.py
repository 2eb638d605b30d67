"""A tournament's name, day and place, and the rules it is played by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.forms.rules import RulesForm
from tournaments.i18n.sentences import listed
from tournaments.i18n.units import proposed_rounds, unit_words
from tournaments.models import Sitting, Tournament
from tournaments.models.tournament import MOST_ROUNDS

HOW_MANY = (
    "How many rounds every table plays before everybody is seated anew. Empty: until time runs out."
)
SETTLED = (
    *("name", "held_on", "venue", "rounds_per_session"),
    *("partners", "accepting", "totals_only"),
)


class DateInput(forms.DateInput):
    """A date as browsers ask for it; typed as 2026-01-31 where they do not."""

    input_type = "date"

    def __init__(self) -> None:
        """Use the one format that the standard allows."""
        super().__init__(format="%Y-%m-%d")


class TournamentForm(RulesForm):
    """What a tournament settles before play."""

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
        help_text=_("Once the other side has accepted it, only the desk can correct it."),
        required=False,  # whoever does not say leaves it as it is
    )
    totals_only = forms.BooleanField(
        label=_("Only final totals are taken down, no deals"),
        help_text=_("For the sessions seated from now on; those already seated stay as they are."),
        required=False,
    )

    def __init__(self, tournament: Tournament, *args: Any, **kwargs: Any) -> None:
        """Start from what the tournament has settled so far."""
        self.tournament = tournament
        settled = {name: getattr(tournament, name) for name in SETTLED}
        super().__init__(tournament.rules, *args, initial=settled, **kwargs)
        self._speak_of_rounds_or_deals(tournament.rules)
        if tournament._state.adding:  # a new one begins with its name
            self.fields["name"].widget.attrs["autofocus"] = True
        if not self.rule_set.partners_of:
            del self.fields["partners"]

    def _speak_of_rounds_or_deals(self, rules: scoring.Rules) -> None:
        field = self.fields["rounds_per_session"]
        field.label = unit_words("Rounds per session", rules)
        field.help_text = f"{unit_words(HOW_MANY, rules)} {proposed_rounds(rules)}".rstrip()

    def clean_accepting(self) -> str:
        """Return who accepts: as chosen, else as it is."""
        return str(self.cleaned_data["accepting"] or self.tournament.accepting)

    def freeze(self) -> None:
        """Show the rules, partnerships among them, as they are."""
        super().freeze()
        if "partners" in self.fields:
            self.fields["partners"].disabled = True

    def refuse_rules(self) -> None:
        """Say that the rules can no longer change, and show them as they are; keep all else."""
        self.freeze()
        self.rules = self.tournament.rules
        self.add_error(
            None,
            _(
                "A result has been recorded since you opened this page, so the rules stay as they "
                "are. Everything else stands below as you typed it: save again."
            ),
        )

    def refuse_partners(self, tables: Iterable[Sitting]) -> None:
        """Say at which tables another number of players sit than this allows."""
        words = gettext(
            "Another number of players than this allows sit at these tables: %(tables)s. "
            "Leave it as it is, or set up a new tournament."
        )
        named = [
            gettext("Session %(session)s, table %(table)s")
            % {"session": each.session.number, "table": each.number}
            for each in tables
        ]
        self.add_error("partners", words % {"tables": listed(named)})

    def settled(self) -> Tournament:
        """Return the tournament with all but its rules as typed; nothing is stored."""
        for name in SETTLED:
            if name != "partners":  # is changed with the rules, and frozen with them
                setattr(self.tournament, name, self.cleaned_data[name])
        return self.tournament

    @property
    def wants_partners(self) -> bool:
        """Return whether partnerships were chosen."""
        return bool(self.cleaned_data.get("partners"))
