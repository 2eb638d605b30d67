"""A backup from elsewhere, chosen in the browser."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms import NO_FILE


class BackupFileForm(forms.Form):
    """One file. Whether it is a backup, `backups.bring_in` says."""

    file = forms.FileField(
        label=_("Backup file"),
        help_text=_("Its name begins with makiyaku- and ends in .zip."),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        error_messages=NO_FILE,
    )
