"""The form that copies players of another tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry
from tournaments.models.entry_fields import ENTRY_FIELDS


class CopyEntriesForm(forms.Form):
    """Everybody is copied except those ticked, which keeps a form of a thousand players small.

    `last` is the highest number that was shown; players added since are not copied unseen.
    """

    leave_out = forms.MultipleChoiceField(
        label=_("Leave out"), widget=forms.CheckboxSelectMultiple, required=False
    )
    last = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(
        self, entries: Sequence[Entry], known: set[Entry], data: QueryDict | None, *, room: int
    ) -> None:
        """Set up. `known` are those who seem to be in the tournament already.

        `room` is how many more players the tournament can have.
        """
        last = max((entry.number for entry in entries), default=0)
        initial = {"leave_out": [entry.key for entry in known], "last": last}
        super().__init__(data, initial=initial)
        self.entries, self.room = entries, room
        self.fields["leave_out"].choices = [  # type: ignore[attr-defined]
            (entry.key, entry.name) for entry in entries
        ]

    def clean(self) -> dict[str, Any]:
        """Add `people`: the fields of those to be copied, by number."""
        data = super().clean() or self.cleaned_data
        if self.errors:
            return data
        left_out = set(data["leave_out"])
        data["people"] = [
            {name: getattr(entry, name) for name in ENTRY_FIELDS}
            for entry in self.entries
            if entry.number <= data["last"] and entry.key not in left_out
        ]
        if not data["people"]:
            self.add_error(None, gettext("Everybody is left out. Untick whom to copy."))
        if len(data["people"]) > self.room:
            self.add_error(
                None,
                gettext("There is room for %(room)s more players; leave more of them out.")
                % {"room": self.room},
            )
        return data
