"""Players over HTTP: their names come back, what is private is the staff's alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests import cast
from tests.api import Program, base, code, director_of, json_of, phone, staff
from tests.private_data import PRIVATE, private_in
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def test_only_the_staff_sees_private_fields(tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    Entry.objects.update(**PRIVATE)
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    keeper = staff(cast.make_staff(tournament, "keeper"))
    found = keeper.get(f"{base(tournament)}/entries")["entries"][0]
    assert {name: found[name] for name in PRIVATE} == PRIVATE
    elsewhere = staff(cast.make_staff(cast.make_tournament(), "elsewhere", "director"))
    for who in (Program(), phone(sitting), elsewhere):
        for path in ("", "/entries", "/sessions", "/standings"):
            text = json.dumps(who.get(f"{base(tournament)}{path}"), ensure_ascii=False)
            assert not private_in(text), (path, text)
        assert "token" not in json.dumps(who.get(f"{base(tournament)}/sessions"))
        text = json.dumps(who.get(f"/api/sittings/{sitting.pk}"), ensure_ascii=False)
        assert not private_in(text)
    trail = json.dumps(keeper.get(f"{base(tournament)}/audit"), ensure_ascii=False)
    assert not private_in(trail)


def test_director_corrects_a_player(tournament: Tournament) -> None:
    cast.make_entries(tournament, 1, **PRIVATE)
    head, where = director_of(tournament), f"{base(tournament)}/entries"
    version = head.get(where)["entries"][0]["version"]
    answer = head.ask("PATCH", f"{where}/1", {"seen": version, "contact": "017-1", "notes": ""})
    assert answer.status_code == 200
    stored = json_of(answer)
    expected = {"name": "成田 キヨ", "contact": "017-1", "birth_year": PRIVATE["birth_year"]}
    assert stored.items() >= expected.items()
    assert head.get(where)["entries"] == [stored]
    mine = {"seen": version, "contact": "017-2"}
    late = head.ask("PATCH", f"{where}/1", mine)
    assert code(late) == (409, "entry_changed")
    assert (json_of(late)["stored"], json_of(late)["yours"]) == (stored, mine)


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ({"contact": "017"}, "seen"),
        ({"seen": 0, "name": " "}, "name"),
        ({"seen": 0, "birth_year": 1066}, "birth_year"),
        ({"seen": 0, "number": 7}, "number"),
    ],
)
def test_invalid_correction_of_a_player_is_refused(
    tournament: Tournament, body: dict[str, Any], at: str
) -> None:
    cast.make_entries(tournament, 1)
    answer = director_of(tournament).ask("PATCH", f"{base(tournament)}/entries/1", body)
    assert answer.status_code == 422
    assert json_of(answer)["errors"][0]["at"] == at


@pytest.mark.parametrize("odd", [{"name": " \u3000"}, {"birth_year": 2100}, {"birth_year": 1899}])
def test_players_are_validated_as_in_forms_and_files(
    tournament: Tournament, odd: dict[str, Any]
) -> None:
    entry = {"name": "成田 キヨ"} | odd
    answer = director_of(tournament).post(f"{base(tournament)}/entries", {"entries": [entry]})
    assert code(answer) == (422, "missing" if "name" in odd else "range")
    assert json_of(answer)["errors"][0]["at"] == f"entries[0].{next(iter(odd))}"
    assert not tournament.entries.exists()


def test_only_directors_correct_players(tournament: Tournament) -> None:
    sitting = cast.make_sitting(tournament)
    keeper = staff(cast.make_staff(tournament, "keeper"))
    where = f"{base(tournament)}/entries"
    for who, status in ((Program(), 401), (phone(sitting), 404), (keeper, 404)):
        answer = who.ask("PATCH", f"{where}/1", {"seen": 0, "contact": "017"})
        assert answer.status_code == status
    assert director_of(tournament).ask("PATCH", f"{where}/99", {"seen": 0}).status_code == 404


NAMES = (
    "髙﨑 𠮷",
    "葛\U000e0100城",
    "🃏",
    "ע\u202eברית",
    "あ" * 200,
    "<script>",
    "=1+1",
    " 空白 ",
)


@pytest.mark.parametrize("name", NAMES)
def test_names_are_returned_unchanged(tournament: Tournament, name: str) -> None:
    program = director_of(tournament)
    program.post(f"{base(tournament)}/entries", {"entries": [{"name": name}]})
    assert program.get(f"{base(tournament)}/entries")["entries"][0]["name"] == name
