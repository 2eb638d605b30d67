"""Rounds over HTTP: stored once, however often and at whatever moment they are sent."""

from __future__ import annotations

from typing import Any

import pytest
from django.test.utils import CaptureQueriesContext

import scoring
from tests import cast
from tests.api import Program, code, json_of, phone, staff
from tests.races import race
from tests.tournaments.api.rounds import LOST, WON, address, played
from tournaments.models import Disagreement, Receipt, Round, Sitting
from tournaments.services import rounds


@pytest.mark.parametrize("rule_set", [rule_set.slug for rule_set in scoring.RULE_SETS])
@pytest.mark.django_db
def test_rounds_of_every_game_are_recorded(rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    table, facts = phone(sitting), cast.plain_round(sitting)
    answer = table.put(address(sitting), {"facts": facts, "seen": 0})
    assert answer.status_code == 201
    row = Round.objects.get()
    assert (row.facts, row.version) == (facts, 1)
    snapshot = table.get(f"/api/sittings/{sitting.pk}")
    assert snapshot["rounds"] == [json_of(answer)]
    expected = scoring.score_as_json(
        scoring.score(
            scoring.read_record(
                {"ruleset": rule_set, "players": cast.keys(sitting), "rounds": [facts]}
            )
        )
    )
    shown = {name: json_of(answer)[name] for name in ("points", "lines", "complete")}
    assert shown == expected["rounds"][0]
    assert snapshot["totals"] == expected["totals"]


def test_the_same_request_gets_the_same_answer(sitting: Sitting) -> None:
    table, body = phone(sitting), {"facts": played(sitting, LOST), "seen": 0}
    answers = [table.put(address(sitting), body, "k") for _ in range(3)]
    assert {answer.content for answer in answers} == {answers[0].content}
    assert {answer.status_code for answer in answers} == {201}
    assert Round.objects.count() == 1


def test_repeated_deal_gets_its_answer_after_a_correction_leaves_no_room_for_it(
    sitting: Sitting,
) -> None:
    table, where = phone(sitting), f"{address(sitting)}/deals/1"
    begun = {key: played(sitting)[key] for key in ("dealer", "kankei")}
    sent = {"deal": LOST, "round": begun, "seen": 0}
    first = table.put(where, sent, "k")
    won = played(sitting, WON, LOST)
    rounds.record_round(sitting, 1, won, seen_version=1, by=cast.SOMEBODY, reason="誤記")
    again = table.put(where, sent, "k")
    assert (again.status_code, again.content) == (201, first.content)


def test_repeated_deal_gets_its_answer_after_a_correction_took_the_deal_before_it(
    sitting: Sitting,
) -> None:
    table, where = phone(sitting), f"{address(sitting)}/deals/3"
    table.put(address(sitting), {"facts": played(sitting, WON, WON), "seen": 0})
    sent = {"deal": LOST, "seen": 1}
    first = table.put(where, sent, "k")
    lost = played(sitting, LOST)
    rounds.record_round(sitting, 1, lost, seen_version=2, by=cast.SOMEBODY, reason="誤記")
    again = table.put(where, sent, "k")
    assert (again.status_code, again.content) == (200, first.content)
    assert code(table.put(where, sent)) == (422, "not_next")


def test_another_request_under_the_key_is_refused(sitting: Sitting) -> None:
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, WON), "seen": 0}, "k")
    other = {"facts": played(sitting, WON, LOST), "seen": 1}
    assert code(table.put(address(sitting), other, "k")) == (409, "key_reused")
    assert code(table.put(address(sitting, 2), other, "k")) == (409, "key_reused")
    assert Round.objects.count() == 1


def test_the_same_facts_under_another_key_are_answered_as_stored(sitting: Sitting) -> None:
    table, body = phone(sitting), {"facts": played(sitting, WON), "seen": 0}
    first = table.put(address(sitting), body)
    again = table.put(address(sitting), body)
    assert (again.status_code, json_of(again)) == (200, json_of(first))
    table.put(address(sitting), {"facts": played(sitting, WON, LOST), "seen": 1})
    late = table.put(address(sitting), body)  # gone on with since
    assert (late.status_code, json_of(late)["version"]) == (200, 2)
    assert (Round.objects.count(), Disagreement.objects.count()) == (2, 0)


def test_refusal_leaves_no_receipt(sitting: Sitting) -> None:
    table, second = phone(sitting), {"facts": played(sitting, LOST), "seen": 0}
    assert code(table.put(address(sitting, 2), second, "k")) == (422, "not_next")
    table.put(address(sitting), second)
    assert table.put(address(sitting, 2), second, "k").status_code == 201


def test_deals_are_recorded_one_by_one(sitting: Sitting) -> None:
    table, where = phone(sitting), f"{address(sitting)}/deals"
    begun = {key: played(sitting)[key] for key in ("dealer", "kankei")}
    first = table.put(f"{where}/1", {"deal": WON, "round": begun, "seen": 0})
    second = table.put(f"{where}/2", {"deal": LOST, "seen": 1})
    assert (first.status_code, second.status_code) == (201, 200)
    assert json_of(second)["facts"] == played(sitting, WON, LOST)
    again = table.put(f"{where}/2", {"deal": LOST, "seen": 1})
    assert (again.status_code, json_of(again)["version"]) == (200, 2)
    assert code(table.put(f"{where}/0", {"deal": LOST, "seen": 2})) == (404, "not_found")
    for deal in (4, 10**20):
        body = {"deal": LOST, "seen": 2}
        assert code(table.put(f"{where}/{deal}", body)) == (422, "not_next")


@pytest.mark.django_db
def test_round_with_cut_off_false_can_be_continued(sitting: Sitting) -> None:
    """`cut_off` false and a missing `cut_off` mean the same."""
    at_table, first = phone(sitting), f"{address(sitting)}/deals/1"
    body = {key: played(sitting)[key] for key in ("dealer", "kankei")}
    begun = {"deal": WON, "round": {**body, "cut_off": False}, "seen": 0}
    assert at_table.put(first, begun).status_code == 201
    second = at_table.put(f"{address(sitting)}/deals/2", {"deal": WON, "seen": 1})
    assert (second.status_code, json_of(second)["version"]) == (200, 2)
    whole = {"facts": {**body, "deals": [WON, WON, LOST]}, "seen": 2}
    assert json_of(at_table.put(address(sitting), whole))["version"] == 3


@pytest.mark.django_db
def test_games_without_deals_refuse_a_deal() -> None:
    sitting = cast.make_sitting(cast.make_tournament("gouji"))
    answer = phone(sitting).put(f"{address(sitting)}/deals/1", {"deal": {}, "seen": 0})
    assert code(answer) == (422, "no_deals")


def test_if_match_names_the_version_seen(sitting: Sitting, keeper: Program) -> None:
    first = keeper.put(address(sitting), {"facts": played(sitting, WON)}, If_Match='"0"')
    assert (first.status_code, first.headers["ETag"]) == (201, '"1"')
    body = {"facts": played(sitting, LOST), "reason": "数え違い"}
    assert code(keeper.put(address(sitting), body, If_Match='"0"')) == (409, "stale")
    assert keeper.put(address(sitting), body, If_Match='W/"1"').status_code == 200
    assert keeper.ask("GET", address(sitting)).headers["ETag"] == '"2"'


def after_the_lock(asked: CaptureQueriesContext) -> int:
    """Return the number of statements from the savepoint of the transaction on."""
    begun = [query["sql"].startswith("SAVEPOINT") for query in asked.captured_queries]
    return len(begun) - begun.index(True)


def test_a_round_takes_few_statements(
    sitting: Sitting, keeper: Program, django_assert_max_num_queries: Any
) -> None:
    """Other writers wait while the statements after the lock are executed."""
    table, facts = phone(sitting), played(sitting, LOST)
    with django_assert_max_num_queries(14) as asked:
        table.put(address(sitting), {"facts": facts, "seen": 0})
    assert after_the_lock(asked) <= 11
    table.put(address(sitting, 2), {"facts": played(sitting, WON), "seen": 0})
    continued = played(sitting, WON, WON)
    with django_assert_max_num_queries(14):
        table.put(address(sitting, 2), {"facts": continued, "seen": 1})
    table.put(address(sitting, 2), {"facts": played(sitting, WON, WON, LOST), "seen": 2})
    with django_assert_max_num_queries(18) as asked:
        keeper.put(address(sitting, 3), {"facts": facts, "seen": 0})
    assert after_the_lock(asked) <= 12
    with django_assert_max_num_queries(10):
        table.get(f"/api/sittings/{sitting.pk}")
    assert Round.objects.count() == 5


@pytest.mark.usefixtures("shared_database")
def test_20_concurrent_requests_with_one_key_store_one_row() -> None:
    sitting = cast.make_sitting()
    table, body = phone(sitting), {"facts": cast.plain_round(sitting), "seen": 0}

    def write(_number: int) -> tuple[int, bytes]:
        answer = Program(table.token).put(address(sitting), body, "k")
        return answer.status_code, answer.content

    answers = race(20, write)
    assert len(set(answers)) == 1, answers
    assert Round.objects.count() == Receipt.objects.count() == 1


@pytest.mark.usefixtures("shared_database")
def test_exactly_one_of_20_concurrent_edits_wins() -> None:
    sitting = cast.make_sitting()
    keeper = staff(cast.make_staff(sitting.session.tournament, "keeper"))
    cast.record(sitting, played(sitting, LOST))

    def write(number: int) -> int:
        facts = played(sitting, {"kankei": number // 3, "mukankei": 9})
        facts |= {"dealer": cast.keys(sitting)[3 + number % 3], "kankei": cast.keys(sitting)[:2]}
        body = {"facts": facts, "seen": 1, "reason": str(number)}
        return Program(keeper.token).put(address(sitting), body).status_code

    assert sorted(race(20, write)) == [200] + [409] * 19  # type: ignore[type-var]
    assert Round.objects.count() == 2
