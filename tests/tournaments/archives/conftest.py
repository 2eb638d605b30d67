"""The archive of an event with everything, and whoever brings it in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests import events
from tournaments import archives, audit
from tournaments.models import Tournament


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("owner", password="owner")


@pytest.fixture
def by(owner: User) -> audit.Actor:
    return audit.Actor(owner, "owner")


@pytest.fixture
def gone(event: Tournament) -> bytes:
    """The archive of an event that is no longer here."""
    content = archives.archived(event, private=True)
    events.forget(event)
    return content
