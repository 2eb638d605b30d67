"""Fields that several forms share."""

from __future__ import annotations

from typing import Any

from django import forms

from tournaments.paper_entry.dashes import narrow


class SignedField(forms.IntegerField):
    """A whole number that may be negative, with any minus sign.

    It is typed as text: a browser's own field for numbers empties itself at ー5 and −5.
    """

    widget = forms.TextInput

    def __init__(self, **options: Any) -> None:
        """Set up with the options of an `IntegerField`."""
        options.setdefault("widget", forms.TextInput(attrs={"size": 6, "autocomplete": "off"}))
        super().__init__(**options)

    def to_python(self, value: Any) -> int | None:
        """Return the number; None for an empty field. Raises `ValidationError`."""
        read: int | None = super().to_python(narrow(value) if isinstance(value, str) else value)
        return read
