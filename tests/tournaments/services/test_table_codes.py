"""Codes of club tables: joining with one, and throttling of wrong ones."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests import cast, clocks, events
from tests.api import Program, code, json_of, phone
from tournaments import archives, verification
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Guesses, Sitting
from tournaments.models.seating import CODE_LETTERS
from tournaments.services import (
    guesses,
    phones,
    table_codes,
    table_links,
    tournaments,
)
from tournaments.services.guesses import Guesser
from tournaments.services.table_codes import CodeEnded, WrongCode

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Sitting:
    """A club table without rounds."""
    return cast.start_club_table()


def with_wrong_end(right: str) -> str:
    """Return an unknown code with the same first half."""
    return f"{right[:-1]}{next(each for each in CODE_LETTERS if each != right[-1])}"


def with_wrong_beginning(right: str) -> str:
    return f"{next(each for each in CODE_LETTERS if each != right[0])}{right[1:]}"


def type_code(client: Client, typed: str) -> int:
    return int(client.post(reverse("join"), {"code": typed}).status_code)


def test_every_club_table_has_its_own_code_of_eight_plain_letters() -> None:
    tables = [cast.start_club_table() for _ in range(9)]
    assert len({each.code for each in tables}) == 9
    assert all(len(each.code) == 8 and {*each.code} <= {*CODE_LETTERS} for each in tables)
    assert not {*"01ILO"} & {*CODE_LETTERS}


def test_code_does_not_shorten_the_random_part_of_the_link(table: Sitting) -> None:
    assert len(table.token) == len(table.code) + 1 + 22  # 6 bits a letter


def test_a_table_of_a_tournament_has_no_code(sitting: Sitting) -> None:
    assert sitting.code == ""


def wide(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) for each in text)


def test_code_is_accepted_in_any_case_width_and_grouping(table: Sitting) -> None:
    first, second = table.code[:4], table.code[4:]
    typed = [
        table.code,
        table.code.lower(),
        f" {first} {second} ",
        f"{first}-{second}",
        f"{first}ー{second}",
        f"{first}\u3000{second}",
        wide(table.code),
        wide(table.code.lower()),
    ]
    for each in typed:
        assert table_codes.join(each).phone.sitting == table


def test_wrong_codes_throttle_one_table_only(
    client: Client, table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks.stop(monkeypatch)
    other = cast.start_club_table()
    wrong = with_wrong_end(table.code)
    assert [type_code(client, wrong) for _ in range(6)] == [422] * 5 + [429]
    refused = client.post(reverse("join"), {"code": table.code})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "30")
    assert code(Program().post("/api/join", {"code": table.code})) == (429, "throttled")
    assert type_code(Client(), other.code) == 302


def test_wrong_codes_at_a_venue_throttle_the_guessing_phone_only(table: Sitting) -> None:
    attacker, player = (Guesser(address=f"192.168.1.{each}") for each in (66, 2))
    for _ in range(guesses.LIMIT):
        with pytest.raises(WrongCode):
            table_codes.join(with_wrong_end(table.code), guesser=attacker)
    with pytest.raises(guesses.TooManyGuesses):
        table_codes.join(table.code, guesser=attacker)
    assert table_codes.join(table.code, guesser=player).phone.sitting == table


def test_wrong_codes_at_many_tables_are_throttled_per_peer() -> None:
    attacker = Guesser(address="192.168.1.66")
    for each in range(guesses.LIMIT_OF_AN_ADDRESS):
        with pytest.raises(WrongCode):
            table_codes.join(f"{CODE_LETTERS[each]}AAAAAAA", guesser=attacker)
    with pytest.raises(guesses.TooManyGuesses):
        table_codes.join("ZZZZZZZZ", guesser=attacker)


def test_unknown_code_is_answered_like_one_with_a_wrong_end(
    table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many queries and the same delay."""
    clocks.stop(monkeypatch)
    answers = []
    for typed in (with_wrong_end(table.code), with_wrong_beginning(table.code)):
        Guesses.objects.all().delete()
        seen = []
        for _ in range(8):
            with CaptureQueriesContext(connection) as asked:
                answer = Program().post("/api/join", {"code": typed})
            seen.append((answer.status_code, answer.content, answer.get("Retry-After"), len(asked)))
        answers.append(seen)
    assert answers[0] == answers[1]
    assert {status for status, *_ in answers[0]} == {403, 429}


@pytest.mark.parametrize("typed", ["ABC", "ABCD234", "ABCD23456", "ABCD234O", "？"])
def test_malformed_code_is_refused_and_not_counted(client: Client, typed: str) -> None:
    for _ in range(guesses.LIMIT + 1):
        assert type_code(client, typed) == 422
        assert code(Program().post("/api/join", {"code": typed})) == (403, "wrong_code")
    assert not Guesses.objects.exists()


def end_evening(table: Sitting, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match how:
        case "closed":
            table_links.revoke_link(table, by=cast.SOMEBODY)
        case "removed":
            tournaments.remove_tournament(table.session.tournament, by=cast.SOMEBODY)
        case "a week ago":
            clocks.stop(monkeypatch, timezone.now() + timedelta(days=9))


@pytest.mark.parametrize("how", ["closed", "removed", "a week ago"])
def test_code_of_an_ended_evening_is_refused_with_a_reason(
    client: Client, table: Sitting, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    end_evening(table, how, monkeypatch)
    answer = cast.in_english(client).post(reverse("join"), {"code": table.code})
    assert answer.status_code == 422
    assert "This table is closed:" in answer.text
    assert code(Program().post("/api/join", {"code": table.code})) == (403, "code_ended")
    assert not table.phones.exists()
    with pytest.raises(CodeEnded):
        table_codes.join(table.code)
    assert Guesses.objects.get().count == 3  # counted like wrong codes


def test_code_is_valid_for_a_week_after_the_last_round(
    table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    clocks.stop(monkeypatch, now + timedelta(days=6))
    cast.record(table)
    clocks.stop(monkeypatch, now + timedelta(days=12))
    assert table_codes.join(table.code).phone.sitting == table


def test_new_link_replaces_the_code(table: Sitting) -> None:
    table_links.make_link(table, by=cast.SOMEBODY)
    again = Sitting.objects.get()
    assert again.code not in {"", table.code}
    with pytest.raises(WrongCode):
        table_codes.join(table.code)
    assert table_codes.join(again.code).phone.sitting == table


def test_audit_trail_detects_a_changed_code(table: Sitting) -> None:
    assert not verification.verify(table.session.tournament)
    changed = with_wrong_end(table.code) + table.token[len(table.code) :]
    Sitting.objects.update(token=changed)
    assert verification.verify(table.session.tournament)


def test_imported_table_has_a_new_code(table: Sitting) -> None:
    user = cast.make_creator("owner")
    cast.record(table)
    content = archives.export_archive(table.session.tournament, with_private=True)
    old = table.code
    events.forget(table.session.tournament)  # as in another database
    again = archives.import_archive(content, by=Actor.of(user))
    made = Sitting.objects.get(session__tournament=again)
    assert made.code not in {"", old}
    with pytest.raises(WrongCode):
        table_codes.join(old)


def test_table_of_an_earlier_version_works_without_a_code(table: Sitting) -> None:
    Sitting.objects.update(token="a-link-of-22-charac-_1")
    old = Sitting.objects.get()
    page = phone(old).ask("GET", f"/api/sittings/{old.pk}")
    assert (old.code, page.status_code) == ("", 200)


def test_join_by_code_over_the_api(table: Sitting) -> None:
    answer = Program().post("/api/join", {"code": table_codes.format_code(table.code).lower()})
    assert answer.status_code == 201
    assert json_of(answer) | {"token": ""} == {"token": "", "sitting": table.pk, "is_writer": True}
    assert AuditEntry.objects.filter(kind=AuditEntry.Kind.PHONE_JOINED).count() == 1


def test_link_renewed_while_a_phone_joins_by_code_is_told(
    table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def admit(_sitting: Sitting) -> None:
        raise phones.NoSuchLink

    monkeypatch.setattr(phones, "admit_phone", admit)
    with pytest.raises(CodeEnded):
        table_codes.join(table.code)
