"""The form of the handover page."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.services import handover
from tournaments.services.handover import HandedRound


class HandoverForm(forms.Form):
    """The rounds of a phone as text, which may be scanned from its QR code."""

    rounds = forms.CharField(
        label=_("What the phone shows"),
        help_text=_("Scan the phone’s QR code to fill this in, or paste the copied text."),
        max_length=60_000,
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean_rounds(self) -> list[HandedRound]:
        """Text without a whole round is an error."""
        try:
            return handover.read_handover(self.cleaned_data["rounds"])
        except handover.NotReadable:
            raise ValidationError(
                _(
                    "This does not contain a whole round. Scan the code again, or copy the text "
                    "again."
                )
            ) from None
