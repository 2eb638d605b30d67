"""Why a session is ended or removed, or an event; and which tables stop before their end."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class ReasonForm(forms.Form):
    """Why, if there is more to say."""

    reason = forms.CharField(label=_("Reason"), max_length=500, required=False)


class EndSessionForm(ReasonForm):
    """Which of the unfinished tables stop as they are: all of them, or the session goes on."""

    stopping = forms.TypedMultipleChoiceField(
        coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, tables: list[int], *args: Any, **kwargs: Any) -> None:
        """Set up with the numbers of the unfinished tables."""
        super().__init__(*args, **kwargs)
        self.fields["stopping"].choices = [(number, number) for number in tables]  # type: ignore[attr-defined]
        self.tables = tables

    def clean_stopping(self) -> list[int]:
        """Return the tables, all of which have to be ticked."""
        chosen: list[int] = self.cleaned_data["stopping"]
        if set(chosen) != set(self.tables):
            raise forms.ValidationError(
                _("Some tables are still playing: tick each that stops as it is, or wait for it.")
            )
        return chosen
