"""The field in which a player is typed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from tournaments.forms.player_finder import PlayerFinder, PlayerNotFound
from tournaments.models import Entry


class PlayerField(forms.CharField):
    """A player's number, name or reading, or a part of one, cleaned to the entry; None if empty.

    `_partials/players_to_find.html` lists the players to the browser.
    """

    finder: PlayerFinder

    def __init__(self, **options: Any) -> None:
        """Set up as a field with proposals."""
        options.setdefault("help_text", _("Number, name or reading."))
        super().__init__(
            max_length=250,
            widget=forms.TextInput(attrs={"list": "players", "size": 24}),
            **options,
        )

    def clean(self, value: Any) -> Entry | None:
        """Return the player. Raises `ValidationError` if none is found, or several are."""
        typed: str = super().clean(value)
        try:
            return self.finder.find(typed) if typed else None
        except PlayerNotFound as error:
            raise ValidationError(str(error)) from error


def find_among(form: forms.Form, name: str, entries: Iterable[Entry]) -> PlayerFinder:
    """Let a field of a form find these players; return what finds them."""
    field = form.fields[name]
    assert isinstance(field, PlayerField)  # noqa: S101  for mypy
    field.finder = PlayerFinder(entries)
    return field.finder
