"""A conflicting version of a round that scores the same: the dispute is settled at once."""

from __future__ import annotations

from typing import Any

import pytest

from tests import cast
from tests.api import Program, code, json_of, phone
from tournaments import verification
from tournaments.models import AuditEntry, Disagreement, Round, Sitting, Tournament
from tournaments.queries.sheets import sheet_of
from tournaments.queries.what_if import scores_equally
from tournaments.services import disputes

pytestmark = pytest.mark.django_db


def send(table: Program, sitting: Sitting, facts: dict[str, Any], key: str) -> Any:
    return table.put(f"/api/sittings/{sitting.pk}/rounds/1", {"facts": facts, "seen": 0}, key)


def captured(sitting: Sitting, **moved: int) -> dict[str, Any]:
    """Return a deal: each card goes to the seat given for it, all others to the first player."""
    keys = cast.keys(sitting)
    (cards,) = cast.plain_round(sitting)["captured"].values()
    taken = {keys[seat]: [card for card in cards if moved.get(card, 0) == seat] for seat in (0, 1)}
    return {"captured": taken}


def two_versions(rule_set: str, other: str) -> tuple[Sitting, dict[str, Any], dict[str, Any]]:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    facts = cast.plain_round(sitting)
    match other:
        case "another count":
            return sitting, facts, facts | {"deals": [{"kankei": 4, "mukankei": 9}]}
        case "other points":
            return sitting, facts, facts | {"deals": [{"kankei": 0, "mukankei": 9}]}
        case "another dealer":
            return sitting, facts, facts | {"dealer": cast.keys(sitting)[4]}
        case "goes on":
            won = facts | {"deals": [{"kankei": 9, "mukankei": 4}]}
            return sitting, won, facts | {"deals": [{"kankei": 9, "mukankei": 5}]}
        case "a heart worth nothing":
            one = captured(sitting, HA=1, H4=1)
            return sitting, one, captured(sitting, HA=1)
    raise AssertionError(other)


@pytest.mark.parametrize(
    ("rule_set", "other", "is_alike"),
    [
        ("goninkan-association", "another count", True),
        ("gong-zhu", "a heart worth nothing", True),
        ("goninkan-association", "other points", False),
        ("goninkan-association", "another dealer", False),
        ("goninkan-association", "goes on", False),
    ],
)
def test_dispute_is_settled_only_if_both_versions_score_the_same(
    rule_set: str, other: str, *, is_alike: bool
) -> None:
    sitting, first, second = two_versions(rule_set, other)
    table = phone(sitting)
    assert send(table, sitting, first, "first").status_code == 201
    answer = send(table, sitting, second, "second")
    assert code(answer) == (409, "settled" if is_alike else "stale")
    assert json_of(answer).get("scores_alike", False) == is_alike
    assert Disagreement.objects.filter(settled_at=None).count() == (not is_alike)
    assert Round.objects.get().facts == first


def test_settled_dispute_is_stored_once() -> None:
    sitting, first, second = two_versions("goninkan-association", "another count")
    table = phone(sitting)
    send(table, sitting, first, "first")
    answers = [send(table, sitting, second, key) for key in ("second", "second", "third")]
    assert {answer.content for answer in answers} == {answers[0].content}
    assert cast.audit_kinds(sitting)[-2:] == [
        AuditEntry.Kind.ROUND_DISPUTED,
        AuditEntry.Kind.DISPUTE_SETTLED,
    ]
    assert cast.audit_kinds(sitting).count(AuditEntry.Kind.DISPUTE_SETTLED) == 1
    assert verification.verify(sitting.session.tournament) == []


def test_settled_disputes_of_a_phone_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disputes, "MOST_OPEN", 0)
    sitting, first, second = two_versions("goninkan-association", "another count")
    table = phone(sitting)
    send(table, sitting, first, "first")
    assert code(send(table, sitting, second, "second")) == (409, "settled")
    assert not Disagreement.objects.exists()


def test_club_table_opens_no_dispute() -> None:
    sitting, first, second = two_versions("goninkan-association", "other points")
    Tournament.objects.update(kind=Tournament.Kind.TABLE)
    table = phone(sitting)
    send(table, sitting, first, "first")
    assert code(send(table, sitting, second, "second")) == (409, "stale")
    assert not Disagreement.objects.exists()


def test_facts_that_are_no_legal_round_do_not_score_the_same() -> None:
    sitting = cast.make_sitting()
    cast.record(sitting)
    assert not scores_equally(sheet_of(sitting), 1, {})
