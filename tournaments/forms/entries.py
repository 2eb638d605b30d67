"""Players, one at a time or pasted from a list."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.models.people import MAX_LENGTHS, PUBLIC_FIELDS
from tournaments.spreadsheets.entry_lists import (
    MOST_ENTRIES,
    column_of,
    heading_of,
    no_year,
    year_of_birth,
)

# Not `splitlines`: a name may hold what Unicode, but no list on paper, takes for a new line.
LINE_END = re.compile(r"\r\n|\r|\n")

# What everybody may know of a player, and how many characters there is room for.
COLUMNS = {column: MAX_LENGTHS[column] for column in PUBLIC_FIELDS}


class EntryForm(forms.Form):
    """One player. The number is the tournament's to give, and stays. The last are private."""

    name = forms.CharField(label=_("Name"), max_length=COLUMNS["name"])
    club = forms.CharField(label=_("Club"), max_length=COLUMNS["club"], required=False)
    division = forms.CharField(label=_("Class"), max_length=COLUMNS["division"], required=False)
    reading = forms.CharField(
        label=_("Reading"),
        help_text=_("In kana, so that the player is found and sorted by it."),
        max_length=COLUMNS["reading"],
        required=False,
    )
    contact = forms.CharField(label=_("Contact"), max_length=MAX_LENGTHS["contact"], required=False)
    birth_year = forms.CharField(
        label=_("Year of birth"),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6}),
        required=False,
    )
    notes = forms.CharField(
        label=pgettext_lazy("about a player", "Notes"),
        widget=forms.Textarea(attrs={"rows": 3}),
        strip=False,
        required=False,
    )

    def clean_birth_year(self) -> int | None:
        """Return the year, whichever digits the keyboard writes; None where it is left empty."""
        typed = unicodedata.normalize("NFKC", self.cleaned_data["birth_year"])
        year = year_of_birth(typed)
        if typed and year is None:
            raise ValidationError(no_year(typed))
        return year

    def clean_notes(self) -> str:
        """Return notes with the line ends of a list; those that nobody touched as they stood.

        A browser writes every line end in its own way.
        """
        typed, before = self.cleaned_data["notes"], self.initial.get("notes", "")
        if _in_lines(typed) == _in_lines(before):
            return str(before)
        if problem := too_long(_in_lines(typed), MAX_LENGTHS["notes"]):
            raise ValidationError(problem)
        return _in_lines(typed)


class PasteForm(forms.Form):
    """Players one a line. Nothing is added while a line has a problem."""

    people = forms.CharField(
        label=_("Players, one a line"),
        help_text=_(
            "Name, club, class and reading, parted by a tab, a comma or 、 "
            "(only the name is needed). Cells copied from a spreadsheet fit as they are."
        ),
        widget=forms.Textarea(attrs={"rows": 14}),
        strip=False,
    )

    def __init__(self, *args: Any, room: int = MOST_ENTRIES, **kwargs: Any) -> None:
        """Set up; `room` is for how many more players there are numbers."""
        super().__init__(*args, **kwargs)
        self.room = room
        self.columns: list[str] = []  # as a first line copied from a spreadsheet names them

    def clean_people(self) -> list[dict[str, str]]:
        """Return what everybody may know of a player, for each line that is not empty."""
        problems: list[str] = []
        people = []
        lines = enumerate(LINE_END.split(self.cleaned_data["people"]), 1)
        filled = [(number, split_line(line)) for number, line in lines if line.strip()]
        self.columns = columns_of(filled[0][1]) if filled else []
        for number, fields in filled:
            if self.columns and number == filled[0][0]:
                found, person = problems_of_columns(self.columns), None
            else:
                person = in_order(fields, self.columns)
                found = problems_of(person)
            problems += [
                gettext("Line %(number)s: %(problem)s") % {"number": number, "problem": problem}
                for problem in found
            ]
            if person:
                people.append(dict(zip(COLUMNS, [*person, "", "", ""], strict=False)))
        if not people:
            problems.append(gettext("Write at least one name."))
        if len(people) > self.room:
            problems.append(
                gettext("There is room for %(room)s more players; paste fewer lines.")
                % {"room": self.room}
            )
        if problems:
            raise ValidationError(problems)
        return people


def split_line(line: str) -> list[str]:
    r"""Return the fields of a line: at its tabs, or else at its commas, kept as they were typed.

    >>> split_line("成田 キヨ\tなかよし村、本部\t一般"), split_line("工藤 正、，一般")
    (['成田 キヨ', 'なかよし村、本部', '一般'], ['工藤 正', '', '一般'])
    """
    fields = line.split("\t") if "\t" in line else re.split("[,，、]", line)
    return [field.strip() for field in fields]


def _in_lines(text: str) -> str:
    return LINE_END.sub("\n", text).strip()


def columns_of(fields: list[str]) -> list[str]:
    """Return what a first line names as columns; nothing where it is a player.

    >>> columns_of(["氏名", "クラス"]), columns_of(["成田 キヨ", "クラス"])
    (['name', 'division'], [])
    """
    found = [column_of(field) for field in fields]
    return found if all(found) and "name" in found else []


def in_order(fields: list[str], columns: list[str]) -> list[str]:
    """Return a line's name, club, class and reading, however its columns stand.

    >>> in_order(["一般", "成田 キヨ"], ["division", "name"])
    ['成田 キヨ', '', '一般', '']
    """
    if not columns or len(fields) > len(columns):
        return fields
    given = dict(zip(columns, fields, strict=False))
    return [given.get(column, "") for column in COLUMNS]


def problems_of_columns(columns: list[str]) -> list[str]:
    """Return what is wrong with the first line, where it names columns."""
    others = [heading_of(column) for column in columns if column not in COLUMNS]
    if not others:
        return []
    words = gettext(
        "these columns cannot be pasted: %(columns)s. Choose the file itself, or leave them out."
    )
    return [words % {"columns": ", ".join(others)}]


def problems_of(person: list[str]) -> list[str]:
    """Return what is wrong with a line's fields, as sentences that say what to do."""
    problems = []
    if not person[0]:
        problems.append(gettext("the name is missing; write it first."))
    if len(person) > len(COLUMNS):
        problems.append(
            gettext("%(count)s fields are too many; write name, club, class and reading only.")
            % {"count": len(person)}
        )
    for longest, text in zip(COLUMNS.values(), person, strict=False):
        if problem := too_long(text, longest):
            problems.append(problem)
    return problems


def too_long(text: str, longest: int) -> str:
    """Return what is said of a text for which there is no room; nothing where there is."""
    if len(text) <= longest:
        return ""
    words = gettext("“%(start)s…” has %(length)s characters; %(longest)s are the most.")
    return words % {"start": text[:20], "length": len(text), "longest": longest}
