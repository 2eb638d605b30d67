"""The form that lets players join and leave a table."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry
from tournaments.models.field_types import LONGEST_REASON
from tournaments.queries.presence import FreePlayers
from tournaments.queries.sheets import Sheet

WITHDRAWS, STAYS = "withdraws", "stays"


class TablePlayersForm(forms.Form):
    """A player who leaves the table, a player who joins it, and optionally a reason.

    `position` is the key of the player on whose right the new player sits down. It is ignored if
    the new player takes the seat of the leaving one. `seen` are the keys of the players shown,
    and `rounds` is the number of rounds that they had recorded.
    """

    leaving = forms.ChoiceField(
        label=_("Leaves the table"), required=False, widget=forms.RadioSelect
    )
    then = forms.ChoiceField(
        label=_("After that the player"),
        choices=[
            (WITHDRAWS, _("goes home: is marked as withdrawn and not seated again")),
            (STAYS, _("stays: can play again, here or in the next session")),
        ],
        initial=WITHDRAWS,
        required=False,
        widget=forms.RadioSelect,
    )
    joining = forms.ChoiceField(
        label=_("Joins the table"),
        help_text=_(
            "Everybody who is not at a table. Anyone marked as away is then marked as present."
        ),
        required=False,
    )
    position = forms.ChoiceField(
        label=_("Takes the seat"),
        help_text=_("A player who replaces another takes that seat."),
        required=False,
    )
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON, required=False)
    seen = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    rounds = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        sheet: Sheet,
        shown: Sequence[Entry],
        free: FreePlayers,
        for_nobody: Container[str],
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """`shown` are the players at the table on the page, in the order in which they sit.

        `for_nobody` has the keys of the players whose points here would count for nobody.
        """
        super().__init__(*args, **kwargs)
        self.shown = shown
        groups = (
            (_("Free to join"), free.to_play),
            (_("Substitutes"), free.substitutes),
            (_("Late, absent or withdrawn"), free.away),
        )
        self.free = {entry.key: entry for _words, entries in groups for entry in entries}
        names = [_choice(entry) for entry in shown]
        tied = {*(sheet.sitting.session.tied or ())}  # who play off their places stay
        may_leave = [_choice(entry) for entry in shown if entry.number not in tied]
        after = gettext("to the right of %(name)s")
        _set_choices(self.fields["leaving"], [("", gettext("Nobody")), *may_leave])
        joining = [
            (str(words), [_joining_choice(each, for_nobody) for each in group])
            for words, group in groups
            if group
        ]
        _set_choices(self.fields["joining"], [("", gettext("Nobody")), *joining])
        positions = [(key, after % {"name": name}) for key, name in reversed(names)]
        _set_choices(self.fields["position"], positions)
        self.fields["leaving"].initial = ""
        self.fields["seen"].initial = ".".join(sheet.players)
        self.fields["rounds"].initial = len(sheet.rows)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("leaving") and not cleaned.get("joining"):
            self.add_error(
                "joining" if self.free else "leaving", _("Choose who joins or leaves the table.")
            )
        return cleaned

    @property
    def withdraws(self) -> bool:
        """Return whether who leaves goes home. Call it if the form is valid."""
        return bool(self.cleaned_data["then"] == WITHDRAWS)

    def new_players(self) -> list[Entry]:
        """In seat order. Call it if the form is valid."""
        leaving, joining = self.cleaned_data["leaving"], self.cleaned_data["joining"]
        players = list(self.shown)
        keys = [entry.key for entry in players]
        if leaving and joining:
            players[keys.index(leaving)] = self.free[joining]
        elif joining:
            right_of = self.cleaned_data["position"] or keys[-1]
            players.insert(keys.index(right_of) + 1, self.free[joining])
        else:
            del players[keys.index(leaving)]
        return players

    def seen_players(self) -> list[str]:
        """Call it if the form is valid."""
        return str(self.cleaned_data["seen"]).split(".")


def _choice(entry: Entry) -> tuple[str, str]:
    return entry.key, f"{entry.number} {entry.name}"


def _joining_choice(entry: Entry, for_nobody: Container[str]) -> tuple[str, str]:
    key, words = _choice(entry)
    if key in for_nobody:
        words = gettext("%(player)s (points count for nobody)") % {"player": words}
    return key, words


def _set_choices(field: forms.Field, choices: list[Any]) -> None:
    assert isinstance(field, forms.ChoiceField)  # noqa: S101  for the types
    field.choices = choices
