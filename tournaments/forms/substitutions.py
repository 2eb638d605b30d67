"""The form that names a substitute."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.players import PlayerField, find_among
from tournaments.models import Entry
from tournaments.models.entry_fields import ENTRY_FIELDS, MAX_LENGTHS
from tournaments.models.field_types import LONGEST_REASON

NEW_PERSON = ("name", "reading", "club")  # fields of an entry


class SubstituteForm(forms.Form):
    player = PlayerField(label=_("Somebody on the list"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON, required=False)

    def __init__(self, entries: Iterable[Entry], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = find_among(self, "player", entries)
        for name in NEW_PERSON:
            self.fields[name] = forms.CharField(
                label=ENTRY_FIELDS[name].label, max_length=MAX_LENGTHS[name], required=False
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and bool(cleaned.get("player")) == bool(cleaned.get("name")):
            self.add_error("player", _("Choose a player from the list, or enter somebody new."))
        return cleaned

    def substitute(self) -> Entry | dict[str, Any]:
        """Call it if the form is valid."""
        player: Entry | None = self.cleaned_data["player"]
        return player or {name: self.cleaned_data[name] for name in NEW_PERSON}

    def new_person_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in NEW_PERSON]
