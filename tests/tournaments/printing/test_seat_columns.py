"""Where names stand on the pages of the seat list."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

import pytest
from django.utils import translation

from tests.tournaments.printing import forms, page_faults
from tournaments.models import Entry
from tournaments.printing import seat_columns
from tournaments.printing.names import WORD
from tournaments.printing.seat_columns import Box, Column, Pages

READINGS = (
    "あべ",
    "いしど",
    "がもう",
    "かわ",
    "さとう",
    "つしま",
    "なりた",
    "はせがわ",
    "みかみ",
    "わだ",
    "Lee",
    "",
)


def tables_of(count: int, *names: str) -> dict[int, list[Entry]]:
    entries = [
        Entry(number=i + 1, name=f"選手{i}", reading=READINGS[i % len(READINGS)])
        for i in range(count)
    ]
    for entry, name in zip(entries, names, strict=False):
        entry.name, entry.reading = name, ""
    return {i // 6 + 1: entries[i : i + 6] for i in range(0, count, 6)}


def columns_of(pages: Pages) -> Iterator[Column]:
    return (column for page in pages.pages for column in page.columns)


def headings_of(column: Column) -> list[Box]:
    return [box for box in column.boxes if box.css == "heading"]


def tops(lines: list[str]) -> list[float]:
    return [float(line.split(" ")[0]) for line in lines]


@pytest.mark.parametrize(("count", "pages"), [(6, 1), (60, 1), (100, 1), (342, 4), (1002, 10)])
def test_names_fill_few_pages(count: int, pages: int) -> None:
    tables = tables_of(count)
    by_name, by_table = seat_columns.by_name(tables), seat_columns.by_table(tables)
    assert len(by_name.pages) == pages
    assert len(by_table.pages) == -(-len(tables) // 15)
    names = [name.entry.number for column in columns_of(by_name) for name in column.names]
    assert sorted(names) == list(range(1, count + 1))


def test_each_column_begins_with_its_heading() -> None:
    columns = list(columns_of(seat_columns.by_name(tables_of(342))))
    assert all(headings_of(column)[0].top == "0" for column in columns)
    assert any(headings_of(column)[0].is_carried_on for column in columns)
    headings = [box.text for column in columns for box in headings_of(column)]
    wanted = ["あ", "か", "さ", "た", "な", "は", "ま", "わ", "A–Z", "ふりがななし"]
    assert list(dict.fromkeys(headings)) == wanted


def test_headings_need_readings() -> None:
    for nameless, headings in ((16, []), (30, ["ふりがななし"])):
        (page,) = seat_columns.by_name(tables_of(30, *["無名"] * nameless)).pages
        assert page.headings == headings


def test_lines_beside_names_are_those_of_the_names() -> None:
    for names in (forms.LONG, [name * 5 for name in forms.LONG]):
        pages = seat_columns.by_name(
            tables_of(342, *names), [(Entry(number=999, name="抜け 番"), "")]
        )
        pitch = float(pages.pitch)
        for column in columns_of(pages):
            numbers = tops(column.lines["left"])
            names_at = [
                top for css in column.lines if "names" in css for top in tops(column.lines[css])
            ]
            long_at = [float(box.top) for box in column.boxes if "names" in box.css]
            assert sorted(names_at + long_at) == numbers
            assert set(tops(column.lines["right"])) <= set(numbers)
            ends = [
                top + pitch * name.lines for top, name in zip(numbers, column.names, strict=True)
            ]
            nexts = [*numbers[1:], 249 * seat_columns.PX]
            assert all(end <= top for end, top in zip(ends, nexts, strict=True))
            *gaps_and_rules, rest = map(float, column.rules.split())
            assert [*accumulate(gaps_and_rules)][1::2] == pytest.approx(ends)
            assert set(gaps_and_rules[1::2]) == {seat_columns.RULE}
            # Dashes that begin again would cover what is below the last name.
            assert sum(gaps_and_rules) + rest > 249 * seat_columns.PX


@pytest.mark.parametrize("count", [6, 342])  # large and small columns
def test_long_names_are_broken_between_words(count: int) -> None:
    tables = tables_of(count, *forms.HARDEST)
    for pages in (seat_columns.by_name(tables), seat_columns.by_table(tables)):
        for name in (name for column in columns_of(pages) for name in column.names):
            words = WORD.findall(name.entry.name)
            assert all(WORD.findall(line)[-1] in words for line in name.text.split("\n"))


# Each is drawn with a font of its own, with lines of another height.
FONTS = ("ᠮᠣᠩᠭᠣᠯ", "نستعلیق", "བོད་ཡིག", "𠮷野", "🀄🎴", "Ångström", "ไทยไทย", "ᬩᬮᬶ", "勇")


@pytest.mark.parametrize("language", forms.LANGUAGES)
def test_names_stand_beside_their_places_whatever_their_font(language: str) -> None:
    with translation.override(language):
        pdf = forms.seat_list(language, FONTS).lay_out()
    words = page_faults.words_of(pdf, 1)
    names = sorted(middle for text, middle in words if text == "勇")
    places = sorted(middle for text, middle in words if text.endswith("-9"))
    assert len(names) == len(places) == 8
    assert all(abs(name - place) < 3 for name, place in zip(names, places, strict=True))
