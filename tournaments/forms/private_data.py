"""The form for the end of private data."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.tournaments import DateInput
from tournaments.models import Tournament
from tournaments.models.field_types import YEARS, has_sane_year


class PrivateEndForm(forms.Form):
    """The last day of private data; empty for the default."""

    until = forms.DateField(
        label=_("Last day of private data"),
        help_text=_("Leave blank for half a year after the tournament."),
        widget=DateInput(),
        required=False,
    )

    def __init__(self, tournament: Tournament, data: Any = None) -> None:
        self.tournament = tournament
        super().__init__(data, initial={"until": tournament.private_until})

    def clean_until(self) -> date | None:
        """Raises `ValidationError` for a year that must be a typing error."""
        until: date | None = self.cleaned_data["until"]
        if until is not None and not has_sane_year(until):
            raise forms.ValidationError(YEARS, "year")
        return until
