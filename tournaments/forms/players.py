"""A form field for one player, typed as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.forms.player_finder import PlayerFinder, PlayerNotFound
from tournaments.models import Entry


class PlayerField(forms.CharField):
    """A player's number, name or reading. Cleaned, it is the entry; None for an empty field.

    `find_among` sets the players to choose from. `_partials/players_to_find.html` lists them for
    the browser.
    """

    finder: PlayerFinder

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", _("Number, name or reading."))
        super().__init__(
            max_length=250,
            widget=forms.TextInput(attrs={"list": "players", "size": 24}),
            **options,
        )

    def clean(self, value: Any) -> Entry | None:
        """Raises `ValidationError` if no player or several players match."""
        typed: str = super().clean(value)
        try:
            return self.finder.find(typed) if typed else None
        except PlayerNotFound as error:
            raise ValidationError(str(error)) from error


def find_among(form: forms.Form, name: str, entries: Iterable[Entry]) -> PlayerFinder:
    """Let the `PlayerField` called `name` find these players; return its `PlayerFinder`."""
    field = form.fields[name]
    assert isinstance(field, PlayerField)  # noqa: S101  for mypy
    field.finder = PlayerFinder(entries)
    return field.finder
