"""Verification detects a change of any column of any row."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from copy import deepcopy
from datetime import date, datetime, timedelta
from itertools import islice
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
    Registration,
    Round,
    Seat,
    SeatProposal,
    Session,
    Sitting,
    SittingTotals,
    Tournament,
)
from tournaments.models import registrations as registrations_model
from tournaments.models.entry_fields import PUBLIC_FIELDS
from tournaments.queries.publications import content
from tournaments.services import (
    closing,
    entries,
    idempotency,
    phones,
    seating,
    table_cards,
    table_links,
    totals,
    tournaments,
    versions,
)
from tournaments.services.publications import publish
from tournaments.verification import registrations as registrations_verified
from tournaments.verification.exclusions import NOT_COMPARED
from tournaments.verification.publications import fault_in
from tournaments.verification.trail import CHECKS, Check, Trail

pytestmark = pytest.mark.django_db


def columns() -> Iterator[tuple[type[Model], str]]:
    """Yield every column except primary keys and exclusions."""
    for model in apps.get_app_config("tournaments").get_models():
        for field in model._meta.concrete_fields:
            if not field.primary_key and (model.__name__, field.name) not in NOT_COMPARED:
                yield model, field.name


class LastFirst(list[Check]):
    """Checks that begin with the one that ended the last iteration: it found the last change."""

    def __iter__(self) -> Iterator[Check]:
        for at in range(len(self)):
            self.insert(0, self.pop(at))
            yield self[0]


COLUMNS = list(columns())
DIGESTED = {AuditEntry, Publication, Receipt}
ORDERS: dict[type[Model], LastFirst] = {}


@pytest.fixture(scope="module")
def lasting_event(lasting_database: DjangoDbBlocker) -> int:
    """An event with everything, beside another like it, created once for this file."""
    with lasting_database.unblock():
        events.full_event()
        return events.full_event().pk


@pytest.fixture(scope="module")
def lasting_trail(lasting_database: DjangoDbBlocker, lasting_event: int) -> Trail:
    with lasting_database.unblock():
        return Trail(lasting_event)


@pytest.fixture
def trail(lasting_trail: Trail) -> Trail:
    """The audit entries of the event, read once for this file."""
    return deepcopy(lasting_trail)


def rows_of(event: Tournament, model: type[Model]) -> QuerySet[Model]:
    """Return an event's rows by a plain query set, which allows updates and deletes."""
    return QuerySet(model).filter(**{events.OF_A_TOURNAMENT[model]: event.pk}).order_by("pk")


def test_exclusions_exist_and_have_reasons() -> None:
    """Excluded models belong to no tournament, or are working papers."""
    assert NOT_COMPARED
    for (name, column), reason in NOT_COMPARED.items():
        model = apps.get_model("tournaments", name)
        assert model._meta.get_field(column)
        assert model is SeatProposal or model not in events.OF_A_TOURNAMENT
        assert reason


def test_unchanged_event_has_no_fault(event: Tournament) -> None:
    assert verification.verify(event) == []
    assert all(rows_of(event, model).exists() for model, _column in COLUMNS)


@pytest.mark.alike
@pytest.mark.parametrize(
    ("model", "column"), COLUMNS, ids=[f"{m.__name__}.{c}" for m, c in COLUMNS]
)
def test_every_changed_value_is_detected(
    event: Tournament,
    trail: Trail,
    model: type[Model],
    column: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.ERROR)  # unreadable rows log warnings
    monkeypatch.setattr(verification, "CHECKS", ORDERS.setdefault(model, LastFirst(CHECKS)))
    if model not in {Tournament, AuditEntry}:  # the trail stays the same: reading it takes long
        monkeypatch.setattr(verification, "Trail", lambda _pk: trail)
    field = model._meta.get_field(column)
    assert isinstance(field, Field)
    with events.lifted():
        for row in chosen_rows(event, model, column):
            others = changed_values(field, getattr(row, field.attname))
            # A digest covers these documents as a whole: two changes of each.
            for other in islice(others, 2) if model in DIGESTED else others:
                assert is_change_detected(event, row, field, other), (row, other)


def chosen_rows(event: Tournament, model: type[Model], column: str) -> list[Model]:
    """Return the rows in which a column is changed: of what digests cover as a whole, some.

    They are the first, the last, and a ninth of the others, another one for the next column.
    """
    rows = list(rows_of(event, model))
    at = COLUMNS.index((model, column)) % 9
    return [rows[0], *rows[1 + at : -1 : 9], rows[-1]] if model in DIGESTED else rows


def is_change_detected(event: Tournament, row: Model, field: Any, other: Any) -> bool:
    """Return whether verification reports another value in a row; roll it back."""
    try:
        with transaction.atomic():
            QuerySet(type(row)).filter(pk=row.pk).update(**{field.attname: other})
            is_detected = not verification.is_consistent(event)
            transaction.set_rollback(True)
    except IntegrityError:  # a constraint refuses the value
        return True
    return is_detected


def changed_values(field: Any, value: Any) -> Iterator[Any]:
    """Yield values that differ as little as possible."""
    if isinstance(field, ForeignKey):
        yield from field.related_model._base_manager.exclude(pk=value).values_list("pk", flat=True)
    elif field.get_internal_type() == "JSONField":
        yield from changed_documents(value)
    elif value is None:
        yield timezone.now() if field.get_internal_type() == "DateTimeField" else 1
    else:
        yield changed_value(value)


def changed_documents(value: Any) -> Iterator[Any]:
    """Yield the document with one value changed, added or removed at a time.

    Of a list, the first and the last item are changed: the others are compared alike.
    """
    if isinstance(value, dict):
        yield {**value, "more": 1}
        for key, inner in value.items():
            yield {name: own for name, own in value.items() if name != key}
            yield from ({**value, key: other} for other in changed_documents(inner))
    elif isinstance(value, list):
        yield [*value, 1]
        for at in sorted({0, len(value) - 1}) if value else ():
            changed = changed_documents(value[at])
            yield from ([*value[:at], other, *value[at + 1 :]] for other in changed)
    else:
        yield 1 if value is None else changed_value(value)


def changed_value(value: Any) -> Any:
    """Return a value that differs in one byte.

    >>> changed_value("ab"), changed_value(""), changed_value(7), changed_value(True)
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


COMPARED_BY_ROW = [
    *(Seat, AuditEntry, Publication, Acceptance, SittingTotals),
    *(Call, Disagreement, Membership, Receipt, Phone),
]


@pytest.mark.parametrize("model", COMPARED_BY_ROW)
def test_every_missing_row_is_detected(event: Tournament, model: type[Model]) -> None:
    rows = list(rows_of(event, model))
    assert rows
    for row in rows:
        with events.lifted(), transaction.atomic():
            QuerySet(model).filter(pk=row.pk)._raw_delete(using="default")
            assert not verification.is_consistent(event), row
            transaction.set_rollback(True)


@pytest.mark.parametrize(
    "ends", [{AuditEntry}, {Receipt}, {AuditEntry, Receipt}], ids=["act", "receipt", "both"]
)
def test_truncated_chain_is_detected(ends: set[type[Model]]) -> None:
    """The described rows are deleted, too: only the tournament's row reveals it."""
    sitting = cast.make_sitting()
    tournament, facts = sitting.session.tournament, cast.plain_round(sitting)

    def record(_locked: Tournament) -> idempotency.Answer:
        row = cast.record(sitting, facts)
        body = {"number": row.number, "version": row.version, "facts": row.facts}
        return idempotency.Answer(201, body if ends == {Receipt} else {})

    idempotency.run_once(tournament, "key", facts, record)
    assert verification.verify(tournament) == []
    with events.lifted(), transaction.atomic():
        for model in ends | ({Round} if AuditEntry in ends else set()):
            last = rows_of(tournament, model).last()
            assert last is not None
            QuerySet(model).filter(pk=last.pk)._raw_delete(using="default")
        assert len(verification.verify(tournament)) == len(ends)
        transaction.set_rollback(True)


def test_phone_without_audit_entry_is_detected(event: Tournament) -> None:
    sittings = list(Sitting.objects.filter(session__tournament=event))
    assert sittings
    for sitting in sittings:
        with transaction.atomic():
            Phone.objects.create(sitting=sitting, digest="0" * 64)
            assert verification.verify(event), sitting
            transaction.set_rollback(True)


def test_new_links_pins_and_phones_are_verified(event: Tournament) -> None:
    session = event.sessions.get(number=1)
    sitting = session.sittings.get(number=1)
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    table_links.make_pin(sitting, by=cast.SOMEBODY)
    assert verification.verify(event) == []
    for new_links in (False, True):
        table_cards.issue_cards(
            session,
            table_cards.prepare_cards([session.sittings.get(number=1)], new_links=new_links),
            by=cast.SOMEBODY,
        )
        phones.admit_phone(session.sittings.get(number=1))
        assert verification.verify(event) == []
    closing.close(event, by=cast.SOMEBODY)
    assert verification.verify(event) == []
    closing.reopen(event, by=cast.SOMEBODY)
    table_links.make_link(sitting, by=cast.SOMEBODY)
    assert verification.verify(event) == []


def test_audit_entry_holds_a_salted_digest_of_private_facts(event: Tournament) -> None:
    entry = event.entries.get(number=1)
    (added,) = [
        each for each in event.audit_entries.filter(kind="entries_added") if len(each.new or []) > 1
    ]
    digests = [each["private"] for each in added.new or []]
    assert digests == [entry.audit_values()["private"], *[None] * (len(digests) - 1)]
    assert entry.salt not in str(list(event.audit_entries.values()))


def test_correction_of_an_older_entry_adds_a_digest(event: Tournament) -> None:
    """Audit entries from before salts hold no digest of private facts."""
    entry = event.entries.get(number=1)
    events.as_before_digests(event)
    Entry.objects.filter(pk=entry.pk).update(salt="")
    assert verification.verify(event) == []
    person = {"name": "壱", "club": "", "division": ""}
    entries.correct_entry(entry, person, seen_version=0, by=cast.SOMEBODY)
    assert verification.verify(event) == []
    Entry.objects.filter(pk=entry.pk).update(notes="…")
    assert verification.verify(event)


def test_private_facts_can_be_changed_and_deleted(event: Tournament) -> None:
    for contact, salts in (("017-1", True), ("017-2", True), ("", False)):
        entry = event.entries.get(number=1)
        person = {"contact": contact, "birth_year": None, "notes": ""}
        seen = versions.version_of(entry)
        entries.correct_entry(entry, person, seen_version=seen, by=cast.SOMEBODY)
        assert verification.verify(event) == []
        assert bool(event.entries.get(number=1).salt) == salts
    Entry.objects.filter(pk=entry.pk).update(contact="017-2")
    assert verification.verify(event)


def test_applications_from_before_a_public_field_agree(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_town = (*PUBLIC_FIELDS, "town")
    monkeypatch.setattr(registrations_model, "PUBLIC_FIELDS", with_town)
    monkeypatch.setattr(registrations_verified, "PUBLIC_FIELDS", with_town)
    monkeypatch.setattr(Registration, "town", "", raising=False)
    assert verification.verify(event) == []
    monkeypatch.setattr(Registration, "town", "八戸")
    assert {fault.what for fault in verification.verify(event)} == {
        f"registration {row.number}" for row in event.registrations.all()
    }


def test_inserted_rows_are_detected(event: Tournament) -> None:
    with transaction.atomic():
        Entry.objects.create(tournament=event, number=99, name="後から")
        assert verification.verify(event)
        transaction.set_rollback(True)
    session = Session.objects.create(tournament=event, number=99)
    Sitting.objects.create(session=session, number=1)
    assert verification.verify(event)


def test_incomplete_trail_of_an_older_tournament_is_verified() -> None:
    """Its tournament is older than audit entries of creating one."""
    sitting = cast.make_sitting(cast.make_tournament(published=True))
    cast.record(sitting)
    assert verification.verify(sitting.session.tournament) == []


def test_links_and_phones_from_before_digests_are_not_checked(event: Tournament) -> None:
    events.as_before_digests(event)
    tables = list(Sitting.objects.filter(session__tournament=event))
    for sitting in tables:
        Sitting.objects.filter(pk=sitting.pk).update(token=f"another {sitting.pk}", pin="another")
    sitting = tables[0]
    Phone.objects.create(sitting=sitting, digest="0" * 64)
    assert verification.verify(event) == []
    table_links.make_link(sitting, by=cast.SOMEBODY)
    phones.admit_phone(Sitting.objects.get(pk=sitting.pk))
    assert verification.verify(event) == []
    Sitting.objects.filter(pk=sitting.pk).update(token="the third")
    Phone.objects.create(sitting=sitting, digest="1" * 64)
    assert len(verification.verify(event)) == 2


def test_publication_with_different_standings_today_is_reported(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content, "standings_content", lambda *_: [])
    (fault,) = verification.verify(event)
    assert fault.what == "publication 1"


def test_publication_of_an_earlier_version_is_not_held_to_what_changed_since() -> None:
    """It has no absences, 0 for missing values, and other finals."""
    tournament = cast.make_tournament(totals_only=True)
    players = cast.make_entries(tournament, 6)
    [sitting] = seating.open_session(tournament, [players], by=cast.SOMEBODY).sittings.all()
    points = dict(zip("123456", (4, 0, 0, -1, -1, -2), strict=True))
    totals.enter_totals(sitting, points, seen_version=0, by=cast.SOMEBODY)
    publish(tournament, by=cast.SOMEBODY)
    row = tournament.publications.get()
    assert row.content["standings"][0]["values"] == [4, 0, None]
    for each in row.content["standings"]:
        each["values"][2] = 0
    assert fault_in(row) is not None
    del row.content["away"]
    assert fault_in(row) is None
    row.content["standings"][0]["points"] = 5
    assert fault_in(row) is not None
    row.content["entries"][4]["is_substitute"] = True
    assert fault_in(row) is None


def test_session_is_seated_with_the_current_settings(event: Tournament) -> None:
    """The settings change after the page for seating was loaded."""
    before = Tournament.objects.get(pk=event.pk)
    event.totals_only = False
    seen = versions.version_of(event)
    tournaments.change_rules(event, event.rules, seen_version=seen, by=cast.SOMEBODY)
    session = seating.open_session(before, [list(event.entries.all()[:6])], by=cast.SOMEBODY)
    assert session.totals_only is False
    publish(event, by=cast.SOMEBODY)
    assert verification.verify(event) == []
