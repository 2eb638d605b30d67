"""What the desk decides, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.forms.people import NobodyFound, People
from tournaments.forms.rounds import over_before
from tournaments.models import Entry
from tournaments.services.rounds import ReasonNeeded


class SettleForm(forms.Form):
    """Which of two facts about a round stands."""

    STORED, OTHER = "stored", "other"

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    decision = forms.ChoiceField(
        label=_("Which one is right?"),
        choices=[(STORED, _("The stored one stays")), (OTHER, _("The other one replaces it"))],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=_("Reason"),
        help_text=_("Needed if the other one replaces what is stored."),
        max_length=500,
        required=False,
    )
    set_aside = forms.BooleanField(label=_("What no longer counts"), required=False)

    def __init__(self, *args: Any, left_over: Sequence[str] = (), **kwargs: Any) -> None:
        """Set up; `left_over` are the rounds for which the other facts leave no place."""
        super().__init__(*args, **kwargs)
        self.left_over = left_over

    def clean(self) -> dict[str, Any]:
        """Ask for a reason where something recorded changes, and a tick where it goes."""
        cleaned = super().clean() or {}
        if cleaned.get("decision") != self.OTHER:
            return cleaned
        if not cleaned.get("reason"):
            self.add_error("reason", ReasonNeeded.sentence)
        if self.left_over and not cleaned.get("set_aside"):
            self.add_error("set_aside", over_before(self.left_over))
        return cleaned


class ExchangeForm(forms.Form):
    """Which two players take each other's place, and why."""

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
        """Set up with everybody who may be meant."""
        super().__init__(*args, **kwargs)
        self.people = People(entries)

    def clean_one(self) -> Entry:
        """Return the player who was seated."""
        return self._find("one")

    def clean_other(self) -> Entry:
        """Return the player who really sat there."""
        return self._find("other")

    def _find(self, name: str) -> Entry:
        try:
            return self.people.find(self.cleaned_data[name])
        except NobodyFound as nobody:
            raise ValidationError(str(nobody)) from nobody

    def clean(self) -> dict[str, Any]:
        """See to it that they are two."""
        cleaned = super().clean() or {}
        if cleaned.get("one") is not None and cleaned.get("one") == cleaned.get("other"):
            self.add_error("other", _("Name two different players."))
        return cleaned
