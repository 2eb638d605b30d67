"""The form that copies the players of another tournament."""

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
    """The players who are not copied. All others are copied, so that the request stays small.

    `last` is the highest number that the page showed: players with higher numbers were added later
    and are not copied.
    """

    leave_out = forms.MultipleChoiceField(
        label=_("Leave out"), widget=forms.CheckboxSelectMultiple, required=False
    )
    last = forms.IntegerField(widget=forms.HiddenInput, min_value=0)

    def __init__(
        self, entries: Sequence[Entry], known: set[Entry], data: QueryDict | None, *, room: int
    ) -> None:
        """Set up with the players of the other tournament.

        `known` are those who seem to be in this tournament already: they are ticked, and so are
        those who were there only as substitutes. `room` is the number of players that this
        tournament can still take.
        """
        last = max((entry.number for entry in entries), default=0)
        left_out = [each.key for each in entries if each in known or each.is_substitute]
        initial = {"leave_out": left_out, "last": last}
        super().__init__(data, initial=initial)
        self.entries, self.room = entries, room
        self.fields["leave_out"].choices = [  # type: ignore[attr-defined]
            (entry.key, entry.name) for entry in entries
        ]

    def clean(self) -> dict[str, Any]:
        """Add `people`, the entry fields of the copied players, in the order of `entries`.

        An error if nobody is copied, or more players than the tournament can take.
        """
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
            self.add_error(None, gettext("Everybody is left out. Untick those you want to copy."))
        if len(data["people"]) > self.room:
            self.add_error(
                None,
                gettext("There is room for only %(room)s more; leave some players out.")
                % {"room": self.room},
            )
        return data
