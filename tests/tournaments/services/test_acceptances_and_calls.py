"""Acceptances, calls and disputes from a table's phones."""

from __future__ import annotations

from functools import partial

import pytest

from tests import api, cast
from tests.cast import audit_kinds
from tests.races import run_before
from tournaments import audit, verification
from tournaments.models import Acceptance, AuditEntry, Call, Disagreement, Sitting, Tournament
from tournaments.queries import round_validation
from tournaments.services import acceptances, calls, phones, rounds, table_links
from tournaments.services.acceptances import NothingToAccept, SecondPhoneNeeded, accept_round
from tournaments.services.calls import MOST_WAITING, answer_call, call_desk
from tournaments.services.disputes import open_dispute
from tournaments.services.phones import NotTheWriter


def accepting(sitting: Sitting, how: str) -> Sitting:
    Tournament.objects.filter(pk=sitting.session.tournament_id).update(accepting=how)
    return Sitting.objects.select_related("session__tournament").get(pk=sitting.pk)


@pytest.mark.parametrize("how", ["same", "second"])
def test_only_the_chosen_phone_may_accept(sitting: Sitting, how: str) -> None:
    sitting = accepting(sitting, how)
    writer, second = (phones.join(sitting.token).phone for _ in range(2))
    row = cast.record(sitting)
    right, wrong = (writer, second) if how == "same" else (second, writer)
    with pytest.raises((NotTheWriter, SecondPhoneNeeded)):
        accept_round(sitting, 1, 1, by=phones.actor_of(wrong), phone=wrong)
    for _ in range(2):  # accepting twice is accepting once
        accept_round(sitting, 1, 1, by=phones.actor_of(right), phone=right)
    assert Acceptance.objects.get().round == row
    assert audit_kinds(sitting)[-1] == AuditEntry.Kind.ROUND_ACCEPTED


def test_nothing_to_accept_in_an_event_without_acceptance(sitting: Sitting) -> None:
    phone = phones.join(sitting.token).phone
    cast.record(sitting)
    with pytest.raises(NothingToAccept):
        accept_round(sitting, 1, 1, by=phones.actor_of(phone), phone=phone)
    with pytest.raises(NothingToAccept):  # nor is there for the staff
        accept_round(sitting, 1, 1, by=cast.SOMEBODY)


@pytest.mark.parametrize("path", ["calls", "rounds/1/accept"])
def test_phone_ended_during_its_request_is_refused(
    sitting: Sitting, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepting(sitting, "same")
    program = api.phone(sitting)
    cast.record(sitting)
    what = "call_desk" if path == "calls" else "accept_round"
    revoke = partial(table_links.make_link, sitting, by=cast.SOMEBODY)
    run_before(monkeypatch, calls if what == "call_desk" else acceptances, what, revoke)
    body = {} if what == "call_desk" else {"version": 1}
    answer = program.post(f"/api/sittings/{sitting.pk}/{path}", body)
    assert api.code(answer) == (401, "phone_ended")
    assert not Call.objects.exists()
    assert not Acceptance.objects.exists()


@pytest.mark.parametrize(("number", "version"), [(0, 1), (2, 1), (1, 2), (1, 0), (10**30, 1)])
def test_only_the_version_in_force_can_be_accepted(
    sitting: Sitting, number: int, version: int
) -> None:
    sitting = accepting(sitting, "same")
    phone = phones.join(sitting.token).phone
    cast.record(sitting)
    with pytest.raises(NothingToAccept):
        accept_round(sitting, number, version, by=phones.actor_of(phone), phone=phone)


def test_unfinished_round_cannot_be_accepted(sitting: Sitting) -> None:
    sitting = accepting(sitting, "same")
    phone = phones.join(sitting.token).phone
    facts = cast.plain_round(sitting) | {"deals": [{"kankei": 9, "mukankei": 4}]}
    cast.record(sitting, facts)
    with pytest.raises(NothingToAccept):
        accept_round(sitting, 1, 1, by=phones.actor_of(phone), phone=phone)


def test_only_the_desk_corrects_an_accepted_round(sitting: Sitting) -> None:
    sitting = accepting(sitting, "same")
    phone = phones.join(sitting.token).phone
    cast.record(sitting)
    accept_round(sitting, 1, 1, by=phones.actor_of(phone), phone=phone)
    facts = cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}
    with pytest.raises(rounds.NeedsDesk):
        cast.record(sitting, facts, seen=1, by=phones.actor_of(phone), reason="?")
    keeper = cast.make_staff(sitting.session.tournament, "keeper")
    row = cast.record(sitting, facts, seen=1, by=audit.Actor(keeper, "keeper"), reason="数え違い")
    assert row.version == 2
    assert not round_validation.is_accepted(row)


def test_repeated_call_is_stored_once_until_answered(sitting: Sitting) -> None:
    by = phones.actor_of(phones.join(sitting.token).phone)
    calls = [call_desk(sitting, "director", "裁定", by=by) for _ in range(3)]
    assert calls == [Call.objects.get()] * 3
    answer_call(calls[0], by=cast.SOMEBODY)
    call_desk(sitting, "director", "裁定", by=by)
    assert Call.objects.count() == 2
    assert audit_kinds(sitting)[-3:] == ["desk_called", "call_answered", "desk_called"]


def test_table_takes_back_its_own_call_only(sitting: Sitting) -> None:
    program, other = api.phone(sitting), api.phone(cast.make_sitting())
    calls = f"/api/sittings/{sitting.pk}/calls"
    made = api.json_of(program.post(calls, {"words": "裁定"}))["id"]
    assert other.ask("DELETE", f"{calls}/{made}").status_code == 404
    assert program.ask("DELETE", f"{calls}/{made + 1}").status_code == 404
    for _ in range(2):  # taking back twice is taking back once
        answer = program.ask("DELETE", f"{calls}/{made}")
        assert api.json_of(answer) == {"id": made, "open": False}
    assert program.get(f"/api/sittings/{sitting.pk}")["calls"] == []
    assert audit_kinds(sitting)[-2:] == ["desk_called", "call_taken_back"]
    assert verification.verify(sitting.session.tournament) == []


def test_open_calls_of_a_table_are_limited(sitting: Sitting) -> None:
    program, calls = api.phone(sitting), f"/api/sittings/{sitting.pk}/calls"

    def call(words: str) -> int:
        return program.post(calls, {"words": words}).status_code

    answers = [call(str(number)) for number in range(2 * MOST_WAITING)]
    assert answers == [201] * MOST_WAITING + [409] * MOST_WAITING
    assert audit_kinds(sitting).count("desk_called") == MOST_WAITING
    assert api.code(program.post(calls, {"words": "more"})) == (409, "calls_waiting")
    assert call("0") == 201  # the same call is open already
    answer_call(Call.objects.all()[0], by=cast.SOMEBODY)
    assert call("more") == 201


def test_same_dispute_is_stored_once(sitting: Sitting) -> None:
    phone = phones.join(sitting.token).phone
    row = cast.record(sitting)
    other = cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}
    for _ in range(2):
        open_dispute(sitting, 1, other, row, by=phones.actor_of(phone), phone=phone)
    assert Disagreement.objects.get().facts == other
    assert audit_kinds(sitting)[-1] == AuditEntry.Kind.ROUND_DISPUTED


def test_audit_trail_of_joins_calls_and_links_verifies(sitting: Sitting) -> None:
    phone = phones.join(sitting.token).phone
    table_links.make_pin(sitting, by=cast.SOMEBODY)
    call_desk(sitting, "director", "", by=phones.actor_of(phone))
    table_links.make_link(sitting, by=cast.SOMEBODY)
    assert verification.verify(sitting.session.tournament) == []
