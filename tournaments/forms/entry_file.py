"""A file of players, chosen in the browser."""

from __future__ import annotations

import base64
import binascii
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.forms import NO_FILE
from tournaments.i18n.sentences import listed
from tournaments.spreadsheets.entry_lists import (
    LARGEST,
    MOST_ENTRIES,
    BadFile,
    EntryList,
    LineProblem,
    WhichEncoding,
    read_list,
)

MOST_KEPT = 1_000_000  # bytes of a file that need not be chosen again to say how it is read
MOST_LINES_NAMED = 10  # with which the same is wrong
MOST_TOLD = 50  # problems; whoever has mended these reads the rest the next time


class EntryFileForm(forms.Form):
    """A CSV or Excel file. Its lines come in exactly as they stand, or none of them does."""

    file = forms.FileField(
        label=_("Excel or CSV file"),
        help_text=_(
            "One line names the columns: name, and if you like club, class, reading, contact, "
            "year of birth, notes. The last three are seen by the staff only. Lines above it, such "
            "as a title, are left out."
        ),
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.tsv,.txt"}),
        required=False,
    )
    kept = forms.CharField(required=False, widget=forms.HiddenInput)  # the same file, base64
    encoding = forms.ChoiceField(
        label=_("Characters"),
        required=False,
        choices=[
            ("", _("Excel, or CSV in UTF-8")),
            ("cp932", _("CSV in Shift_JIS (cp932), as Japanese Excel saves it")),
        ],
    )

    def __init__(self, *args: Any, room: int = MOST_ENTRIES, **kwargs: Any) -> None:
        """Set up; `room` is for how many more players there are numbers."""
        super().__init__(*args, **kwargs)
        self.room = room
        self.previews: Mapping[str, list[str]] = {}  # of a file whose encoding is asked for
        self.content = b""
        self.titles: list[str] = []

    @property
    def to_keep(self) -> str:
        """Return the file for the page to send again, unless it is too large for that."""
        is_small = len(self.content) <= MOST_KEPT
        return base64.b64encode(self.content).decode() if is_small else ""

    def clean(self) -> dict[str, Any]:
        """Put the `people` of the file beside it, or every problem with it on its field."""
        cleaned = super().clean() or {}
        try:
            self.content = _content(cleaned)
            cleaned["people"] = self._read(cleaned.get("encoding", ""))
        except ValidationError as problems:
            self.add_error("file", problems)
        return cleaned

    def _read(self, encoding: str) -> list[dict[str, Any]]:
        try:
            found: EntryList = read_list(self.content, encoding)
        except WhichEncoding as which:
            self.previews = which.previews
            if not self.to_keep or len(self.previews) > 1:
                raise ValidationError(_told(which.problems)) from which
            words = gettext("This looks like Shift_JIS. Choose below to have it read so.")
            raise ValidationError(words) from which
        except BadFile as bad:
            raise ValidationError(_told(bad.problems)) from bad
        if len(found.people) > self.room:
            words = gettext("There is room for %(room)s more players; take some lines out.")
            raise ValidationError(words % {"room": self.room})
        self.titles = found.titles
        return found.people


def _content(cleaned: Mapping[str, Any]) -> bytes:
    """Return the file that was chosen, or that the page has kept."""
    if file := cleaned.get("file"):
        content: bytes = file.read(LARGEST + 1)
        return content
    try:
        kept = base64.b64decode(cleaned.get("kept", ""), validate=True)
    except (binascii.Error, ValueError):
        kept = b""
    if not kept:
        raise ValidationError(NO_FILE["required"])
    return kept


def _told(problems: list[LineProblem]) -> list[str]:
    """Return the problems as sentences: each once, with all the lines that have it."""
    lines: dict[str, list[int]] = defaultdict(list)
    for each in problems:
        lines[each.message].append(each.line)
    said = [_said(message, numbers) for message, numbers in [*lines.items()][:MOST_TOLD]]
    if (more := len(lines) - MOST_TOLD) > 0:
        said.append(gettext("And %(more)s more.") % {"more": more})
    return said


def _said(message: str, lines: list[int]) -> str:
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
