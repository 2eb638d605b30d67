"""Exactly once: the same request under the same key, however often and however close together."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection

from tests.cast import SOMEBODY, make_sitting, make_tournament, plain_round, record
from tests.races import race
from tournaments.models import Receipt, Round, Tournament
from tournaments.services import idempotency
from tournaments.services.idempotency import Answer, KeyReused, run_once

STORED = Answer(201, {"stored": True})


class Doing:
    """Something to be done once, that counts how often it was done."""

    def __init__(self, answer: Answer = STORED) -> None:
        self.answer = answer
        self.times = 0

    def __call__(self) -> Answer:
        self.times += 1
        return self.answer


def test_the_same_request_is_answered_the_same_and_done_once(tournament: Tournament) -> None:
    doing = Doing()
    answers = [run_once(tournament, "key", {"a": 1, "b": 2}, doing) for _ in range(3)]
    assert answers == [STORED] * 3
    assert doing.times == 1
    assert Receipt.objects.count() == 1


def test_the_spelling_of_json_makes_no_difference(tournament: Tournament) -> None:
    doing = Doing()
    run_once(tournament, "key", {"a": 1, "b": 2}, doing)
    run_once(tournament, "key", {"b": 2, "a": 1}, doing)
    assert doing.times == 1


def test_another_request_under_the_key_is_refused(tournament: Tournament) -> None:
    run_once(tournament, "key", b"this", Doing())
    other = Doing()
    with pytest.raises(KeyReused):
        run_once(tournament, "key", b"that", other)
    assert other.times == 0


def test_a_key_belongs_to_one_tournament(tournament: Tournament) -> None:
    run_once(tournament, "key", b"this", Doing())
    other = Doing()
    run_once(make_tournament(), "key", b"that", other)
    assert other.times == 1


def test_a_refusal_that_stored_nothing_may_be_asked_again(tournament: Tournament) -> None:
    run_once(tournament, "key", b"this", Doing(Answer(409, {}, is_stored=False)))
    assert run_once(tournament, "key", b"this", Doing()) == STORED


def test_no_receipt_without_what_it_tells_of(tournament: Tournament) -> None:
    def fail() -> Answer:
        make_sitting(tournament)
        raise DatabaseError

    with pytest.raises(DatabaseError):
        run_once(tournament, "key", b"this", fail)
    assert not Receipt.objects.exists()
    assert not tournament.sessions.exists()


@pytest.mark.django_db(transaction=True)
def test_nothing_is_done_without_its_receipt(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = make_sitting()

    def no_receipts(execute: Any, sql: str, *arguments: Any) -> Any:
        if 'INSERT INTO "tournaments_receipt"' in sql:
            raise DatabaseError
        return execute(sql, *arguments)

    def act() -> Answer:
        record(sitting)
        return STORED

    with connection.execute_wrapper(no_receipts), pytest.raises(DatabaseError):
        run_once(sitting.session.tournament, "key", b"this", act)
    assert not Round.objects.exists()


@pytest.mark.usefixtures("shared_database")
def test_twenty_at_once_under_one_key_are_one() -> None:
    sitting = make_sitting()
    tournament, facts = sitting.session.tournament, plain_round(sitting)

    def act() -> Answer:
        row = record(sitting, facts)
        return Answer(201, {"version": row.version})

    def write(_number: int) -> Answer:
        return run_once(tournament, "key", facts, act)

    answers = race(20, write)
    assert answers == [Answer(201, {"version": 1})] * 20
    assert Round.objects.count() == Receipt.objects.count() == 1


def test_a_longer_key_than_is_kept_never_gets_here() -> None:
    assert Receipt._meta.get_field("key").max_length == idempotency.LONGEST_KEY
    assert SOMEBODY.user is None
