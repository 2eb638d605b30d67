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
from tournaments import verification
from tournaments.models import (
    Acceptance,
    AuditEntry,
    Call,
    Disagreement,
    Entry,
    Membership,
    Phone,
    Publication,
    Receipt,
    Round,
    Seat,
    Session,
    Sitting,
    SittingTotals,
    Tournament,
)
from tournaments.queries import publications
from tournaments.services import (
    closing,
    entries,
    idempotency,
    phones,
    seating,
    table_cards,
    table_links,
    tournaments,
    versions,
)
from tournaments.services.publications import publish
from tournaments.verification.uncompared import NOT_COMPARED

pytestmark = pytest.mark.django_db


def columns() -> Iterator[tuple[type[Model], str]]:
    """Return every column but the numbers that only this database knows."""
    for model in apps.get_app_config("tournaments").get_models():
        for field in model._meta.concrete_fields:
            if not field.primary_key and (model.__name__, field.name) not in NOT_COMPARED:
                yield model, field.name


COLUMNS = list(columns())


@pytest.fixture(scope="module")
def lasting_event(lasting_database: DjangoDbBlocker) -> int:
    """An event with everything, beside another one just like it, made once for this file."""
    with lasting_database.unblock():
        events.full_event()
        return events.full_event().pk


def of(event: Tournament, model: type[Model]) -> QuerySet[Model]:
    """Return an event's rows, whatever their own manager refuses."""
    return QuerySet(model).filter(**{events.OF_A_TOURNAMENT[model]: event.pk}).order_by("pk")


def test_what_is_not_compared_is_there_and_has_its_reason() -> None:
    """That it is of no tournament is why `verify` of one could not find it."""
    assert NOT_COMPARED
    for (name, column), reason in NOT_COMPARED.items():
        model = apps.get_model("tournaments", name)
        assert model._meta.get_field(column)
        assert model not in events.OF_A_TOURNAMENT
        assert reason


def test_nothing_is_found_where_nothing_was_touched(event: Tournament) -> None:
    assert verification.verify(event) == []
    assert all(of(event, model).exists() for model, _column in COLUMNS)


@pytest.mark.parametrize(
    ("model", "column"), COLUMNS, ids=[f"{m.__name__}.{c}" for m, c in COLUMNS]
)
def test_every_value_that_is_another_is_found(
    event: Tournament, model: type[Model], column: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)  # every row that cannot be read is warned of
    field = model._meta.get_field(column)
    assert isinstance(field, Field)
    with events.lifted():
        for row in of(event, model):
            for other in others(field, getattr(row, field.attname)):
                assert is_found(event, row, field, other), (row, other)


def is_found(event: Tournament, row: Model, field: Any, other: Any) -> bool:
    """Return whether it is told that a row has another value; all is as before afterwards."""
    try:
        with transaction.atomic():
            QuerySet(type(row)).filter(pk=row.pk).update(**{field.attname: other})
            found = not verification.fits(event)
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


MISSED = [
    *(Seat, AuditEntry, Publication, Acceptance, SittingTotals),
    *(Call, Disagreement, Membership, Receipt, Phone),
]


@pytest.mark.parametrize("model", MISSED)
def test_every_row_that_is_missing_is_found(event: Tournament, model: type[Model]) -> None:
    rows = list(of(event, model))
    assert rows
    for row in rows:
        with events.lifted(), transaction.atomic():
            QuerySet(model).filter(pk=row.pk)._raw_delete(using="default")
            assert not verification.fits(event), row
            transaction.set_rollback(True)


@pytest.mark.parametrize(
    "ends", [{AuditEntry}, {Receipt}, {AuditEntry, Receipt}], ids=["act", "receipt", "both"]
)
def test_an_end_that_was_cut_off_is_found(ends: set[type[Model]]) -> None:
    """With everything that it told of, so that only the tournament's own row misses it."""
    sitting = cast.make_sitting()
    tournament, facts = sitting.session.tournament, cast.plain_round(sitting)

    def act() -> idempotency.Answer:
        row = cast.record(sitting, facts)
        told = {"number": row.number, "version": row.version, "facts": row.facts}
        return idempotency.Answer(201, told if ends == {Receipt} else {})

    idempotency.run_once(tournament, "key", facts, act)
    assert verification.verify(tournament) == []
    with events.lifted(), transaction.atomic():
        for model in ends | ({Round} if AuditEntry in ends else set()):
            last = of(tournament, model).last()
            assert last is not None
            QuerySet(model).filter(pk=last.pk)._raw_delete(using="default")
        assert len(verification.verify(tournament)) == len(ends)
        transaction.set_rollback(True)


def test_a_phone_that_nobody_let_in_is_found(event: Tournament) -> None:
    sittings = list(Sitting.objects.filter(session__tournament=event))
    assert sittings
    for sitting in sittings:
        with transaction.atomic():
            Phone.objects.create(sitting=sitting, digest="0" * 64)
            assert verification.verify(event), sitting
            transaction.set_rollback(True)


def test_what_opens_tables_is_as_the_acts_tell_whatever_is_made_anew() -> None:
    event = events.full_event()
    session = event.sessions.get(number=1)
    sitting = session.sittings.get()
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    table_links.make_pin(sitting, by=cast.SOMEBODY)
    assert verification.verify(event) == []
    for new_links in (False, True):
        table_cards.issue_cards(
            session,
            table_cards.prepare_cards([session.sittings.get()], new_links=new_links),
            by=cast.SOMEBODY,
        )
        phones.admit_phone(session.sittings.get())
        assert verification.verify(event) == []
    closing.close(event, by=cast.SOMEBODY)
    assert verification.verify(event) == []
    closing.reopen(event, by=cast.SOMEBODY)
    table_links.make_link(sitting, by=cast.SOMEBODY)
    assert verification.verify(event) == []


def test_of_what_is_private_only_a_digest_that_nobody_can_guess_is_told(event: Tournament) -> None:
    entry = event.entries.get(number=1)
    (added,) = [
        act for act in event.audit_entries.filter(kind="entries_added") if len(act.new or []) > 1
    ]
    told = [each["private"] for each in added.new or []]
    assert told == [entry.audit_facts()["private"], *[None] * (len(told) - 1)]
    assert entry.salt not in str(list(event.audit_entries.values()))


def test_whoever_corrects_a_player_of_old_tells_of_what_is_private(event: Tournament) -> None:
    """The first act that does: before there were salts the acts told nothing."""
    entry = event.entries.get(number=1)
    events.as_before_digests(event)
    Entry.objects.filter(pk=entry.pk).update(salt="")
    assert verification.verify(event) == []
    person = {"name": "壱", "club": "", "division": ""}
    entries.correct_entry(entry, person, seen=0, by=cast.SOMEBODY)
    assert verification.verify(event) == []
    Entry.objects.filter(pk=entry.pk).update(notes="…")
    assert verification.verify(event)


def test_what_is_private_may_change_and_go(event: Tournament) -> None:
    for contact, salts in (("017-1", True), ("017-2", True), ("", False)):
        entry = event.entries.get(number=1)
        person = {"contact": contact, "birth_year": None, "notes": ""}
        seen = versions.version_of(entry)
        entries.correct_entry(entry, person, seen=seen, by=cast.SOMEBODY)
        assert verification.verify(event) == []
        assert bool(event.entries.get(number=1).salt) == salts
    Entry.objects.filter(pk=entry.pk).update(contact="017-2")
    assert verification.verify(event)


def test_what_came_in_behind_its_back_is_found(event: Tournament) -> None:
    with transaction.atomic():
        Entry.objects.create(tournament=event, number=99, name="後から")
        assert verification.verify(event)
        transaction.set_rollback(True)
    session = Session.objects.create(tournament=event, number=99)
    Sitting.objects.create(session=session, number=1)
    assert verification.verify(event)


def test_an_older_trail_says_nothing_of_what_it_does_not_tell() -> None:
    """Its tournament was there before there were acts of setting one up."""
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    assert verification.verify(sitting.session.tournament) == []


def test_a_trail_from_before_digests_says_nothing_of_keys(event: Tournament) -> None:
    events.as_before_digests(event)
    tables = Sitting.objects.filter(session__tournament=event)
    for sitting in tables:
        Sitting.objects.filter(pk=sitting.pk).update(token=f"another {sitting.pk}", pin="another")
    Phone.objects.create(sitting=tables[0], digest="0" * 64)
    assert verification.verify(event) == []
    sitting = tables[0]
    table_links.make_link(sitting, by=cast.SOMEBODY)
    phones.admit_phone(Sitting.objects.get(pk=sitting.pk))
    assert verification.verify(event) == []
    Sitting.objects.filter(pk=sitting.pk).update(token="the third")
    Phone.objects.create(sitting=sitting, digest="1" * 64)
    assert len(verification.verify(event)) == 2


def test_rules_that_count_otherwise_today_are_found(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publications, "standings_content", lambda *_: [])
    (fault,) = verification.verify(event)
    assert fault.what == "publication 1"


def test_what_is_done_with_an_older_view_of_the_settings_is_as_they_are_now() -> None:
    """Whoever seats a session looked at the settings before somebody changed them."""
    event = events.full_event()
    before = Tournament.objects.get(pk=event.pk)
    event.totals_only = False
    seen = versions.version_of(event)
    tournaments.change_rules(event, event.rules, seen=seen, by=cast.SOMEBODY)
    session = seating.open_session(before, [list(event.entries.all()[:6])], by=cast.SOMEBODY)
    assert session.totals_only is False
    publish(event, by=cast.SOMEBODY)
    assert verification.verify(event) == []
