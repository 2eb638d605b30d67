"""The form of one player."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from tournaments.models.entry_fields import (
    ENTRY_FIELDS,
    MAX_LENGTHS,
    PRIVATE_FIELDS,
    PUBLIC_FIELDS,
)
from tournaments.spreadsheets.people import bad_year_message, parse_birth_year
from tournaments.spreadsheets.sheets import LINE_END


class EntryForm(forms.Form):
    """One player. `contact`, `birth_year` and `notes` are private."""

    birth_year = forms.CharField(
        label=ENTRY_FIELDS["birth_year"].label,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6}),
        required=False,
    )
    notes = forms.CharField(
        label=ENTRY_FIELDS["notes"].label,
        widget=forms.Textarea(attrs={"rows": 3}),
        strip=False,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Add a text field for each entry field that the class does not define."""
        super().__init__(*args, **kwargs)
        text_fields = {
            name: forms.CharField(
                label=field.label,
                help_text=field.help_text,
                max_length=field.max_length,
                required=name == "name",
            )
            for name, field in ENTRY_FIELDS.items()
        }
        self.fields = text_fields | self.fields  # the fields of the class replace text fields
        self.order_fields(ENTRY_FIELDS)

    def public_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in PUBLIC_FIELDS]

    def private_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in PRIVATE_FIELDS]

    def clean_birth_year(self) -> int | None:
        typed = self.cleaned_data["birth_year"]
        year = parse_birth_year(typed)
        if typed and year is None:
            raise ValidationError(bad_year_message(typed))
        return year

    def clean_notes(self) -> str:
        """Return the notes with normalised line ends.

        Browsers change the line ends of stored notes: notes that differ from the initial ones only
        in that are returned exactly as stored.
        """
        notes, initial = _normalise_lines(self.cleaned_data["notes"]), self.initial.get("notes", "")
        if notes == _normalise_lines(initial):
            return str(initial)
        if problem := length_problem(notes, MAX_LENGTHS["notes"]):
            raise ValidationError(problem)
        return notes


def _normalise_lines(text: str) -> str:
    r"""Return a text with line ends \n, stripped of white space around it."""
    return LINE_END.sub("\n", text).strip()


def length_problem(text: str, longest: int) -> str:
    """Return the problem of a text longer than `longest`; empty if it is short enough."""
    if len(text) <= longest:
        return ""
    words = gettext("“%(start)s…” has %(length)s characters; at most %(longest)s are allowed.")
    return words % {"start": text[:20], "length": len(text), "longest": longest}
