"""Fields that several forms share."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from tournaments.models.registration_settings import EARLIEST, LATEST
from tournaments.paper_entry.dashes import narrow


class ShortTextInput(forms.TextInput):
    """A text field that shows at most what a browser lets its reader type.

    Only a request that no browser sends contains a longer text.
    """

    def format_value(self, value: Any) -> str | None:
        text: str | None = super().format_value(value)
        return text[: int(self.attrs["maxlength"])] if text else text


class MomentInput(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class MomentField(forms.DateTimeField):
    """A time in the years 1900 to 2999, as browsers send it or as it is typed."""

    widget = MomentInput
    default_validators = [MinValueValidator(EARLIEST), MaxValueValidator(LATEST)]
    input_formats = ("%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S")


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
