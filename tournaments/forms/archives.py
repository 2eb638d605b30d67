"""The form that uploads an archive."""

from __future__ import annotations

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournaments import archives
from tournaments.archives import LARGEST, SUFFIX, TooLarge
from tournaments.forms import FILE_REQUIRED_MESSAGES
from tournaments.forms.sessions import ReasonForm


class ArchiveFileForm(forms.Form):
    """An uploaded file. `archives.import_archive` checks whether it is an archive."""

    file = forms.FileField(
        label=_("Archived tournament"),
        help_text=format_lazy(_("Its name ends in {suffix}."), suffix=SUFFIX),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        error_messages=FILE_REQUIRED_MESSAGES,
    )

    def clean_file(self) -> bytes:
        file = self.cleaned_data["file"]
        if file.size > LARGEST:
            raise forms.ValidationError(str(TooLarge.sentence))
        content: bytes = file.read()
        return content


class RemovalWithArchiveForm(ArchiveFileForm, ReasonForm):
    """The removal of a tournament with records, of which an archive was saved."""

    field_order = ("file", "reason")

    def clean_file(self) -> str:  # type: ignore[override]
        """Return the digest of the archive's last audit entry. Another file is an error."""
        try:
            return archives.last_entry_digest(super().clean_file())
        except archives.ArchiveError as error:
            raise forms.ValidationError(str(error)) from error
