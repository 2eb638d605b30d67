"""The form by which the desk settles a dispute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.rounds import set_aside_message
from tournaments.services.rounds import ReasonNeeded


class SettleForm(forms.Form):
    """The version of the round that counts, and why."""

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
    set_aside = forms.BooleanField(label=_("What no longer counts"), required=False)

    def __init__(self, *args: Any, left_over: Sequence[str] = (), **kwargs: Any) -> None:
        """Set up. `left_over` names the rounds that the other version would set aside."""
        super().__init__(*args, **kwargs)
        self.left_over = left_over

    def clean(self) -> dict[str, Any]:
        """Require a reason to change the stored round, and a tick to set rounds aside."""
        cleaned = super().clean() or {}
        if cleaned.get("decision") != self.OTHER:
            return cleaned
        if not cleaned.get("reason"):
            self.add_error("reason", ReasonNeeded.sentence)
        if self.left_over and not cleaned.get("set_aside"):
            self.add_error("set_aside", set_aside_message(self.left_over))
        return cleaned
