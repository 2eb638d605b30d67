from __future__ import annotations

import pytest

from tests import cast
from tournaments.models import Sitting, Tournament


@pytest.fixture
def played(tournament: Tournament) -> Sitting:
    """A table at which 2, 4 and 5 have 1 point."""
    sitting = cast.make_sitting(tournament)
    cast.record(sitting)
    return sitting
