"""Adding players from a file: all lines, or none and every problem."""

from __future__ import annotations

import base64
import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from tests import cast, entry_lists
from tournaments import verification
from tournaments.models import Entry, Tournament
from tournaments.models.entry_fields import MOST_ENTRIES

PEOPLE = "氏名,所属,クラス,連絡先\n髙橋 﨑,なかよし村,一般,090-1\n𠮷野 正,,,\n"


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("entries", args=[tournament.slug])


def send(
    browser: Client,
    address: str,
    content: bytes,
    encoding: str = "",
    *,
    follow: bool = False,
    **more: str,
) -> HttpResponse:
    file = SimpleUploadedFile("players.csv", content)
    sent = {"file": file, "encoding": encoding, **more}
    response: HttpResponse = browser.post(address, sent, follow=follow)  # type: ignore[assignment]
    return response


def strip_isolates(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def names(tournament: Tournament) -> list[str]:
    return list(tournament.entries.values_list("name", flat=True))


def workbook(*rows: list[str]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_csv_with_private_columns_is_imported(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.in_english(director)
    answer = send(director, address, PEOPLE.encode(), follow=True)
    assert "2 players added: numbers 1 to 2." in answer.content.decode()
    assert names(tournament) == ["髙橋 﨑", "𠮷野 正"]
    assert tournament.entries.first().contact == "090-1"  # type: ignore[union-attr]


@pytest.mark.both
def test_workbook_is_imported(director: Client, tournament: Tournament, address: str) -> None:
    send(director, address, workbook(["氏名", "クラス"], ["成田 キヨ", "有段者"]))
    assert list(tournament.entries.values_list("name", "division")) == [("成田 キヨ", "有段者")]


def test_shift_jis_csv_is_imported_once_chosen(
    director: Client, tournament: Tournament, address: str
) -> None:
    content = "氏名,所属\n成田 キヨ,なかよし村\n".encode("cp932")
    cast.in_english(director)
    assert send(director, address, content, "cp932").status_code == 302
    assert names(tournament) == ["成田 キヨ"]


def test_one_wrong_line_imports_nobody(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.in_english(director)
    answer = send(director, address, "name,club\n成田 キヨ,\n,なかよし村\na,b,c\n".encode())
    said = answer.content.decode()
    assert answer.status_code == 422
    assert "Line 3: The name is missing." in said
    assert "Line 4: This line has more cells than there are headings." in said
    assert names(tournament) == []


def test_list_of_problems_is_limited(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.in_english(director)
    lines = "".join(f"x,{year}\n" for year in range(1000, 1070))
    answer = send(director, address, f"name,birth_year\n{lines}".encode())
    assert "And 20 more." in answer.content.decode()
    assert names(tournament) == []


def test_without_a_file_it_says_to_choose_one(
    director: Client, tournament: Tournament, address: str
) -> None:
    answer = director.post(address, {"encoding": ""})
    assert answer.status_code == 422
    assert answer.context["file"].errors["file"]
    assert names(tournament) == []


def test_number_of_players_is_limited(
    director: Client, tournament: Tournament, address: str
) -> None:
    Entry.objects.create(tournament=tournament, number=MOST_ENTRIES, name="last")
    assert send(director, address, PEOPLE.encode()).status_code == 422
    assert names(tournament) == ["last"]


def test_private_fields_are_on_the_edit_page(
    director: Client, tournament: Tournament, address: str
) -> None:
    send(director, address, PEOPLE.encode())
    assert "090-1" in director.get(reverse("edit-entry", args=[tournament.slug, 1])).text
    assert "090-1" not in director.get(reverse("edit-entry", args=[tournament.slug, 2])).text


def test_only_the_director_uploads(
    client: Client, stranger: Client, scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    for browser in (client, stranger, scorekeeper):
        assert send(browser, address, PEOPLE.encode()).status_code == 404
    assert names(tournament) == []


@pytest.mark.parametrize("heading", ["フリガナ", "ﾌﾘｶﾞﾅ", "ふりがな", "Furigana", "よみ がな"])
def test_readings_are_imported_under_any_heading(
    director: Client, tournament: Tournament, address: str, heading: str
) -> None:
    send(director, address, f"氏名,{heading}\n成田 キヨ,なりた きよ\n".encode())
    (entry,) = tournament.entries.all()
    assert entry.reading == "なりた きよ"
    assert "なりた きよ" in director.get(address).text
    standings = reverse("standings", args=[tournament.slug])
    assert "成田" in director.get(standings, {"name": "ﾅﾘﾀ"}).text
    assert verification.verify(tournament) == []


def test_headings_as_clubs_write_them_are_known(
    director: Client, tournament: Tournament, address: str
) -> None:
    line = "成田 キヨ,ﾅﾘﾀ ｷﾖ,なかよし村,有段者,017-1"
    send(director, address, f"選手名,ﾌﾘｶﾞﾅ,所属団体,級,電話番号\n{line}\n".encode())
    (entry,) = tournament.entries.all()
    assert [entry.club, entry.division, entry.contact] == ["なかよし村", "有段者", "017-1"]


def test_unknown_columns_are_shown_and_chosen(
    director: Client, tournament: Tournament, address: str
) -> None:
    rows = "参加者,地区,帽子\n成田 キヨ,なかよし村,M\n"
    file = SimpleUploadedFile("players.csv", f"第31回大会\n\n{rows}".encode())
    asked = director.post(address, {"file": file, "encoding": ""})
    assert asked.status_code == 422
    assert "3行目：名前の列がありません" in asked.content.decode()
    choices = asked.context["form"].column_choices()
    assert "ブックのシート" not in asked.content.decode()
    assert [each.column.samples for each in choices] == [["成田 キヨ"], ["なかよし村"], ["M"]]

    def post(page: Any, *fields: str, **more: str) -> Any:
        """Post what stands on a page, with these fields chosen for its columns."""
        form = page.context["form"]
        sent = {"kept": form.content_for_hidden_field, "encoding": "", "seen": form.layout_key}
        controls = [each.control for each in form.column_choices()]
        return director.post(address, sent | dict(zip(controls, fields, strict=True)) | more)

    assert post(asked, "name", "name", "").status_code == 422
    shown = post(asked, "name", "club", "", preview="1")
    assert [row.cells for row in shown.context["rows"]] == [["成田 キヨ", "なかよし村"]]
    assert "読まない列：帽子" in strip_isolates(shown.content.decode())
    changed = post(shown, "name", "club", "notes")  # not what was shown
    assert changed.context["rows"][0].cells == ["成田 キヨ", "なかよし村", "M"]
    assert names(tournament) == []
    post(shown, "name", "club", "")
    assert list(tournament.entries.values_list("name", "club", "notes")) == [
        ("成田 キヨ", "なかよし村", "")
    ]


def test_column_that_would_not_be_read_is_shown_first(
    director: Client, tournament: Tournament, address: str
) -> None:
    shown = send(director, address, "氏名,帽子\n成田 キヨ,M\n".encode())
    assert shown.status_code == 200
    assert names(tournament) == []


def test_teams_are_imported_listed_and_found(
    director: Client, tournament: Tournament, address: str
) -> None:
    send(director, address, "氏名,チーム\n成田 キヨ,ねぶた組\n工藤 正,\n".encode())
    assert [*tournament.entries.values_list("team", flat=True)] == ["ねぶた組", ""]
    assert "ねぶた組" in director.get(address).text
    assert "ねぶた組" in director.get(reverse("player", args=[tournament.slug, 1])).text
    roll_call = reverse("roll-call", args=[tournament.slug, 1])
    lines = director.get(roll_call, {"q": "ねぶた"}).context["lines"]
    assert [line.entry.number for line in lines if line.is_listed] == [1]
    assert verification.verify(tournament) == []


@pytest.mark.both
def test_players_are_sorted_by_their_readings(
    director: Client, tournament: Tournament, address: str
) -> None:
    send(director, address, "氏名,フリガナ\n三上,ミカミ\n無名,\n青山,あおやま\n".encode())
    entries = director.get(address, {"sort": "reading"}).context["entries"]
    assert [entry.name for entry in entries] == ["青山", "三上", "無名"]


@pytest.mark.parametrize("kind", ["csv", "tabs", "workbook"])
def test_lines_above_the_headings_are_left_out_with_a_message(
    director: Client, tournament: Tournament, address: str, kind: str
) -> None:
    rows = [
        *(["第31回大会", "参加者"], ["2026年11月22日"], ["№", "氏名", "", "級"]),
        *(
            ["1", "成田 キヨ"],
            ["2", "計 太郎", "", "A"],
            ["3"],
            ["4"],
            ["合　計", "2名"],
            ["", "", "以上"],
        ),
    ]
    lines = ("\t" if kind == "tabs" else ",").join
    content = workbook(*rows) if kind == "workbook" else "\n".join(map(lines, rows)).encode()
    kept = base64.b64encode(content).decode()
    shown = director.post(address, {"kept": kept, "encoding": "", "preview": "1"})
    answer = send(director, address, content, follow=True)
    assert names(tournament) == ["成田 キヨ", "計 太郎"]
    for page in (shown, answer):
        assert "第31回大会 参加者 / 2026年11月22日" in page.content.decode()
        assert "合　計 2名 / 以上" in page.content.decode()
        assert "何もない行は読みませんでした：2" in page.content.decode()
        assert "「№」" in strip_isolates(page.content.decode())


def test_formulas_are_left_out_with_their_column_or_line(
    director: Client, tournament: Tournament, address: str
) -> None:
    rows = [["No.", "氏名"], ["=ROW()-1", "成田 キヨ"], ["計", "=COUNTA(B2:B2)"]]
    send(director, address, workbook(*rows))
    assert names(tournament) == ["成田 キヨ"]


def test_only_sheet_with_names_is_read(
    director: Client, tournament: Tournament, address: str
) -> None:
    more = [["部門", "人数"], ["一般", "1"]]
    content = entry_lists.workbook(["氏名"], ["成田 キヨ"], more=more)
    assert "「Sheet」" in strip_isolates(
        send(director, address, content, follow=True).content.decode()
    )
    assert names(tournament) == ["成田 キヨ"]


def test_sheet_is_guessed_shown_and_chosen(
    director: Client, tournament: Tournament, address: str
) -> None:
    content = entry_lists.workbook(
        ["氏名"], ["成田 キヨ"], more=[["氏名"], ["工藤 正"], ["三上 力"]]
    )
    file = SimpleUploadedFile("players.xlsx", content)
    shown = director.post(address, {"file": file, "encoding": ""})
    assert [row.cells for row in shown.context["rows"]] == [["工藤 正"], ["三上 力"]]
    form = shown.context["form"]
    sent = {"kept": form.content_for_hidden_field, "encoding": "", "seen": form.layout_key}
    other = director.post(address, {**sent, "sheet": "0"})  # another sheet than was shown
    assert [row.cells for row in other.context["rows"]] == [["成田 キヨ"]]
    assert names(tournament) == []
    director.post(address, {**sent, "sheet": "1"})
    assert names(tournament) == ["工藤 正", "三上 力"]


def test_other_sheets_are_offered_when_one_is_refused(
    director: Client, tournament: Tournament, address: str
) -> None:
    content = entry_lists.workbook(
        ["氏名"], ["成田 キヨ"], more=[["氏名"], ["工藤 正"], [None, "x"]]
    )
    refused = send(director, address, content)
    assert refused.status_code == 422
    assert '<option value="0"' in refused.content.decode()
    assert names(tournament) == []


def test_shift_jis_is_offered_with_a_preview(
    director: Client, tournament: Tournament, address: str
) -> None:
    content = "氏名,所属\n成田 キヨ,なかよし村\n".encode("cp932")
    asked = send(director, address, content)
    assert asked.status_code == 422
    assert "成田 キヨ,なかよし村" in asked.content.decode()
    kept = asked.context["file"].content_for_hidden_field  # type: ignore[attr-defined]
    assert f'value="{kept}"' in asked.content.decode()
    assert director.post(address, {"kept": kept, "encoding": "cp932"}).status_code == 302
    assert names(tournament) == ["成田 キヨ"]


def test_ambiguous_encoding_is_shown_in_both(director: Client, address: str) -> None:
    asked = send(director, address, b"name\n" + "ﾂｱ".encode("cp932") + b"\n")
    assert asked.context["file"].previews == {  # type: ignore[attr-defined]
        "utf-8": ["name", "±"],
        "cp932": ["name", "ﾂｱ"],
        "gb18030": ["name", "卤"],
    }


def test_chinese_file_is_offered_in_gbk(
    director: Client, tournament: Tournament, address: str
) -> None:
    content = "姓名,俱乐部\n王建国,文化宫\n".encode("gb18030")
    asked = send(director, address, content)
    assert "王建国,文化宫" in asked.content.decode()
    kept = asked.context["file"].content_for_hidden_field  # type: ignore[attr-defined]
    assert director.post(address, {"kept": kept, "encoding": "gb18030"}).status_code == 302
    assert names(tournament) == ["王建国"]


def test_unknown_encoding_is_refused(director: Client, address: str) -> None:
    refused = send(director, address, b"name\n\xff\xfd\x81\n")
    assert refused.context["file"].previews == {}  # type: ignore[attr-defined]
    for kept in ("", "!", "é"):
        assert director.post(address, {"kept": kept, "encoding": "cp932"}).status_code == 422


@pytest.mark.parametrize(
    ("lines", "is_asked"),
    [
        ("木村 勇,金木\n一戸 茂,金木", False),
        ("木村 勇,金木\n木村 勇,金木", True),
        ("木村 勇,金木\n木村　勇,", True),
        ("木村 勇,金木\n木村 勇,中里", False),  # told apart by their clubs
    ],
)
def test_list_that_may_name_somebody_twice_is_shown_first(
    director: Client, tournament: Tournament, address: str, lines: str, *, is_asked: bool
) -> None:
    content = f"氏名,所属\n{lines}\n".encode()
    answer = send(director, address, content)
    assert (answer.status_code, tournament.entries.count()) == ((200, 0) if is_asked else (302, 2))
    if is_asked:
        assert "同じ名前の選手がいます" in answer.text
        send(director, address, content, looked="1")
        assert tournament.entries.count() == 2


def test_duplicates_are_listed_with_one_button(
    director: Client, tournament: Tournament, address: str
) -> None:
    send(director, address, PEOPLE.encode())
    again = "氏名\n髙橋　﨑\n木村 勇\n𠮷野 正\n木村 勇\n"
    answer = send(director, address, again.encode(), follow=True, looked="1")
    duplicates = answer.context["duplicates"]  # type: ignore[attr-defined]
    assert [each.entry.number for each in duplicates] == [3, 5, 6]
    director.post(address, {"delete": ["3", "5"]})
    assert [entry.number for entry in tournament.entries.all()] == [1, 2, 4, 6]
    assert verification.verify(tournament) == []


@pytest.mark.both
def test_seated_player_is_not_deleted_as_a_duplicate(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.make_sitting(tournament)
    director.post(address, {"delete": ["1", "x", "99"]})
    assert tournament.entries.filter(number=1).exists()


def test_problem_of_many_lines_is_listed_once(director: Client, address: str) -> None:
    cast.in_english(director)
    answer = send(director, address, b"name,club\n" + b",x\n" * 12)
    [said] = answer.context["form"].errors["file"]  # type: ignore[attr-defined]
    assert said.endswith("and 2 more: The name is missing.")
