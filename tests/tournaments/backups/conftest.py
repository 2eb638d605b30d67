"""A database with a round that other connections can see."""

from __future__ import annotations

import pytest

from tests import cast
from tournaments.models import Tournament


@pytest.fixture
def played(transactional_db: None, shared_database: None) -> Tournament:
    """A tournament with a round, in a database that other connections can see."""
    tournament = cast.make_tournament()
    cast.record(cast.make_sitting(tournament))
    return tournament
