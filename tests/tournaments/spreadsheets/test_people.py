"""The players in the lines of a list."""

from typing import Any

import pytest

from tournaments.forms.entries import EntryForm
from tournaments.spreadsheets.headings import Row
from tournaments.spreadsheets.people import read_person


@pytest.mark.parametrize("column", ["division", "team"])
@pytest.mark.parametrize("level", [1, 3, 99])
def test_levels_may_be_numbers(column: str, level: int) -> None:
    person, problems = read_person(["name", column], Row(2, ["成田 キヨ", level]))
    assert person == {"name": "成田 キヨ", column: str(level)}
    assert not problems


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("division", 45993),  # a date
        ("division", 0),
        ("division", 2.5),
        ("division", True),
        ("contact", 90),
        ("club", 3),
    ],
)
def test_other_numbers_are_refused(column: str, cell: Any) -> None:
    person, problems = read_person(["name", column], Row(2, ["成田 キヨ", cell]))
    assert person == {"name": "成田 キヨ"}
    assert [problem.code for problem in problems] == ["type"]


def test_space_around_a_class_is_no_part_of_it() -> None:
    """It would be asked about as another class."""
    columns = ["name", "club", "division"]
    person, _problems = read_person(columns, Row(2, ["成田 キヨ", "金木 ", "甲\u3000"]))
    assert person == {"name": "成田 キヨ", "club": "金木", "division": "甲"}


@pytest.mark.parametrize(
    ("typed", "is_read"),
    [
        *((each, True) for each in ("1948", "１９４８", "1９4８", " １９４８\u3000")),
        *((each, False) for each in ("19４", "一九四八", "-1948")),
    ],
)
def test_list_reads_a_year_of_birth_as_the_form_does(typed: str, *, is_read: bool) -> None:
    """Names and years of one list are often typed in full width."""
    person, problems = read_person(["name", "birth_year"], Row(2, ["成田 キヨ", typed]))
    form = EntryForm({"name": "成田 キヨ", "birth_year": typed})
    assert form.is_valid() == (not problems)
    assert person.get("birth_year") == (1948 if is_read else None)
    assert form.cleaned_data.get("birth_year") == person.get("birth_year")
