"""An archived event, chosen in the browser."""

from __future__ import annotations

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.archives import LARGEST, SUFFIX, TooLarge
from tournaments.forms import NO_FILE


class ArchiveFileForm(forms.Form):
    """One file. Whether it is an archive, `archives.bring_in` says."""

    file = forms.FileField(
        label=_("Archived tournament"),
        help_text=format_lazy(_("Its name ends in {suffix}."), suffix=SUFFIX),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        error_messages=NO_FILE,
    )

    def clean_file(self) -> bytes:
        """Return what is in it."""
        file = self.cleaned_data["file"]
        if file.size > LARGEST:
            raise forms.ValidationError(str(TooLarge.sentence))
        content: bytes = file.read()
        return content
