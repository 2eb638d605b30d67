"""The base of forms that store a new version of something."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.fields import ShortTextInput
from tournaments.models.field_types import LONGEST_REASON


class CorrectionForm(forms.Form):
    """The version that the page showed (`seen`), and a reason. Subclasses add the facts."""

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Reason for the correction"),
        help_text=_("The old version stays on record beside the new one."),
        max_length=LONGEST_REASON,
        widget=ShortTextInput,
        required=False,
    )
