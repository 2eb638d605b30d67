"""Where a round of a table is put, and deals to put there."""

from __future__ import annotations

from typing import Any

from tests import cast
from tournaments.models import Sitting

WON, LOST = {"kankei": 9, "mukankei": 4}, {"kankei": 5, "mukankei": 9}


def address(sitting: Sitting, number: int = 1) -> str:
    return f"/api/sittings/{sitting.pk}/rounds/{number}"


def played(sitting: Sitting, *deals: dict[str, Any]) -> dict[str, Any]:
    return cast.plain_round(sitting) | {"deals": list(deals)}
