"""The forms that end or remove a session."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class ReasonForm(forms.Form):
    """An optional reason for the audit trail."""

    reason = forms.CharField(label=_("Reason"), max_length=500, required=False)


class EndSessionForm(ReasonForm):
    """The unfinished tables, all of which have to be ticked before the session ends."""

    STILL_PLAYING = _(
        "Some tables are still playing: tick each that stops as it is, or wait for it."
    )

    stopping = forms.TypedMultipleChoiceField(
        coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, tables: list[int], *args: Any, **kwargs: Any) -> None:
        """Set up with the numbers of the unfinished tables."""
        super().__init__(*args, **kwargs)
        self.fields["stopping"].choices = [(number, number) for number in tables]  # type: ignore[attr-defined]
        self.tables = tables

    def clean_stopping(self) -> list[int]:
        """Return the ticked tables."""
        ticked: list[int] = self.cleaned_data["stopping"]
        if set(ticked) != set(self.tables):
            raise forms.ValidationError(self.STILL_PLAYING)
        return ticked
