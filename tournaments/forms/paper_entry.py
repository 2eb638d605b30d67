"""The form for a paper sheet: rounds in shorthand, and the totals written on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.i18n.sentences import signed
from tournaments.i18n.units import round_title
from tournaments.paper_entry.dashes import narrow
from tournaments.paper_entry.typed_sheets import TypedSheet, first_line, read_sheet
from tournaments.queries.sheets import Sheet

LONGEST = 10_000  # characters of the typed lines
POINTS = re.compile(r"([+\-▲△])?\s*(\d{1,6})")


@dataclass(frozen=True)
class PaperSeat:
    """A player of a paper sheet with the scored total and the total on paper."""

    number: int  # of the seat
    name: str
    points: int | None  # the scored total; None while a line has a problem
    on_paper: int | None  # None without a readable total
    box: BoundField  # the field of the total on paper

    @property
    def differs(self) -> bool:
        return None not in (self.on_paper, self.points) and self.on_paper != self.points


class LinesField(forms.CharField):
    """The lines of a sheet, one for each round."""

    names_itself = True  # each error names its round, so the list of errors leaves out the label


class PaperSheetForm(forms.Form):
    """A paper sheet: its lines, and a field for each player's total on paper.

    `first` is the number of the round in the first line, `seen` the version of that round, 0 for a
    new round. `typed` is the sheet as it was read.
    """

    seen = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    first = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    rounds = LinesField(
        label=_("The sheet, line by line"),
        max_length=LONGEST,
        widget=forms.Textarea(
            attrs={"rows": 12, "spellcheck": "false", "autocapitalize": "none", "autofocus": True}
        ),
    )
    sure = forms.BooleanField(
        label=_("The lines marked ? are right: save as entered"), required=False
    )
    despite = forms.BooleanField(
        label=_("The sums on the paper are wrong: save as entered"), required=False
    )

    def __init__(self, sheet: Sheet, data: QueryDict | None = None) -> None:
        """The first line is that of the unfinished round, if the table has one."""
        unfinished_version = sheet.rows[-1].version if sheet.has_unfinished_round else 0
        initial = {
            "seen": unfinished_version,
            "first": sheet.next_number,
            "rounds": first_line(sheet),
        }
        super().__init__(data, initial=initial)
        self.sheet = sheet
        self.typed: TypedSheet = read_sheet(sheet, str(self["rounds"].value() or "")[:LONGEST])
        for i, (key, name) in enumerate(sheet.names.items(), 1):
            self.fields[f"total_{key}"] = forms.CharField(
                label=f"{i} {name}",
                required=False,
                max_length=8,
                widget=forms.TextInput(attrs={"inputmode": "text", "size": 5}),
            )

    def seats(self) -> list[PaperSeat]:
        return [
            PaperSeat(
                number=i,
                name=name,
                points=None if self.typed.wrong_lines else self.typed.scored_totals[key],
                on_paper=read_points(str(self[f"total_{key}"].value() or "")),
                box=self[f"total_{key}"],
            )
            for i, (key, name) in enumerate(self.sheet.names.items(), 1)
        ]

    def clean(self) -> dict[str, Any]:
        """Add the problems of all lines, and errors for totals that are unreadable or differ.

        Doubts about lines are errors without the tick `sure`, totals that differ from the paper
        without the tick `despite`.
        """
        cleaned = super().clean() or {}
        for line in self.typed.lines:
            doubts = () if cleaned.get("sure") else line.doubts
            for problem in (*line.problems, *doubts):
                where = round_title(line.number, self.sheet.sitting)
                words = gettext("%(round)s: %(problem)s") % {"round": where, "problem": problem}
                self.add_error("rounds", words)
        for seat in self.seats():
            if seat.box.value() and seat.on_paper is None:
                self.add_error(seat.box.name, _("Enter a total such as 12 or -12."))
            elif seat.differs and not cleaned.get("despite"):
                self.add_error(seat.box.name, _difference_message(seat))
        return cleaned

    @property
    def differing_totals(self) -> dict[str, int]:
        """Return the totals on paper that differ from the scored totals, by the player's key."""
        pairs = zip(self.sheet.players, self.seats(), strict=True)
        return {
            player: seat.on_paper
            for player, seat in pairs
            if seat.differs and seat.on_paper is not None
        }

    @property
    def is_doubted(self) -> bool:
        """Return whether to show the tick `sure`: a line is doubtful, or `sure` is ticked."""
        return bool(self["sure"].value()) or any(line.doubts for line in self.typed.lines)

    @property
    def may_differ(self) -> bool:
        """Return whether to show the tick `despite`: totals differ, or `despite` is ticked."""
        return bool(self["despite"].value()) or any(seat.differs for seat in self.seats())


def _difference_message(seat: PaperSeat) -> str:
    totals = {"paper": signed(seat.on_paper), "rules": signed(seat.points)}
    return gettext("paper %(paper)s, computed %(rules)s") % totals


def read_points(text: str) -> int | None:
    """Return the points in a text, with any kind of sign; None if it is no number.

    >>> [read_points(text) for text in ("−12", "＋３", "▲5", "ー5", "x")]
    [-12, 3, -5, -5, None]
    """
    match = POINTS.fullmatch(narrow(text).strip())
    if match is None:
        return None
    return int(match[2]) * (1 if match[1] in (None, "+") else -1)
