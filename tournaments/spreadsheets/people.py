"""Reads the player in a line of a list, exactly as it stands there.

A number in a column for text is refused, since Excel may have removed leading zeros, or stored a
date. Levels such as 3 are the exception.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _

from tournaments.models.entry_fields import ENTRY_FIELDS
from tournaments.models.people import is_plausible_birth_year
from tournaments.models.readable_names import is_readable
from tournaments.spreadsheets import workbooks
from tournaments.spreadsheets.headings import Row, is_filled
from tournaments.spreadsheets.problems import LineProblem

LEVELS = range(1, 100)  # numbers that name a class or team; dates are stored as higher ones


def read_person(columns: Sequence[str], row: Row) -> tuple[dict[str, Any], list[LineProblem]]:
    """Return the valid fields of a line's player, and the problems of the line.

    `columns` has the field name of each column, "" if it is not read.
    """
    line, cells = row
    problems: list[LineProblem] = []
    if any(is_filled(cell) for cell in cells[len(columns) :]):
        problem = _("This line has more cells than there are headings.")
        problems.append(LineProblem(line, "too_long", problem))
    padded = [*cells, *[None] * len(columns)]
    cell_of = {
        name: cell for name, cell in zip(columns, padded, strict=False) if cell is not None and name
    }
    if any(isinstance(cell, workbooks.Formula) for cell in cell_of.values()):
        problem = _("This cell has a formula. Paste its value instead.")
        problems.append(LineProblem(line, "formula", problem))
        return {}, problems
    person: dict[str, Any] = {}
    for name, cell in cell_of.items():
        checked = (
            _checked_year(line, cell, problems)
            if name == "birth_year"
            else _checked_text(line, name, cell, problems)
        )
        if checked is not None:
            person[name] = checked
    if not is_readable(str(cell_of.get("name") or "")):
        problems.append(LineProblem(line, "missing", _("The name is missing.")))
    return person, problems


def _checked_text(line: int, field_name: str, cell: Any, problems: list[LineProblem]) -> str | None:
    """Return the text of a cell. If it is invalid, append a problem and return None."""
    if field_name in {"division", "team"} and type(cell) is int and cell in LEVELS:
        return str(cell)
    if not isinstance(cell, str):
        text = _("“%(value)s” is not text. Format the cell as text and type it again.")
        problems.append(LineProblem(line, "type", text % {"value": str(cell)[:50]}))
    elif len(cell) > ENTRY_FIELDS[field_name].max_length:
        text = _("“%(start)s…” has %(length)s characters; at most %(longest)s are allowed.")
        values = {
            "start": cell[:20],
            "length": len(cell),
            "longest": ENTRY_FIELDS[field_name].max_length,
        }
        problems.append(LineProblem(line, "too_long", text % values))
    elif "\0" in cell:
        problems.append(LineProblem(line, "type", _("This cell has a character that is not text.")))
    else:
        return cell if field_name == "name" else cell.strip()  # names as they were exported
    return None


def _checked_year(line: int, cell: Any, problems: list[LineProblem]) -> int | None:
    """Return a year of birth, None for an empty cell.

    If the cell is invalid, append a problem and return None.
    """
    text = str(cell).strip()
    if isinstance(cell, str) and not text:
        return None
    year = None if isinstance(cell, bool) else parse_birth_year(text)
    if year is None:
        problems.append(LineProblem(line, "range", bad_year_message(text)))
    return year


def parse_birth_year(text: str) -> int | None:
    """Return a year of birth, or None if it is no number or not plausible.

    Full-width digits are read, too.

    >>> parse_birth_year("１９５５")
    1955
    """
    digits = unicodedata.normalize("NFKC", text)
    year = int(digits[:9]) if digits.isascii() and digits.isdigit() else 0
    return year if is_plausible_birth_year(year) else None


def bad_year_message(text: str) -> str:
    problem = _("“%(value)s” is not a year of birth. Write it as four digits, such as 1955.")
    return problem % {"value": text[:50]}
