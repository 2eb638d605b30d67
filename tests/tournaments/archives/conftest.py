"""An event with everything, its archive, and the account that imports it."""

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
def exported(event: Tournament) -> bytes:
    """The archive of the event, which is then deleted."""
    content = archives.export_archive(event, with_private=True)
    events.forget(event)
    return content
