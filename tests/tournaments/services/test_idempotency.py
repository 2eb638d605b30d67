"""Idempotency keys: the same request under the same key is carried out once."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection

from tests.cast import SOMEBODY, make_sitting, make_tournament, plain_round, record
from tests.races import race
from tournaments.models import Receipt, Round, Tournament
from tournaments.services import idempotency, table_links, tournaments
from tournaments.services.idempotency import Answer, KeyReused, run_once

STORED = Answer(201, {"stored": True})


class CountedOperation:
    """An operation that counts its calls."""

    def __init__(self, answer: Answer = STORED) -> None:
        self.answer = answer
        self.calls = 0

    def __call__(self, _locked: Tournament) -> Answer:
        self.calls += 1
        return self.answer


def test_same_request_runs_once_and_gets_the_same_answer(tournament: Tournament) -> None:
    operation = CountedOperation()
    answers = [run_once(tournament, "key", {"a": 1, "b": 2}, operation) for _ in range(3)]
    assert answers == [STORED] * 3
    assert operation.calls == 1
    assert Receipt.objects.count() == 1


def test_order_of_json_keys_does_not_matter(tournament: Tournament) -> None:
    operation = CountedOperation()
    run_once(tournament, "key", {"a": 1, "b": 2}, operation)
    run_once(tournament, "key", {"b": 2, "a": 1}, operation)
    assert operation.calls == 1


def test_other_request_under_the_same_key_is_refused(tournament: Tournament) -> None:
    run_once(tournament, "key", b"this", CountedOperation())
    other = CountedOperation()
    with pytest.raises(KeyReused):
        run_once(tournament, "key", b"that", other)
    assert other.calls == 0


def test_key_belongs_to_one_tournament(tournament: Tournament) -> None:
    run_once(tournament, "key", b"this", CountedOperation())
    other = CountedOperation()
    run_once(make_tournament(), "key", b"that", other)
    assert other.calls == 1


def test_refusal_that_stored_nothing_can_be_retried(tournament: Tournament) -> None:
    run_once(tournament, "key", b"this", CountedOperation(Answer(409, {}, is_stored=False)))
    assert run_once(tournament, "key", b"this", CountedOperation()) == STORED


def test_failed_operation_stores_no_receipt(tournament: Tournament) -> None:
    def fail(_locked: Tournament) -> Answer:
        make_sitting(tournament)
        raise DatabaseError

    with pytest.raises(DatabaseError):
        run_once(tournament, "key", b"this", fail)
    assert not Receipt.objects.exists()
    assert not tournament.sessions.exists()


@pytest.mark.django_db(transaction=True)
def test_failed_receipt_rolls_the_operation_back(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = make_sitting()

    def no_receipts(execute: Any, sql: str, *arguments: Any) -> Any:
        if 'INSERT INTO "tournaments_receipt"' in sql:
            raise DatabaseError
        return execute(sql, *arguments)

    def act(_locked: Tournament) -> Answer:
        record(sitting)
        return STORED

    with connection.execute_wrapper(no_receipts), pytest.raises(DatabaseError):
        run_once(sitting.session.tournament, "key", b"this", act)
    assert not Round.objects.exists()


@pytest.mark.usefixtures("shared_database")
def test_20_concurrent_requests_under_one_key_run_once() -> None:
    sitting = make_sitting()
    tournament, facts = sitting.session.tournament, plain_round(sitting)

    def act(_locked: Tournament) -> Answer:
        row = record(sitting, facts)
        return Answer(201, {"version": row.version})

    def write(_number: int) -> Answer:
        return run_once(tournament, "key", facts, act)

    answers = race(20, write)
    assert answers == [Answer(201, {"version": 1})] * 20
    assert Round.objects.count() == Receipt.objects.count() == 1


def test_longest_key_fits_its_column() -> None:
    assert Receipt._meta.get_field("key").max_length == idempotency.LONGEST_KEY
    assert SOMEBODY.user is None


def test_what_is_so_already_is_no_act(tournament: Tournament) -> None:
    before = tournament.audit_entries.count()
    table_links.end_phones(tournament, by=SOMEBODY)
    tournaments.restore_tournament(tournament, by=SOMEBODY)
    tournaments.add_planned_rounds(tournament, 2, seen_planned=99, by=SOMEBODY)
    assert tournament.audit_entries.count() == before
