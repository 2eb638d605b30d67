"""What the tests of the API may ask for."""

from __future__ import annotations

import pytest

from tests import cast
from tests.api import Program, staff
from tournaments.models import Tournament


@pytest.fixture
def keeper(tournament: Tournament) -> Program:
    return staff(cast.make_staff(tournament, "keeper"))
