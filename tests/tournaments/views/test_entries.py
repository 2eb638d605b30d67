"""Adding players by form or as pasted lines. Names are stored exactly as typed."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import code, staff
from tests.cast import SOMEBODY
from tests.races import run_before
from tournaments.models import Entry, Tournament
from tournaments.models.entry_fields import MOST_ENTRIES
from tournaments.services import closing, entries
from tournaments.services.publications import show_live
from tournaments.views import entries as entries_view

NAMES = [
    *("髙橋 﨑", "𠮷野家", "葛\U000e0100西", "👨\u200d👩\u200d👧", "محمد"),
    *("<script>alert(1)</script>", "=1+1", "e\u0301", "é", "あ" * 200),
]


@pytest.fixture
def address(tournament: Tournament) -> str:
    return reverse("entries", args=[tournament.slug])


def names(tournament: Tournament) -> list[str]:
    return list(tournament.entries.values_list("name", flat=True))


def test_the_public_reads_but_cannot_add(
    client: Client, stranger: Client, scorekeeper: Client, tournament: Tournament, address: str
) -> None:
    assert client.get(address).status_code == 404
    show_live(tournament, by=cast.SOMEBODY)
    cast.make_entries(tournament, 1)
    for browser in (client, stranger, scorekeeper):
        page = browser.get(address).text
        assert "成田 キヨ" in page
        assert "<textarea" not in page
        assert browser.post(address, {"name": "me"}).status_code == 404
        assert browser.post(address, {"people": "me"}).status_code == 404
    assert names(tournament) == ["成田 キヨ"]


@pytest.mark.parametrize("name", NAMES)
def test_a_typed_name_comes_back_code_point_for_code_point(
    director: Client, tournament: Tournament, address: str, name: str
) -> None:
    director.post(address, {"name": f"  {name}\u3000", "club": "", "division": ""})
    assert names(tournament) == [name]
    page = director.get(address)
    assert [entry.name for entry in page.context["entries"]] == [name]
    assert "<script>alert" not in page.text


@pytest.mark.both
def test_pasted_names_come_back_too(director: Client, tournament: Tournament, address: str) -> None:
    pasted = "\r\n".join(f"{name}\tなかよし村\t一般" for name in NAMES)
    director.post(address, {"people": pasted, "looked": "1"})  # é is there twice
    assert names(tournament) == NAMES
    assert set(tournament.entries.values_list("club", "division")) == {("なかよし村", "一般")}
    assert director.get(address).context["divisions"] == {"一般": tournament.entries.count()}


@pytest.mark.both
def test_lines_are_split_at_tabs_or_commas(
    director: Client, tournament: Tournament, address: str
) -> None:
    pasted = "成田 キヨ、なかよし村、一般\n\n工藤 正,五所川原\n対馬 ハル\t北、南\t有段者\n葛西 実\n"
    director.post(address, {"people": pasted})
    assert list(tournament.entries.values_list("number", "name", "club", "division")) == [
        (1, "成田 キヨ", "なかよし村", "一般"),
        (2, "工藤 正", "五所川原", ""),
        (3, "対馬 ハル", "北、南", "有段者"),
        (4, "葛西 実", "", ""),
    ]


def test_line_of_headings_is_no_player(
    director: Client, tournament: Tournament, address: str
) -> None:
    pasted = "氏名\tクラス\t所属\n成田 キヨ\t一般\tなかよし村\n工藤 正\t\t五所川原"
    page = director.post(address, {"people": pasted}, follow=True)
    assert "1行目は見出しなので" in page.text
    assert list(tournament.entries.values_list("number", "name", "club", "division")) == [
        (1, "成田 キヨ", "なかよし村", "一般"),
        (2, "工藤 正", "五所川原", ""),
    ]
    director.post(address, {"people": "氏名\t連絡先\n葛西 実\t0173"})
    assert tournament.entries.get(number=3).contact == "0173"


def test_the_list_comes_before_the_forms_once_there_are_players(
    director: Client, address: str
) -> None:
    assert '<details class="adding"' not in director.get(address).text
    typed = director.post(address, {"name": "成田 キヨ"}, follow=True).text
    assert '<details class="adding" open>' in typed  # whoever types one types more
    assert '<details class="adding">' in director.get(address).text


def test_message_names_the_added_players(director: Client, address: str) -> None:
    cast.in_english(director)
    one = director.post(address, {"name": "成田 キヨ"}, follow=True).text
    assert "Added: 1 成田 キヨ" in one
    many = director.post(address, {"people": "工藤 正\n成田 キヨ"}, follow=True).text
    assert "2 players added: numbers 2 to 3." in many
    duplicates = many.split("The same or a similar name appears twice")[1]
    assert "<b>3</b> <bdi>成田 キヨ</bdi>" in duplicates


def test_a_form_sent_twice_adds_nobody_twice(
    director: Client, tournament: Tournament, address: str
) -> None:
    page = director.get(address)
    assert page.text.count('name="first_number" value="1"') == 3  # one player, a file, a list
    typed = {"name": "成田 キヨ", "club": "弘前", "first_number": "1"}
    for told in ("を加えました", "はすでに加えてあります"):
        page = director.post(address, typed, follow=True)
        assert told in page.text
    assert names(tournament) == ["成田 キヨ"]
    for another in ({"club": "青森"}, {"first_number": page.context["first_number"]}):
        asked = director.post(address, typed | another, follow=True)
        assert "さんを加えました" in asked.text
    assert [each.entry.number for each in asked.context["duplicates"]] == [3]
    pasted = {"people": "工藤 正", "first_number": "4"}
    assert [director.post(address, pasted).status_code for _ in range(2)] == [302, 200]
    assert tournament.entries.count() == 4


def test_a_list_sent_twice_at_once_is_added_once(
    director: Client, tournament: Tournament, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pasted = {"people": "工藤 正、弘前\n対馬 ハル", "first_number": "1"}
    run_before(monkeypatch, entries_view, "import_entries", lambda: director.post(address, pasted))
    again = director.post(address, pasted)
    assert [row.is_known for row in again.context["rows"]] == [True, True]
    assert names(tournament) == ["工藤 正", "対馬 ハル"]


def test_every_problem_names_its_line_and_input_is_kept(
    director: Client, tournament: Tournament, address: str
) -> None:
    cast.in_english(director)
    pasted = f"成田 キヨ\n\n、なかよし村\n{'長' * 201}"
    answer = director.post(address, {"people": pasted})
    assert answer.status_code == 422
    problems = answer.context["form"].errors["people"]
    assert [problem[:7] for problem in problems] == ["Line 3:", "Line 4:"]
    assert answer.context["form"]["people"].value() == pasted
    assert pasted.splitlines()[0] in answer.text
    assert names(tournament) == []


@pytest.mark.parametrize("people", ["", "\n \n", "a\x00b"])
def test_an_empty_or_broken_paste_is_refused(director: Client, address: str, people: str) -> None:
    assert director.post(address, {"people": people}).status_code == 422


@pytest.mark.parametrize("sent", [{"name": "one more"}, {"people": "one more"}])
def test_number_of_players_is_limited(
    director: Client, tournament: Tournament, address: str, sent: dict[str, str]
) -> None:
    Entry.objects.create(tournament=tournament, number=MOST_ENTRIES, name="last")
    answer = director.post(address, sent)
    assert answer.status_code == 422
    shown = answer.context
    assert "typed" in shown or shown["form"].errors
    assert names(tournament) == ["last"]


@pytest.mark.usefixtures("director")
def test_api_limits_the_number_of_players(tournament: Tournament) -> None:
    program = staff(User.objects.get(username="director"))
    Entry.objects.create(tournament=tournament, number=MOST_ENTRIES - 1, name="last but one")
    sent = {"entries": [{"name": "last"}, {"name": "one more"}]}
    answer = program.post(f"/api/tournaments/{tournament.slug}/entries", sent)
    assert code(answer) == (422, "too_many")
    assert names(tournament) == ["last but one"]


@pytest.mark.parametrize(
    ("sent", "service"),
    [({"name": "one more"}, "add_entries"), ({"people": "one more"}, "import_entries")],
)
def test_limit_counts_players_added_meanwhile(
    director: Client,
    tournament: Tournament,
    address: str,
    sent: dict[str, str],
    service: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Entry.objects.create(tournament=tournament, number=MOST_ENTRIES - 1, name="last but one")

    def add() -> None:
        entries.add_entries(tournament, [{"name": "last"}], by=SOMEBODY)

    run_before(monkeypatch, entries_view, service, add)
    answer = director.post(address, sent)
    assert answer.status_code == 422
    assert "one more" in answer.text
    assert names(tournament) == ["last but one", "last"]


@pytest.mark.parametrize(
    ("sent", "service"),
    [({"name": "成田 キヨ"}, "add_entries"), ({"people": "成田 キヨ"}, "import_entries")],
)
def test_event_closed_meanwhile_refuses_and_keeps_input(
    director: Client,
    tournament: Tournament,
    address: str,
    sent: dict[str, str],
    service: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def close() -> None:
        closing.close(tournament, by=SOMEBODY)

    run_before(monkeypatch, entries_view, service, close)
    answer = cast.in_english(director).post(address, sent)
    assert answer.status_code == 409
    assert "The tournament is closed. Reopen it first." in answer.text
    assert "成田 キヨ" in answer.text
    assert names(tournament) == []


def test_an_error_in_a_typed_player_keeps_the_rest(director: Client, address: str) -> None:
    answer = director.post(address, {"name": "", "club": "なかよし村", "division": "一般"})
    assert answer.status_code == 422
    assert 'value="なかよし村"' in answer.text
