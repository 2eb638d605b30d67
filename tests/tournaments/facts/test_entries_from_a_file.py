"""Players from a file, chosen on the page: every line as it stands, or none and every reason."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from tests import cast
from tournaments.files.entry_files import MOST_ENTRIES
from tournaments.models import Entry, Tournament

PEOPLE = "氏名,所属,クラス,連絡先\n髙橋 﨑,なかよし村,一般,090-1\n𠮷野 正,,,\n"


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("entries", args=[tournament.slug])


def send(
    browser: Client, address: str, content: bytes, encoding: str = "", *, follow: bool = False
) -> HttpResponse:
    sent = {"file": SimpleUploadedFile("players.csv", content), "encoding": encoding}
    response: HttpResponse = browser.post(address, sent, follow=follow)  # type: ignore[assignment]
    return response


def names(tournament: Tournament) -> list[str]:
    return list(tournament.entries.values_list("name", flat=True))


def workbook(*rows: list[str]) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)  # type: ignore[union-attr]
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_csv_comes_in_with_what_only_the_staff_may_know(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.in_english(director)
    answer = send(director, address, PEOPLE.encode(), follow=True)
    assert "2 players added: numbers 1 to 2." in answer.content.decode()
    assert names(tournament) == ["髙橋 﨑", "𠮷野 正"]
    assert tournament.entries.first().contact == "090-1"  # type: ignore[union-attr]


def test_a_workbook_comes_in(director: Client, tournament: Tournament, address: str) -> None:
    send(director, address, workbook(["氏名", "クラス"], ["成田 キヨ", "有段者"]))
    assert list(tournament.entries.values_list("name", "division")) == [("成田 キヨ", "有段者")]


def test_a_japanese_csv_comes_in_once_it_is_said_to_be_one(
    director: Client, tournament: Tournament, address: str
) -> None:
    content = "氏名,所属\n成田 キヨ,なかよし村\n".encode("cp932")
    cast.in_english(director)
    refused = send(director, address, content)
    assert refused.status_code == 422
    assert "cp932" in refused.content.decode()
    assert names(tournament) == []
    assert send(director, address, content, "cp932").status_code == 302
    assert names(tournament) == ["成田 キヨ"]


def test_nobody_comes_in_while_a_line_does_not_fit(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.in_english(director)
    answer = send(director, address, "name,club\n成田 キヨ,\n,なかよし村\na,b,c\n".encode())
    said = answer.content.decode()
    assert answer.status_code == 422
    assert "Line 3: The name is missing." in said
    assert "Line 4: There are more cells here" in said
    assert names(tournament) == []


def test_no_more_problems_are_told_than_anybody_reads(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.in_english(director)
    answer = send(director, address, b"name,club\n" + b",x\n" * 70)
    assert "And 20 more." in answer.content.decode()
    assert names(tournament) == []


def test_the_columns_are_named_in_the_readers_language(director: Client, address: str) -> None:
    said = send(director, address, "名まえ\n成田 キヨ\n".encode()).content.decode()
    assert "氏名, 所属, クラス, 連絡先, 生年, 備考" in said


def test_without_a_file_it_says_to_choose_one(
    director: Client, tournament: Tournament, address: str
) -> None:
    answer = director.post(address, {"encoding": ""})
    assert answer.status_code == 422
    assert answer.context["file"].errors["file"]
    assert names(tournament) == []


def test_there_is_an_end_to_numbers(director: Client, tournament: Tournament, address: str) -> None:
    Entry.objects.create(tournament=tournament, number=MOST_ENTRIES, name="last")
    assert send(director, address, PEOPLE.encode()).status_code == 422
    assert names(tournament) == ["last"]


def test_what_only_the_staff_may_know_stands_on_the_players_own_page(
    director: Client, tournament: Tournament, address: str
) -> None:
    send(director, address, PEOPLE.encode())
    assert "090-1" in director.get(reverse("edit-entry", args=[tournament.slug, 1])).text
    assert "090-1" not in director.get(reverse("edit-entry", args=[tournament.slug, 2])).text


def test_others_cannot_send_one(
    client: Client, stranger: Client, scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    for browser in (client, stranger, scorekeeper):
        assert send(browser, address, PEOPLE.encode()).status_code == 404
    assert names(tournament) == []
