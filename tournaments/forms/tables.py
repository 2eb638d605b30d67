"""One table tonight: who sits down, and what they agreed on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.forms.rules import RulesForm
from tournaments.i18n.units import proposed_rounds
from tournaments.models.people import MAX_LENGTHS
from tournaments.models.tournament import MOST_ROUNDS


class JoinForm(forms.Form):
    """Which table, and the PIN on its card."""

    table = forms.IntegerField(
        label=_("Table"),
        min_value=1,
        max_value=9999,
        widget=forms.NumberInput(attrs={"min": 1, "inputmode": "numeric", "autofocus": True}),
    )
    pin = forms.CharField(
        label=_("PIN"),
        help_text=_("Six digits, printed on the card of the table"),
        max_length=12,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )

    def ask_pin_again(self, why: str) -> None:
        """Say why the PIN was not taken; what was typed stays, and the PIN is where one types."""
        self.add_error("pin", why)
        self.remove_autofocus()
        self.fields["pin"].widget.attrs["autofocus"] = True

    def remove_autofocus(self) -> None:
        """Leave the focus to another field of the page."""
        self.fields["table"].widget.attrs.pop("autofocus", None)

    def clean_pin(self) -> str:
        """Return the digits alone, however they were typed."""
        return "".join(str(int(each)) for each in self.cleaned_data["pin"] if each.isdecimal())


class JoinByCodeForm(forms.Form):
    """The code of a club table. What it is like is told by `phones.table_codes`, which reads it."""

    code = forms.CharField(
        label=_("Table code"),
        help_text=_("Eight letters and digits, such as ABCD 2345. Small letters do as well."),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )

    def ask_again(self, why: str) -> None:
        """Say why the code was not taken; what was typed stays, and is where one types."""
        self.add_error("code", why)
        self.fields["code"].widget.attrs["autofocus"] = True


class StartTableForm(RulesForm):
    """The players in seat order, and the options they play by. Empty names get their default."""

    with_points = False  # a house rule of points is more than a table settles tonight

    partners = forms.BooleanField(
        label=_("Play in partnerships: seats 1 and 3 against 2 and 4"), required=False
    )

    rounds = forms.IntegerField(
        label=_("Rounds"),
        help_text=_("Empty: until you stop."),
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        widget=forms.NumberInput(attrs={"min": 1, "max": MOST_ROUNDS, "inputmode": "numeric"}),
    )

    def __init__(self, rules: scoring.Rules, players: int, *args: Any, **kwargs: Any) -> None:
        """Set up for so many players."""
        super().__init__(rules, *args, **kwargs)
        rounds = self.fields["rounds"]
        rounds.initial = rules.usual_rounds
        rounds.help_text = f"{rounds.help_text} {proposed_rounds(rules)}".rstrip()
        self.players = players
        if players not in self.rule_set.partners_of:
            del self.fields["partners"]
        for seat in self._seats():
            self.fields[_name_field(seat)] = forms.CharField(
                label=gettext("Seat %(number)s") % {"number": seat},
                max_length=MAX_LENGTHS["name"],
                required=False,
                widget=forms.TextInput(
                    attrs={
                        "autocomplete": "off",
                        "enterkeyhint": "next",
                        "placeholder": _usual_name(seat),
                    }
                ),
            )

    def _seats(self) -> range:
        return range(1, self.players + 1)

    def name_fields(self) -> Iterator[BoundField]:
        """Return the fields for the names, in seat order."""
        return (self[_name_field(seat)] for seat in self._seats())

    @property
    def names(self) -> list[str]:
        """Return the names, in seat order."""
        return [self.cleaned_data[_name_field(seat)] or _usual_name(seat) for seat in self._seats()]

    @property
    def planned(self) -> int | None:
        """Return how many rounds are to be played, None for as many as they like."""
        planned: int | None = self.cleaned_data["rounds"]
        return planned

    @property
    def wants_partners(self) -> bool:
        """Return whether partnerships were chosen."""
        return bool(self.cleaned_data.get("partners"))

    def clean(self) -> dict[str, Any]:
        """See to it that a name means one player."""
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
