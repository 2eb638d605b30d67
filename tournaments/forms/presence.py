"""Forms of the roll call."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from tournaments.forms.sessions import ReasonForm
from tournaments.queries.presence import Status
from tournaments.web.numbers import MAX_NUMBER

# A button's value: the player's number, the status shown, the new status: 12.expected.present
MARK = re.compile(r"(\d{1,5})\.([a-z]+)\.([a-z]+)", re.ASCII)


class MarkForm(forms.Form):
    """A button of the roll call. Cleaned: `number`, and the statuses `seen` and `status`."""

    mark = forms.CharField(max_length=40)

    def clean(self) -> dict[str, Any]:
        """Replace the cleaned data by the parts of the button's value."""
        cleaned = super().clean() or {}
        match = MARK.fullmatch(cleaned.get("mark", ""))
        if match is None or not {match[2], match[3]} <= set(Status.values):
            raise ValidationError("", code="mark")
        return {"number": int(match[1]), "seen": Status(match[2]), "status": Status(match[3])}


class RestartForm(ReasonForm):
    seen = forms.IntegerField(min_value=0, max_value=MAX_NUMBER, widget=forms.HiddenInput)
