"""Adding players: one or a long list."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import cast
from tests.races import run_before
from tournaments import verification
from tournaments.backups import BackupNotTaken
from tournaments.models import Entry, Tournament
from tournaments.services import closing, entries

FULL: dict[str, Any] = {
    "name": "成田 キヨ",
    "club": "なかよし村",
    "division": "一般",
    "reading": "なりた きよ",
    "team": "赤",
    "contact": "090-1",
    "birth_year": 1948,
    "notes": "「席」は\n前",
}


def statements_to_add(number: int) -> int:
    """Return how many statements add this many players to a new tournament."""
    tournament = cast.make_tournament()
    with CaptureQueriesContext(connection) as captured:
        entries.add_entries(tournament, [{"name": str(i)} for i in range(number)], by=cast.SOMEBODY)
    return len(captured)


@pytest.mark.django_db
def test_long_list_takes_as_many_statements_as_one_player() -> None:
    """Phones wait while these run."""
    assert statements_to_add(1) == statements_to_add(400)


def test_added_players_are_as_stored(tournament: Tournament) -> None:
    people: list[dict[str, Any]] = [
        FULL,
        {"name": "工藤 正", "is_substitute": True},
        {"name": "葛西 実"},
    ]
    added = entries.add_entries(tournament, people, by=cast.SOMEBODY)
    assert [each.number for each in added] == [1, 2, 3]
    stored = list(tournament.entries.order_by("number"))
    assert stored == added
    for row, given in zip(stored, added, strict=True):
        names = [field.attname for field in Entry._meta.concrete_fields]
        assert {name: getattr(row, name) for name in names} == {
            name: getattr(given, name) for name in names
        }
    assert {name: getattr(stored[0], name) for name in FULL} == FULL
    [change] = tournament.audit_entries.filter(kind="entries_added")
    assert change.new == [each.audit_values() for each in stored]
    stored[0].save()  # no second row
    assert tournament.entries.count() == 3


def test_list_follows_players_who_were_added_meanwhile(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their rows were prepared before the lock, with numbers that have been taken since."""

    def add() -> None:
        entries.add_entries(tournament, [{"name": "成田 キヨ"}], by=cast.SOMEBODY)

    run_before(monkeypatch, entries, "lock_tournament", add)
    people = [{"name": "工藤 正"}, {"name": "葛西 実"}]
    added = entries.import_entries(tournament, people, by=cast.SOMEBODY)
    assert [each.number for each in added] == [2, 3]
    assert [each.name for each in tournament.entries.order_by("number")][1:] == [
        "工藤 正",
        "葛西 実",
    ]
    tournament.refresh_from_db()
    assert verification.verify(tournament) == []


@pytest.mark.parametrize(
    "refusal",
    [
        entries.AddedSince(Entry(name="成田 キヨ")),
        entries.TooManyEntries(),
        closing.EventClosed(),
        BackupNotTaken("disk"),
    ],
    ids=lambda refusal: type(refusal).__name__,
)
def test_refusals_of_a_list_can_leave_their_process(refusal: Exception) -> None:
    again = pickle.loads(pickle.dumps(refusal))  # noqa: S301  our own
    assert type(again) is type(refusal)
    assert str(again) == str(refusal)
