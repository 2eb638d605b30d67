"""What is no round over HTTP: refused with every reason, and nothing silently changed."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.answers import answer as scoring_answer
from scoring.answers import as_line
from scoring.variants.gong_zhu import scoring_cards
from tests import cast
from tests.api import Program, code, dumped, json_of, phone
from tests.tournaments.api.rounds import LOST, WON, address, played
from tournaments.models import Call, Disagreement, Round, Sitting, Tournament
from tournaments.services import disputes, idempotency


@pytest.mark.parametrize("other", ['"0"', 'W/"2"', "*", "abc", '""'])
def test_if_match_and_seen_must_name_one_version(
    sitting: Sitting, keeper: Program, other: str
) -> None:
    cast.record(sitting, played(sitting, LOST))
    body = {"facts": played(sitting, {"kankei": 4, "mukankei": 9}), "seen": 1, "reason": "!"}
    assert code(keeper.put(address(sitting), body, If_Match=other)) == (422, "seen_twice")
    assert keeper.put(address(sitting), body, If_Match='W/"1"').status_code == 200


def test_key_and_version_are_required(sitting: Sitting) -> None:
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


def test_conflict_returns_both_versions_and_opens_a_dispute(sitting: Sitting) -> None:
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    other = {"facts": played(sitting, WON, WON), "seen": 0}
    answers = [table.put(address(sitting), other, "k") for _ in range(2)]
    document = json_of(answers[0])
    assert code(answers[0]) == (409, "stale")
    assert document["stored"]["facts"] == played(sitting, LOST)
    assert document["yours"] == {"number": 1, "seen": 0, "facts": other["facts"]}
    assert json_of(answers[1]) == document
    assert Disagreement.objects.get().facts == other["facts"]
    snapshot = table.get(f"/api/sittings/{sitting.pk}")
    assert [each["facts"] for each in snapshot["disagreements"]] == [other["facts"]]


def test_one_phone_has_at_most_five_open_disputes_about_a_round(
    sitting: Sitting,
) -> None:
    cast.record(sitting, played(sitting, LOST))
    table = phone(sitting)
    stored = played(sitting, LOST)
    pairs = [list(each) for each in combinations(cast.keys(sitting)[:-1], 2)]
    pairs.remove(stored["kankei"])
    said = [{"facts": stored | {"kankei": pair}, "seen": 0} for pair in pairs[:6]]
    answers = [table.put(address(sitting), body, f"key {i}") for i, body in enumerate(said)]
    assert {code(answer) for answer in answers} == {(409, "stale")}
    assert [json_of(answer)["yours"]["facts"] for answer in answers] == [b["facts"] for b in said]
    kept = list(Disagreement.objects.values_list("facts", flat=True))
    assert kept == [body["facts"] for body in said[: disputes.MOST_OPEN]]
    Disagreement.objects.filter(facts=kept[0]).update(settled_at=timezone.now())
    assert code(table.put(address(sitting), said[-1], "key 5")) == (409, "stale")
    assert Disagreement.objects.filter(facts=said[-1]["facts"]).exists()


NO_ROUNDS: list[dict[str, Any]] = [
    *({"captured": 5}, {"finish": 3}, {"kankei": [["a"]], "deals": []}, {"deals": [{}]}, {}),
]


@pytest.mark.parametrize("facts", NO_ROUNDS, ids=str)
def test_invalid_facts_open_no_dispute(
    sitting: Sitting, scorekeeper: Client, facts: dict[str, Any]
) -> None:
    """Stored in the audit trail, they would break the pages of the history."""
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    answer = table.put(address(sitting), {"facts": facts, "seen": 0})
    assert (answer.status_code, Disagreement.objects.count()) == (422, 0)
    assert json_of(answer)["errors"][0]["at"].startswith("rounds[0]")
    slug = sitting.session.tournament.slug
    assert scorekeeper.get(reverse("history", args=[slug]), {"text": "a"}).status_code == 200
    assert scorekeeper.get(reverse("history-workbook", args=[slug])).status_code == 200


def test_version_not_yet_recorded_opens_no_dispute(sitting: Sitting) -> None:
    table = phone(sitting)
    ahead = {"facts": played(sitting, WON, LOST), "seen": 1}
    answer = table.put(address(sitting), ahead, "k")
    assert (code(answer), json_of(answer)["stored"]) == ((409, "stale"), None)
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
def test_problems_equal_those_of_the_score_command(sitting: Sitting, facts: Any) -> None:
    table = phone(sitting)
    first = played(sitting, LOST)
    for number, before in ((1, []), (2, [first])):
        answer = table.put(address(sitting, number), {"facts": facts, "seen": 0})
        assert answer.status_code == 422
        assert json_of(answer)["errors"] == scored(sitting, *before, facts)["errors"]
        table.put(address(sitting), {"facts": first, "seen": 0})
    assert Round.objects.count() == 1


def test_omitted_problems_are_counted_as_by_the_score_command(sitting: Sitting) -> None:
    facts = played(sitting) | {"deals": [{"kankei": 17, "x": 1}] * 40}
    expected = scored(sitting, facts)
    answer = json_of(phone(sitting).put(address(sitting), {"facts": facts, "seen": 0}))
    assert (len(answer["errors"]), answer["more"]) == (50, expected["more"])
    assert answer["errors"] == expected["errors"]


def test_facts_are_validated_before_the_lock_is_taken(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})

    def locked(tournament: Tournament) -> Tournament:
        raise AssertionError(tournament)

    monkeypatch.setattr(idempotency, "lock_tournament", locked)
    for number, seen in ((1, 0), (1, 1), (2, 0), (2, 5), (3, 0)):
        for facts in NOT_FACTS:
            answer = table.put(address(sitting, number), {"facts": facts, "seen": seen})
            assert answer.status_code == 422
    deal = {"deal": {"kankei": 17}, "seen": 1}
    assert table.put(f"{address(sitting)}/deals/1", deal).status_code == 422


def test_duplicate_json_key_is_refused(sitting: Sitting) -> None:
    body = dumped({"facts": played(sitting, LOST), "seen": 0})
    answer = phone(sitting).put(
        address(sitting), body.replace(b'"seen": 0', b'"seen": 0, "seen": 1')
    )
    assert code(answer) == (422, "key_twice")
    assert "seen" in json_of(answer)["message"]
    assert len(json_of(answer)["errors"]) == 1


def test_infinite_number_is_refused(sitting: Sitting) -> None:
    body = dumped({"facts": played(sitting, {"kankei": 987654, "mukankei": 9}), "seen": 0})
    answer = phone(sitting).put(address(sitting), body.replace(b"987654", b"1e999"))
    error = json_of(answer)["errors"][0]
    assert (error["at"], error["code"]) == ("rounds[0].deals[0].kankei", "type")


@pytest.mark.parametrize("deal", [None, [], 7, "\0", {"kankei": "\ud800"}], ids=ascii)
def test_problems_of_a_deal_equal_those_of_the_score_command(sitting: Sitting, deal: Any) -> None:
    first = {name: value for name, value in played(sitting).items() if name != "deals"}
    body = {"deal": deal, "round": first, "seen": 0}
    answer = phone(sitting).put(f"{address(sitting)}/deals/1", body)
    assert json_of(answer)["errors"] == scored(sitting, first | {"deals": [deal]})["errors"]


@pytest.mark.django_db
def test_problems_after_the_end_of_the_game_equal_those_of_the_score_command() -> None:
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
        errors = json_of(answer)["errors"]
        assert errors == scored(sitting, *rounds, facts)["errors"]
        assert "game_over" in {error["code"] for error in errors}


def test_round_after_the_planned_ones_is_refused(sitting: Sitting) -> None:
    Tournament.objects.update(rounds_per_session=1)
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    right = {"facts": played(sitting, LOST) | {"dealer": "1", "kankei": ["2", "3"]}, "seen": 0}
    wrong = {"facts": played(sitting, {"kankei": 17, "mukankei": 0}), "seen": 0}
    assert code(table.put(address(sitting, 2), right)) == (422, "finished")
    errors = scored(sitting, played(sitting, LOST), wrong["facts"])["errors"]
    assert json_of(table.put(address(sitting, 2), wrong))["errors"] == errors
    assert code(table.put(address(sitting, 3), right)) == (422, "not_next")
    assert code(table.put(address(sitting, 0), right)) == (404, "not_found")
    assert Round.objects.count() == 1


def test_refusals_are_in_the_readers_language(sitting: Sitting) -> None:
    facts = played(sitting, {"kankei": 17, "mukankei": 0})
    body = {"facts": facts, "seen": 0}
    table = phone(sitting)
    said = {
        language: json_of(table.put(address(sitting), body, Accept_Language=language))
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
    b"[" * 10_000,
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
def test_invalid_body_is_refused(sitting: Sitting, body: Any) -> None:
    answer = phone(sitting).put(address(sitting), body)
    assert answer.status_code == 422
    assert json_of(answer)["errors"]
    assert not Round.objects.exists()


def test_deep_nesting_is_no_syntax_error(sitting: Sitting) -> None:
    assert code(phone(sitting).put(address(sitting), b"[" * 10_000)) == (422, "range")
    assert code(phone(sitting).put(address(sitting), b"[")) == (422, "not_json")


@pytest.mark.parametrize("text", ["a\0b", "\ud800"], ids=ascii)
def test_unstorable_text_is_refused(sitting: Sitting, text: str) -> None:
    table = phone(sitting)
    called = table.post(f"/api/sittings/{sitting.pk}/calls", {"kind": "director", "words": text})
    assert code(called) == (422, "not_kept")
    body = {"facts": played(sitting, LOST), "seen": 0, "reason": text}
    assert code(table.put(address(sitting), body)) in {(422, "not_kept"), (422, "type")}
    assert not Round.objects.exists()


def test_escape_of_a_nul_as_text_is_stored(sitting: Sitting) -> None:
    body = {"kind": "director", "words": r"「\u0000」とは？"}
    assert phone(sitting).post(f"/api/sittings/{sitting.pk}/calls", body).status_code == 201
    assert Call.objects.get().words == body["words"]


def test_missing_content_length_is_refused(sitting: Sitting) -> None:
    body = {"facts": played(sitting, LOST), "seen": 0}
    answer = phone(sitting).put(address(sitting), body, Transfer_Encoding="chunked")
    assert code(answer) == (400, "bad_length")
    assert json_of(answer)["errors"]


def test_unknown_path_and_method_are_refused(sitting: Sitting) -> None:
    table = phone(sitting)
    for path in ("/api/nothing", f"{address(sitting)}/more", "/api/sittings/x", "/api/"):
        for method in ("GET", "POST", "PUT"):
            assert code(table.ask(method, path)) == (404, "not_found")
    answer = table.ask("PATCH", address(sitting), {})
    assert code(answer) == (405, "method")
    assert answer["Allow"] == "GET, PUT"
    assert json_of(answer)["errors"]


def test_too_large_body_is_not_read(sitting: Sitting) -> None:
    body = b'{"facts": {"x": "' + b"x" * 3_000_000 + b'"}, "seen": 0}'
    assert code(phone(sitting).put(address(sitting), body)) == (413, "too_large")
