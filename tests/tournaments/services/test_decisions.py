"""Two versions of a round: the same answer while both stand, and what the desk decided after."""

from __future__ import annotations

from typing import Any

import pytest

from tests import cast
from tests.api import Program, code, phone, staff, told
from tournaments.models import Disagreement, Round, Sitting, Tournament
from tournaments.services import closing, disputes

LOST, OTHER = {"kankei": 5, "mukankei": 9}, {"kankei": 0, "mukankei": 9}


@pytest.fixture
def sitting(tournament: Tournament) -> Sitting:
    return cast.make_sitting(tournament)


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


def again(table: Program, sitting: Sitting) -> Any:
    return table.put(address(sitting), body(sitting, OTHER), "k")


def test_while_both_stand_the_answer_stays(table: Program, sitting: Sitting) -> None:
    answers = [again(table, sitting) for _ in range(3)]
    assert {answer.content for answer in answers} == {answers[0].content}
    assert code(answers[0]) == (409, "stale")


def test_what_the_desk_decided_for_is_stored(table: Program, sitting: Sitting) -> None:
    dispute = Disagreement.objects.get()
    disputes.take_disputed_facts(dispute, seen=1, by=cast.SOMEBODY, reason="票で確かめた")
    answer = again(table, sitting)
    assert answer.status_code == 200
    assert (told(answer)["version"], told(answer)["facts"]["deals"]) == (2, [OTHER])
    assert answer["ETag"] == '"2"'


def test_what_it_decided_against_is_told_with_what_holds(table: Program, sitting: Sitting) -> None:
    disputes.keep_stored_facts(Disagreement.objects.get(), seen=1, by=cast.SOMEBODY)
    answers = [again(table, sitting) for _ in range(2)]
    assert code(answers[0]) == (409, "settled")
    assert told(answers[0])["stored"]["facts"]["deals"] == [LOST]
    assert told(answers[0])["yours"]["facts"]["deals"] == [OTHER]
    assert told(answers[0])["settled_at"]
    assert answers[0].content == answers[1].content
    assert Disagreement.objects.count() == Round.objects.count() == 1


def test_it_is_stored_once_the_desk_has_corrected_the_round_to_it(
    table: Program, sitting: Sitting, tournament: Tournament
) -> None:
    keeper = staff(cast.make_staff(tournament, "keeper"))
    correction = body(sitting, OTHER, reason="数えちがい") | {"seen": 1}
    assert keeper.put(address(sitting), correction, "c").status_code == 200
    assert again(table, sitting).status_code == 200


def test_a_phone_whose_link_has_ended_is_told_as_well(table: Program, sitting: Sitting) -> None:
    disputes.keep_stored_facts(Disagreement.objects.get(), seen=1, by=cast.SOMEBODY)
    closing.close(sitting.session.tournament, by=cast.SOMEBODY)
    assert code(again(table, sitting)) == (409, "settled")


def test_staff_that_saw_an_old_version_is_not_told_of_a_decision(
    table: Program, sitting: Sitting, tournament: Tournament
) -> None:
    disputes.keep_stored_facts(Disagreement.objects.get(), seen=1, by=cast.SOMEBODY)
    keeper = staff(cast.make_staff(tournament, "keeper"))
    assert code(keeper.put(address(sitting), body(sitting, OTHER), "s")) == (409, "stale")
