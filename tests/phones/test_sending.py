"""The queue is sent in order and stored once, whatever responses are lost or fail."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests import cast
from tests.phones.conftest import Phone
from tests.phones.steps import record_round, stored, wait_for_versions
from tournaments.models import Round

pytestmark = pytest.mark.django_db(transaction=True)


PORTAL = {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to our Wi-Fi</h1>"}

FOREIGN = (401, 405, 413, 511)  # with a page that is not ours
TRANSIENT_RESPONSES: list[dict[str, Any]] = [
    *({"status": status, "json": {"message": "later"}} for status in (429, 500, 502, 503, 504)),
    {"status": 507, "json": {"message": "later"}},
    {"status": 302, "headers": {"Location": "http://portal.test/"}},
    PORTAL,
    {"status": 200, "json": {"welcome": True}},
    # another table's round, without an idempotency key and with another request's
    {"status": 201, "json": {"number": 1, "version": 1, "complete": True}},
    {
        "status": 200,
        "headers": {"Idempotency-Key": "another table's"},
        "json": {"number": 1, "version": 1, "complete": True},
    },
    *({"status": status, "body": "<h1>Blocked"} for status in FOREIGN),
    {"status": 422, "json": {"code": 422, "message": "no"}},
]


def refusal(words: str) -> dict[str, Any]:
    """Return a refusal as the API writes it."""
    return {"ok": False, "code": "no", "message": words, "errors": []}


RETRIED = [401, 403, 404]  # a log-in or a network may change the response
REFUSALS = [*RETRIED, 409, 413, 422]


def test_six_offline_deals_are_stored_once_and_in_order(phone: Phone) -> None:
    phone.context.set_offline(True)
    phone.kankei(2, 4)
    for deal, count in ((1, 9), (2, 8)):
        phone.count(deal, count, 4)
        phone.save()
    phone.count(3, 4, 8)
    phone.save()
    phone.take_phone()
    for count in (5, 6, 7):
        record_round(phone, count)
    phone.expect_unsent(6)
    expect(phone.page.locator(".is-sent")).to_have_count(0)
    assert Round.objects.count() == 0

    phone.context.set_offline(False)
    wait_for_versions(6)
    phone.expect_unsent(0)
    expected = [(1, 1, 9), (1, 2, 8), (1, 3, 4), (2, 1, 5), (3, 1, 6), (4, 1, 7)]
    assert stored() == expected
    dealers = [row.facts["dealer"] for row in Round.objects.order_by("pk")]
    keys = cast.keys(phone.sitting)
    assert dealers == [keys[0]] * 3 + keys[1:4]
    assert phone.page_errors == []


def test_lost_response_does_not_duplicate_a_round(phone: Phone) -> None:
    """The server stores the round, the response is lost, and the phone sends it again."""
    lost: list[int] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
            return
        asked = urlsplit(route.request.url)  # only the browser resolves this host
        known = asked._replace(netloc=f"127.0.0.1:{asked.port}").geturl()
        headers = {**route.request.headers, "host": asked.netloc}
        lost.append(route.fetch(url=known, headers=headers).status)
        route.abort()

    phone.page.route("**/api/sittings/*/rounds/*", lose)
    record_round(phone)
    wait_for_versions(1)
    phone.expect_unsent(0)
    assert lost == [201]
    assert stored() == [(1, 1, 5)]


def test_transient_errors_keep_the_round_queued(phone: Phone) -> None:
    """Each try gets another error. The phone retries by itself; the test hastens later retries."""
    left = [*TRANSIENT_RESPONSES]

    def fail(route: Route) -> None:
        route.fulfill(**(left.pop(0) if left else {"status": 503}))

    phone.page.route("**/api/sittings/*/rounds/*", fail)
    record_round(phone)
    phone.open_queue()
    reason = phone.page.locator("#queue-items [data-words]")
    for tries, response in enumerate(TRANSIENT_RESPONSES, 1):
        if tries > 2:
            phone.page.evaluate("makiyaku.phone.retry()")
        phone.expect_tries(tries)
        phone.expect_unsent(1)
        expect(phone.page.locator("#queue-items")).not_to_contain_text("受け付けませんでした")
        expect(reason).not_to_contain_text(str(response["status"]))
        if response["status"] in {302, *FOREIGN}:
            expect(reason).to_contain_text("Wi-Fiのログイン画面")
    assert left == []
    phone.page.unroute("**/api/sittings/*/rounds/*")
    phone.page.evaluate("makiyaku.phone.retry()")
    wait_for_versions(1)
    phone.expect_unsent(0)
    assert stored() == [(1, 1, 5)]


def test_refused_round_is_marked_and_sent_again(phone: Phone) -> None:
    """Rounds are refused, each with another status, and stored when sent again."""
    cast.record(phone.sitting, {**cast.plain_round(phone.sitting), "dealer": first_dealer(phone)})
    phone.play()
    for stored_already, status in enumerate(REFUSALS, 1):
        record_refused_round(phone, status)
        send_again(phone, status)
        wait_for_versions(stored_already + 1)
        phone.expect_unsent(0)
    assert [row[2] for row in stored()] == [5] + [3] * len(REFUSALS)


def record_refused_round(phone: Phone, status: int) -> None:
    """Record a round that is refused with this status, now and after a reload."""
    words = f"まちがいです {status}"
    answer = {"status": status, "json": refusal(words)}
    phone.page.route("**/api/sittings/*/rounds/*", lambda route: route.fulfill(**answer))
    record_round(phone, 3)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    phone.open_queue()
    expect(phone.page.locator("#queue-items li")).to_contain_text(words)
    expect(phone.page.locator("#refusal")).to_contain_text(words)
    assert '"kankei":3' in phone.page.input_value("#queue-text")
    phone.expect_unsent(1)


def send_again(phone: Phone, status: int) -> None:
    """Reload, which sends the round again; then let the server answer, and send it by a tap.

    After some refusals the phone retries by itself, maybe before a tap.
    """
    with phone.page.expect_response(lambda answer: answer.status == status):
        phone.play()
    phone.expect_tries(2)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    phone.expect_unsent(1)  # nothing is dropped
    phone.page.unroute("**/api/sittings/*/rounds/*")
    if status in RETRIED:
        phone.page.evaluate("makiyaku.phone.retry()")
    else:
        phone.open_queue()
        phone.page.locator("[data-do=retry]").click()


def test_three_rounds_are_stored_by_an_unreliable_server(phone: Phone) -> None:
    """Round 1 is answered 500, so the next ones are refused at first as out of order."""
    answers: list[dict[str, Any]] = [{"status": 500, "body": "<h1>"}, {}, {}, PORTAL, {}]

    def fail(route: Route) -> None:
        answer = answers.pop(0) if answers else {}
        route.fulfill(**answer) if answer else route.continue_()

    phone.context.set_offline(True)
    for count in (5, 6, 7):
        record_round(phone, count)
    phone.page.route("**/api/sittings/*/rounds/*", fail)
    phone.context.set_offline(False)
    phone.expect_unsent(0)
    assert stored() == [(1, 1, 5), (2, 1, 6), (3, 1, 7)]


def first_dealer(phone: Phone) -> str:
    return cast.keys(phone.sitting)[-1]


def test_refused_round_can_be_corrected(phone: Phone) -> None:
    def refuse(route: Route) -> None:
        route.fulfill(status=422, json=refusal("まちがいです"))

    phone.page.route("**/api/sittings/*/rounds/*", refuse)
    record_round(phone, 3)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    phone.page.unroute("**/api/sittings/*/rounds/*")
    phone.open_queue()
    phone.page.locator("#queue-items [data-do=edit]").click()
    expect(phone.page.locator("#id_deal_1_kankei")).to_have_value("3")
    phone.count(1, 4, 8)
    phone.save()
    wait_for_versions(1)
    phone.expect_unsent(0)
    assert stored() == [(1, 1, 4)]


def test_dropping_a_round_needs_confirmation(phone: Phone) -> None:
    answer = {"status": 422, "json": refusal("まちがいです")}
    phone.page.route("**/api/sittings/*/rounds/*", lambda route: route.fulfill(**answer))
    record_round(phone, 3)
    expect(phone.page.locator("#queue.is-marked")).to_have_count(1)
    phone.open_queue()
    phone.page.locator("#queue-items [data-do=discard]").click()
    phone.page.locator("#discard-dialog [data-answer=no]").click()
    phone.expect_unsent(1)
    phone.page.locator("#queue-items [data-do=discard]").click()
    phone.page.locator("#discard-dialog [data-answer=yes]").click()
    phone.expect_unsent(0)
