"""Players, one at a time or pasted from a list."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.files.entry_files import MOST_ENTRIES

# Not `splitlines`: a name may hold what Unicode, but no list on paper, takes for a new line.
LINE_END = re.compile(r"\r\n|\r|\n")

# What is known of a player, and how many characters there is room for.
COLUMNS = {"name": 200, "club": 200, "division": 100}


class EntryForm(forms.Form):
    """One player. The number is the tournament's to give, and stays."""

    name = forms.CharField(label=_("Name"), max_length=COLUMNS["name"])
    club = forms.CharField(label=_("Club"), max_length=COLUMNS["club"], required=False)
    division = forms.CharField(label=_("Class"), max_length=COLUMNS["division"], required=False)


class PasteForm(forms.Form):
    """Players one a line: name, club, class. Nothing is added while a line has a problem."""

    people = forms.CharField(
        label=_("Players, one a line"),
        help_text=_(
            "Name, club and class, parted by a tab, a comma or 、 "
            "(club and class may be left out). Cells copied from a spreadsheet fit as they are."
        ),
        widget=forms.Textarea(attrs={"rows": 14}),
        strip=False,
    )

    def __init__(self, *args: Any, room: int = MOST_ENTRIES, **kwargs: Any) -> None:
        """Set up; `room` is for how many more players there are numbers."""
        super().__init__(*args, **kwargs)
        self.room = room

    def clean_people(self) -> list[dict[str, str]]:
        """Return a name, a club and a class for each line that is not empty."""
        problems: list[str] = []
        people = []
        for number, line in enumerate(LINE_END.split(self.cleaned_data["people"]), 1):
            if line.strip():
                person = split_line(line)
                problems += [
                    gettext("Line %(number)s: %(problem)s") % {"number": number, "problem": problem}
                    for problem in problems_of(person)
                ]
                people.append(dict(zip(COLUMNS, [*person, "", ""], strict=False)))
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


def problems_of(person: list[str]) -> list[str]:
    """Return what is wrong with a line's fields, as sentences that say what to do."""
    problems = []
    if not person[0]:
        problems.append(gettext("the name is missing; write it first."))
    if len(person) > len(COLUMNS):
        problems.append(
            gettext("%(count)s fields are too many; write name, club and class only.")
            % {"count": len(person)}
        )
    for longest, text in zip(COLUMNS.values(), person, strict=False):
        if len(text) > longest:
            problems.append(
                gettext("“%(start)s…” has %(length)s characters; %(longest)s are the most.")
                % {"start": text[:20], "length": len(text), "longest": longest}
            )
    return problems
