"""A club table's code lets another phone go on; whoever guesses at codes waits."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

import scoring
from tests import cast, clocks, events
from tests.api import Program, code, phone, told
from tournaments import archives, verification
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Guesses, Sitting, Tournament
from tournaments.models.seating import CODE_LETTERS
from tournaments.services import (
    guesses,
    table_codes,
    table_links,
    tournaments,
)
from tournaments.services.guesses import Guesser
from tournaments.services.table_codes import CodeEnded, WrongCode

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Sitting:
    """A club's one table, at which nothing has been played yet."""
    return start()


def start() -> Sitting:
    rules = scoring.choose(scoring.get_rule_set("yoninkan"))
    tonight = Tournament(name="今夜の一卓")
    return tournaments.start_table(tonight, rules, cast.NAMES[:4], by=cast.AT_THE_TABLE)


def with_wrong_end(right: str) -> str:
    """A code of the same first half, which is no table's."""
    return f"{right[:-1]}{next(each for each in CODE_LETTERS if each != right[-1])}"


def with_wrong_beginning(right: str) -> str:
    return f"{next(each for each in CODE_LETTERS if each != right[0])}{right[1:]}"


def type_code(client: Client, typed: str) -> int:
    return int(client.post(reverse("join"), {"code": typed}).status_code)


def test_every_club_table_has_its_own_code_of_eight_plain_letters() -> None:
    tables = [start() for _ in range(9)]
    assert len({each.code for each in tables}) == 9
    assert all(len(each.code) == 8 and {*each.code} <= {*CODE_LETTERS} for each in tables)
    assert not {*"01ILO"} & {*CODE_LETTERS}


def test_a_link_is_not_shorter_for_its_code(table: Sitting) -> None:
    assert len(table.token) == len(table.code) + 1 + 22  # 6 bits a letter


def test_a_table_of_a_tournament_has_no_code(sitting: Sitting) -> None:
    assert sitting.code == ""


def wide(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) for each in text)


def test_a_code_is_taken_however_it_is_typed(table: Sitting) -> None:
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


def test_a_second_phone_is_asked_whether_it_takes_over(table: Sitting) -> None:
    table_codes.join(table.code)
    client = Client()
    answer = client.post(reverse("join"), {"code": table.code}, follow=True)
    assert answer.redirect_chain == [(f"{table.get_absolute_url()}take-over/", 302)]
    client.post(f"{table.get_absolute_url()}take-over/")
    assert client.get(f"{table.get_absolute_url()}play/").status_code == 200
    assert [each.is_writer for each in table.phones.order_by("pk")] == [False, True]


def test_the_code_is_shown_at_the_start_and_on_the_phone_and_to_nobody_else() -> None:
    client = cast.in_english(Client())
    page = client.post(reverse("start-table", args=["yoninkan"]), {}, follow=True).text
    table = Sitting.objects.get()
    shown = table_codes.grouped(table.code)
    address = "http://testserver/join/"
    assert page.index("comes next") < page.index("Table code") < page.index(shown)
    assert page.index(shown) < page.index("Ledger</h2>")
    assert address in page
    play = f"{table.get_absolute_url()}play/"
    assert shown in (page := client.get(play).text)
    assert address in page
    cast.record(table)
    page = client.get(table.get_absolute_url()).text
    assert page.index("comes next") < page.index(shown)
    assert shown not in client.get(reverse("join")).text
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    page = Client().get(table.get_absolute_url()).text
    assert shown not in page
    assert table.code not in page


def test_wrong_codes_close_a_table_to_guesses_for_a_while(
    client: Client, table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks.stop(monkeypatch)
    other = start()
    wrong = with_wrong_end(table.code)
    assert [type_code(client, wrong) for _ in range(6)] == [422] * 5 + [429]
    refused = client.post(reverse("join"), {"code": table.code})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "30")
    assert code(Program().post("/api/join", {"code": table.code})) == (429, "throttled")
    assert type_code(Client(), other.code) == 302


def test_wrong_codes_at_a_venue_keep_only_their_phone_waiting(table: Sitting) -> None:
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


def test_an_unknown_code_is_answered_as_one_that_is_wrong_in_its_end(
    table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in what it asks of the database, and in when it has to wait."""
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
def test_what_cannot_be_a_code_is_told_so_and_is_no_guess(client: Client, typed: str) -> None:
    for _ in range(guesses.LIMIT + 1):
        assert type_code(client, typed) == 422
        assert code(Program().post("/api/join", {"code": typed})) == (403, "wrong_code")
    assert not Guesses.objects.exists()


def test_a_wrong_code_stays_typed_and_is_told_of_where_it_is_typed(client: Client) -> None:
    answer = cast.in_english(client).post(reverse("join"), {"code": "abcd 2345"})
    form = answer.context["code_form"]
    assert form["code"].value() == "abcd 2345"
    assert answer.text.count("This code is wrong.") == 1
    assert "autofocus" in str(form["code"])
    assert answer.text.count("autofocus") == 1
    assert not answer.context["form"].errors


def let_the_evening_end(table: Sitting, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match how:
        case "closed":
            table_links.revoke_link(table, by=cast.SOMEBODY)
        case "removed":
            tournaments.remove_tournament(table.session.tournament, by=cast.SOMEBODY)
        case "a week ago":
            clocks.stop(monkeypatch, timezone.now() + timedelta(days=9))


@pytest.mark.parametrize("how", ["closed", "removed", "a week ago"])
def test_the_code_of_an_evening_that_is_over_says_so(
    client: Client, table: Sitting, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_the_evening_end(table, how, monkeypatch)
    answer = cast.in_english(client).post(reverse("join"), {"code": table.code})
    assert answer.status_code == 422
    assert "The evening at this table is over." in answer.text
    assert code(Program().post("/api/join", {"code": table.code})) == (403, "code_ended")
    assert not table.phones.exists()
    with pytest.raises(CodeEnded):
        table_codes.join(table.code)
    assert Guesses.objects.get().count == 3  # as wrong ones are


def test_a_code_lasts_while_its_table_is_played(
    table: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    clocks.stop(monkeypatch, now + timedelta(days=6))
    cast.record(table)
    clocks.stop(monkeypatch, now + timedelta(days=12))
    assert table_codes.join(table.code).phone.sitting == table


def test_a_new_link_has_a_new_code_and_the_old_one_opens_nothing(table: Sitting) -> None:
    table_links.make_link(table, by=cast.SOMEBODY)
    again = Sitting.objects.get()
    assert again.code not in {"", table.code}
    with pytest.raises(WrongCode):
        table_codes.join(table.code)
    assert table_codes.join(again.code).phone.sitting == table


def test_a_code_is_covered_by_what_the_acts_tell_of_the_link(table: Sitting) -> None:
    assert not verification.verify(table.session.tournament)
    changed = with_wrong_end(table.code) + table.token[len(table.code) :]
    Sitting.objects.update(token=changed)
    assert verification.verify(table.session.tournament)


def test_a_table_from_an_archive_has_another_code(table: Sitting) -> None:
    user = cast.make_creator("owner")
    cast.record(table)
    content = archives.archived(table.session.tournament, private=True)
    old = table.code
    events.forget(table.session.tournament)  # as in another database
    again = archives.bring_in(content, by=Actor.of(user))
    made = Sitting.objects.get(session__tournament=again)
    assert made.code not in {"", old}
    with pytest.raises(WrongCode):
        table_codes.join(old)


def test_a_table_of_an_earlier_version_goes_on_without_a_code(table: Sitting) -> None:
    Sitting.objects.update(token="a-link-of-22-charac-_1")
    old = Sitting.objects.get()
    page = phone(old).ask("GET", f"/api/sittings/{old.pk}")
    assert (old.code, page.status_code) == ("", 200)


def test_a_program_joins_by_a_code(table: Sitting) -> None:
    answer = Program().post("/api/join", {"code": table_codes.grouped(table.code).lower()})
    assert answer.status_code == 201
    assert told(answer) | {"token": ""} == {"token": "", "sitting": table.pk, "is_writer": True}
    assert AuditEntry.objects.filter(kind=AuditEntry.Kind.PHONE_JOINED).count() == 1
