"""Players named by number, name or reading: where seats are typed, drawn and exchanged."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tournaments.forms.people import NobodyFound, People
from tournaments.models import AuditEntry, Entry, Session, Tournament
from tournaments.services import seating
from tournaments.services.entries import add_entries

NAMES = [
    *(("成田 キヨ", "なりた きよ"), ("成田 正", "ナリタ タダシ"), ("工藤 ハル", "")),
    *(("John Smith", ""), ("12", ""), ("木村 勇", "きむら いさむ"), ("木村 勇一", "")),
]
PEOPLE = People(
    [Entry(number=i, name=name, reading=reading) for i, (name, reading) in enumerate(NAMES, 1)]
)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        *(("1", 1), ("３", 3), (" 7 ", 7)),
        *(("成田 キヨ", 1), ("成田キヨ", 1), ("成田　キヨ", 1), ("1 成田 キヨ", 1)),
        *(("キヨ", 1), ("ﾅﾘﾀｷﾖ", 1), ("なりたただし", 2), ("john smith", 4), ("SMITH", 4)),
        *(("木村 勇", 6), ("いさむ", 6), ("勇一", 7)),
    ],
)
def test_a_player_is_found(typed: str, number: int) -> None:
    assert PEOPLE.find(typed).number == number


@pytest.mark.parametrize("typed", ["", "99", "太田", "2 成田 キヨ", "1" * 30])
def test_unknown_text_finds_no_player(typed: str) -> None:
    with pytest.raises(NobodyFound):
        PEOPLE.find(typed)


def test_ambiguous_text_lists_all_matching_players() -> None:
    with pytest.raises(NobodyFound, match=r"1 .*成田 キヨ.*2 .*成田 正"):
        PEOPLE.find("なりた")


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("1 2,3、４", [1, 2, 3, 4]),
        ("成田 キヨ 工藤 ハル 2", [1, 3, 2]),
        ("キヨ、John Smith、木村 勇 木村 勇一", [1, 4, 6, 7]),
        ("なりた きよ 3", [1, 3]),
    ],
)
def test_names_one_after_another_are_told_apart(line: str, numbers: list[int]) -> None:
    assert [PEOPLE.find(word).number for word in PEOPLE.words(line)] == numbers


@pytest.fixture
def seated(tournament: Tournament) -> Session:
    """The first six of eight at a table."""
    names = [f"{name}{i}" for i, name in enumerate("一二三四五六七八", 1)]
    people = [{"name": name, "reading": f"よみ{name}"} for name in names]
    entries = add_entries(tournament, people, by=SOMEBODY)
    return seating.open_session(tournament, [entries[:6]], by=SOMEBODY)


def test_players_are_exchanged_by_name_and_reading(director: Client, seated: Session) -> None:
    address = reverse("exchange-players", args=[seated.tournament.slug, seated.number])
    page = director.get(address).text
    assert '<datalist id="players">' in page
    assert '<option value="8 八8">' in page
    typed = {"one": "一", "other": "8 八8", "reason": "代理"}
    shown = director.post(address, typed)
    assert shown.context["planned"].other.number == 8
    seen = {"seen": shown.context["planned"].stamp, "confirm": "yes"}
    assert director.post(address, typed | seen).status_code == 302
    assert (
        seated.tournament.audit_entries.latest("number").kind == AuditEntry.Kind.PLAYERS_EXCHANGED
    )
    refused = cast.in_english(director).post(address, typed | {"one": "よみ"})
    assert refused.status_code == 422
    assert "may be several players" in refused.text


def test_who_sits_out_and_who_sits_where_is_typed_by_name(
    director: Client, seated: Session
) -> None:
    address = reverse("seat-session", args=[seated.tournament.slug])
    drawn = director.get(address, {"out": "七、よみ八8"})
    assert {entry.number for entry in drawn.context["left_out"]} == {7, 8}
    tables = "一 二 三 四 五 6"
    sent = {"number": 2, "tables": tables, "out": "7 8"}
    assert director.post(address, sent).status_code == 302
    assert seated.tournament.sessions.count() == 2
