"""What a list would add is shown first, with players of earlier tournaments."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import base, json_of, staff
from tests.cast import SOMEBODY
from tournaments.models import Entry, Membership, Tournament
from tournaments.queries.earlier_players import earlier_players
from tournaments.services.entries import add_entries

pytestmark = [pytest.mark.django_db, pytest.mark.both]
BEFORE = (
    {"name": "成田 キヨ", "reading": "なりた きよ", "club": "なかよし村", "division": "一般"},
    {"name": "工藤 正", "reading": "くどう ただし", "club": "五所川原"},
)


@pytest.fixture
def earlier(director: Client, tournament: Tournament) -> Tournament:
    """An earlier tournament with the same director."""
    found = cast.make_tournament(name="昨年の大会", held_on="2025-11-01")
    add_entries(found, BEFORE, by=SOMEBODY)
    user = Membership.objects.get(tournament=tournament, role="director").user
    Membership.objects.create(tournament=found, user=user, role="director")
    return found


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("entries", args=[tournament.slug])


def shown(page: Any) -> list[tuple[int, bool, list[tuple[str, str]]]]:
    return [(row.number, row.is_known, row.lacking) for row in page.context["rows"]]


def test_pasted_list_is_shown_and_nobody_is_added(
    director: Client, tournament: Tournament, earlier: Tournament, address: str
) -> None:
    cast.in_english(director)
    add_entries(tournament, [{"name": "工藤 正"}], by=SOMEBODY)
    people = "成田キヨ\n工藤 正、弘前\n新人 一郎"
    page = director.post(address, {"people": people, "preview": "1"})
    assert shown(page) == [
        (2, False, [("Reading", "なりた きよ"), ("Club", "なかよし村"), ("Class", "一般")]),
        (3, True, [("Reading", "くどう ただし")]),
        (4, False, []),
    ]
    assert "昨年の大会" in page.text
    assert "tick to fill in" in page.text
    nobody_known = director.post(address, {"people": "新人 一郎", "preview": "1"})
    assert "tick to fill in" not in nobody_known.text
    shown_numbers = {"people": "新人 一郎", "first_number": nobody_known.context["first_number"]}
    assert f'name="first_number" value="{shown_numbers["first_number"]}"' in nobody_known.text
    assert director.post(address, shown_numbers).status_code == 302
    pressed_again = director.post(address, shown_numbers)
    assert shown(pressed_again) == [(3, True, [])]
    assert "Players have been added since you opened this page." in pressed_again.text
    assert tournament.entries.count() == 2
    assert page.context["form"]["people"].value() == people


def test_only_what_is_ticked_is_taken_over(
    director: Client, tournament: Tournament, earlier: Tournament, address: str
) -> None:
    sent = {"people": "成田キヨ\n工藤 正、弘前"}
    rows = director.post(address, sent | {"preview": "1"}).context["rows"]
    director.post(address, sent | {"take_over": [rows[1].fill_in_key]})
    assert list(tournament.entries.values_list("name", "club", "reading")) == [
        ("成田キヨ", "", ""),
        ("工藤 正", "弘前", "くどう ただし"),
    ]


def test_lines_are_left_out_as_ticked(
    director: Client, tournament: Tournament, address: str
) -> None:
    sent = {"people": "成田 キヨ\n工藤 正\n三上 力", "looked": "1"}
    rows = director.post(address, sent | {"preview": "1"}).context["rows"]
    nobody = director.post(address, sent | {"leave_out": [row.key for row in rows]})
    assert nobody.status_code == 422
    assert "加える選手がいません" in nobody.text
    director.post(address, sent | {"leave_out": [rows[1].key, "9", "x"]})
    assert list(tournament.entries.values_list("name", flat=True)) == ["成田 キヨ", "三上 力"]


@pytest.mark.parametrize(
    ("ticked", "stored"),
    [(["A"], ["A", "A", "A", "B"]), ([], ["A", "Ａ", "ａ", "B"]), (["x"], ["A", "Ａ", "ａ", "B"])],
)
def test_classes_written_differently_are_asked_about(
    director: Client, tournament: Tournament, address: str, ticked: list[str], stored: list[str]
) -> None:
    add_entries(tournament, [{"name": "成田 キヨ", "division": "A"}], by=SOMEBODY)
    sent = {"people": "No.,氏名,級\n1,工藤 正,Ａ\n2,三上 力,ａ\n3,木村 勇,B"}
    page = director.post(address, sent)
    assert page.context["spellings"] == [(("A", ["Ａ", "ａ"]), True)]
    assert tournament.entries.count() == 1
    director.post(address, sent | {"looked": "1", "same_class": ticked})
    assert list(tournament.entries.values_list("division", flat=True)) == stored


def test_file_is_kept_by_the_page(
    director: Client, tournament: Tournament, earlier: Tournament, address: str
) -> None:
    file = SimpleUploadedFile("選手.csv", "氏名,連絡先\n成田 キヨ,017-1\n".encode())
    page = director.post(address, {"file": file, "encoding": "", "preview": "1"})
    [row] = page.context["rows"]
    kept = {"kept": page.context["form"].content_for_hidden_field, "encoding": ""}
    director.post(address, kept | {"take_over": [row.fill_in_key]})
    [entry] = tournament.entries.all()
    assert (entry.name, entry.contact, entry.club) == ("成田 キヨ", "017-1", "なかよし村")


def test_problems_are_named_instead_of_a_preview(director: Client, address: str) -> None:
    page = director.post(address, {"people": "、弘前", "preview": "1"})
    assert page.status_code == 422


def test_players_of_others_tournaments_are_not_proposed(
    director: Client, tournament: Tournament, address: str
) -> None:
    other = cast.make_tournament(name="よその大会")
    add_entries(other, BEFORE, by=SOMEBODY)
    [entry] = other.entries.filter(number=1)
    sent = {"people": "成田 キヨ"}
    page = director.post(address, sent | {"preview": "1"})
    assert page.context["rows"][0].earlier is None
    director.post(address, sent | {"take_over": [f"0.{entry.pk}"]})
    assert tournament.entries.get().club == ""


def test_another_reading_is_another_person(earlier: Tournament) -> None:
    people = [{"name": "成田 キヨ", "reading": "せいだ きよ"}, {"name": "成田　キヨ"}]
    found = earlier_players(people, Tournament.objects.all())
    assert [each and each.entry.number for each in found] == [None, 1]


def test_latest_tournament_is_proposed(earlier: Tournament) -> None:
    latest = cast.make_tournament(name="今年の春", held_on="2026-03-01")
    add_entries(latest, [{"name": "成田 キヨ", "club": "弘前"}], by=SOMEBODY)
    [found] = earlier_players([{"name": "成田 キヨ"}], Tournament.objects.all())
    assert found is not None
    assert found.entry == Entry.objects.get(club="弘前")


def test_api_tells_the_same_and_stores_nothing(
    director: Client, tournament: Tournament, earlier: Tournament
) -> None:
    program = staff(Membership.objects.get(tournament=tournament, role="director").user)
    people = [{"name": "成田キヨ", "club": "弘前"}, {"name": "津島 修治"}, {"name": "津島修治"}]
    answer = program.post(f"{base(tournament)}/entries/preview", {"entries": people})
    told = json_of(answer)["entries"]
    assert [(each["number"], each["known"], each["earlier"]) for each in told] == [
        (
            1,
            False,
            {
                "tournament": earlier.slug,
                "number": 1,
                "lacking": {"reading": "なりた きよ", "division": "一般"},
            },
        ),
        (2, False, None),
        (3, True, None),
    ]
    assert not tournament.entries.exists()


@pytest.mark.parametrize(
    ("club", "warning"),
    [
        ("弘前", "よく似た名前の選手がいます（所属が違います）"),
        ("五所川原", "同じ名前の選手がいます"),
        ("", "同じ名前の選手がいます"),
    ],
)
def test_similar_name_of_another_club_is_not_called_the_same(
    director: Client, tournament: Tournament, address: str, club: str, warning: str
) -> None:
    add_entries(tournament, [{"name": "髙橋 正", "club": "五所川原"}], by=SOMEBODY)
    page = director.post(address, {"people": f"高橋 正、{club}", "preview": "1"})
    assert warning in page.text
    assert ("同じ名前の選手" in page.text) == warning.startswith("同じ")
