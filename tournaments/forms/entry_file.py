"""A file of players, chosen in the browser."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.files.entry_files import LARGEST, MOST_ENTRIES, BadFile, LineProblem, read_entries
from tournaments.forms import NO_FILE

MOST_TOLD = 50  # problems; whoever has mended these reads the rest the next time


class EntryFileForm(forms.Form):
    """A CSV or Excel file. Its lines come in exactly as they stand, or none of them does."""

    file = forms.FileField(
        label=_("Excel or CSV file"),
        help_text=_(
            "The first line names the columns: name, and if you like club, class, contact, "
            "year of birth, notes. The last three are seen by the staff only."
        ),
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.tsv,.txt"}),
        error_messages=NO_FILE,
    )
    encoding = forms.ChoiceField(
        label=_("Characters"),
        required=False,
        choices=[
            ("", _("Excel, or CSV in UTF-8")),
            ("cp932", _("CSV in Shift_JIS (cp932), as Japanese Excel saves it")),
        ],
    )

    def __init__(self, *args: Any, room: int = MOST_ENTRIES, **kwargs: Any) -> None:
        """Set up; `room` is for how many more players there are numbers."""
        super().__init__(*args, **kwargs)
        self.room = room

    def clean(self) -> dict[str, Any]:
        """Put the `people` of the file beside it, or every problem with it on its field."""
        cleaned = super().clean() or {}
        if file := cleaned.get("file"):
            try:
                cleaned["people"] = self._read(file, cleaned.get("encoding", ""))
            except ValidationError as problems:
                self.add_error("file", problems)
        return cleaned

    def _read(self, file: Any, encoding: str) -> list[dict[str, Any]]:
        try:
            people = read_entries(file.read(LARGEST + 1), encoding)
        except BadFile as bad:
            raise ValidationError(_told(bad.problems)) from bad
        if len(people) > self.room:
            words = gettext("There is room for %(room)s more players; take some lines out.")
            raise ValidationError(words % {"room": self.room})
        return people


def _told(problems: list[LineProblem]) -> list[str]:
    """Return the problems as sentences, each with its line."""
    said = [
        gettext("Line %(number)s: %(problem)s") % {"number": each.line, "problem": each.message}
        if each.line
        else each.message
        for each in problems[:MOST_TOLD]
    ]
    if more := len(problems) - MOST_TOLD:
        said += [gettext("And %(more)s more.") % {"more": more}] if more > 0 else []
    return said
