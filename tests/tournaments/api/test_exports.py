"""Programs download every workbook with their token, as people do with their log-in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.api import staff
from tests.visiting import World
from tournaments.permissions import levels

WORKBOOKS = sorted(
    name for name, _pattern, route in levels.addresses() if route.endswith((".xlsx", ".csv"))
)


@pytest.mark.parametrize("name", WORKBOOKS)
def test_workbook_is_downloaded_with_a_token(world: World, name: str) -> None:
    program, address = staff(User.objects.get(username="director")), world.url(name)
    answer = program.send("GET", address)
    assert (answer.status_code, answer.content[:2]) == (200, b"PK")
    program.token = "1.unknown"
    assert program.send("GET", address).status_code == 401
