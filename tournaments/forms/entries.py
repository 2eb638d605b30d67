"""Forms that add players: one at a time, or pasted lines."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.i18n.sentences import listed
from tournaments.models.entry_fields import (
    ENTRY_FIELDS,
    MAX_LENGTHS,
    PRIVATE_FIELDS,
    PUBLIC_FIELDS,
)
from tournaments.spreadsheets.entry_lists import (
    MOST_ENTRIES,
    bad_year_message,
    field_with_heading,
    heading_of,
    parse_birth_year,
)

# Not `splitlines`: it also splits at characters that can be part of a name.
LINE_END = re.compile(r"\r\n|\r|\n")

# The public fields of a player, each with its maximum length.
COLUMNS = {column: MAX_LENGTHS[column] for column in PUBLIC_FIELDS}


def headings_of(names: Iterable[str]) -> str:
    """Return the column headings of these fields of a player, as a list in a sentence."""
    return listed([heading_of(name) for name in names])


class EntryForm(forms.Form):
    """One player. `contact`, `birth_year` and `notes` are private."""

    birth_year = forms.CharField(
        label=ENTRY_FIELDS["birth_year"].label,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 6}),
        required=False,
    )
    notes = forms.CharField(
        label=ENTRY_FIELDS["notes"].label,
        widget=forms.Textarea(attrs={"rows": 3}),
        strip=False,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Add a line of text for each other field of an entry."""
        super().__init__(*args, **kwargs)
        texts = {
            name: forms.CharField(
                label=field.label,
                help_text=field.help_text,
                max_length=field.max_length,
                required=name == "name",
            )
            for name, field in ENTRY_FIELDS.items()
        }
        self.fields = texts | self.fields
        self.order_fields(ENTRY_FIELDS)

    def public_fields(self) -> list[forms.BoundField]:
        """Return the fields that everybody may see."""
        return [self[name] for name in PUBLIC_FIELDS]

    def private_fields(self) -> list[forms.BoundField]:
        """Return the fields that only the staff may see."""
        return [self[name] for name in PRIVATE_FIELDS]

    def clean_birth_year(self) -> int | None:
        """Return the year, read from any kind of digits; None if empty."""
        typed = unicodedata.normalize("NFKC", self.cleaned_data["birth_year"])
        year = parse_birth_year(typed)
        if typed and year is None:
            raise ValidationError(bad_year_message(typed))
        return year

    def clean_notes(self) -> str:
        """Return the notes with normalised line ends; unchanged notes exactly as stored.

        Browsers send other line ends than were stored.
        """
        typed, before = self.cleaned_data["notes"], self.initial.get("notes", "")
        if _normalise_lines(typed) == _normalise_lines(before):
            return str(before)
        if problem := length_problem(_normalise_lines(typed), MAX_LENGTHS["notes"]):
            raise ValidationError(problem)
        return _normalise_lines(typed)


class PasteForm(forms.Form):
    """Players, one a line. A line with a problem refuses all of them."""

    people = forms.CharField(
        label=_("Players, one a line"),
        help_text=format_lazy(
            _(
                "In this order: {columns}, parted by a tab, a comma or 、 "
                "(only the name is needed). Cells copied from a spreadsheet fit as they are. "
                "With a line of headings first, the columns may stand in any order."
            ),
            columns=lazy(headings_of, str)(COLUMNS),
        ),
        widget=forms.Textarea(attrs={"rows": 14}),
        strip=False,
    )

    def __init__(self, *args: Any, room: int = MOST_ENTRIES, **kwargs: Any) -> None:
        """Set up. `room` is how many more players the tournament can have."""
        super().__init__(*args, **kwargs)
        self.room = room
        self.columns: list[str] = []  # the headings in the first line, if there are any

    def clean_people(self) -> list[dict[str, str]]:
        """Return the public fields of the player in each line that is not empty."""
        problems: list[str] = []
        people = []
        lines = enumerate(LINE_END.split(self.cleaned_data["people"]), 1)
        filled = [(number, split_line(line)) for number, line in lines if line.strip()]
        self.columns = heading_columns(filled[0][1]) if filled else []
        for number, fields in filled:
            if self.columns and number == filled[0][0]:
                found, person = problems_of_columns(self.columns), None
            else:
                person = in_column_order(fields, self.columns)
                found = problems_of(person)
            problems += [
                gettext("Line %(number)s: %(problem)s") % {"number": number, "problem": problem}
                for problem in found
            ]
            if person:
                people.append(dict(zip(COLUMNS, [*person, *[""] * len(COLUMNS)], strict=False)))
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
    r"""Split a line at its tabs, or else at its commas.

    >>> split_line("成田 キヨ\tなかよし村、本部\t一般"), split_line("工藤 正、，一般")
    (['成田 キヨ', 'なかよし村、本部', '一般'], ['工藤 正', '', '一般'])
    """
    fields = line.split("\t") if "\t" in line else re.split("[,，、]", line)
    return [field.strip() for field in fields]


def _normalise_lines(text: str) -> str:
    r"""Return a text with line ends \n, and without white space around it."""
    return LINE_END.sub("\n", text).strip()


def heading_columns(fields: list[str]) -> list[str]:
    """Return the column names in a line of headings; empty for the line of a player.

    >>> heading_columns(["氏名", "クラス"]), heading_columns(["成田 キヨ", "クラス"])
    (['name', 'division'], [])
    """
    found = [field_with_heading(field) for field in fields]
    return found if all(found) and "name" in found else []


def in_column_order(fields: list[str], columns: list[str]) -> list[str]:
    """Return the fields of a line in the order of `COLUMNS`, from that of its `columns`.

    Without `columns`, or with more fields than these, they stay as they are.

    >>> in_column_order(["一般", "成田 キヨ"], ["division", "name"])
    ['成田 キヨ', '', '一般', '', '']
    """
    if not columns or len(fields) > len(columns):
        return fields
    given = dict(zip(columns, fields, strict=False))
    return [given.get(column, "") for column in COLUMNS]


def problems_of_columns(columns: list[str]) -> list[str]:
    """Return the problem, if any, of a line of headings: columns that cannot be pasted."""
    others = [column for column in columns if column not in COLUMNS]
    if not others:
        return []
    words = gettext(
        "these columns cannot be pasted: %(columns)s. Choose the file itself, or leave them out."
    )
    return [words % {"columns": headings_of(others)}]


def problems_of(person: list[str]) -> list[str]:
    """Return the problems of a player's fields, which are in the order of `COLUMNS`."""
    problems = []
    if not person[0]:
        problems.append(gettext("the name is missing; write it first."))
    if len(person) > len(COLUMNS):
        problems.append(
            gettext("%(count)s fields are too many; write %(columns)s only.")
            % {"count": len(person), "columns": headings_of(COLUMNS)}
        )
    for longest, text in zip(COLUMNS.values(), person, strict=False):
        if problem := length_problem(text, longest):
            problems.append(problem)
    return problems


def length_problem(text: str, longest: int) -> str:
    """Return the problem of a text over the maximum length; empty for other texts."""
    if len(text) <= longest:
        return ""
    words = gettext("“%(start)s…” has %(length)s characters; %(longest)s are the most.")
    return words % {"start": text[:20], "length": len(text), "longest": longest}
