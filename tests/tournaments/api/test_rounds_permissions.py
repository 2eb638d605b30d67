"""Who may put down a round over HTTP, and put it right: the desk, the table, and its pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import Program, code, json_of, phone
from tests.tournaments.api.rounds import LOST, WON, address, played
from tournaments.audit.locks import lock_tournament
from tournaments.models import AuditEntry, Round, Sitting, Tournament
from tournaments.services import idempotency, table_links
from tournaments.services.publications import show_live


def test_desk_corrects_with_a_reason(sitting: Sitting, keeper: Program) -> None:
    phone(sitting).put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    body: dict[str, Any] = {"facts": played(sitting, LOST | {"kankei": 4}), "seen": 1}
    assert code(keeper.put(address(sitting), body)) == (422, "reason_missing")
    answer = keeper.put(address(sitting), body | {"reason": "用紙と照合"})
    assert (json_of(answer)["version"], json_of(answer)["reason"]) == (2, "用紙と照合")


@pytest.mark.parametrize("accepting", Tournament.Accepting.values)
def test_table_corrects_its_last_round_until_the_next_is_recorded(
    sitting: Sitting, accepting: str
) -> None:
    Tournament.objects.update(accepting=accepting)
    table = phone(sitting)
    table.put(address(sitting), {"facts": played(sitting, LOST), "seen": 0})
    body: dict[str, Any] = {"facts": played(sitting, LOST | {"kankei": 4}), "seen": 1}
    assert code(table.put(address(sitting), body)) == (422, "reason_missing")
    assert json_of(table.put(address(sitting), body | {"reason": "数え違い"}))["version"] == 2
    act = sitting.session.tournament.audit_entries.get(kind=AuditEntry.Kind.ROUND_CORRECTED)
    assert act.reason == "数え違い"
    table.put(address(sitting, 2), {"facts": played(sitting, LOST), "seen": 0})
    body = {"facts": played(sitting, LOST), "seen": 2, "reason": "?"}
    assert code(table.put(address(sitting), body)) == (403, "not_yours")


def test_table_does_not_correct_what_the_desk_recorded(sitting: Sitting) -> None:
    cast.record(sitting)
    body = {"facts": played(sitting, LOST), "seen": 1, "reason": "?"}
    assert code(phone(sitting).put(address(sitting), body)) == (403, "not_yours")


def test_table_corrects_until_the_other_side_has_accepted(sitting: Sitting) -> None:
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


def test_phone_cannot_write_after_another_took_over(sitting: Sitting) -> None:
    first, second = phone(sitting), phone(sitting)
    body = {"facts": played(sitting, WON), "seen": 0}
    assert code(second.put(address(sitting), body)) == (403, "taken_over")
    assert json_of(second.post(f"/api/sittings/{sitting.pk}/take-over"))["is_writer"] is True
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


def test_phone_of_a_revoked_link_is_refused(sitting: Sitting) -> None:
    table = phone(sitting)
    table_links.revoke_link(sitting, by=cast.SOMEBODY)
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    assert code(table.put(address(sitting), body)) == (401, "phone_ended")


@pytest.mark.parametrize("is_phone", [False, True], ids=["staff", "phone"])
def test_rights_are_checked_again_under_the_lock(
    sitting: Sitting, scorekeeper: Client, monkeypatch: pytest.MonkeyPatch, *, is_phone: bool
) -> None:
    """A writer may lose the right to write while waiting for the lock."""
    browser, lock = (browser_at(sitting) if is_phone else scorekeeper), lock_tournament

    def lock_later(tournament: Tournament) -> Tournament:
        for membership in sitting.session.tournament.memberships.all():
            membership.delete()
        table_links.revoke_link(sitting, by=cast.SOMEBODY)
        return lock(tournament)

    monkeypatch.setattr(idempotency, "lock_tournament", lock_later)
    body = {"facts": played(sitting, LOST), "seen": 0}
    headers = {"Idempotency-Key": "key"}
    answer = browser.put(address(sitting), body, "application/json", headers=headers)
    refused = (answer.status_code, answer.json()["code"])
    assert refused == ((401, "phone_ended") if is_phone else (404, "not_found"))
    assert not Round.objects.exists()


def browser_at(sitting: Sitting) -> Client:
    """Return a phone's browser that has opened the table's page."""
    browser = Client()
    browser.get(reverse("join-table", args=[sitting.token]), follow=True)
    return browser


def test_request_with_cookies_needs_a_csrf_token(sitting: Sitting) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get(reverse("join-table", args=[sitting.token]))
    asking = Program(client=browser)
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    assert code(asking.put(address(sitting), body)) == (403, "csrf")
    page = browser.get(f"{sitting.get_absolute_url()}rounds/1/")
    token = str(page.context["csrf_token"])
    assert asking.put(address(sitting), body, X_CSRFToken=token).status_code == 201


@pytest.mark.parametrize("shown", ["", " ", "Basic eDp4", " Bearer x", "Bearer"])
def test_invalid_authorization_header_does_not_bypass_csrf(sitting: Sitting, shown: str) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.get(reverse("join-table", args=[sitting.token]))
    body = {"facts": cast.plain_round(sitting), "seen": 0}
    answer = Program(client=browser).put(address(sitting), body, Authorization=shown)
    assert code(answer) == ((401, "token_unknown") if shown.strip() else (403, "csrf"))


def test_token_overrides_cookies(sitting: Sitting, keeper: Program) -> None:
    keeper.client = cast.browser_of(cast.make_user("stranger"))
    assert keeper.get(f"/api/sittings/{sitting.pk}")["you"]["role"] == "scorekeeper"
    keeper.token = "guessed"
    assert keeper.ask("GET", f"/api/sittings/{sitting.pk}").status_code == 401


def test_only_table_and_desk_see_calls_and_disputes(sitting: Sitting) -> None:
    cast.make_call(sitting, "急病")
    cast.record(sitting)
    cast.make_disagreement(sitting, {"deals": []})
    show_live(sitting.session.tournament, by=cast.SOMEBODY)
    shown = [who.get(f"/api/sittings/{sitting.pk}") for who in (phone(sitting), Program())]
    found = [(len(each["calls"]), len(each["disagreements"])) for each in shown]
    assert found == [(1, 1), (0, 0)]
