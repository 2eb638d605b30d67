"""The form that adds players from a file."""

from __future__ import annotations

import base64
import binascii
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms import FILE_REQUIRED_MESSAGES
from tournaments.forms.entries import headings_of
from tournaments.i18n.sentences import isolated, listed
from tournaments.models.entry_fields import ENTRY_FIELDS, PRIVATE_FIELDS
from tournaments.spreadsheets.entry_lists import (
    LARGEST,
    MOST_ENTRIES,
    BadFile,
    EncodingNeeded,
    EntryList,
    Layout,
    LineProblem,
    SheetNeeded,
    read_list,
)
from tournaments.spreadsheets.headings import MOST_COLUMNS, NUMBER, Column, heading_of

MOST_KEPT = 1_000_000  # bytes of a file that the page holds, to send it again with an encoding
MOST_LINES_NAMED = 10  # lines with the same problem
MOST_PROBLEMS = 50
MOST_QUOTED = 300  # characters of lines that are left out


class ColumnChoice(NamedTuple):
    """A column of the list, and the name of its control on the page."""

    control: str
    column: Column


class EntryFileForm(forms.Form):
    """A CSV or Excel file of players. A problem in one line refuses the whole file."""

    # What a column can be read as: the field and its label.
    field_choices = tuple((name, field.label) for name, field in ENTRY_FIELDS.items())

    file = forms.FileField(
        label=_("Excel or CSV file"),
        help_text=format_lazy(
            _(
                "One line names the columns: {name}, and if you like {others}. Only the staff sees "
                "{private}. Lines above it, such as a title, are left out."
            ),
            name=lazy(heading_of, str)("name"),
            others=lazy(headings_of, str)([name for name in ENTRY_FIELDS if name != "name"]),
            private=lazy(headings_of, str)(PRIVATE_FIELDS),
        ),
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.tsv,.txt"}),
        required=False,
    )
    kept = forms.CharField(required=False, widget=forms.HiddenInput)  # the file sent before, base64
    sheet = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)  # `layout_key` of the preview
    encoding = forms.ChoiceField(
        label=_("Characters"),
        required=False,
        choices=[
            ("", _("Excel, or CSV in UTF-8")),
            ("cp932", _("CSV in Shift_JIS (cp932), as Japanese Excel saves it")),
            ("gb18030", _("CSV in GBK (gb18030), as Chinese Excel saves it")),
        ],
    )

    def __init__(self, *args: Any, room: int = MOST_ENTRIES, **kwargs: Any) -> None:
        """Set up. `room` is the number of players that the tournament can still take."""
        super().__init__(*args, **kwargs)
        self.room = room
        self.previews: Mapping[str, list[str]] = {}  # the first lines in each possible encoding
        self.content = b""
        self.entry_list: EntryList | None = None
        self.layout: Layout | None = None
        self.is_guessed = False  # the sheet is the most likely of several

    @property
    def content_for_hidden_field(self) -> str:
        """Return the file as base64; empty if it is too large for the page to send it again."""
        is_small = len(self.content) <= MOST_KEPT
        return base64.b64encode(self.content).decode() if is_small else ""

    @property
    def layout_key(self) -> str:
        """Return what the page posts back as `seen`, to tell whether that is what was shown."""
        if self.layout is None:
            return ""
        return f"{self.layout.sheet}:{'.'.join(column.field for column in self.layout.columns)}"

    @property
    def has_choice(self) -> bool:
        """Return whether there is a sheet or an unknown column to choose, and the page can do it.

        For this the page has to send the file again.
        """
        if self.layout is None or not self.content_for_hidden_field:
            return False
        is_known = all(column.known or column.is_empty for column in self.layout.columns)
        return len(self.layout.sheets) > 1 or not is_known or bool(self.data.get("seen"))

    @property
    def must_be_shown(self) -> bool:
        """Return whether the players have to be shown before they are added."""
        seen = self.cleaned_data.get("seen")
        return seen != self.layout_key if seen else self.is_guessed

    def column_choices(self) -> list[ColumnChoice]:
        """Return the columns of the sheet that are not empty, each with its control."""
        columns = self.layout.columns if self.layout else []
        return [
            ColumnChoice(f"column-{index}", column)
            for index, column in enumerate(columns)
            if not column.is_empty
        ]

    @property
    def has_unread_columns(self) -> bool:
        """Return whether a column with an unknown heading is not read."""
        return any(
            not each.column.field and not each.column.known for each in self.column_choices()
        )

    def _chosen_columns(self) -> dict[int, str]:
        """Return the field of each column as posted for the sheet that was shown."""
        seen_sheet = str(self.data.get("seen", "")).partition(":")[0]
        if seen_sheet != str(self.data.get("sheet", seen_sheet)):
            return {}
        posted = {index: self.data.get(f"column-{index}") for index in range(MOST_COLUMNS)}
        return {index: name for index, name in posted.items() if name == "" or name in ENTRY_FIELDS}

    def notices(self) -> list[str]:
        """Return a sentence for each part of the file that is left out."""
        if (found := self.entry_list) is None:
            return []
        notices = []
        if len(found.layout.sheets) > 1:
            name = found.layout.sheets[found.layout.sheet]
            words = gettext("Only the sheet “%(sheet)s” is read.")
            notices.append(words % {"sheet": isolated(name)})
        if found.titles:
            words = gettext("Left out above the headings: %(lines)s")
            notices.append(words % {"lines": _joined(found.titles)})
        if found.totals:
            words = gettext("Left out below the players: %(lines)s")
            notices.append(words % {"lines": _joined(found.totals)})
        if found.empty_lines:
            words = gettext("Left out, as nothing stands in the columns that are read: %(count)s")
            notices.append(words % {"count": found.empty_lines})
        unread = [column for column in found.layout.columns if not column.field]
        if numbers := [column.heading for column in unread if column.known == NUMBER]:
            words = gettext("Not read: the column “%(column)s”. Players get the next numbers here.")
            notices.append(words % {"column": _joined(numbers)})
        others = [
            column.heading for column in unread if column.known != NUMBER and not column.is_empty
        ]
        if others:
            words = gettext("Not read: %(columns)s")
            notices.append(words % {"columns": _joined(others)})
        return notices

    def clean(self) -> dict[str, Any]:
        """Add `people`, the players in the file, or errors of the field `file`."""
        cleaned = super().clean() or {}
        try:
            self.content = _uploaded_or_hidden_file(cleaned)
            cleaned["people"] = self._read_people(cleaned.get("encoding", ""), cleaned.get("sheet"))
        except ValidationError as problems:
            self.add_error("file", problems)
        return cleaned

    def _read_people(self, encoding: str, sheet: int | None) -> list[dict[str, Any]]:
        """Return the players in the file, and set `entry_list`. Raises `ValidationError`.

        If the reader has to choose the encoding, it sets `previews`: the page offers their
        encodings. Without UTF-8 among these, the file is not valid UTF-8.
        """
        try:
            self.entry_list = self._read_list(encoding, sheet)
        except EncodingNeeded as needed:
            self.previews = needed.previews
            if self.content_for_hidden_field and "utf-8" not in self.previews:
                words = gettext("This is not UTF-8. Choose below how it is to be read.")
                raise ValidationError(words) from needed
            raise ValidationError(_grouped_sentences(needed.problems)) from needed
        except BadFile as bad:
            self.layout = bad.layout
            raise ValidationError(_grouped_sentences(bad.problems)) from bad
        if len(self.entry_list.people) > self.room:
            words = gettext("There is room for %(room)s more; take some lines out.")
            raise ValidationError(words % {"room": self.room})
        return self.entry_list.people

    def _read_list(self, encoding: str, sheet: int | None) -> EntryList:
        """Return the list as chosen on the page.

        If the page can show it first, the longest of several likely sheets is read, and columns
        with unknown headings are not.
        """
        columns = self._chosen_columns() if self.content_for_hidden_field else None
        try:
            found = read_list(self.content, encoding, sheet=sheet, columns=columns)
        except SheetNeeded as needed:
            if columns is None:
                raise
            self.is_guessed = True
            found = read_list(self.content, encoding, sheet=needed.guess, columns={})
        self.layout = found.layout
        self.is_guessed = self.is_guessed or self.has_unread_columns
        return found


def _joined(texts: Iterable[str]) -> str:
    return isolated(" / ".join(texts)[:MOST_QUOTED])


def _uploaded_or_hidden_file(cleaned: Mapping[str, Any]) -> bytes:
    """Return the bytes of the uploaded file, or of the file in the hidden field.

    Reads at most one byte more than allowed: `read_list` refuses such a file. Raises
    `ValidationError` without a file.
    """
    if file := cleaned.get("file"):
        content: bytes = file.read(LARGEST + 1)
        return content
    try:
        hidden_content = base64.b64decode(cleaned.get("kept", ""), validate=True)
    except (binascii.Error, ValueError):
        hidden_content = b""
    if not hidden_content:
        raise ValidationError(FILE_REQUIRED_MESSAGES["required"])
    return hidden_content


def _grouped_sentences(problems: list[LineProblem]) -> list[str]:
    """Return one sentence for each different problem, with the numbers of all its lines.

    From `MOST_PROBLEMS` on, a last sentence counts the others.
    """
    lines_by_message: dict[str, list[int]] = defaultdict(list)
    for problem in problems:
        lines_by_message[problem.message].append(problem.line)
    sentences = [
        _problem_sentence(message, lines)
        for message, lines in [*lines_by_message.items()][:MOST_PROBLEMS]
    ]
    if (more := len(lines_by_message) - MOST_PROBLEMS) > 0:
        sentences.append(gettext("And %(more)s more.") % {"more": more})
    return sentences


def _problem_sentence(message: str, lines: list[int]) -> str:
    """Return a problem with the numbers of its lines. Lines `[0]` mean the whole file."""
    if lines == [0]:
        return message
    if len(lines) == 1:
        words = gettext("Line %(number)s: %(problem)s")
        return words % {"number": lines[0], "problem": message}
    named = listed([str(line) for line in lines[:MOST_LINES_NAMED]])
    if (more := len(lines) - MOST_LINES_NAMED) > 0:
        words = gettext("Lines %(numbers)s and %(more)s more: %(problem)s")
        return words % {"numbers": named, "more": more, "problem": message}
    words = gettext("Lines %(numbers)s: %(problem)s")
    return words % {"numbers": named, "problem": message}
