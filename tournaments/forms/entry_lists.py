"""The forms that add players from a list: of a file, or pasted."""

from __future__ import annotations

import base64
import binascii
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.functional import lazy
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms import FILE_REQUIRED_MESSAGES
from tournaments.i18n.sentences import isolated, listed
from tournaments.models.entry_fields import (
    ENTRY_FIELDS,
    MOST_ENTRIES,
    PRIVATE_FIELDS,
    PUBLIC_FIELDS,
)
from tournaments.spreadsheets.entry_lists import (
    NO_HEADING,
    Choice,
    EntryList,
    KnownLayout,
    Layout,
    ListedPerson,
    read_list,
)
from tournaments.spreadsheets.headings import (
    MOST_COLUMNS,
    MOST_TITLES,
    NUMBER,
    Column,
    heading_of,
    text_of,
)
from tournaments.spreadsheets.problems import BadFile, EncodingNeeded, LineProblem
from tournaments.spreadsheets.sheets import LARGEST, Sheet, pasted_sheet, sheets_of_file

MOST_LINES_NAMED = 10  # lines with the same problem
MOST_PROBLEMS = 50
MOST_QUOTED = 300  # characters of lines that are left out
SEEN = re.compile(r"([0-9]{1,3}):(-1|[0-9]{1,2}):")  # the beginning of `ListForm.layout_key`
LONGEST_HEADING = 80  # characters of a line that may be the heading


def headings_of(names: Iterable[str]) -> str:
    """Return the column headings of these fields of a player, as a list in a sentence."""
    return listed([heading_of(name) for name in names])


class ColumnChoice(NamedTuple):
    """A column of the list, and the name of its control on the page."""

    control: str
    column: Column


class ListForm(forms.Form):
    """A list of players, with what its page has shown of it and what was chosen there.

    A line with a problem refuses the list, unless the page has shown that it is left out.
    """

    # What a column can be read as: the field and its label.
    field_choices = tuple((name, field.label) for name, field in ENTRY_FIELDS.items())
    no_heading = NO_HEADING
    source = ""  # the name of the field that problems belong to
    is_pasted = False

    sheet = forms.IntegerField(required=False, min_value=0, max_value=999, widget=forms.HiddenInput)
    # The index of the line with the headings among the first lines.
    heading = forms.IntegerField(
        required=False, min_value=NO_HEADING, max_value=MOST_TITLES, widget=forms.HiddenInput
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)  # `layout_key` of the preview

    def __init__(
        self,
        *args: Any,
        room: int = MOST_ENTRIES,
        known: Mapping[str, KnownLayout] | None = None,
        **kwargs: Any,
    ) -> None:
        """Set up. `room` is the number of players that the tournament can still take.

        `known` are the layouts of the reader's earlier lists.
        """
        super().__init__(*args, **kwargs)
        self.room = room
        self.known = known or {}
        self.entry_list: EntryList | None = None
        self.layout: Layout | None = None
        # Keys of the lines that are not to be added, and of those shown as wrong.
        posted = self.data if isinstance(self.data, QueryDict) else QueryDict()
        self.left_out = {*posted.getlist("leave_out")}
        self.wrong_shown = {*posted.getlist("leave_wrong")}

    def sheets(self, cleaned: Mapping[str, Any]) -> Sequence[Sheet]:
        """Raises `ValidationError` and `BadFile`."""
        raise NotImplementedError

    @property
    def layout_key(self) -> str:
        """Return what the page posts back as `seen`, to tell whether that is what was shown."""
        if self.layout is None:
            return ""
        fields = ".".join(column.field for column in self.layout.columns)
        return f"{self.layout.sheet}:{self.layout.heading}:{fields}"

    @property
    def must_be_shown(self) -> bool:
        seen = self.cleaned_data.get("seen")
        return seen != self.layout_key if seen else bool(self.layout and self.layout.is_guessed)

    @property
    def has_open_columns(self) -> bool:
        """Return whether the page shows the columns without being asked."""
        return bool(self.errors) or bool(self.layout and self.layout.has_unknown_columns)

    def heading_choices(self) -> list[tuple[int, str]]:
        """Return the index and the text of each line that may be the heading."""
        beginning = self.layout.beginning if self.layout else []
        return [
            (index, f"{row.line}: {text_of(row)[:LONGEST_HEADING]}")
            for index, row in enumerate(beginning)
        ]

    def column_choices(self) -> list[ColumnChoice]:
        """Return the columns of the sheet that are not empty, each with its control."""
        columns = self.layout.columns if self.layout else []
        return [
            ColumnChoice(f"column-{index}", column)
            for index, column in enumerate(columns)
            if not column.is_empty
        ]

    def lines(self) -> list[ListedPerson]:
        """Return the lines of players, as far as the list can be read."""
        return self.entry_list.lines if self.entry_list else []

    def lines_to_add(self) -> list[ListedPerson]:
        return [
            line for line in self.lines() if not line.problems and line.key not in self.left_out
        ]

    def _choice(self, cleaned: Mapping[str, Any]) -> Choice:
        """Return what was chosen; columns count only for the sheet and heading that were shown."""
        sheet, heading = cleaned.get("sheet"), cleaned.get("heading")
        seen = SEEN.match(cleaned.get("seen") or "")
        if seen:
            seen_sheet, seen_heading = map(int, seen.groups())
            if sheet is not None and sheet != seen_sheet:
                return Choice(sheet)
            if heading is not None and heading != seen_heading:
                return Choice(seen_sheet, heading)
            sheet, heading = seen_sheet, seen_heading
        posted = {index: self.data.get(f"column-{index}") for index in range(MOST_COLUMNS)}
        columns = {
            index: name for index, name in posted.items() if name == "" or name in ENTRY_FIELDS
        }
        return Choice(sheet, heading, columns)

    def notices(self) -> list[str]:
        """Return a sentence for how the list is read, and for each part that is left out."""
        if (found := self.entry_list) is None:
            return []
        layout = found.layout
        notices = []
        if layout.is_known:
            notices.append(gettext("Read the same way as your last list with these headings."))
        if len(layout.sheets) > 1:
            words = gettext("Only the sheet “%(sheet)s” is read.")
            notices.append(words % {"sheet": isolated(layout.sheets[layout.sheet])})
        if self.is_pasted and layout.heading == 0:
            notices.append(
                gettext("The first line has the names of the columns and was not read as a player.")
            )
        wrong = [line.text for line in found.lines if line.problems]
        left_out = [
            (gettext("Left out above the headings: %(lines)s"), found.titles),
            (gettext("Left out below the players: %(lines)s"), found.totals),
            (gettext("Not added, because of a mistake: %(lines)s"), wrong),
        ]
        notices += [words % {"lines": _joined(lines)} for words, lines in left_out if lines]
        if found.empty_lines:
            words = gettext("Left out, because the columns that are read are empty: %(count)s")
            notices.append(words % {"count": found.empty_lines})
        return notices + _unread_notices(layout.columns)

    def clean(self) -> dict[str, Any]:
        """Add `people`, the players in the list, or errors of the field `source`."""
        cleaned = super().clean() or {}
        if self.source in self.errors:
            return cleaned
        try:
            cleaned["people"] = self._read_people(cleaned)
        except ValidationError as problems:
            self.add_error(self.source, problems)
        return cleaned

    def _read_people(self, cleaned: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the players to be added, and set `entry_list`. Raises `ValidationError`."""
        try:
            sheets = self.sheets(cleaned)
            self.entry_list = read_list(
                sheets, self._choice(cleaned), known=self.known, is_pasted=self.is_pasted
            )
        except BadFile as bad:
            self.layout = bad.layout
            raise ValidationError(_grouped_sentences(bad.problems)) from bad
        self.layout = self.entry_list.layout
        problems = [
            problem
            for line in self.lines()
            if line.key not in self.wrong_shown
            for problem in line.problems
        ]
        if problems:
            raise ValidationError(_grouped_sentences(problems))
        people = [line.person for line in self.lines_to_add()]
        if not people:
            raise ValidationError(gettext("Nobody is left to add."))
        if len(people) > self.room:
            words = gettext("There is room for %(room)s more; remove some lines.")
            raise ValidationError(words % {"room": self.room})
        return people


class EntryFileForm(ListForm):
    source = "file"

    file = forms.FileField(
        label=_("Excel or CSV file"),
        help_text=format_lazy(
            _(
                "One line has the names of the columns: {name}, and optionally {others}. Only the "
                "staff sees {private}. Lines above it, such as a title, are left out."
            ),
            name=lazy(heading_of, str)("name"),
            others=lazy(headings_of, str)([name for name in ENTRY_FIELDS if name != "name"]),
            private=lazy(headings_of, str)(PRIVATE_FIELDS),
        ),
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.tsv,.txt"}),
        required=False,
    )
    kept = forms.CharField(required=False, widget=forms.HiddenInput)  # the file sent before, base64
    encoding = forms.ChoiceField(
        label=_("Character encoding"),
        required=False,
        choices=[
            ("", _("Excel, or CSV in UTF-8")),
            ("cp932", _("CSV in Shift_JIS (cp932), as Japanese Excel saves it")),
            ("gb18030", _("CSV in GBK (gb18030), as Chinese Excel saves it")),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.previews: Mapping[str, Sequence[str]] = {}  # first lines in each possible encoding
        self.content = b""

    @property
    def content_for_hidden_field(self) -> str:
        """Return the file as base64, which the page sends again."""
        return base64.b64encode(self.content).decode()

    def sheets(self, cleaned: Mapping[str, Any]) -> Sequence[Sheet]:
        """Return the sheets of the uploaded file, or of the file in the hidden field.

        If the reader has to choose the encoding, it sets `previews`: the page offers their
        encodings. Without UTF-8 among these, the file is not valid UTF-8.
        """
        self.content = _uploaded_or_hidden_file(cleaned)
        try:
            return sheets_of_file(self.content, cleaned.get("encoding", ""))
        except EncodingNeeded as needed:
            self.previews = needed.previews
            if "utf-8" not in self.previews:
                words = gettext("This is not UTF-8. Choose the encoding below.")
                raise ValidationError(words) from needed
            raise


class PasteForm(ListForm):
    """Pasted players, one in each line."""

    source = "people"
    is_pasted = True

    people = forms.CharField(
        label=_("Players, one per line"),
        help_text=format_lazy(
            _(
                "In this order: {columns}, separated by a tab, a comma or 、 (only the name is "
                "needed). You can paste cells copied from a spreadsheet. With a line of headings "
                "first, the columns can be in any order."
            ),
            columns=lazy(headings_of, str)(PUBLIC_FIELDS),
        ),
        widget=forms.Textarea(attrs={"rows": 14}),
        strip=False,
    )

    def sheets(self, cleaned: Mapping[str, Any]) -> Sequence[Sheet]:
        sheet = pasted_sheet(cleaned["people"])
        if not sheet.rows:
            raise ValidationError(gettext("Enter at least one name."))
        return [sheet]


def _unread_notices(columns: Iterable[Column]) -> list[str]:
    """Return a sentence for the column of numbers, and one for other columns that are not read."""
    unread = [column for column in columns if not column.field]
    notices = []
    if numbers := [column.heading for column in unread if column.known == NUMBER]:
        words = gettext("Not read: the column “%(column)s”. Players get the next numbers here.")
        notices.append(words % {"column": _joined(numbers)})
    others = [column.heading for column in unread if column.known != NUMBER and not column.is_empty]
    if others:
        words = gettext("Columns not read: %(columns)s")
        notices.append(words % {"columns": _joined(others)})
    return notices


def _joined(texts: Iterable[str]) -> str:
    return isolated(" / ".join(texts)[:MOST_QUOTED])


def _uploaded_or_hidden_file(cleaned: Mapping[str, Any]) -> bytes:
    """Return the bytes of the uploaded file, or of the file in the hidden field.

    Reads at most one byte more than allowed: `sheets_of_file` refuses such a file. Raises
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


def _grouped_sentences(problems: Sequence[LineProblem]) -> list[str]:
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
