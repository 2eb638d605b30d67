"""Forms for the seats of a session: one line for each table, with its players in seat order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms.player_finder import PlayerFinder, PlayerNotFound
from tournaments.i18n.sentences import isolated
from tournaments.models import Entry
from tournaments.models.field_types import LONGEST_REASON


class TablesField(forms.CharField):
    """The tables of a session, cleaned to lists of players."""

    names_itself = True  # each error names its table, so the list of errors leaves out the label


class TablesForm(forms.Form):
    """The tables of a session, with an optional reason for changing them."""

    tables = TablesField(
        label=_("Tables"),
        help_text=_(
            "One table per line: the players’ numbers, names or readings in seat order, going to "
            "the right."
        ),
        error_messages={"required": _("Nobody has a seat yet: enter the tables.")},
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false"}),
    )
    reason = forms.CharField(label=_("Reason"), max_length=LONGEST_REASON, required=False)

    def __init__(
        self, entries: Iterable[Entry], allowed_sizes: Sequence[int], *args: Any, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.players = PlayerFinder(entries)
        self.entries = self.players.by_key
        self.allowed_sizes = allowed_sizes

    def clean_tables(self) -> list[list[Entry]]:
        """Return the tables, and set `seated`: the number of the table by a player's key.

        Raises `ValidationError` with the problems of all tables.
        """
        self.problems: list[str] = []
        self.seated: dict[str, int] = {}
        lines = self.cleaned_data["tables"].splitlines()
        tables = [
            self._read_line(number, line) for number, line in enumerate(filter(str.strip, lines), 1)
        ]
        if self.problems:
            raise ValidationError(self.problems)
        return tables

    def _read_line(self, number: int, line: str) -> list[Entry]:
        """Return the players of table `number`, which is typed as `line`.

        Adds them to `seated`. Adds problems to `problems`: texts that name no player, players who
        have a seat already, and a size that is not allowed.
        """
        texts = list(self.players.split(line))
        table = []
        for text in texts:
            try:
                entry = self.players.find(text)
            except PlayerNotFound as error:
                self._add_problem(number, str(error))
                continue
            if entry.key in self.seated:
                problem = gettext("%(name)s has a seat already, at table %(table)s.")
                self._add_problem(
                    number,
                    problem % {"name": isolated(entry.name), "table": self.seated[entry.key]},
                )
            else:
                self.seated[entry.key] = number
                table.append(entry)
        if len(texts) not in self.allowed_sizes:
            allowed = " / ".join(map(str, self.allowed_sizes))
            problem = gettext("The number of players is %(count)s, but a table seats %(allowed)s.")
            self._add_problem(number, problem % {"count": len(texts), "allowed": allowed})
        return table

    def _add_problem(self, number: int, problem: str) -> None:
        words = gettext("Table %(table)s: %(problem)s")
        self.problems.append(words % {"table": number, "problem": problem})


class PlannedSeatsForm(TablesForm):
    """The planned tables of a session. Players without a seat need the tick `leave_out`.

    The hidden field `out` has the keys of the players who sit out already.
    """

    out = forms.CharField(required=False, widget=forms.HiddenInput)
    leave_out = forms.BooleanField(label=_("Let them sit out this session"), required=False)
    not_seated: Sequence[Entry] = ()

    def clean(self) -> dict[str, Any]:
        """Set `not_seated`, the players without a seat who do not sit out.

        Without the tick `leave_out` they are an error.
        """
        cleaned = super().clean() or {}
        if "tables" not in cleaned:
            return cleaned
        out = {self.entries.get(number) for number in cleaned.get("out", "").split()}
        self.not_seated = [
            entry
            for key, entry in self.entries.items()
            if key not in self.seated and entry not in out
        ]
        if self.not_seated and not cleaned.get("leave_out"):
            self.add_error(
                "leave_out", _("These players would sit out. Seat them, or tick this box.")
            )
        return cleaned
