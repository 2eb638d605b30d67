"""Answers to a phone that retries a disputed round, before and after the desk has decided."""

from __future__ import annotations

from typing import Any

import pytest

from tests import cast
from tests.api import Program, code, json_of, phone, staff
from tournaments.models import Disagreement, Round, Sitting, Tournament
from tournaments.services import closing, disputes

LOST, OTHER = {"kankei": 5, "mukankei": 9}, {"kankei": 0, "mukankei": 9}


def address(sitting: Sitting) -> str:
    return f"/api/sittings/{sitting.pk}/rounds/1"


def body(sitting: Sitting, deal: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"facts": cast.plain_round(sitting) | {"deals": [deal]}, "seen": 0, **more}


@pytest.fixture
def table(sitting: Sitting) -> Program:
    """A phone whose version of the first round differs from the one that is stored."""
    table = phone(sitting)
    table.put(address(sitting), body(sitting, LOST), "first")
    assert code(table.put(address(sitting), body(sitting, OTHER), "k")) == (409, "stale")
    return table


def retry(table: Program, sitting: Sitting) -> Any:
    return table.put(address(sitting), body(sitting, OTHER), "k")


def test_retry_of_open_dispute_gets_the_same_answer(table: Program, sitting: Sitting) -> None:
    answers = [retry(table, sitting) for _ in range(3)]
    assert {answer.content for answer in answers} == {answers[0].content}
    assert code(answers[0]) == (409, "stale")


def test_retry_stores_the_facts_the_desk_decided_for(table: Program, sitting: Sitting) -> None:
    dispute = Disagreement.objects.get()
    disputes.take_disputed_facts(dispute, seen_version=1, by=cast.SOMEBODY, reason="票で確かめた")
    answer = retry(table, sitting)
    assert answer.status_code == 200
    assert (json_of(answer)["version"], json_of(answer)["facts"]["deals"]) == (2, [OTHER])
    assert answer["ETag"] == '"2"'


def test_retry_of_rejected_facts_returns_both_versions(table: Program, sitting: Sitting) -> None:
    disputes.keep_stored_facts(Disagreement.objects.get(), seen_version=1, by=cast.SOMEBODY)
    with pytest.raises(disputes.SettledAlready):
        disputes.keep_stored_facts(Disagreement.objects.get(), seen_version=1, by=cast.SOMEBODY)
    answers = [retry(table, sitting) for _ in range(2)]
    assert code(answers[0]) == (409, "settled")
    assert json_of(answers[0])["stored"]["facts"]["deals"] == [LOST]
    assert json_of(answers[0])["yours"]["facts"]["deals"] == [OTHER]
    assert json_of(answers[0])["settled_at"]
    assert answers[0].content == answers[1].content
    assert Disagreement.objects.count() == Round.objects.count() == 1


def test_retry_succeeds_after_the_desk_corrected_the_round_to_it(
    table: Program, sitting: Sitting, tournament: Tournament
) -> None:
    keeper = staff(cast.make_staff(tournament, "keeper"))
    correction = body(sitting, OTHER, reason="数えちがい") | {"seen": 1}
    assert keeper.put(address(sitting), correction, "c").status_code == 200
    assert retry(table, sitting).status_code == 200


def test_ended_phone_is_told_the_decision(table: Program, sitting: Sitting) -> None:
    disputes.keep_stored_facts(Disagreement.objects.get(), seen_version=1, by=cast.SOMEBODY)
    closing.close(sitting.session.tournament, by=cast.SOMEBODY)
    assert code(retry(table, sitting)) == (409, "settled")


def test_staff_with_an_outdated_version_gets_a_plain_conflict(
    table: Program, sitting: Sitting, tournament: Tournament
) -> None:
    disputes.keep_stored_facts(Disagreement.objects.get(), seen_version=1, by=cast.SOMEBODY)
    keeper = staff(cast.make_staff(tournament, "keeper"))
    assert code(keeper.put(address(sitting), body(sitting, OTHER), "s")) == (409, "stale")
