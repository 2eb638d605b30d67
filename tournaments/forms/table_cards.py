"""The form that chooses the table cards to print."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.paper_entry.dashes import narrow

PART = re.compile(r"(\d{1,5})(?:[-〜~](\d{1,5}))?")


class TableCardsForm(forms.Form):
    tables = forms.CharField(
        label=gettext_lazy("Tables"),
        help_text=gettext_lazy("Numbers such as 1 4 7-12. Leave blank for all tables."),
        max_length=2000,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    new_links = forms.BooleanField(label=gettext_lazy("New links, too"), required=False)

    def __init__(
        self,
        numbers: Collection[int],
        origins: Sequence[str],
        data: Any = None,
        *,
        is_reprint: bool = False,
    ) -> None:
        """Set up with the numbers of the session's tables, and the addresses to choose from.

        With `is_reprint` an empty `tables` is an error, since a new card ends the PIN in use.
        """
        super().__init__(data)
        self.numbers = numbers
        if is_reprint:
            self._require_tables()
        if len(origins) > 1:
            self.fields["at"] = forms.ChoiceField(
                label=gettext_lazy("Address on the cards"),
                help_text=gettext_lazy("The address in the Wi-Fi that the phones use."),
                choices=[(each, each) for each in origins],
                widget=forms.RadioSelect,
                initial=origins[0],
            )

    def _require_tables(self) -> None:
        """Make the field `tables` required, with texts that say what a new card does."""
        all_tables = f"{min(self.numbers)}-{max(self.numbers)}"
        field = self.fields["tables"]
        field.required = True
        field.help_text = _(
            "Numbers such as 1 4 7-12. Only these tables get a new card. All tables: %(every)s"
        ) % {"every": all_tables}
        field.error_messages["required"] = _(
            "Enter which tables get a new card; their present cards stop working. All: %(every)s"
        ) % {"every": all_tables}

    def clean_tables(self) -> set[int]:
        """An empty field means all tables, unless it is required."""
        text = re.sub(r"\s*([-〜~])\s*", r"\1", narrow(self.cleaned_data["tables"]))
        parts = [part for part in re.split(r"[\s,、，]+", text) if part]
        field = self.fields["tables"]
        if field.required and not parts:
            raise ValidationError(field.error_messages["required"])
        numbers = {number for part in parts for number in self._numbers_in(part)}
        return numbers or set(self.numbers)

    def _numbers_in(self, part: str) -> set[int]:
        """Return the table numbers in `part`, a number or a range such as ``7-12``.

        Numbers within a range that are no table are left out. Raises `ValidationError` if the
        number, or the first or last number of the range, is no table.
        """
        match = PART.fullmatch(part)
        first = int(match[1]) if match else 0
        last = int(match[2] or match[1]) if match else 0
        numbers = {number for number in self.numbers if first <= number <= last}
        if not numbers or not {first, last} <= numbers:
            raise ValidationError(_("There is no table %(number)s.") % {"number": part[:20]})
        return numbers
