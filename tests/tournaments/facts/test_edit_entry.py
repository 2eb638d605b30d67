"""A player's name put right; one who never sat down deleted."""

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.cast import SOMEBODY
from tests.races import just_before
from tournaments.facts import registration
from tournaments.models import Act, Tournament


def address(tournament: Tournament, number: int = 1) -> str:
    return reverse("edit-entry", args=[tournament.slug, number])


def typed(director: Client, address: str, **fields: str) -> dict[str, str]:
    """Return what a browser sends from this page."""
    return {"seen": str(director.get(address).context["seen"]), "club": "", **fields}


def test_others_do_not_find_it(
    client: Client, stranger: Client, scorekeeper: Client, tournament: Tournament
) -> None:
    cast.make_entries(tournament, 1)
    for browser in (client, stranger, scorekeeper):
        assert browser.get(address(tournament)).status_code == 404
        assert browser.post(address(tournament), {"name": "me"}).status_code == 404


def test_everything_but_the_number_changes(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 2)
    page = address(tournament, 2)
    director.post(page, typed(director, page, name="髙橋", number="7"))
    entry = tournament.entries.get(number=2)
    assert (entry.name, entry.club, entry.division) == ("髙橋", "", "")


def test_an_error_keeps_what_was_typed(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 1)
    answer = director.post(address(tournament), {"name": " ", "club": "新しい会"})
    assert answer.status_code == 422
    assert 'value="新しい会"' in answer.text
    assert tournament.entries.get().name == "成田 キヨ"


def test_who_never_sat_down_can_be_deleted(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 2)
    assert 'name="delete"' in director.get(address(tournament)).text
    director.post(address(tournament), {"delete": "yes"})
    assert [entry.number for entry in tournament.entries.all()] == [2]


def test_whom_two_delete_at_once_is_deleted_once(
    director: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.make_entries(tournament, 1)

    def delete() -> None:
        registration.remove_entry(tournament.entries.get(), by=SOMEBODY)

    just_before(monkeypatch, registration, "remove_entry", delete)
    assert director.post(address(tournament), {"delete": "yes"}).status_code == 404
    assert tournament.acts.filter(kind=Act.Kind.ENTRY_REMOVED).count() == 1


def test_the_act_tells_the_player_as_deleted_not_as_looked_at(
    director: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.make_entries(tournament, 1)
    corrected = {"name": "髙橋", "club": "", "division": ""}

    def correct() -> None:
        entry = tournament.entries.get()
        registration.correct_entry(entry, corrected, seen=0, by=SOMEBODY)

    just_before(monkeypatch, registration, "remove_entry", correct)
    director.post(address(tournament), {"delete": "yes"})
    old = tournament.acts.get(kind=Act.Kind.ENTRY_REMOVED).old
    assert old is not None
    assert old["name"] == "髙橋"


def test_who_sat_down_stays(director: Client, tournament: Tournament) -> None:
    cast.make_sitting(tournament)
    assert 'name="delete"' not in director.get(address(tournament)).text
    director.post(address(tournament), {"delete": "yes"})
    assert tournament.entries.count() == 6


@pytest.mark.parametrize("number", [99, 10**30])
def test_there_is_nobody_of_that_number(
    director: Client, tournament: Tournament, number: int
) -> None:
    assert director.get(address(tournament, number)).status_code == 404


def test_a_player_of_another_tournament_is_not_found(
    director: Client, tournament: Tournament
) -> None:
    cast.make_entries(cast.make_tournament(), 1)
    assert director.get(address(tournament)).status_code == 404


def test_of_two_pages_the_later_replaces_nothing(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 1)
    page = address(tournament)
    mine = typed(director, page, name="成田 清")
    director.post(page, typed(director, page, name="成田 喜代"))
    answer = director.post(page, mine)
    assert answer.status_code == 409
    assert "成田 喜代" in answer.text  # what is stored
    assert 'value="成田 清"' in answer.text  # what was typed
    assert tournament.entries.get().name == "成田 喜代"
    director.post(page, mine | {"seen": str(answer.context["seen"])})
    assert tournament.entries.get().name == "成田 清"
