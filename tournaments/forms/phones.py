"""The forms by which a phone joins a table."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class PinForm(forms.Form):
    table = forms.IntegerField(
        label=_("Table"),
        min_value=1,
        max_value=9999,
        widget=forms.NumberInput(attrs={"min": 1, "inputmode": "numeric", "autofocus": True}),
    )
    pin = forms.CharField(
        label=_("PIN"),
        help_text=_("The six digits printed on the table card"),
        max_length=12,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )

    def ask_pin_again(self, why: str) -> None:
        """Add the error `why` to the PIN and focus the PIN. The typed values stay."""
        self.add_error("pin", why)
        self.remove_autofocus()
        self.fields["pin"].widget.attrs["autofocus"] = True

    def remove_autofocus(self) -> None:
        self.fields["table"].widget.attrs.pop("autofocus", None)

    def clean_pin(self) -> str:
        """Return the digits of the PIN as ASCII. Other characters are ignored."""
        return "".join(str(int(each)) for each in self.cleaned_data["pin"] if each.isdecimal())


class TableCodeForm(forms.Form):
    """The code of a club table. `services.table_codes` reads it."""

    code = forms.CharField(
        label=_("Table code"),
        help_text=_("Eight letters and digits, such as ABCD 2345. Capital or small letters."),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )

    def ask_again(self, why: str) -> None:
        """Add the error `why` to the code and focus the code. The typed code stays."""
        self.add_error("code", why)
        self.fields["code"].widget.attrs["autofocus"] = True
