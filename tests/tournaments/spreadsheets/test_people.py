"""The players in the lines of a list."""

from typing import Any

import pytest

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
