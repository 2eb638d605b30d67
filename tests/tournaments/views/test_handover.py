"""Handover: rounds that a phone could not send are shown and stored exactly once."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests import cast
from tournaments.models import AuditEntry, Disagreement, Receipt, Round, Sitting, Tournament
from tournaments.services import handover, tournaments
from tournaments.verification import verify

KEY = "0123456789abcdef0123456789abcdef"
ADDRESS = "/desk/"


def document(sitting: Sitting, number: int = 1, key: str = KEY, **changes: Any) -> dict[str, Any]:
    """Return a round as the phone writes it (`codes.js`)."""
    return {
        "of": handover.event_digest(sitting),
        "to": f"/api/sittings/{sitting.pk}/rounds/{number}",
        "key": key,
        "seen": 0,
        "facts": cast.plain_round(sitting),
        "reason": "",
        **changes,
    }


def code(told: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")


def phone_of(sitting: Sitting) -> Client:
    phone = Client()
    phone.get(reverse("join-table", args=[sitting.token]))
    return phone


def send(client: Client, told: dict[str, Any]) -> Any:
    """Send the round over the network, as the phone does."""
    body = {"facts": told["facts"], "seen": told["seen"], "reason": told["reason"]}
    headers = {"Idempotency-Key": told["key"]}
    return client.put(told["to"], body, content_type="application/json", headers=headers)


def look(client: Client, text: str) -> str:
    return cast.in_english(client).post(ADDRESS, {"rounds": text}).content.decode()


def store(client: Client, *told: dict[str, Any]) -> Any:
    text = "\n".join(json.dumps(each) for each in told)
    return cast.in_english(client).post(ADDRESS, {"rounds": text, "store": "1"})


def test_a_scanned_code_is_shown_before_it_is_stored(scorekeeper: Client, sitting: Sitting) -> None:
    page = look(scorekeeper, "#" + code(document(sitting)))
    for words in ("Table 1", "成田 キヨ", "5–9", 'name="store"'):
        assert words in page
    assert Round.objects.count() == 0


def test_copied_text_is_read(scorekeeper: Client, sitting: Sitting) -> None:
    """Text around the code is ignored."""
    line = json.dumps(document(sitting), ensure_ascii=False)
    page = look(scorekeeper, f"1卓 第1役\r\n親: 木村 勇\r\n{line}\r\n\r\nよろしく")
    assert 'name="store"' in page


def test_handed_over_round_of_a_removed_event_is_refused(
    scorekeeper: Client, sitting: Sitting
) -> None:
    told = document(sitting)
    tournaments.remove_tournament(sitting.session.tournament, by=cast.SOMEBODY)
    assert "not on the staff" in look(scorekeeper, json.dumps(told))
    assert store(scorekeeper, told).status_code == 200


def test_audit_entry_names_the_reader(scorekeeper: Client, sitting: Sitting) -> None:
    told = document(sitting)
    assert store(scorekeeper, told).status_code == 302
    assert Round.objects.get().facts == told["facts"]
    act = AuditEntry.objects.get(kind=AuditEntry.Kind.ROUND_RECORDED)
    assert act.who == "scorekeeper"
    assert verify(sitting.session.tournament) == []


def test_later_request_of_the_phone_gets_the_same_answer(
    scorekeeper: Client, sitting: Sitting
) -> None:
    told = document(sitting)
    store(scorekeeper, told)
    answer = send(phone_of(sitting), told)
    assert answer.status_code == 201
    assert answer.json()["version"] == 1
    assert Round.objects.count() == Receipt.objects.count() == 1
    assert Disagreement.objects.count() == 0


def test_earlier_request_of_the_phone_is_not_repeated(
    scorekeeper: Client, sitting: Sitting
) -> None:
    told = document(sitting)
    send(phone_of(sitting), told)
    assert "This is saved already." in look(scorekeeper, json.dumps(told))
    assert store(scorekeeper, told).status_code == 302
    assert Round.objects.count() == Receipt.objects.count() == 1


@pytest.mark.both
def test_several_rounds_are_stored_in_order(scorekeeper: Client, sitting: Sitting) -> None:
    second = document(sitting, 2, key="2" * 32)
    page = look(scorekeeper, f"{json.dumps(document(sitting))}\n{json.dumps(second)}")
    assert page.count("5–9") == 2
    assert store(scorekeeper, document(sitting), second).status_code == 302
    assert list(Round.objects.values_list("number", flat=True)) == [1, 2]


def test_missing_earlier_round_is_reported(scorekeeper: Client, sitting: Sitting) -> None:
    answer = store(scorekeeper, document(sitting, 2))
    assert "The round before this one is missing" in answer.content.decode()
    assert Round.objects.count() == 0


def test_other_facts_are_shown_beside_the_stored_ones(
    scorekeeper: Client, sitting: Sitting
) -> None:
    cast.record(sitting)
    told = document(sitting)
    told["facts"]["deals"] = [{"kankei": 0, "mukankei": 9}]
    assert (
        "Something else is saved for this round already. Save this one too, then decide which "
        "is right."
    ) in look(scorekeeper, json.dumps(told))
    answer = store(scorekeeper, told)
    found = Disagreement.objects.get()
    assert answer["Location"] == reverse(
        "settle-disagreement", args=[sitting.session.tournament.slug, found.pk]
    )
    page = scorekeeper.get(answer["Location"]).content.decode()
    assert "5–9" in page
    assert "0–9" in page
    assert Round.objects.count() == 1


def test_settled_dispute_is_not_opened_again_by_the_phone(
    scorekeeper: Client, sitting: Sitting
) -> None:
    cast.record(sitting)
    told = document(sitting)
    told["facts"]["deals"] = [{"kankei": 3, "mukankei": 9}]
    answer = store(scorekeeper, told)
    decision = {"seen": "1", "decision": "stored", "reason": "票で確かめた"}
    scorekeeper.post(answer["Location"], decision)
    assert send(phone_of(sitting), told).status_code == 409
    assert Disagreement.objects.filter(settled_at=None).count() == 0


def test_reused_key_is_reported(scorekeeper: Client, sitting: Sitting) -> None:
    store(scorekeeper, document(sitting))
    page = store(scorekeeper, document(sitting, 2)).content.decode()
    assert "Something else was sent under the same key." in page
    assert Round.objects.count() == 1


def test_impossible_facts_are_not_stored(scorekeeper: Client, sitting: Sitting) -> None:
    told = document(sitting)
    told["facts"]["deals"] = [{"kankei": 9, "mukankei": 9}]
    page = store(scorekeeper, told).content.decode()
    assert "9 + 9 = 18" in page
    assert 'name="store"' not in page
    assert Round.objects.count() == 0


def test_only_the_staff_sees_and_stores_rounds(
    client: Client, stranger: Client, sitting: Sitting, tournament: Tournament
) -> None:
    told = document(sitting)
    for browser in (client, stranger, phone_of(sitting)):
        assert "成田 キヨ" not in look(browser, json.dumps(told))
        assert store(browser, told).status_code == 200
    assert Round.objects.count() == 0


def test_round_of_another_event_with_the_same_numbers_is_refused(
    scorekeeper: Client, sitting: Sitting
) -> None:
    answer = store(scorekeeper, document(sitting, of="00000000"))
    assert "not on the staff" in answer.content.decode()
    assert Round.objects.count() == 0


WRONG: list[dict[str, Any]] = [
    {"key": ""},
    {"key": 5},
    {"key": "x" * 201},
    {"seen": -1},
    {"seen": True},
    {"seen": 10**30},
    {"facts": []},
    {"facts": {"\u0000": 1}},
    {"reason": "x" * 501},
    {"to": "/api/sittings/1/rounds/"},
    {"to": "/api/sittings/99999999999999999999/rounds/1"},
    {"of": None},
]


@pytest.mark.parametrize("changes", WRONG, ids=str)
def test_text_that_no_phone_shows_is_refused(
    scorekeeper: Client, sitting: Sitting, changes: dict[str, Any]
) -> None:
    answer = scorekeeper.post(ADDRESS, {"rounds": json.dumps(document(sitting, **changes))})
    assert answer.status_code == 422


def test_a_reason_may_speak_of_the_escape(scorekeeper: Client, sitting: Sitting) -> None:
    """The typed text has six characters, none of them a NUL."""
    told = document(sitting, reason="「\\u0000」と書いた")
    assert store(scorekeeper, told).status_code == 302
    assert Round.objects.get().reason == told["reason"]


@pytest.mark.parametrize("text", ["", "hello", "#" + "A" * 41, "{}", "[" * 5000, '{"a": "\ud800"}'])
def test_other_text_is_refused(scorekeeper: Client, text: str) -> None:
    answer = scorekeeper.post(ADDRESS, {"rounds": text.encode("utf-8", "replace").decode()})
    assert answer.status_code == 422


def test_a_code_that_is_cut_off_is_refused(scorekeeper: Client, sitting: Sitting) -> None:
    whole = code(document(sitting))
    for length in range(50, len(whole) - 1, 25):
        assert scorekeeper.post(ADDRESS, {"rounds": whole[:length]}).status_code == 422


@pytest.mark.django_db(transaction=True)
def test_scanned_code_is_still_there_after_a_log_in_elsewhere(
    page: Page, live_server: LiveServer
) -> None:
    """With https the log-in is at another address, where the tab has stored nothing."""
    sitting = cast.make_sitting(cast.make_tournament())
    cast.make_staff(sitting.session.tournament, "scorekeeper")
    page.goto(f"{live_server.url}{ADDRESS}#{code(document(sitting))}")
    page.locator("main .button", has_text="ログイン").click()
    page.evaluate("sessionStorage.clear()")
    page.fill("#id_username", "scorekeeper")
    page.fill("#id_password", "scorekeeper")
    page.locator("main button").click()
    expect(page.locator("button[name=store]")).to_be_visible()
