"""The form that ends a session, and the base of forms with an optional reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models.field_types import LONGEST_REASON


class ReasonForm(forms.Form):
    """An optional reason for the audit trail."""

    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON, required=False)


class EndSessionForm(ReasonForm):
    """The unfinished tables: all of them must be ticked before the session ends.

    `everything` is one box that ticks all tables shown on the page. Its value is their numbers, so
    that tables which became unfinished later are not ticked.
    """

    STILL_PLAYING = _(
        "Some tables are still playing: wait for them, or tick each one that stops as it is."
    )

    stopping = forms.TypedMultipleChoiceField(
        label=_("Tables that are not finished"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    everything = forms.CharField(required=False, max_length=10_000)

    def __init__(self, tables: list[int], *args: Any, **kwargs: Any) -> None:
        """`tables` are the numbers of the unfinished tables."""
        super().__init__(*args, **kwargs)
        self.fields["stopping"].choices = [(number, number) for number in tables]  # type: ignore[attr-defined]
        self.tables = tables

    @property
    def all_tables_value(self) -> str:
        """Return the value of the box `everything`: the numbers of all unfinished tables."""
        return " ".join(map(str, self.tables))

    def clean(self) -> dict[str, Any]:
        """Add an error unless every unfinished table is ticked, by its own box or `everything`.

        The cleaned `stopping` are the ticked numbers, sorted, without finished tables.
        """
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        numbers = [int(each) for each in cleaned.get("everything", "").split() if each.isdecimal()]
        ticked = {*cleaned.get("stopping", []), *numbers} & {*self.tables}
        if ticked != set(self.tables) and "stopping" not in self.errors:
            self.add_error("stopping", self.STILL_PLAYING)
        return cleaned | {"stopping": sorted(ticked)}
