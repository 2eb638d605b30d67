"""Forged archives, with all digests recomputed after a change.

Each is refused, or imported as an event that every page can show.
"""

from __future__ import annotations

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
from tests.archive_files import (
    STRANGE_VALUES,
    changed_at,
    places_at_ends,
    places_in,
    put_at,
    resealed,
)
from tests.visiting import addresses, read_to_end
from tournaments import archives, audit
from tournaments.audit import canonical_json
from tournaments.models import Publication, Tournament
from tournaments.printing import rendering
from tournaments.verification.publications import fault_in

pytestmark = [pytest.mark.django_db, pytest.mark.alike]  # parsed before anything is stored
PROGRESS = ("publications", 0, "content", "progress")


@pytest.fixture(autouse=True)
def no_printing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Printed documents show the same data as the pages; rendering them takes long."""
    for printer in ("pdf", "stamped_pdf"):
        monkeypatch.setattr(rendering, printer, lambda *_, **_named: b"%PDF-")


def forged(content: bytes, path: tuple[Any, ...], value: Any) -> bytes:
    return resealed(content, lambda _manifest, event: put_at(event, path, value))


@pytest.mark.parametrize("old", [None, {}, {"1": []}, {"1": ["1"], "2": ["2"]}])
def test_forged_seats_before_an_exchange_are_refused(
    exported: bytes, by: audit.Actor, old: dict[str, list[str]] | None
) -> None:
    acts = archive_files.json_of(exported)["acts"]
    exchanges = [i for i, act in enumerate(acts) if act["kind"] == "players_exchanged"]
    assert exchanges
    for i in exchanges:
        with pytest.raises(archives.Damaged):
            archives.import_archive(forged(exported, ("acts", i, "old"), old), by=by)


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("stage_confirmed", ("new", "members"), ["x"]),
        ("stage_confirmed", ("new", "members", 0, "players"), 1),
        ("stage_confirmed", ("new", "tied"), [1]),
        ("players_changed", ("old",), {}),
        ("players_changed", ("old",), 0),
    ],
)
def test_forged_change_that_another_one_superseded_is_refused(
    exported: bytes, by: audit.Actor, kind: str, field: tuple[Any, ...], value: Any
) -> None:
    """No row is as it says any more, but pages read it."""
    acts = archive_files.json_of(exported)["acts"]
    first = next(i for i, act in enumerate(acts) if act["kind"] == kind)
    with pytest.raises(archives.Damaged):
        archives.import_archive(forged(exported, ("acts", first, *field), value), by=by)


def test_resealed_archive_is_imported(exported: bytes, by: audit.Actor) -> None:
    """The refusals below are therefore due to the change, not to `resealed`."""
    assert archives.import_archive(
        resealed(exported, lambda *_: None), by=by
    ).audit_entries.exists()


@pytest.mark.parametrize(
    "value", [{"evil": 1}, {}, {"tables": 1, "recorded": 9, "planned": 9, "under_way": 0}]
)
def test_forged_progress_is_refused(
    exported: bytes, by: audit.Actor, value: dict[str, int]
) -> None:
    with pytest.raises(archives.Damaged):
        archives.import_archive(forged(exported, PROGRESS, value), by=by)


def test_publication_with_a_value_of_another_type_is_refused(event: Tournament) -> None:
    row = event.publications.get()
    assert fault_in(row) is None
    for path in places_at_ends(row.content):  # all items of a list have the same schema
        value_there = archive_files.value_at(row.content, path)
        for value in STRANGE_VALUES:
            if type(value) is type(value_there) or (value is None and path[-1] in OPTIONAL):
                continue
            if value_there is None and type(value) is OPTIONAL.get(path[-1]):
                continue
            with changed_at(row.content, path, value):
                assert is_refused(row), (path, value)


@pytest.mark.parametrize("later_field", ["reading", "team"])
def test_publication_without_a_later_field_is_accepted(event: Tournament, later_field: str) -> None:
    row = event.publications.get()
    for entry in row.content["entries"]:
        del entry[later_field]
    assert fault_in(row) is None


def test_publication_with_an_extra_key_is_refused(event: Tournament) -> None:
    row = event.publications.get()
    for path in [(), *places_in(row.content)]:
        inside = archive_files.value_at(row.content, path)
        if isinstance(inside, dict):
            inside["evil"] = 1
            assert is_refused(row), path
            del inside["evil"]


@pytest.mark.parametrize("derived", ["progress", "standings"])
def test_publication_with_a_changed_derived_value_is_refused(
    event: Tournament, derived: str
) -> None:
    row = event.publications.get()
    published = canonical_json(row.content[derived])
    for path in places_at_ends(row.content[derived]):  # compared as a whole
        for value in STRANGE_VALUES:
            with changed_at(row.content[derived], path, value):
                is_another = canonical_json(row.content[derived]) != published
                assert is_refused(row) is is_another, (path, value)


OPTIONAL: dict[Any, Any] = {
    **dict.fromkeys(("rounds_per_session", "sessions_planned", "rounds_planned"), int),
    **dict.fromkeys(("places", "at_least", "first_session"), int),
    "stage": int,
    "totals": dict,
    "ended_at": str,
    "members": list,
}


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
def test_any_changed_value_is_refused_or_shown_without_error(
    exported: bytes, by: audit.Actor, owner: User, data: st.DataObject
) -> None:
    parts = archive_files.json_of(exported)
    path = data.draw(st.sampled_from(list(places_in(parts))))
    value = data.draw(st.sampled_from(STRANGE_VALUES))
    with transaction.atomic():
        with suppress(archives.ImportRefused):
            assert_shown(archives.import_archive(forged(exported, path, value), by=by), owner)
        transaction.set_rollback(True)


def assert_shown(event: Tournament, owner: User) -> None:
    """Request every page about an event, and lists that name it, as a stranger and the owner."""
    sitting = event.sessions.get(number=1).sittings.get(number=1)
    for browser in (Client(raise_request_exception=False), cast.browser_of(owner)):
        browser.raise_request_exception = False
        for url in [reverse("home"), reverse("api-tournaments"), *urls_of(event, sitting.pk)]:
            response = browser.get(url)
            read_to_end(response)
            assert response.status_code < 500, url


def urls_of(event: Tournament, sitting: int) -> Iterator[str]:
    known = {"slug": event.slug, "session": 1, "table": 1, "number": 1, "entry": 1}
    known |= {"publication": 1, "sitting": sitting}
    for name, parameters in addresses().items():
        if {"slug", "sitting"} & set(parameters) and set(parameters) <= known.keys():
            yield reverse(name, kwargs={key: known[key] for key in parameters})
