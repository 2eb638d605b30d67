"""What the tests of the app share, besides what every test may ask for."""

from copy import deepcopy

import pytest
from django.template import Template
from pytest_django import DjangoDbBlocker

from tests import cast, events
from tests.visiting import World, make_world
from tournaments.models import Sitting, Tournament
from tournaments.printing import rendering


@pytest.fixture(scope="module")
def lasting_world(lasting_database: DjangoDbBlocker) -> World:
    """Two tournaments with staff, made once for the tests of a file."""
    with lasting_database.unblock():
        return make_world()


@pytest.fixture
def nothing_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace printing, for tests that request many addresses; and let templates be quick."""
    for printer in ("pdf", "stamped_pdf"):
        monkeypatch.setattr(rendering, printer, lambda *_, **_named: b"%PDF-")
    # The test environment copies what each template is given, for tests that look at it.
    monkeypatch.setattr(Template, "_render", lambda self, context: self.nodelist.render(context))


@pytest.fixture
def world(lasting_world: World, db: None, nothing_printed: None) -> World:
    """As `lasting_world`; changes are rolled back. Printing is replaced: permissions ignore it."""
    return deepcopy(lasting_world)


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    """A table without rounds."""
    return cast.make_sitting(tournament)


@pytest.fixture
def endless(tournament: Tournament) -> Sitting:
    """A table without a planned number of rounds."""
    tournament.rounds_per_session = None
    tournament.save()
    return cast.make_sitting(tournament)


@pytest.fixture(scope="module")
def lasting_event(lasting_database: DjangoDbBlocker) -> int:
    """An event with rows of every model, made once for the tests of a file."""
    with lasting_database.unblock():
        return events.full_event().pk


@pytest.fixture
def event(lasting_event: int, db: None) -> Tournament:
    """As `lasting_event`; changes are rolled back."""
    return Tournament.objects.get(pk=lasting_event)
