"""An archive in which anything was changed, and every digest with it, by somebody who knows how.

It is refused with a sentence, or comes in as an event that every page can show.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import archive_files, cast
from tests.archive_files import STRANGE_VALUES, places_in, put_at, resealed
from tests.visiting import addresses, let_go
from tournaments import archives, audit
from tournaments.audit import canonical_json
from tournaments.models import Publication, Tournament
from tournaments.printing import rendering
from tournaments.verification.announced import fault_in

pytestmark = pytest.mark.django_db
PROGRESS = ("publications", 0, "content", "progress")


@pytest.fixture(autouse=True)
def unprinted(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is made of the same answers as the pages."""
    for printer in ("pdf", "stamped_pdf"):
        monkeypatch.setattr(rendering, printer, lambda *_: b"%PDF-")


def forged(content: bytes, way: tuple[Any, ...], value: Any) -> bytes:
    return resealed(content, lambda _manifest, event: put_at(event, way, value))


def test_what_is_only_resealed_comes_in(gone: bytes, by: audit.Actor) -> None:
    """So that the refusals below are for what was changed."""
    assert archives.bring_in(resealed(gone, lambda *_: None), by=by).audit_entries.exists()


@pytest.mark.parametrize(
    "value", [{"evil": 1}, {}, {"tables": 1, "recorded": 9, "planned": 9, "under_way": 0}]
)
def test_progress_that_does_not_follow_is_refused(
    gone: bytes, by: audit.Actor, value: dict[str, int]
) -> None:
    with pytest.raises(archives.Damaged):
        archives.bring_in(forged(gone, PROGRESS, value), by=by)


def test_a_publication_with_a_value_of_another_type_is_refused(event: Tournament) -> None:
    row = event.publications.get()
    assert fault_in(row) is None
    for way in places_in(row.content):
        stands = archive_files.value_at(row.content, way)
        for value in STRANGE_VALUES:
            if type(value) is type(stands) or (value is None and way[-1] in OPTIONAL):
                continue
            content = copy.deepcopy(row.content)
            put_at(content, way, value)
            assert is_refused(Publication(tournament=event, content=content)), (way, value)


def test_a_publication_from_before_players_had_readings_is_whole(event: Tournament) -> None:
    row = event.publications.get()
    for entry in row.content["entries"]:
        del entry["reading"]
    assert fault_in(row) is None


def test_a_publication_with_one_more_key_is_refused(event: Tournament) -> None:
    row = event.publications.get()
    for way in [(), *places_in(row.content)]:
        content = copy.deepcopy(row.content)
        inside = archive_files.value_at(content, way)
        if isinstance(inside, dict):
            inside["evil"] = 1
            assert is_refused(Publication(tournament=event, content=content)), way


@pytest.mark.parametrize("derived", ["progress", "standings"])
def test_a_publication_with_another_derived_value_is_refused(
    event: Tournament, derived: str
) -> None:
    row = event.publications.get()
    for way in places_in(row.content[derived]):
        for value in STRANGE_VALUES:
            content = copy.deepcopy(row.content)
            put_at(content[derived], way, value)
            is_another = canonical_json(content) != canonical_json(row.content)
            assert is_refused(Publication(tournament=event, content=content)) is is_another


OPTIONAL = {"rounds_per_session", "totals", "ended_at"}


def is_refused(row: Publication) -> bool:
    try:
        return fault_in(row) is not None
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return True


SETTINGS = settings(
    max_examples=int(os.environ.get("ANY_INPUT_EXAMPLES", "15")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@SETTINGS
@given(data=st.data())
def test_any_value_changed_is_refused_or_can_be_shown(
    gone: bytes, by: audit.Actor, owner: User, data: st.DataObject
) -> None:
    parts = archive_files.json_of(gone)
    way = data.draw(st.sampled_from(list(places_in(parts))))
    value = data.draw(st.sampled_from(STRANGE_VALUES))
    with transaction.atomic():
        with suppress(archives.NotRead):
            assert_shown(archives.bring_in(forged(gone, way, value), by=by), owner)
        transaction.set_rollback(True)


def assert_shown(event: Tournament, owner: User) -> None:
    """Ask for every page of an event, and for the lists it stands in, as two readers."""
    sitting = event.sessions.get(number=1).sittings.get()
    for browser in (Client(raise_request_exception=False), cast.browser_of(owner)):
        browser.raise_request_exception = False
        for url in [reverse("home"), reverse("api-tournaments"), *urls_of(event, sitting.pk)]:
            response = browser.get(url)
            let_go(response)
            assert response.status_code < 500, url


def urls_of(event: Tournament, sitting: int) -> Iterator[str]:
    known = {"slug": event.slug, "session": 1, "table": 1, "number": 1, "entry": 1}
    known |= {"publication": 1, "sitting": sitting}
    for name, parameters in addresses().items():
        if {"slug", "sitting"} & set(parameters) and set(parameters) <= known.keys():
            yield reverse(name, kwargs={key: known[key] for key in parameters})
