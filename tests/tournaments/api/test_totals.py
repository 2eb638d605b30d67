"""The typed totals of a table over HTTP: stored once, corrected with a reason, or refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests import cast
from tests.api import Program, code, json_of, phone
from tournaments import verification
from tournaments.models import Sitting, SittingTotals, Tournament

FAIR = {"1": 13, "2": 13, "3": -13, "4": 13, "5": -13, "6": -13}
OTHER = FAIR | {"1": -13, "3": 13}


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    tournament.totals_only = True
    tournament.save()
    return cast.make_sitting(tournament)


def address(sitting: Sitting) -> str:
    return f"/api/sittings/{sitting.pk}/totals"


def test_totals_are_typed_corrected_and_count(sitting: Sitting, keeper: Program) -> None:
    url, body = address(sitting), {"points": FAIR, "seen": 0}
    assert keeper.get(url) == {"totals": None}
    first = keeper.put(url, body, "key")
    document = json_of(first)
    assert (first.status_code, first["ETag"], first["Idempotency-Key"]) == (201, '"1"', "key")
    assert (document["version"], document["points"]) == (1, FAIR)
    assert keeper.get(url) == {"totals": document}
    again = keeper.put(url, body, "key")
    assert (again.status_code, json_of(again)) == (201, document)
    assert code(keeper.put(url, body | {"points": OTHER}, "key")) == (409, "key_reused")
    assert keeper.put(url, body).status_code == 200  # equal totals
    assert code(keeper.put(url, {"points": OTHER, "seen": 1})) == (422, "reason_missing")
    corrected = {"points": OTHER, "reason": "写し間違い"}
    answer = keeper.put(url, corrected, If_Match=first["ETag"])
    assert (answer.status_code, json_of(answer)["version"]) == (200, 2)
    rows = cast.standings_for(sitting.session.tournament)
    assert {row.entry.key: row.place.points for row in rows if row.place} == OTHER
    assert verification.verify(sitting.session.tournament) == []


def test_conflict_returns_both_totals_and_keeps_neither_key(
    sitting: Sitting, keeper: Program
) -> None:
    keeper.put(address(sitting), {"points": FAIR, "seen": 0})
    sent = {"points": OTHER, "seen": 0, "reason": "?"}
    conflict = keeper.put(address(sitting), sent, "key")
    document = json_of(conflict)
    assert code(conflict) == (409, "totals_changed")
    assert document["stored"]["points"] == FAIR
    assert document["yours"] == {"seen": 0, "points": OTHER}
    seen = keeper.put(address(sitting), sent | {"seen": 1}, "key")
    assert seen.status_code == 200
    assert SittingTotals.objects.count() == 2


@pytest.mark.parametrize(
    ("points", "problem"),
    [
        ({each: FAIR[each] for each in "12345"}, ("points.6", "missing")),
        (FAIR | {"7": 0}, ("points.7", "unknown_key")),
        (FAIR | {"1": 14}, ("points", "sum_not_zero")),
        (FAIR | {"1": "13"}, ("points.1", "type")),
        (FAIR | {"1": True}, ("points.1", "type")),
        (FAIR | {"1": 10**6}, ("points.1", "range")),
    ],
)
def test_what_are_no_totals_is_refused(
    sitting: Sitting, keeper: Program, points: dict[str, Any], problem: tuple[str, str]
) -> None:
    answer = keeper.put(address(sitting), {"points": points, "seen": 0})
    assert answer.status_code == 422
    assert [(each["at"], each["code"]) for each in json_of(answer)["errors"]] == [problem]
    assert not SittingTotals.objects.exists()


def test_who_sends_totals_and_where(sitting: Sitting, keeper: Program) -> None:
    body = {"points": FAIR | {"1": 14}, "seen": 0, "despite_sum": True}
    assert code(keeper.ask("PUT", address(sitting), body)) == (428, "key_missing")
    assert code(keeper.put(address(sitting), {"points": FAIR})) == (428, "seen_missing")
    assert phone(sitting).put(address(sitting), body).status_code == 404
    assert Program().put(address(sitting), body).status_code == 401
    assert keeper.put(address(sitting), body).status_code == 201
    sitting.session.tournament.sessions.update(totals_only=False)
    assert code(keeper.put(address(sitting), body)) == (422, "only_rounds")


def test_table_without_rounds_gets_no_advice_on_them(sitting: Sitting, keeper: Program) -> None:
    keeper.put(address(sitting), {"points": FAIR, "seen": 0})
    assert keeper.get(f"/api/sittings/{sitting.pk}")["advice"] == []
