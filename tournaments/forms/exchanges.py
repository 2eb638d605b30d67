"""The form by which the desk exchanges two players of a session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms.players import PlayerField, find_among
from tournaments.models import Entry
from tournaments.models.field_types import LONGEST_REASON


class ExchangeForm(forms.Form):
    """Two players who exchange their seats, and the reason.

    `seen` is the stamp of the planned exchange that the page showed, and `places` is where the two
    sat then; both are empty before it showed one.
    """

    one = PlayerField(label=_("The player who was seated"))
    other = PlayerField(
        label=_("The player who really sat there"),
        help_text=_("If this player has a seat in the session, the two change places."),
    )
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON)
    seen = forms.CharField(required=False, max_length=5_000, widget=forms.HiddenInput)
    places = forms.CharField(required=False, max_length=100, widget=forms.HiddenInput)

    def __init__(self, entries: Iterable[Entry], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = find_among(self, "one", entries)
        find_among(self, "other", self.players.by_key.values())

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("one") is not None and cleaned.get("one") == cleaned.get("other"):
            self.add_error("other", _("One player is entered twice. Enter two different players."))
        return cleaned
