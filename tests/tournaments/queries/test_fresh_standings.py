"""Standings include every write at once. For the board see `views/test_board.py`."""

from __future__ import annotations

from typing import Any

import pytest

from tests import cast
from tests.api import phone, staff
from tournaments.models import Tournament


@pytest.mark.django_db
def test_standings_include_every_write_at_once(tournament: Tournament) -> None:
    """Every deal and every correction is in the next answer; nothing is cached."""
    sitting = cast.make_sitting(tournament)
    desk, table = staff(cast.make_staff(tournament, "keeper")), phone(sitting)
    where = f"/api/sittings/{sitting.pk}/rounds/1"
    facts = cast.plain_round(sitting)

    def seen() -> tuple[Any, ...]:
        answer = desk.get(f"/api/tournaments/{tournament.slug}/standings")
        mine = {row["number"]: row["points"] for row in answer["standings"]}
        return answer["rounds_under_way"], answer["rounds_counted"], mine[2]

    assert seen() == (0, 0, None)
    won = {"facts": facts | {"deals": [{"kankei": 9, "mukankei": 4}]}, "seen": 0}
    assert table.put(where, won).status_code == 201
    assert seen() == (1, 0, None)
    lost = facts | {"deals": [{"kankei": 9, "mukankei": 4}, {"kankei": 3, "mukankei": 9}]}
    assert table.put(where, {"facts": lost, "seen": 1}).status_code == 200
    before = seen()
    assert before[:2] == (0, 1)
    right = {"facts": facts | {"deals": [{"kankei": 0, "mukankei": 9}]}, "seen": 2}
    assert desk.put(where, right | {"reason": "写し間違い"}).status_code == 200
    assert seen() != before
    assert seen()[:2] == (0, 1)
