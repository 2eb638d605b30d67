"""The form for the final totals of a table that records no rounds."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms.corrections import CorrectionForm
from tournaments.forms.paper_entry import read_points
from tournaments.i18n.sentences import signed
from tournaments.queries.sheets import Sheet


class DespiteSumField(forms.BooleanField):
    """The tick that accepts another sum than 0."""

    names_itself = True  # its error names the sum, so the list of errors leaves out the label


class TotalsForm(CorrectionForm):
    """A field for each player's total, in seat order."""

    despite = DespiteSumField(
        label=_("The table insists: save although the totals do not add up to 0"), required=False
    )

    def __init__(self, sheet: Sheet, data: QueryDict | None = None) -> None:
        self.sheet = sheet
        self.is_correction = sheet.typed_totals is not None
        super().__init__(
            data, initial={"seen": sheet.typed_totals.version if sheet.typed_totals else 0}
        )
        for i, (key, name) in enumerate(sheet.names.items(), 1):
            stored = sheet.typed_totals.points.get(key) if sheet.typed_totals else None
            self.fields[f"total_{key}"] = forms.CharField(
                label=f"{i} {name}",
                initial="" if stored is None else str(stored),
                max_length=8,
                widget=forms.TextInput(
                    attrs={"size": 6, "autocomplete": "off", "autofocus": i == 1}
                ),
            )

    def boxes(self) -> list[Any]:
        return [self[f"total_{entry.key}"] for entry in self.sheet.entries]

    @property
    def should_sum_to_zero(self) -> bool:
        return self.sheet.rules.game.sums_to_zero(len(self.sheet.players))

    def points(self) -> dict[str, int]:
        """By entry key."""
        return {entry.key: self.cleaned_data[f"total_{entry.key}"] for entry in self.sheet.entries}

    def clean(self) -> dict[str, Any]:
        """Read the totals. If the game guarantees a sum of 0, another sum needs the tick `despite`.

        Focuses the first field with an error, else the first field.
        """
        cleaned = super().clean() or {}
        for entry in self.sheet.entries:
            name = f"total_{entry.key}"
            if name in cleaned:
                cleaned[name] = read_points(cleaned[name])
                if cleaned[name] is None:
                    self.add_error(name, _("Enter a total such as 12 or -12."))
        focused = next((box for box in self.boxes() if box.errors), self.boxes()[0])
        for box in self.boxes():
            box.field.widget.attrs["autofocus"] = box.name == focused.name
        if self.errors or cleaned.get("despite") or not self.should_sum_to_zero:
            return cleaned
        total = sum(cleaned[f"total_{entry.key}"] for entry in self.sheet.entries)
        if total:
            words = gettext(
                "The totals add up to %(total)s, but in this game they must add up to 0. Correct "
                "them, or tick below that the table insists."
            )
            self.add_error("despite", words % {"total": signed(total)})
        return cleaned
