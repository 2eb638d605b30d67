"""An event with everything, its archive, and the account that imports it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoDbBlocker

from tests import events
from tournaments import archives, audit
from tournaments.models import Tournament


@pytest.fixture
def owner() -> User:
    return User.objects.create_superuser("owner", password="owner")


@pytest.fixture
def by(owner: User) -> audit.Actor:
    return audit.Actor(owner, "owner")


@pytest.fixture(scope="module")
def lasting_archive(lasting_database: DjangoDbBlocker, lasting_event: int) -> bytes:
    """The archive of the event, made once for the tests of a file."""
    with lasting_database.unblock():
        event = Tournament.objects.get(pk=lasting_event)
        return archives.export_archive(event, with_private=True)


@pytest.fixture
def exported(lasting_archive: bytes, event: Tournament) -> bytes:
    """The archive of the event, which is then deleted."""
    events.forget(event)
    return lasting_archive
