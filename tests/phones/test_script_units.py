"""Unit tests of the scripts' pure functions, in a blank page without a server."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode
from typing import Any

import pytest
from playwright.sync_api import Page

import scoring
from tournaments.game_kinds import TableShape
from tournaments.playbook.document import playbook

CODE = """(item) => {
  const codes = Object.create(makiyaku.Codes.prototype);
  return Object.assign(codes, { page: { desk: "https://desk.example/hand-over/" } }).address(item);
}"""


def test_points_are_written_with_their_sign(blank: Page) -> None:
    assert blank.evaluate("[3, 0, -3].map(makiyaku.signed)") == ["+3", "0", "−3"]


def test_known_names_in_a_sentence_are_filled_in(blank: Page) -> None:
    filled = blank.evaluate("makiyaku.fill('{who}: {points} {other}', { who: 'A', points: 0 })")
    assert filled == "A: 0 {other}"


@pytest.mark.parametrize(
    ("began", "wait", "now", "left"),
    [(100, 50, 120, 30), (100, 50, 150, 0), (100, 50, 200, 0), (100, 50, 99, 0)],
    ids=["waiting", "just over", "long over", "the clock was set back"],
)
def test_wait_ends_in_time_and_when_the_clock_is_set_back(
    blank: Page, began: int, wait: int, now: int, left: int
) -> None:
    remaining = "(times) => makiyaku.Outbox.remaining(...times)"
    assert blank.evaluate(remaining, [began, wait, now]) == left


def test_unclaimed_item_is_free(blank: Page) -> None:
    claim_left = "([item, now]) => makiyaku.Outbox.claimLeft(item, now)"
    assert blank.evaluate(claim_left, [{"claimedBy": "", "claimedAt": 100}, 101]) == 0
    assert blank.evaluate(claim_left, [{"claimedBy": "tab", "claimedAt": 100}, 101]) == 5999


OURS = {"ok": False, "code": "stale"}


@pytest.mark.parametrize(
    ("status", "body", "is_foreign"),
    [
        *((status, None, True) for status in (200, 401, 403, 404, 409, 413, 422, 511)),
        *((status, {"login": "/"}, True) for status in (200, 401, 422)),
        *((status, OURS, False) for status in (401, 403, 404, 409, 413, 422)),
        *((status, None, False) for status in (0, 408, 429, 500, 502, 503, 507)),
    ],
)
def test_answer_of_a_captive_portal_is_told_from_ours(
    blank: Page, status: int, body: dict[str, Any] | None, *, is_foreign: bool
) -> None:
    answer = {"status": status, "json": body}
    assert blank.evaluate("(answer) => makiyaku.Outbox.isForeign(answer)", answer) == is_foreign


@pytest.mark.parametrize(
    ("item", "told"),
    [
        ({"status": 500, "code": ""}, ["sending", "no_answer"]),
        ({"status": 500, "code": "error", "words": "Later"}, ["sending", "Later"]),
        ({"status": 403, "code": "", "isForeign": True}, ["sending", "foreign"]),
        ({"status": 422, "code": "no", "words": "Wrong"}, ["refused", "Wrong"]),
        ({"status": 422, "code": "no", "words": ""}, ["refused", ""]),
    ],
)
def test_only_what_our_server_has_refused_is_called_refused(
    blank: Page, item: dict[str, Any], told: list[str]
) -> None:
    wording = """(item) => {
      const keys = ["sending", "no_answer", "foreign", "refused"];
      const words = Object.fromEntries(keys.map((key) => [key, key]));
      const wording = new makiyaku.Wording(words, null, []);
      return [wording.state({ item })[0], wording.reasonUnsent(item)];
    }"""
    assert blank.evaluate(wording, {"state": "marked", "tries": 1, **item}) == told


def test_redirect_is_foreign(blank: Page) -> None:
    answer = {"status": 0, "json": None, "isRedirect": True}
    assert blank.evaluate("(answer) => makiyaku.Outbox.isForeign(answer)", answer)


def test_code_is_the_address_of_the_desk_with_the_request_as_fragment(blank: Page) -> None:
    body = {"seen": 0, "facts": {"kankei": ["１", "2"]}, "reason": "数え違い"}
    item = {"mark": "m", "address": "/rounds/1", "key": "k", "body": body}
    address, _, code = blank.evaluate(CODE, item).partition("#")
    assert address == "https://desk.example/hand-over/"
    read = json.loads(urlsafe_b64decode(code + "=" * (-len(code) % 4)))
    assert read == {"of": "m", "to": "/rounds/1", "key": "k", **body}


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    """A playbook as a phone reads it."""
    rules = scoring.choose(scoring.get_rule_set("goninkan-association"))
    read: dict[str, Any] = json.loads(json.dumps(playbook(rules, TableShape(6, 10))))
    return read


def looked_up(page: Page, table: dict[str, Any], call: str) -> Any:
    return page.evaluate(f"(table) => new makiyaku.Playbook(table).{call}", table)


def test_playbook_has_no_outcome_without_counts(blank: Page, table: dict[str, Any]) -> None:
    assert looked_up(blank, table, "outcome(1, { kankei: '', mukankei: '' })") is None


def test_playbook_returns_the_winner_or_the_problem_of_a_deal(
    blank: Page, table: dict[str, Any]
) -> None:
    won = looked_up(blank, table, "outcome(1, { kankei: 9, mukankei: 5 })")
    assert won["won"] is True  # by the kankei
    undecided = looked_up(blank, table, "outcome(1, { kankei: 5, mukankei: 5 })")
    assert undecided["problem"]
    assert looked_up(blank, table, "outcome(1, { kankei: 16, mukankei: 16 })") is None


def test_playbook_adds_up_a_round(blank: Page, table: dict[str, Any]) -> None:
    lost = "round([{ kankei: 5, mukankei: 8 }])"
    going_on = "round([{ kankei: 9, mukankei: 5 }])"
    assert looked_up(blank, table, lost)["isOver"]
    found = looked_up(blank, table, going_on)
    assert not found["isOver"]
    assert found["points"] == sum(line[2] for line in found["lines"])
