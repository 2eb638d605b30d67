"""The form that uploads a backup."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms import FILE_REQUIRED_MESSAGES


class BackupFileForm(forms.Form):
    """An uploaded file. `backups.add_upload` checks whether it is a backup."""

    file = forms.FileField(
        label=_("Backup file"),
        help_text=_("Its name begins with makiyaku- and ends in .zip."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        error_messages=FILE_REQUIRED_MESSAGES,
    )
