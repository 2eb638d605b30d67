"""How places are decided, over HTTP."""

from __future__ import annotations

import pytest

from tests import cast
from tests.api import base, code, director_of, json_of
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_ranking_is_read_and_chosen(tournament: Tournament) -> None:
    director, url = director_of(tournament), f"{base(tournament)}/ranking"
    told = director.get(url)
    assert told["tie_breaks"] == ["points", "rounds_won", "best_round"]
    body = {"tie_breaks": ["points", "juroku"], "missed": "own_average", "seen": told["version"]}
    for _ in range(2):
        answer = json_of(director.put(url, body))
        assert (answer["tie_breaks"], answer["missed"]) == (["points", "juroku"], "own_average")
    assert code(director.put(url, {"seen": told["version"]})) == (409, "ranking_changed")
    usual = json_of(director.put(url, {"seen": answer["version"]}))
    assert usual["tie_breaks"] == told["tie_breaks"]


def test_steps_that_the_game_cannot_have_are_refused() -> None:
    tournament = cast.make_tournament("gong-zhu")
    director, url = director_of(tournament), f"{base(tournament)}/ranking"
    offered = [each["code"] for each in director.get(url)["offered"]]
    assert "skunks" not in offered
    answer = director.put(url, {"tie_breaks": ["skunks", "points", "points"], "seen": 0})
    assert answer.status_code == 422
    assert [each["at"] for each in json_of(answer)["errors"]] == ["tie_breaks[0]", "tie_breaks[2]"]


def test_number_of_members_of_a_team_is_needed_unless_all_count(tournament: Tournament) -> None:
    director, url = director_of(tournament), f"{base(tournament)}/ranking"
    answer = director.put(url, {"teams": "by_session", "seen": 0})
    assert [each["at"] for each in json_of(answer)["errors"]] == ["team_members"]
    chosen = json_of(director.put(url, {"teams": "by_session", "team_members": 2, "seen": 0}))
    assert (chosen["teams"], chosen["team_members"]) == ("by_session", 2)
    assert Tournament.objects.get().ranking == {"teams": "by_session", "team_members": 2}
