"""Rounds over HTTP: stored once, never silently changed, refused with every reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import scoring
from scoring.answers import answer as scoring_answer
from scoring.answers import as_line
from scoring.variants.gong_zhu import scoring_cards
from tests import cast
from tests.api import Program, code, dumped, phone, staff, told
from tests.races import race
from tournaments.facts import recording
from tournaments.facts.sheets import Sheet
from tournaments.models import Call, Disagreement, Receipt, Round, Sitting, Tournament
from tournaments.phones import links, saying
from tournaments.results import publications

WON, LOST = {"kankei": 9, "mukankei": 4}, {"kankei": 5, "mukankei": 9}


@pytest.fixture
def keeper(tournament: Tournament) -> Program:
    return staff(cast.make_staff(tournament, "keeper"))


def address(sitting: Sitting, number: int = 1) -> str:
    return f"/api/sittings/{sitting.pk}/rounds/{number}"


def played(sitting: Sitting, *deals: dict[str, Any]) -> dict[str, Any]:
    return cast.plain_round(sitting) | {"deals": list(deals)}


# Storing


@pytest.mark.parametrize("rule_set", [rule_set.slug for rule_set in scoring.RULE_SETS])
@pytest.mark.django_db
def test_every_game_is_put_down(rule_set: str) -> None:
    sitting = cast.make_sitting(cast.make_tournament(rule_set))
    table, facts = phone(sitting), cast.plain_round(sitting)
    answer = table.put(address(sitting), {"facts": facts, "seen": 0})
    assert answer.status_code == 201
    row = Round.objects.get()
    assert (row.facts, row.version) == (facts, 1)
    snapshot = table.get(f"/api/sittings/{sitting.pk}")
    assert snapshot["rounds"] == [told(answer)]
    expected = scoring.score_as_json(
        scoring.score(
            scoring.read_record(
                {"ruleset": rule_set, "players": cast.keys(sitting), "rounds": [facts]}
            )
        )
    )
    shown = {name: told(answer)[name] for name in ("points", "lines", "complete")}
    assert shown == expected["rounds"][0]
    assert snapshot["totals"] == expected["totals"]


def test_the_same_request_gets_the_same_answer(sitting: Sitting) -> None:
    table, body = phone(sitting), {"facts": played(sitting, LOST), "seen": 0}
    answers = [table.put(address(sitting), body, "k") for _ in range(3)]
    assert {answer.content for answer in answers} == {answers[0].content}
    assert {answer.status_code for answer in answers} == {201}
    assert Round.objects.count() == 1


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
    assert (again.status_code, told(again)) == (200, told(first))
    table.put(address(sitting), {"facts": played(sitting, WON, LOST), "seen": 1})
    late = table.put(address(sitting), body)  # gone on with since
    assert (late.status_code, told(late)["version"]) == (200, 2)
    assert (Round.objects.count(), Disagreement.objects.count()) == (2, 0)


def test_a_refusal_is_not_kept_under_its_key(sitting: Sitting) -> None:
    table, second = phone(sitting), {"facts": played(sitting, LOST), "seen": 0}
    assert code(table.put(address(sitting, 2), second, "k")) == (422, "not_next")
    table.put(address(sitting), second)
    assert table.put(address(sitting, 2), second, "k").status_code == 201


def test_deals_come_one_by_one(sitting: Sitting) -> None:
    table, where = phone(sitting), f"{address(sitting)}/deals"
    begun = {key: played(sitting)[key] for key in ("dealer", "kankei")}
    first = table.put(f"{where}/1", {"deal": WON, "round": begun, "seen": 0})
    second = table.put(f"{where}/2", {"deal": LOST, "seen": 1})
    assert (first.status_code, second.status_code) == (201, 200)
    assert told(second)["facts"] == played(sitting, WON, LOST)
    again = table.put(f"{where}/2", {"deal": LOST, "seen": 1})
    assert (again.status_code, told(again)["version"]) == (200, 2)
    assert code(table.put(f"{where}/0", {"deal": LOST, "seen": 2})) == (404, "not_found")
    for deal in (4, 10**20):
        body = {"deal": LOST, "seen": 2}
        assert code(table.put(f"{where}/{deal}", body)) == (422, "not_next")


@pytest.mark.django_db
def test_a_round_said_not_to_be_cut_off_goes_on(sitting: Sitting) -> None:
    """Whoever puts it down says so of the round or leaves it out: it is the same round."""
    at_table, first = phone(sitting), f"{address(sitting)}/deals/1"
    body = {key: played(sitting)[key] for key in ("dealer", "kankei")}
    begun = {"deal": WON, "round": {**body, "cut_off": False}, "seen": 0}
    assert at_table.put(first, begun).status_code == 201
    second = at_table.put(f"{address(sitting)}/deals/2", {"deal": WON, "seen": 1})
    assert (second.status_code, told(second)["version"]) == (200, 2)
    whole = {"facts": {**body, "deals": [WON, WON, LOST]}, "seen": 2}
    assert told(at_table.put(address(sitting), whole))["version"] == 3


@pytest.mark.django_db
def test_games_without_deals_say_so() -> None:
    sitting = cast.make_sitting(cast.make_tournament("gouji"))
    answer = phone(sitting).put(f"{address(sitting)}/deals/1", {"deal": {}, "seen": 0})
    assert code(answer) == (422, "no_deals")


def test_if_match_says_what_was_seen(sitting: Sitting, keeper: Program) -> None:
    first = keeper.put(address(sitting), {"facts": played(sitting, WON)}, If_Match='"0"')
    assert (first.status_code, first.headers["ETag"]) == (201, '"1"')
    body = {"facts": played(sitting, LOST), "reason": "数え違い"}
    assert code(keeper.put(address(sitting), body, If_Match='"0"')) == (409, "stale")
    assert keeper.put(address(sitting), body, If_Match='W/"1"').status_code == 200
    assert keeper.ask("GET", address(sitting)).headers["ETag"] == '"2"'


# Refusing


@pytest.mark.parametrize("other", ['"0"', 'W/"2"', "*", "abc", '""'])
def test_if_match_and_seen_do_not_name_two_versions(
    sitting: Sitting, keeper: Program, other: str
) -> None:
    cast.record(sitting, played(sitting, LOST))
    body = {"facts": played(sitting, {"kankei": 4, "mukankei": 9}), "seen": 1, "reason": "!"}
    assert code(keeper.put(address(sitting), body, If_Match=other)) == (422, "seen_twice")
    assert keeper.put(address(sitting), body, If_Match='W/"1"').status_code == 200


def test_key_and_version_are_needed(sitting: Sitting) -> None:
    table, facts = phone(sitting), played(sitting, WON)
    bare = table.ask("PUT", address(sitting), {"facts": facts, "seen": 0})
    assert code(bare) == (428, "key_missing")
    for key in ("", "x" * 201):
        bad = table.ask("PUT", address(sitting), {"facts": facts, "seen": 0}, Idempotency_Key=key)
        assert code(bad) == (428, "key_missing")
    assert code(table.put(address(sitting), {"facts": facts})) == (428, "seen_missing")
    for tag in ("*", "", '"x"', '"-1"', f'"{10**30}"', "9" * 5000):
        assert code(table.put(address(sitting), {"facts": facts}, If_Match=tag))[0] == 428
    assert not Round.objects.exists()


def test_both_versions_are_shown_and_the_desk_is_told(sitting: Sitting) -> None:
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    other = {"facts": played(sitting, WON, WON), "seen": 0}
    answers = [table.put(address(sitting), other, "k") for _ in range(2)]
    document = told(answers[0])
    assert code(answers[0]) == (409, "stale")
    assert document["stored"]["facts"] == played(sitting, LOST)
    assert document["yours"] == {"number": 1, "seen": 0, "facts": other["facts"]}
    assert told(answers[1]) == document
    assert Disagreement.objects.get().facts == other["facts"]
    snapshot = table.get(f"/api/sittings/{sitting.pk}")
    assert [each["facts"] for each in snapshot["disagreements"]] == [other["facts"]]


def test_the_desk_gets_five_versions_of_a_round_from_one_phone_and_more_once_it_has_decided(
    sitting: Sitting,
) -> None:
    cast.record(sitting, played(sitting, LOST))
    table = phone(sitting)
    said = [{"facts": played(sitting, {"kankei": k, "mukankei": 9}), "seen": 0} for k in range(7)]
    said.remove({"facts": played(sitting, LOST), "seen": 0})
    answers = [table.put(address(sitting), body, f"key {i}") for i, body in enumerate(said)]
    assert {code(answer) for answer in answers} == {(409, "stale")}
    assert [told(answer)["yours"]["facts"] for answer in answers] == [b["facts"] for b in said]
    kept = list(Disagreement.objects.values_list("facts", flat=True))
    assert kept == [body["facts"] for body in said[: saying.MOST_OPEN]]
    Disagreement.objects.filter(facts=kept[0]).update(settled_at=timezone.now())
    assert code(table.put(address(sitting), said[-1], "key 5")) == (409, "stale")
    assert Disagreement.objects.filter(facts=said[-1]["facts"]).exists()


NO_ROUNDS: list[dict[str, Any]] = [
    *({"captured": 5}, {"finish": 3}, {"kankei": [["a"]], "deals": []}, {"deals": [{}]}, {}),
]


@pytest.mark.parametrize("facts", NO_ROUNDS, ids=str)
def test_what_is_no_round_is_no_disagreement(
    sitting: Sitting, scorekeeper: Client, facts: dict[str, Any]
) -> None:
    """Else nobody could look at the history any more, for what is in the trail stays there."""
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    answer = table.put(address(sitting), {"facts": facts, "seen": 0})
    assert (answer.status_code, Disagreement.objects.count()) == (422, 0)
    assert told(answer)["errors"][0]["at"].startswith("rounds[0]")
    slug = sitting.session.tournament.slug
    assert scorekeeper.get(reverse("history", args=[slug]), {"text": "a"}).status_code == 200
    assert scorekeeper.get(reverse("history-workbook", args=[slug])).status_code == 200


def test_a_version_that_is_not_there_yet_is_no_disagreement(sitting: Sitting) -> None:
    table = phone(sitting)
    ahead = {"facts": played(sitting, WON, LOST), "seen": 1}
    answer = table.put(address(sitting), ahead, "k")
    assert (code(answer), told(answer)["stored"]) == ((409, "stale"), None)
    assert not Disagreement.objects.exists()
    table.put(address(sitting), {"facts": played(sitting, WON), "seen": 0})
    assert table.put(address(sitting), ahead, "k").status_code == 200  # not kept: it had not come


def scored(sitting: Sitting, *rounds: Any) -> Any:
    """Return what `manage.py score` prints for the sitting's record with these rounds."""
    document = {
        "ruleset": sitting.session.tournament.rule_set,
        "players": cast.keys(sitting),
        "rounds": rounds,
    }
    return json.loads(as_line(scoring_answer(dumped(document))))


NOT_FACTS: tuple[Any, ...] = (
    *(None, [], "x", 5, True, {}, {"deals": {}}, {"deals": [1, None]}),
    *({"dealer": "\ud800", "kankei": ["\0", "1"]}, {"\ud800": 1, "\0": 2}),
    {"dealer": "6", "kankei": ["1", "nobody"], "x": 1, "deals": [{"kankei": 17, "mukankei": 0}]},
)


@pytest.mark.parametrize("facts", NOT_FACTS, ids=lambda facts: ascii(facts)[:60])
def test_every_problem_is_named_as_the_score_command_does(sitting: Sitting, facts: Any) -> None:
    table = phone(sitting)
    first = played(sitting, LOST)
    for number, before in ((1, []), (2, [first])):
        answer = table.put(address(sitting, number), {"facts": facts, "seen": 0})
        assert answer.status_code == 422
        assert told(answer)["errors"] == scored(sitting, *before, facts)["errors"]
        table.put(address(sitting), {"facts": first, "seen": 0})
    assert Round.objects.count() == 1


def test_a_number_without_end_is_no_count(sitting: Sitting) -> None:
    body = dumped({"facts": played(sitting, {"kankei": 987654, "mukankei": 9}), "seen": 0})
    answer = phone(sitting).put(address(sitting), body.replace(b"987654", b"1e999"))
    error = told(answer)["errors"][0]
    assert (error["at"], error["code"]) == ("rounds[0].deals[0].kankei", "type")


@pytest.mark.parametrize("deal", [None, [], 7, "\0", {"kankei": "\ud800"}], ids=ascii)
def test_and_those_of_a_deal(sitting: Sitting, deal: Any) -> None:
    first = {name: value for name, value in played(sitting).items() if name != "deals"}
    body = {"deal": deal, "round": first, "seen": 0}
    answer = phone(sitting).put(f"{address(sitting)}/deals/1", body)
    assert told(answer)["errors"] == scored(sitting, first | {"deals": [deal]})["errors"]


@pytest.mark.django_db
def test_and_those_of_a_round_after_the_game_was_over() -> None:
    sitting = cast.make_sitting(cast.make_tournament("gong-zhu", rounds_per_session=None), 4)
    table = phone(sitting)
    first, second, third, _ = cast.keys(sitting)
    *most, last = [card for card in scoring_cards(4) if card not in {"DJ", "C10"}]
    lost = {"captured": {first: most, second: [last, "DJ"], third: ["C10"]}}
    rounds: list[Any] = []
    while scored(sitting, *rounds, lost)["ok"]:
        rounds.append(lost)
        cast.record(sitting, lost, number=len(rounds))
    for facts in (lost, {"captured": {"nobody": ["XX"]}}):
        answer = table.put(address(sitting, len(rounds) + 1), {"facts": facts, "seen": 0})
        errors = told(answer)["errors"]
        assert errors == scored(sitting, *rounds, facts)["errors"]
        assert "game_over" in {error["code"] for error in errors}


def test_a_round_more_than_agreed_on_is_told_so(sitting: Sitting) -> None:
    Tournament.objects.update(rounds_per_session=1)
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    right = {"facts": played(sitting, LOST) | {"dealer": "1", "kankei": ["2", "3"]}, "seen": 0}
    wrong = {"facts": played(sitting, {"kankei": 17, "mukankei": 0}), "seen": 0}
    assert code(table.put(address(sitting, 2), right)) == (422, "finished")
    errors = scored(sitting, played(sitting, LOST), wrong["facts"])["errors"]
    assert told(table.put(address(sitting, 2), wrong))["errors"] == errors
    assert code(table.put(address(sitting, 3), right)) == (422, "not_next")
    assert code(table.put(address(sitting, 0), right)) == (404, "not_found")
    assert Round.objects.count() == 1


def test_it_speaks_the_readers_language(sitting: Sitting) -> None:
    facts = played(sitting, {"kankei": 17, "mukankei": 0})
    body = {"facts": facts, "seen": 0}
    table = phone(sitting)
    said = {
        language: told(table.put(address(sitting), body, Accept_Language=language))
        for language in ("en", "ja", "", "xx")
    }
    assert said["en"] == said[""] == said["xx"]
    assert said["ja"]["errors"][0]["code"] == said["en"]["errors"][0]["code"]
    assert said["ja"]["message"] != said["en"]["message"]


DIGITS = b'{"facts": {"deals": [{"kankei": ' + b"9" * 5000 + b'}]}, "seen": 0}'
NOT_JSON = (
    DIGITS,
    b"",
    b"nonsense",
    b'{"facts":',
    b"\xff\xfe",
    b"NaN",
    b'{"seen": NaN}',
    b"[" * 100_000,
)
UNFIT: tuple[Any, ...] = (
    {},
    [],
    None,
    {"facts": [], "seen": 0},
    {"facts": {}, "seen": -1},
    {"facts": {}, "seen": "0"},
    {"facts": {}, "seen": 0, "reason": "x" * 501},
    {"facts": {}, "seen": 0, "reason": "a\0b"},
    {"facts": {}, "seen": 0, "reason": "\ud800"},
    {"facts": {"dealer": "\ud800"}, "seen": 0},
    {"facts": {}, "seen": 10**40},
    {"facts": {}, "seen": 0, "more": 1},
)


@pytest.mark.parametrize("body", [*NOT_JSON, *UNFIT], ids=lambda body: repr(body)[:40])
def test_nonsense_is_refused(sitting: Sitting, body: Any) -> None:
    answer = phone(sitting).put(address(sitting), body)
    assert answer.status_code == 422
    assert told(answer)["errors"]
    assert not Round.objects.exists()


@pytest.mark.parametrize("text", ["a\0b", "\ud800"], ids=ascii)
def test_a_text_that_cannot_be_kept_is_told_so(sitting: Sitting, text: str) -> None:
    table = phone(sitting)
    called = table.post(f"/api/sittings/{sitting.pk}/calls", {"kind": "director", "words": text})
    assert code(called) == (422, "not_kept")
    body = {"facts": played(sitting, LOST), "seen": 0, "reason": text}
    assert code(table.put(address(sitting), body)) in {(422, "not_kept"), (422, "type")}
    assert not Round.objects.exists()


def test_a_text_may_speak_of_the_escape_of_a_nul(sitting: Sitting) -> None:
    body = {"kind": "director", "words": r"「\u0000」とは？"}
    assert phone(sitting).post(f"/api/sittings/{sitting.pk}/calls", body).status_code == 201
    assert Call.objects.get().words == body["words"]


def test_what_says_no_length_is_refused_in_one_shape(sitting: Sitting) -> None:
    body = {"facts": played(sitting, LOST), "seen": 0}
    answer = phone(sitting).put(address(sitting), body, Transfer_Encoding="chunked")
    assert code(answer) == (400, "bad_length")
    assert told(answer)["errors"]


def test_so_is_what_no_address_takes(sitting: Sitting) -> None:
    table = phone(sitting)
    for path in ("/api/nothing", f"{address(sitting)}/more", "/api/sittings/x", "/api/"):
        for method in ("GET", "POST", "PUT"):
            assert code(table.ask(method, path)) == (404, "not_found")
    answer = table.ask("PATCH", address(sitting), {})
    assert code(answer) == (405, "method")
    assert answer["Allow"] == "GET, PUT"
    assert told(answer)["errors"]


def test_what_is_too_large_is_not_read(sitting: Sitting) -> None:
    body = b'{"facts": {"x": "' + b"x" * 3_000_000 + b'"}, "seen": 0}'
    assert code(phone(sitting).put(address(sitting), body)) == (413, "too_large")


# Who may


def test_the_desk_corrects_with_a_reason(sitting: Sitting, keeper: Program) -> None:
    phone(sitting).put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    body: dict[str, Any] = {"facts": played(sitting, LOST | {"kankei": 4}), "seen": 1}
    assert code(keeper.put(address(sitting), body)) == (422, "reason_missing")
    answer = keeper.put(address(sitting), body | {"reason": "用紙と照合"})
    assert (told(answer)["version"], told(answer)["reason"]) == (2, "用紙と照合")


def test_a_table_does_not_correct_what_counts(sitting: Sitting) -> None:
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    body = {"facts": played(sitting, LOST | {"kankei": 4}), "seen": 1, "reason": "?"}
    assert code(table.put(address(sitting), body)) == (403, "not_yours")


def test_but_until_the_other_side_has_accepted(sitting: Sitting) -> None:
    Tournament.objects.update(accepting="same")
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    body = {"facts": played(sitting, LOST | {"kankei": 4}), "seen": 1, "reason": "?"}
    assert table.put(address(sitting), body).status_code == 200
    accept = f"{address(sitting)}/accept"
    assert code(table.post(accept, {"version": 1})) == (409, "nothing_to_accept")
    assert table.post(accept, {"version": 2}).status_code == 200
    assert table.get(address(sitting))["accepted"] is True
    body = {"facts": played(sitting, LOST), "seen": 2, "reason": "?"}
    assert code(table.put(address(sitting), body)) == (403, "needs_desk")


def test_a_phone_is_told_that_another_took_over(sitting: Sitting) -> None:
    first, second = phone(sitting), phone(sitting)
    body = {"facts": played(sitting, WON), "seen": 0}
    assert code(second.put(address(sitting), body)) == (403, "taken_over")
    assert told(second.post(f"/api/sittings/{sitting.pk}/take-over"))["is_writer"] is True
    assert code(first.put(address(sitting), body)) == (403, "taken_over")
    assert first.get(f"/api/sittings/{sitting.pk}")["you"]["is_writer"] is False
    assert second.put(address(sitting), body).status_code == 201
    stored_already = first.put(address(sitting), body)  # by whomever: it is there
    assert stored_already.status_code == 200


def test_other_tables_and_tournaments_are_not_found(sitting: Sitting, keeper: Program) -> None:
    neighbour = cast.make_sitting(sitting.session.tournament)
    elsewhere = cast.make_sitting()
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    table = phone(sitting)
    assert code(table.put(address(neighbour), body)) == (404, "not_found")
    for who in (table, keeper):
        assert code(who.put(address(elsewhere), body)) == (404, "not_found")
        assert code(who.ask("GET", f"/api/sittings/{elsewhere.pk}")) == (404, "not_found")
    assert code(Program().put(address(sitting), body)) == (401, "log_in")
    assert code(Program("guessed").put(address(sitting), body)) == (401, "token_unknown")
    assert not Round.objects.exists()


def test_a_closed_link_is_told(sitting: Sitting) -> None:
    table = phone(sitting)
    links.revoke(sitting, by=cast.SOMEBODY)
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    assert code(table.put(address(sitting), body)) == (401, "phone_ended")


def test_a_round_takes_few_statements(
    sitting: Sitting, keeper: Program, django_assert_max_num_queries: Any
) -> None:
    """Whoever writes next waits for each of them."""
    table, facts = phone(sitting), played(sitting, LOST)
    with django_assert_max_num_queries(24):
        table.put(address(sitting), {"facts": facts, "seen": 0})
    with django_assert_max_num_queries(23):
        keeper.put(address(sitting, 2), {"facts": facts, "seen": 0})
    with django_assert_max_num_queries(11):
        table.get(f"/api/sittings/{sitting.pk}")
    assert Round.objects.count() == 2


@pytest.mark.parametrize("is_phone", [False, True], ids=["staff", "phone"])
def test_who_may_is_looked_up_again_once_it_is_our_turn(
    sitting: Sitting, scorekeeper: Client, monkeypatch: pytest.MonkeyPatch, *, is_phone: bool
) -> None:
    """While a writer waits for their turn, what let them in may end."""
    browser, read = (browser_at(sitting) if is_phone else scorekeeper), recording.sheet_in_turn

    def meanwhile(_sitting: Sitting) -> Sheet:
        for membership in sitting.session.tournament.memberships.all():
            membership.delete()
        links.revoke(sitting, by=cast.SOMEBODY)
        return read(sitting)

    monkeypatch.setattr(recording, "sheet_in_turn", meanwhile)
    body = {"facts": played(sitting, LOST), "seen": 0}
    headers = {"Idempotency-Key": "key"}
    answer = browser.put(address(sitting), body, "application/json", headers=headers)
    refused = (answer.status_code, answer.json()["code"])
    assert refused == ((401, "phone_ended") if is_phone else (404, "not_found"))
    assert not Round.objects.exists()


def browser_at(sitting: Sitting) -> Client:
    """Return a phone's browser, on one of our pages."""
    browser = Client()
    browser.get(reverse("join-table", args=[sitting.token]), follow=True)
    return browser


def test_a_browser_shows_that_the_page_is_ours(sitting: Sitting) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get(reverse("join-table", args=[sitting.token]))
    asking = Program(client=browser)
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    assert code(asking.put(address(sitting), body)) == (403, "csrf")
    page = browser.get(f"{sitting.get_absolute_url()}rounds/1/")
    token = str(page.context["csrf_token"])
    assert asking.put(address(sitting), body, X_CSRFToken=token).status_code == 201


@pytest.mark.parametrize("shown", ["", " ", "Basic eDp4", " Bearer x", "Bearer"])
def test_no_header_makes_a_page_of_another_site_one_of_ours(sitting: Sitting, shown: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get(reverse("join-table", args=[sitting.token]))
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    answer = Program(client=browser).put(address(sitting), body, Authorization=shown)
    assert code(answer) == ((401, "token_unknown") if shown.strip() else (403, "csrf"))


def test_a_token_counts_whatever_cookies_come_along(sitting: Sitting, keeper: Program) -> None:
    keeper.client = cast.browser_of(cast.make_user("stranger"))
    assert keeper.get(f"/api/sittings/{sitting.pk}")["you"]["role"] == "scorekeeper"
    keeper.token = "guessed"
    assert keeper.ask("GET", f"/api/sittings/{sitting.pk}").status_code == 401


def test_what_table_and_desk_say_to_each_other_is_theirs(sitting: Sitting) -> None:
    cast.make_call(sitting, "急病")
    cast.record(sitting)
    cast.make_disagreement(sitting, {"deals": []})
    publications.show_live(sitting.session.tournament, by=cast.SOMEBODY)
    shown = [who.get(f"/api/sittings/{sitting.pk}") for who in (phone(sitting), Program())]
    found = [(len(each["calls"]), len(each["disagreements"])) for each in shown]
    assert found == [(1, 1), (0, 0)]


# Races


@pytest.mark.usefixtures("shared_database")
def test_the_same_key_20_times_at_once_is_one_row_and_one_answer() -> None:
    sitting = cast.make_sitting()
    table, body = phone(sitting), {"facts": cast.plain_round(sitting), "seen": 0}

    def write(_number: int) -> tuple[int, bytes]:
        answer = Program(table.token).put(address(sitting), body, "k")
        return answer.status_code, answer.content

    answers = race(20, write)
    assert len(set(answers)) == 1, answers
    assert Round.objects.count() == Receipt.objects.count() == 1


@pytest.mark.usefixtures("shared_database")
def test_of_20_racing_edits_exactly_one_wins() -> None:
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
