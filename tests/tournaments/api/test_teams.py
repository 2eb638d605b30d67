"""The standings of teams, over HTTP."""

from __future__ import annotations

import pytest

from tests import cast
from tests.api import base, director_of
from tournaments.models import Entry

pytestmark = pytest.mark.django_db


def test_teams_are_listed_with_their_members() -> None:
    """After a round players 2, 4 and 5 have a point, the others −1."""
    sitting = cast.make_sitting()
    tournament = sitting.session.tournament
    cast.record(sitting)
    director, url = director_of(tournament), f"{base(tournament)}/teams"
    assert director.get(url)["teams"] == []
    Entry.objects.filter(number__in=(1, 2)).update(team="青")
    Entry.objects.filter(number=3).update(team="赤")
    director.put(f"{base(tournament)}/ranking", {"teams": "best", "team_members": 1, "seen": 0})
    told = director.get(url)
    assert (told["counting"], told["team_members"], told["publication"]) == ("best", 1, None)
    [blue, red] = told["teams"]
    assert (blue["place"], blue["team"], blue["points"], blue["tied"]) == (1, "青", 1, False)
    assert [(each["number"], each["points"], each["counted"]) for each in blue["members"]] == [
        (2, 1, 1),
        (1, -1, None),
    ]
    assert (red["place"], red["points"]) == (2, -1)
