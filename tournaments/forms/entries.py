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
    parse_birth_year,
)
from tournaments.spreadsheets.headings import NUMBER, field_with_heading, heading_of

# Replaces `splitlines`, which also splits at characters that a name may contain.
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
        """Add a text field for each entry field that the class does not define."""
        super().__init__(*args, **kwargs)
        text_fields = {
            name: forms.CharField(
                label=field.label,
                help_text=field.help_text,
                max_length=field.max_length,
                required=name == "name",
            )
            for name, field in ENTRY_FIELDS.items()
        }
        self.fields = text_fields | self.fields  # the fields of the class replace text fields
        self.order_fields(ENTRY_FIELDS)

    def public_fields(self) -> list[forms.BoundField]:
        """Return the form's fields for data that everybody may see."""
        return [self[name] for name in PUBLIC_FIELDS]

    def private_fields(self) -> list[forms.BoundField]:
        """Return the form's fields for data that only the staff may see."""
        return [self[name] for name in PRIVATE_FIELDS]

    def clean_birth_year(self) -> int | None:
        """Return the year, None for an empty field. Full-width digits are accepted."""
        typed = unicodedata.normalize("NFKC", self.cleaned_data["birth_year"])
        year = parse_birth_year(typed)
        if typed and year is None:
            raise ValidationError(bad_year_message(typed))
        return year

    def clean_notes(self) -> str:
        """Return the notes with normalised line ends.

        Browsers change the line ends of stored notes: notes that differ from the initial ones only
        in that are returned exactly as stored.
        """
        notes, initial = _normalise_lines(self.cleaned_data["notes"]), self.initial.get("notes", "")
        if notes == _normalise_lines(initial):
            return str(initial)
        if problem := length_problem(notes, MAX_LENGTHS["notes"]):
            raise ValidationError(problem)
        return notes


class PasteForm(forms.Form):
    """Players, one in each line. A problem in one line refuses all lines."""

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
        """Set up. `room` is the number of players that the tournament can still take."""
        super().__init__(*args, **kwargs)
        self.room = room
        self.columns: list[str] = []  # the columns named in the first line, if it has headings

    def clean_people(self) -> list[dict[str, str]]:
        """Return the public fields of the player in each line, and set `columns`.

        Empty lines and a first line of headings are left out. Raises `ValidationError` with the
        problems of all lines.
        """
        problems: list[str] = []
        people = []
        lines = enumerate(LINE_END.split(self.cleaned_data["people"]), 1)
        filled_lines = [(number, split_line(line)) for number, line in lines if line.strip()]
        self.columns = heading_columns(filled_lines[0][1]) if filled_lines else []
        for number, fields in filled_lines:
            if self.columns and number == filled_lines[0][0]:
                line_problems = heading_problems(self.columns)
            else:
                person = in_column_order(fields, self.columns)
                line_problems = person_problems(person)
                people.append(dict(zip(COLUMNS, [*person, *[""] * len(COLUMNS)], strict=False)))
            problems += [
                gettext("Line %(number)s: %(problem)s") % {"number": number, "problem": problem}
                for problem in line_problems
            ]
        if not people:
            problems.append(gettext("Write at least one name."))
        if len(people) > self.room:
            problems.append(
                gettext("There is room for %(room)s more; paste fewer lines.") % {"room": self.room}
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
    r"""Return a text with line ends \n, stripped of white space around it."""
    return LINE_END.sub("\n", text).strip()


def heading_columns(fields: list[str]) -> list[str]:
    """Return the entry fields that a line of headings names, in its order.

    Empty for other lines, which are those of a player.

    >>> heading_columns(["氏名", "クラス"]), heading_columns(["成田 キヨ", "クラス"])
    (['name', 'division'], [])
    """
    columns = [field_with_heading(field) for field in fields]
    return columns if all(columns) and "name" in columns else []


def in_column_order(fields: list[str], columns: list[str]) -> list[str]:
    """Return the fields of a line sorted from the order of `columns` into that of `COLUMNS`.

    Without `columns`, or with more fields than columns, the fields are returned unchanged.

    >>> in_column_order(["一般", "成田 キヨ"], ["division", "name"])
    ['成田 キヨ', '', '一般', '', '']
    """
    if not columns or len(fields) > len(columns):
        return fields
    by_column = dict(zip(columns, fields, strict=False))
    return [by_column.get(column, "") for column in COLUMNS]


def heading_problems(columns: list[str]) -> list[str]:
    """Return a list with one problem if columns cannot be pasted, else an empty list.

    Only the public fields of a player can be pasted.
    """
    private_columns = [column for column in columns if column not in {*COLUMNS, NUMBER}]
    if not private_columns:
        return []
    words = gettext(
        "these columns cannot be pasted: %(columns)s. Choose the file itself, or leave them out."
    )
    return [words % {"columns": headings_of(private_columns)}]


def person_problems(person: list[str]) -> list[str]:
    """Return the problems of a player's fields. `person` is in the order of `COLUMNS`."""
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
    """Return the problem of a text longer than `longest`; empty if it is short enough."""
    if len(text) <= longest:
        return ""
    words = gettext("“%(start)s…” has %(length)s characters; %(longest)s are the most.")
    return words % {"start": text[:20], "length": len(text), "longest": longest}
