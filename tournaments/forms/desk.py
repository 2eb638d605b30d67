"""What the desk decides, and why."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class SettleForm(forms.Form):
    """Which of two facts about a round stands."""

    STORED, OTHER = "stored", "other"

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    decision = forms.ChoiceField(
        label=_("Which one is right?"),
        choices=[(STORED, _("The stored one stays")), (OTHER, _("The other one replaces it"))],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Needed if the other one replaces what is stored."),
        max_length=500,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """Ask for a reason where something recorded changes."""
        cleaned = super().clean() or {}
        if cleaned.get("decision") == self.OTHER and not cleaned.get("reason"):
            self.add_error("reason", _("Say why the recorded round is changed."))
        return cleaned
