"""The form by which the desk settles a dispute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.rounds import set_aside_message
from tournaments.models.field_types import LONGEST_REASON
from tournaments.services.rounds import ReasonNeeded


class SettleForm(forms.Form):
    STORED, OTHER = "stored", "other"

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    decision = forms.ChoiceField(
        label=_("Which one is right?"),
        choices=[(STORED, _("The saved one stays")), (OTHER, _("The other one replaces it"))],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Needed if the other one replaces what is saved."),
        max_length=LONGEST_REASON,
        required=False,
    )
    set_aside = forms.BooleanField(label=_("What no longer counts"), required=False)

    def __init__(self, *args: Any, rounds_to_set_aside: Sequence[str] = (), **kwargs: Any) -> None:
        """`rounds_to_set_aside` are titles of the rounds that `OTHER` would set aside."""
        super().__init__(*args, **kwargs)
        self.rounds_to_set_aside = rounds_to_set_aside

    def clean(self) -> dict[str, Any]:
        """Require a reason if the other version counts, and a tick if it sets rounds aside."""
        cleaned = super().clean() or {}
        if cleaned.get("decision") != self.OTHER:
            return cleaned
        if not cleaned.get("reason"):
            self.add_error("reason", ReasonNeeded.sentence)
        if self.rounds_to_set_aside and not cleaned.get("set_aside"):
            self.add_error("set_aside", set_aside_message(self.rounds_to_set_aside))
        return cleaned
