"""Substitutes over HTTP."""

from __future__ import annotations

import pytest

from tests import cast
from tests.api import Program, base, code, json_of, staff
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
PERSON = {"person": {"name": "山田 太郎"}}


@pytest.fixture
def keeper(tournament: Tournament) -> Program:
    """A scorekeeper of a tournament with seven players, of whom the first is absent."""
    cast.make_entries(tournament, 7)
    program = staff(cast.make_staff(tournament, "keeper"))
    mark = {"status": "absent", "seen": "expected"}
    program.put(f"{base(tournament)}/sessions/1/presence/1", mark)
    return program


def test_substitutes_are_named_listed_and_taken_back(
    tournament: Tournament, keeper: Program
) -> None:
    url = f"{base(tournament)}/sessions/1/substitutes"
    row = {"session": 1, "number": 1, "substitute": 8}
    for _ in range(2):
        assert json_of(keeper.put(f"{url}/1", PERSON)) == row
    assert keeper.get(url) == {"substitutes": [row]}
    newcomer = keeper.get(f"{base(tournament)}/entries")["entries"][-1]
    assert (newcomer["name"], newcomer["is_substitute"]) == ("山田 太郎", True)
    assert code(keeper.ask("DELETE", f"{url}/1?substitute=7")) == (409, "already_replaced")
    for _ in range(2):
        answer = keeper.ask("DELETE", f"{url}/1?substitute=8")
        assert json_of(answer) == {"substitutes": []}


def test_refusals_have_a_code(tournament: Tournament, keeper: Program) -> None:
    url = f"{base(tournament)}/sessions/1/substitutes"
    assert code(keeper.put(f"{url}/2", PERSON)) == (409, "not_away")
    assert code(keeper.put(f"{url}/1", {"substitute": 1})) == (409, "not_free")
    assert code(keeper.put(f"{url}/1", {})) == (422, "missing")
    assert code(keeper.put(f"{url}/1", PERSON | {"substitute": 2})) == (422, "missing")
    assert code(keeper.put(f"{url}/9", PERSON)) == (404, "not_found")
    assert code(keeper.put(f"{url}/1", {"substitute": 9})) == (404, "not_found")
    keeper.put(f"{url}/1", {"substitute": 2})
    assert code(keeper.put(f"{url}/1", PERSON)) == (409, "already_replaced")
