"""A change of any byte that standings rest on is found: every column of every row there is."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import Field, ForeignKey, Model, QuerySet
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests import cast, events
from tournaments import verifying
from tournaments.facts import registration
from tournaments.models import (
    Acceptance,
    Act,
    Call,
    Disagreement,
    Entry,
    Guesses,
    Membership,
    Publication,
    Receipt,
    Round,
    Seat,
    Session,
    Sitting,
    SittingTotals,
    StaffToken,
    TableSession,
    Tournament,
)
from tournaments.results import publications

pytestmark = pytest.mark.django_db

COVERED = (
    *(Tournament, Entry, Session, Sitting, Seat, Round, SittingTotals),
    *(Acceptance, Act, Publication, Receipt, Call, Disagreement, Membership),
)
NOT_COVERED: dict[type[Model], str] = {
    TableSession: "a key, not a fact",
    StaffToken: "a key, not a fact",
    Guesses: "counts wrong guesses",
}
PRIVATE = "stands in no act, so that a trail can be shown and given away; nothing rests on it"
A_KEY = "opens a table; nothing rests on it"
EXCEPT = {
    **{("Entry", name): PRIVATE for name in ("contact", "birth_year", "notes")},
    **{("Sitting", name): A_KEY for name in ("token", "pin")},
}


def columns() -> Iterator[tuple[type[Model], str]]:
    """Return every column but the numbers that only this database knows."""
    for model in COVERED:
        for field in model._meta.concrete_fields:
            if not field.primary_key and (model.__name__, field.name) not in EXCEPT:
                yield model, field.name


COLUMNS = list(columns())


@pytest.fixture(scope="module")
def lasting_event(lasting_database: DjangoDbBlocker) -> int:
    """An event with everything, beside another one just like it, made once for this file."""
    with lasting_database.unblock():
        events.full_event()
        return events.full_event().pk


@pytest.fixture
def event(lasting_event: int, db: None) -> Tournament:
    return Tournament.objects.get(pk=lasting_event)


def of(event: Tournament, model: type[Model]) -> QuerySet[Model]:
    """Return an event's rows, whatever their own manager refuses."""
    return QuerySet(model).filter(**{events.OF_A_TOURNAMENT[model]: event.pk}).order_by("pk")


def test_every_kind_of_row_is_covered_or_has_its_reason() -> None:
    everything = set(apps.get_app_config("tournaments").get_models())
    assert {*COVERED, *NOT_COVERED} == everything
    assert not {*COVERED} & {*NOT_COVERED}
    for name, column in EXCEPT:
        apps.get_model("tournaments", name)._meta.get_field(column)


def test_nothing_is_found_where_nothing_was_touched(event: Tournament) -> None:
    assert verifying.verify(event) == []
    assert all(of(event, model).exists() for model in COVERED)


@pytest.mark.parametrize(
    ("model", "column"), COLUMNS, ids=[f"{m.__name__}.{c}" for m, c in COLUMNS]
)
def test_every_value_that_is_another_is_found(
    event: Tournament, model: type[Model], column: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)  # every row that cannot be read is warned of
    field = model._meta.get_field(column)
    assert isinstance(field, Field)
    for row in of(event, model):
        for other in others(field, getattr(row, field.attname)):
            assert is_found(event, row, field, other), (row, other)


@pytest.mark.parametrize(("name", "column"), EXCEPT)
def test_what_is_excepted_is_not_found(event: Tournament, name: str, column: str) -> None:
    """So that the list of exceptions stays true, and the test above tests something."""
    model = apps.get_model("tournaments", name)
    field, row = model._meta.get_field(column), of(event, model).first()
    assert isinstance(field, Field)
    assert row is not None
    assert not is_found(event, row, field, next(others(field, getattr(row, field.attname))))


def is_found(event: Tournament, row: Model, field: Any, other: Any) -> bool:
    """Return whether it is told that a row has another value; all is as before afterwards."""
    with events.lifted():
        try:
            with transaction.atomic():
                QuerySet(type(row)).filter(pk=row.pk).update(**{field.attname: other})
                found = bool(verifying.verify(event))
                transaction.set_rollback(True)
        except IntegrityError:  # the database does not even take it
            return True
    return found


def others(field: Any, value: Any) -> Iterator[Any]:
    """Return other values: as little changed as can be."""
    if isinstance(field, ForeignKey):
        yield from field.related_model._base_manager.exclude(pk=value).values_list("pk", flat=True)
    elif field.get_internal_type() == "JSONField":
        yield from other_documents(value)
    elif value is None:
        yield timezone.now() if field.get_internal_type() == "DateTimeField" else 1
    else:
        yield another(value)


def other_documents(value: Any) -> Iterator[Any]:
    """Return a document with another value in each of its places, one at a time."""
    if isinstance(value, dict):
        yield {**value, "more": 1}
        for key, inner in value.items():
            yield {name: own for name, own in value.items() if name != key}
            yield from ({**value, key: other} for other in other_documents(inner))
    elif isinstance(value, list):
        yield [*value, 1]
        for at, inner in enumerate(value):
            changed = other_documents(inner)
            yield from ([*value[:at], other, *value[at + 1 :]] for other in changed)
    else:
        yield 1 if value is None else another(value)


def another(value: Any) -> Any:
    """Return what differs in one byte.

    >>> another("ab"), another(""), another(7), another(True)
    ('ac', 'x', 8, False)
    """
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case datetime():
            return value + timedelta(microseconds=1)
        case date():
            return value + timedelta(days=1)
        case "":
            return "x"
        case str():
            return value[:-1] + chr(ord(value[-1]) + 1)
    raise NotImplementedError(value)


# The last receipt stands at the end of its chain: nothing comes after it that would miss it.
MISSED = [
    *(Seat, Act, Publication, Acceptance, SittingTotals),
    *(Call, Disagreement, Membership, Receipt),
]


@pytest.mark.parametrize("model", MISSED)
def test_every_row_that_is_missing_is_found(event: Tournament, model: type[Model]) -> None:
    rows = list(of(event, model))
    for row in rows[:-1] if model is Receipt else rows:
        with events.lifted(), transaction.atomic():
            QuerySet(model).filter(pk=row.pk)._raw_delete(using="default")
            assert verifying.verify(event), row
            transaction.set_rollback(True)


def test_what_came_in_behind_its_back_is_found(event: Tournament) -> None:
    with transaction.atomic():
        Entry.objects.create(tournament=event, number=99, name="後から")
        assert verifying.verify(event)
        transaction.set_rollback(True)
    session = Session.objects.create(tournament=event, number=99)
    Sitting.objects.create(session=session, number=1)
    assert verifying.verify(event)


def test_an_older_trail_says_nothing_of_what_it_does_not_tell() -> None:
    """Its tournament was there before there were acts of setting one up."""
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    assert verifying.verify(sitting.session.tournament) == []


def test_rules_that_count_otherwise_today_are_found(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying.announced, "standings_in", lambda *_: [])
    (fault,) = verifying.verify(event)
    assert fault.what == "publication 1"


def test_what_is_done_with_an_older_view_of_the_settings_is_as_they_are_now() -> None:
    """Whoever seats a session looked at the settings before somebody changed them."""
    event = events.full_event()
    before = Tournament.objects.get(pk=event.pk)
    event.totals_only = False
    seen = registration.version_of(event)
    registration.change_rules(event, event.rules, seen=seen, by=cast.SOMEBODY)
    session = registration.open_session(before, [list(event.entries.all()[:6])], by=cast.SOMEBODY)
    assert session.totals_only is False
    publications.publish(event, by=cast.SOMEBODY)
    assert verifying.verify(event) == []
