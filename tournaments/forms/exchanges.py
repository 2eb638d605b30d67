"""The form by which the desk exchanges two players of a session."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.forms.player_finder import PlayerFinder, PlayerNotFound
from tournaments.models import Entry


class ExchangeForm(forms.Form):
    """Two players who exchange their seats, and why."""

    one = forms.CharField(
        label=_("The player who was seated"),
        help_text=_("Number, name or reading."),
        max_length=250,
        widget=forms.TextInput(attrs={"list": "players", "size": 24}),
    )
    other = forms.CharField(
        label=_("The player who really sat there"),
        help_text=_("If they have a seat in this session, the two change places."),
        max_length=250,
        widget=forms.TextInput(attrs={"list": "players", "size": 24}),
    )
    reason = forms.CharField(label=_("Reason"), max_length=500)
    seen = forms.CharField(required=False, max_length=5_000, widget=forms.HiddenInput)

    def __init__(self, entries: Iterable[Entry], *args: Any, **kwargs: Any) -> None:
        """Set up with the players of the tournament."""
        super().__init__(*args, **kwargs)
        self.players = PlayerFinder(entries)

    def clean_one(self) -> Entry:
        """Return the player who was seated."""
        return self._find_player("one")

    def clean_other(self) -> Entry:
        """Return the player who really sat there."""
        return self._find_player("other")

    def _find_player(self, field: str) -> Entry:
        """Return the player named in a field. Raises `ValidationError`."""
        try:
            return self.players.find(self.cleaned_data[field])
        except PlayerNotFound as error:
            raise ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        """Refuse the same player twice."""
        cleaned = super().clean() or {}
        if cleaned.get("one") is not None and cleaned.get("one") == cleaned.get("other"):
            self.add_error("other", _("Name two different players."))
        return cleaned
