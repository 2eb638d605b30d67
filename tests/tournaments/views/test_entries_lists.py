"""Lists as clubs have them are stored after at most two presses, from a file and pasted."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from tests import cast
from tests.pressing import press
from tournaments.models import ListLayout, Tournament

CLUB_LIST = [
    ["第31回大会 参加者名簿"],
    ["2026年11月22日現在"],
    ["No.", "氏名", "ﾌﾘｶﾞﾅ", "所属団体", "級", "電話番号"],
    ["1", "成田 キヨ", "ﾅﾘﾀ ｷﾖ", "なかよし村", "Ａ", "017-1"],
    ["2", "工藤 正", "ｸﾄﾞｳ ﾀﾀﾞｼ", "なかよし村", "A", "017-2"],
    ["", "計", "2名"],
]
UNUSUAL = [["参加者氏名", "地区", "帽子"], ["成田 キヨ", "なかよし村", "M"], ["工藤 正", "", "L"]]

Send = Callable[[list[list[str]]], Any]


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("entries", args=[tournament.slug])


def book(*sheets: list[list[Any]]) -> SimpleUploadedFile:
    workbook = Workbook()
    workbook.remove(workbook.active)  # type: ignore[arg-type]
    for number, rows in enumerate(sheets, 2025):
        sheet = workbook.create_sheet(str(number))
        for row in rows:
            sheet.append([cell or None for cell in row])
    content = io.BytesIO()
    workbook.save(content)
    return SimpleUploadedFile("名簿.xlsx", content.getvalue())


@pytest.fixture(params=["file", "pasted"])
def send(request: pytest.FixtureRequest, director: Client, address: str) -> Send:
    """Choose a file and press 読み込む, or paste a list and press the button below."""

    def choose(rows: list[list[str]]) -> Any:
        return director.post(address, {"file": book(rows), "encoding": ""}, follow=True)

    def paste(rows: list[list[str]]) -> Any:
        text = "\r\n".join("\t".join(row) for row in rows)
        return director.post(address, {"people": text}, follow=True)

    return choose if request.param == "file" else paste


@pytest.fixture
def add(director: Client, address: str) -> Callable[..., Any]:
    """Press この選手を追加 on the preview, or another button."""

    def press_it(page: Any, button: str = "", **changes: Any) -> Any:
        changed = {re.sub(r"_(?=\d)", "-", name): value for name, value in changes.items()}
        return press(director, address, page, button, form_with="looked", changes=changed)

    return press_it


def stored(tournament: Tournament, *names: str) -> list[tuple[Any, ...]]:
    return list(tournament.entries.order_by("number").values_list(*(names or ("name",))))


def test_titles_numbers_totals_and_classes_take_one_look(
    tournament: Tournament, send: Send, add: Callable[..., Any]
) -> None:
    page = send(CLUB_LIST)
    assert "第31回大会" in page.text
    assert "計 2名" in page.text
    assert stored(tournament) == []  # Ａ beside A is asked about
    add(page)
    assert stored(tournament, "name", "reading", "club", "division", "contact") == [
        ("成田 キヨ", "ﾅﾘﾀ ｷﾖ", "なかよし村", "Ａ", "017-1"),
        ("工藤 正", "ｸﾄﾞｳ ﾀﾀﾞｼ", "なかよし村", "Ａ", "017-2"),
    ]


def test_columns_are_chosen_and_remembered(
    director: Client, tournament: Tournament, send: Send, add: Callable[..., Any], address: str
) -> None:
    shown = send(UNUSUAL)
    assert stored(tournament) == []
    shown = add(shown, "preview", column_1="club")  # the name is guessed
    add(shown)
    assert stored(tournament, "name", "club") == [("成田 キヨ", "なかよし村"), ("工藤 正", "")]
    tournament.entries.all().delete()
    again = send([["名簿"], ["次の年"], ["参加者 氏名", "地区", "帽子"], ["三上 力", "弘前", "S"]])
    assert "見出しが同じだった以前" in again.text
    assert stored(tournament, "name", "club", "notes") == [("三上 力", "弘前", "")]
    other = cast.make_tournament(name="別の大会")
    cast.make_staff(other, "other", "director")
    stranger = Client()
    stranger.force_login(other.memberships.get().user)
    text = "\n".join("\t".join(row) for row in UNUSUAL)
    page = stranger.post(reverse("entries", args=[other.slug]), {"people": text})
    assert "見出しが同じだった以前" not in page.text  # what somebody else chose decides nothing
    assert not other.entries.exists()


def test_unusual_headings_are_guessed_and_shown(
    tournament: Tournament, send: Send, add: Callable[..., Any]
) -> None:
    page = send([["参加者氏名", "参加クラブ名", "携帯電話"], ["成田 キヨ", "弘前", "090"]])
    assert stored(tournament) == []
    add(page)
    assert stored(tournament, "name", "club", "contact") == [("成田 キヨ", "弘前", "090")]


def test_sheet_is_remembered(
    director: Client, tournament: Tournament, add: Callable[..., Any], address: str
) -> None:
    one, other = [["氏名"], ["成田 キヨ"]], [["氏名"], ["工藤 正"], ["三上 力"]]
    sent = {"file": book(other, one), "encoding": ""}
    page = director.post(address, sent, follow=True)
    page = add(page, sheet="1")  # another sheet than was shown
    add(page)
    assert stored(tournament) == [("成田 キヨ",)]
    director.post(address, {"file": book(other, one), "encoding": ""})
    assert stored(tournament) == [("成田 キヨ",), ("成田 キヨ",)]


def test_wrong_line_is_left_out(
    director: Client, tournament: Tournament, send: Send, add: Callable[..., Any]
) -> None:
    rows = [["氏名", "所属", "生年"], ["成田 キヨ", "なかよし村", "1955"], ["", "弘前", "1950"],
            ["工藤 正", "", "昭和30"]]  # fmt: skip
    page = send(rows)
    assert page.status_code == 422
    assert [bool(row.problems) for row in page.context["rows"]] == [False, True, True]
    assert stored(tournament) == []
    told = add(page)
    assert stored(tournament) == [("成田 キヨ",)]
    assert "弘前 1950" in told.text


def test_line_that_was_not_shown_as_wrong_refuses_the_list(
    director: Client, tournament: Tournament, address: str
) -> None:
    sent = {"people": "成田 キヨ\n、弘前", "looked": "1", "leave_wrong": ["x"]}
    assert director.post(address, sent).status_code == 422
    assert stored(tournament) == []


def test_ticks_are_kept_when_the_list_is_shown_otherwise(
    director: Client, tournament: Tournament, add: Callable[..., Any], address: str
) -> None:
    cast.in_english(director)
    earlier = cast.make_tournament(name="昨年")
    earlier.entries.create(number=1, name="成田 キヨ", club="なかよし村")
    earlier.memberships.create(user=tournament.memberships.get().user, role="director")
    rows = [["氏名", "級", "帽子"], ["成田 キヨ", "A", "M"], ["工藤 正", "Ａ", "L"], ["三上 力"]]
    files = book(rows, [["氏名"], ["木村 勇"], ["葛西 実"], ["対馬 ハル"], ["今 昭"]])
    page = director.post(address, {"file": files, "encoding": ""})
    page = add(page, "preview", sheet="0")
    keys = {row.name: row for row in page.context["rows"]}
    ticks = {"leave_out": [keys["三上 力"].key], "take_over": [keys["成田 キヨ"].fill_in_key]}
    page = add(page, "preview", column_2="notes", same_class=None, **ticks)
    page = add(page, "preview", sheet="1")
    page = add(page, "preview", sheet="0")
    page = add(page, "preview", column_2="notes")
    add(page)
    assert stored(tournament, "name", "club", "division", "notes") == [
        ("成田 キヨ", "なかよし村", "A", "M"),
        ("工藤 正", "", "Ａ", "L"),
    ]


def test_pasted_lines_are_corrected_on_the_preview(
    director: Client, tournament: Tournament, add: Callable[..., Any], address: str
) -> None:
    page = director.post(address, {"people": "成田 キヨ\n、弘前\n三上 力"})
    left_out = page.context["rows"][2].key
    page = add(page, "preview", people="成田 キヨ\n工藤 正、弘前\n三上 力", leave_out=[left_out])
    add(page)
    assert stored(tournament, "name", "club") == [("成田 キヨ", ""), ("工藤 正", "弘前")]


def test_list_without_headings_has_none_to_lose(
    director: Client, tournament: Tournament, add: Callable[..., Any], address: str
) -> None:
    sent = {"file": book([["成田 キヨ", "弘前"], ["工藤 正", "黒石"]]), "encoding": ""}
    page = director.post(address, sent)
    page = add(page, "preview", heading="-1")
    add(page)
    assert stored(tournament, "name", "club") == [("成田 キヨ", "弘前"), ("工藤 正", "黒石")]
    assert not ListLayout.objects.exists()


@pytest.mark.parametrize("fields", [["name", "reading"], ["name", "club", "reading"]])
def test_readings_pasted_in_place_of_what_nobody_has_are_readings(
    director: Client,
    tournament: Tournament,
    add: Callable[..., Any],
    address: str,
    fields: list[str],
) -> None:
    """Where no player has a class, hardly anybody leaves its column empty."""
    people = [
        {"name": "成田 キヨ", "club": "弘前", "reading": "なりた きよ"},
        {"name": "工藤 正", "club": "黒石", "reading": "クドウ タダシ"},
        {"name": "三上 力", "club": "弘前", "reading": "ﾐｶﾐ ﾁｶﾗ"},
    ]
    lines = [[each[name] for name in fields] for each in people]
    page = director.post(address, {"people": "\n".join(map("、".join, lines))})
    assert not tournament.entries.exists()  # it was guessed, thus is shown
    add(page)
    assert stored(tournament, *fields) == [*map(tuple, lines)]


def test_large_file_is_shown_like_any_other(
    director: Client, tournament: Tournament, add: Callable[..., Any], address: str
) -> None:
    # A cell may have 131,072 characters.
    content = "氏名,帽子\n" + f"成田 キヨ,{'M' * 100_000}\n" * 20
    file = SimpleUploadedFile("名簿.csv", content.encode())
    page = director.post(address, {"file": file, "encoding": ""})
    assert (page.status_code, stored(tournament)) == (200, [])
    add(page)
    assert tournament.entries.count() == 20
