"""The forms that upload and restore a backup."""

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


class RestoreForm(forms.Form):
    """What phones do with rounds that they have sent and the backup lacks."""

    sends_again = forms.ChoiceField(
        label=_("What phones have sent since the backup was made"),
        choices=[
            ("yes", _("Phones resend it once they have scanned their table’s card")),
            ("no", _("It is ignored: everything is meant to go back to that time")),
        ],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what happens to it.")},
    )
