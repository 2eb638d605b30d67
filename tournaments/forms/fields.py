"""Fields that several forms share."""

from __future__ import annotations

from typing import Any

from django import forms

from tournaments.paper_entry.dashes import narrow


class ShortTextInput(forms.TextInput):
    """A text field that shows at most what a browser lets its reader type.

    Only a request that no browser sends contains a longer text.
    """

    def format_value(self, value: Any) -> str | None:
        text: str | None = super().format_value(value)
        return text[: int(self.attrs["maxlength"])] if text else text


class SignedField(forms.IntegerField):
    """A whole number that may be negative, typed with any kind of minus sign or dash.

    The widget is a text field, because a browser's number field discards ー5 and −5.
    """

    widget = forms.TextInput

    def __init__(self, **options: Any) -> None:
        options.setdefault("widget", forms.TextInput(attrs={"size": 6, "autocomplete": "off"}))
        super().__init__(**options)

    def to_python(self, value: Any) -> int | None:
        """None for an empty field. Raises `ValidationError` if it is no number."""
        number: int | None = super().to_python(narrow(value) if isinstance(value, str) else value)
        return number
