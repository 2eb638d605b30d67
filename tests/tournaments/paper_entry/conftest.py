"""What the tests of the desk may ask for."""

from __future__ import annotations

import pytest

from tests import cast
from tournaments.models import Sitting, Tournament


@pytest.fixture
def endless(tournament: Tournament) -> Sitting:
    """A table that plays as many rounds as it likes."""
    tournament.rounds_per_session = None
    tournament.save()
    return cast.make_sitting(tournament)
