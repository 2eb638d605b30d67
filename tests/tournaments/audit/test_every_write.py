"""Whichever statement of whichever write fails, the database is as before: no half of anything.

The lists of writes are made from the modules and from the roles: one of which there is no example
here fails a test.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection
from django.db.transaction import Atomic
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

import tournaments
from tests import cast, events
from tests.api import Program, code, phone, staff
from tests.cast import SOMEBODY
from tests.failing import each_statement_failing
from tests.private import PRIVATE
from tournaments.access import tokens
from tournaments.access.roles import MAY, addresses
from tournaments.api.examples import REQUESTS, ROUND, SITTING, TOURNAMENT, TOURNAMENTS
from tournaments.audit import Actor
from tournaments.desk import exchanges
from tournaments.desk import writes as desk
from tournaments.desk.typed_sheets import Line
from tournaments.facts import closing, registration
from tournaments.models import Membership, Sitting, Tournament
from tournaments.phones import cards as table_cards
from tournaments.phones import joining, links, saying
from tournaments.results import publications
from tournaments.sending import receipts

Act = Callable[[], object]
NO_WRITES_OF_THEIR_OWN = {
    "audit.chain.append",  # is called within the transaction of what it tells of
    "facts.closing.check_table_may_write",  # looks
    "facts.recording.record_on",  # likewise within another's: `record_round`, `record_lines`
}
NOT_LOOKED_AT = {
    *("wsgi", "gunicorn"),  # importing these is starting to serve
    *("api", "forms", "management", "views"),  # write nothing of their own: `test_arrows`
    *("archives", "backups", "demo"),  # write events and databases as a whole, and are tested so
    "migrations",
}

EXAMPLES: dict[str, Callable[[Sitting], Act]] = {}


def example(*writes: str) -> Callable[[Callable[[Sitting], Act]], Callable[[Sitting], Act]]:
    """Register what prepares these writes, and returns what does them."""

    def register(prepare: Callable[[Sitting], Act]) -> Callable[[Sitting], Act]:
        EXAMPLES.update(dict.fromkeys(writes, prepare))
        return prepare

    return register


def writes() -> Iterator[str]:
    """Return every function that is told who does it, or that is one transaction."""
    top = Path(tournaments.__file__).parent
    for path in sorted(top.rglob("*.py")):
        place = ".".join(path.relative_to(top).with_suffix("").parts)
        if place.split(".")[0] in NOT_LOOKED_AT or path.stem == "__init__":
            continue
        module = import_module(f"tournaments.{place}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            is_ours = function.__module__ == module.__name__ and not name.startswith("_")
            closed_over = [cell.cell_contents for cell in function.__closure__ or ()]
            is_atomic = any(isinstance(each, Atomic) for each in closed_over)
            if is_ours and (is_atomic or "by" in inspect.signature(function).parameters):
                yield f"{place}.{name}"


def other_facts(sitting: Sitting) -> dict[str, Any]:
    return cast.plain_round(sitting) | {"deals": [{"kankei": 4, "mukankei": 9}]}


@example("facts.recording.record_round")
def first_round(sitting: Sitting) -> Act:
    return lambda: cast.record(sitting)


@example("facts.recording.record_round: correction")
def correction(sitting: Sitting) -> Act:
    cast.record(sitting)
    return lambda: cast.record(sitting, other_facts(sitting), seen=1, reason="数えちがい")


@example("sending.receipts.once")
def under_a_key(sitting: Sitting) -> Act:
    def act() -> receipts.Answer:
        return receipts.Answer(201, {"version": cast.record(sitting).version})

    return lambda: receipts.once(sitting.session.tournament, "key", {}, act)


@example("facts.registration.add_entries")
def entries(sitting: Sitting) -> Act:
    return lambda: cast.make_entries(sitting.session.tournament, 3)


@example("facts.registration.remove_entry")
def leaver(sitting: Sitting) -> Act:
    pk = cast.make_entries(sitting.session.tournament, 1)[0].pk
    found = sitting.session.tournament.entries
    return lambda: registration.remove_entry(found.get(pk=pk), by=SOMEBODY)


@example("facts.registration.correct_entry")
def misspelt(sitting: Sitting) -> Act:
    (entry,) = cast.make_entries(sitting.session.tournament, 1)
    person = {"name": "髙﨑", "club": "", "division": ""}
    return lambda: registration.correct_entry(entry, person, seen=0, by=SOMEBODY)


@example("facts.registration.correct_entry: private")
def moved_house(sitting: Sitting) -> Act:
    (entry,) = cast.make_entries(sitting.session.tournament, 1, **PRIVATE)
    person = {"contact": "017-000-0000", "birth_year": None, "notes": ""}
    return lambda: registration.correct_entry(entry, person, seen=0, by=SOMEBODY)


@example("facts.registration.open_session")
def session(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    tables = [list(tournament.entries.all())]
    return lambda: registration.open_session(tournament, tables, by=SOMEBODY)


@example("facts.registration.start_table")
def one_table(sitting: Sitting) -> Act:
    rules = sitting.session.tournament.rules
    return lambda: registration.start_table(
        Tournament(name="今夜の一卓"), rules, "一二三四五六", by=SOMEBODY
    )


@example("facts.registration.prolong")
def playing_on(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    seen = tournament.rounds_per_session or 0
    return lambda: registration.prolong(tournament, 6, seen=seen, by=SOMEBODY)


@example("facts.registration.create_tournament")
def new_tournament(sitting: Sitting) -> Act:
    by, rules = Actor(cast.make_user("founder"), "founder"), sitting.session.tournament.rules
    return lambda: registration.create_tournament(Tournament(name="秋の大会"), rules, by=by)


@example("facts.registration.change_rules")
def house_rules(sitting: Sitting) -> Act:
    pk, wanted = sitting.session.tournament_id, sitting.session.tournament.rules.rule_set
    chosen = wanted.choose({}, {"skunk": 2})
    return lambda: registration.change_rules(
        Tournament.objects.get(pk=pk), chosen, seen=0, by=SOMEBODY
    )


@example("facts.registration.open_account")
def account(sitting: Sitting) -> Act:
    tournament = sitting.session.tournament
    return lambda: registration.open_account(tournament, "kiroku", "x", "director", by=SOMEBODY)


@example("facts.registration.give_role")
def role(sitting: Sitting) -> Act:
    tournament, user = sitting.session.tournament, cast.make_user("kiroku")
    return lambda: registration.give_role(tournament, user, "director", by=SOMEBODY)


@example("facts.registration.take_role")
def role_taken(sitting: Sitting) -> Act:
    for name in ("director", "another"):
        cast.make_staff(sitting.session.tournament, name, "director")
    pk = Membership.objects.earliest("pk").pk
    return lambda: registration.take_role(Membership.objects.get(pk=pk), by=SOMEBODY)


@example("results.publications.publish")
def announced(sitting: Sitting) -> Act:
    cast.record(sitting)
    return lambda: publications.publish(sitting.session.tournament, by=SOMEBODY)


@example("results.publications.show_live")
def shown(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    return lambda: publications.show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("results.publications.withdraw")
def withdrawn(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    publications.show_live(Tournament.objects.get(pk=pk), by=SOMEBODY)
    return lambda: publications.withdraw(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("facts.closing.close")
def over(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    pk = sitting.session.tournament_id
    return lambda: closing.close(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("facts.closing.reopen")
def open_again(sitting: Sitting) -> Act:
    pk = sitting.session.tournament_id
    closing.close(Tournament.objects.get(pk=pk), by=SOMEBODY)
    return lambda: closing.reopen(Tournament.objects.get(pk=pk), by=SOMEBODY)


@example("desk.writes.answer_call")
def answered_call(sitting: Sitting) -> Act:
    call = cast.make_call(sitting)
    return lambda: desk.answer_call(call, by=SOMEBODY)


@example("desk.writes.keep_stored")
def kept(sitting: Sitting) -> Act:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: desk.keep_stored(other, seen=1, by=SOMEBODY)


@example("desk.writes.take_other")
def taken(sitting: Sitting) -> Act:
    cast.record(sitting)
    other = cast.make_disagreement(sitting, other_facts(sitting))
    return lambda: desk.take_other(other, seen=1, by=SOMEBODY, reason="数えちがい")


@example("desk.writes.record_lines")
def paper_sheet(sitting: Sitting) -> Act:
    facts = cast.plain_round(sitting)
    lines = [Line(number, "", facts, None) for number in (1, 2, 3)]
    return lambda: desk.record_lines(sitting, lines, seen=0, by=SOMEBODY)


@example("desk.writes.enter_totals")
def totals(sitting: Sitting) -> Act:
    points = dict.fromkeys(cast.keys(sitting), 0)
    desk.enter_totals(sitting, points, seen=0, by=SOMEBODY)
    right = points | {"1": 7}
    return lambda: desk.enter_totals(sitting, right, seen=1, by=SOMEBODY, reason="写し間違い")


@example("desk.writes.exchange")
def exchanged(sitting: Sitting) -> Act:
    cast.record(sitting)
    one, other = (seat.entry for seat in sitting.seats.all()[:2])
    seen = exchanges.plan(sitting.session, one, other).stamp
    return lambda: desk.exchange(
        sitting.session, one, other, seen=seen, by=SOMEBODY, reason="席の取り違え"
    )


@example("phones.joining.let_in")
def joined(sitting: Sitting) -> Act:
    return lambda: joining.join(sitting.token)


@example("phones.joining.take_over")
def second_phone(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    mine = joining.join(sitting.token).phone
    return lambda: joining.take_over(mine)


@example("access.tokens.make")
def token(sitting: Sitting) -> Act:
    user = cast.make_user("kiroku")
    return lambda: tokens.make(user)


@example("phones.links.revoke")
def closed(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    return lambda: links.revoke(sitting, by=SOMEBODY)


@example("phones.links.make_link")
def new_link(sitting: Sitting) -> Act:
    joining.join(sitting.token)
    return lambda: links.make_link(sitting, by=SOMEBODY)


@example("phones.links.make_pin")
def pin(sitting: Sitting) -> Act:
    return lambda: links.make_pin(sitting, by=SOMEBODY)


@example("phones.cards.issue")
def cards(sitting: Sitting) -> Act:
    joining.join(sitting.token)

    def issue() -> None:
        drawn = table_cards.draw([Sitting.objects.get(pk=sitting.pk)], new_links=True)
        table_cards.issue(sitting.session, drawn, by=SOMEBODY)

    return issue


@example("phones.saying.accept")
def accepted(sitting: Sitting) -> Act:
    cast.record(sitting)
    return lambda: saying.accept(sitting, 1, 1, by=SOMEBODY)


@example("phones.saying.dispute")
def disputed(sitting: Sitting) -> Act:
    row = cast.record(sitting)
    return lambda: saying.dispute(sitting, 1, other_facts(sitting), row, by=SOMEBODY)


@example("phones.saying.call")
def called(sitting: Sitting) -> Act:
    return lambda: saying.call(sitting, "director", "札", by=SOMEBODY)


def test_every_write_has_an_example() -> None:
    named = {name.partition(":")[0] for name in EXAMPLES} | NO_WRITES_OF_THEIR_OWN
    assert set(writes()) | {"sending.receipts.once"} == named


BOTH = pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])


@pytest.mark.django_db(transaction=True)
@BOTH
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_whichever_statement_fails_the_database_is_as_before(name: str, *, for_good: bool) -> None:
    act = EXAMPLES[name](cast.make_sitting())

    def check(answer: Any) -> None:
        assert isinstance(answer, DatabaseError), answer

    assert each_statement_failing(act, check, for_good=for_good) >= 2


# About events that nobody else knows yet, or about none.
TAKES_NO_TURN = {
    *("facts.registration.create_tournament", "facts.registration.start_table"),
    "access.tokens.make",
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - TAKES_NO_TURN))
def test_it_takes_its_turn_before_it_writes_or_locks_anything(name: str) -> None:
    act = EXAMPLES[name](cast.make_sitting())
    with CaptureQueriesContext(connection) as captured:
        act()
    statements = [each["sql"] for each in captured]
    writes = re.compile(r"INSERT|UPDATE|DELETE|SELECT .* FOR UPDATE")
    turn = re.compile(r'SELECT .* FROM "tournaments_tournament" WHERE .* LIMIT 21( FOR UPDATE)?$')
    first = next(i for i, statement in enumerate(statements) if writes.match(statement))
    if connection.features.has_select_for_update:
        assert turn.match(statements[first]), statements[first]
    else:  # nothing is locked there, but it is looked at
        assert any(turn.match(each) for each in statements[:first]), statements[:first]


# Over HTTP: 503, nothing stored, and the same once more succeeds

PEOPLE = "氏名\n成田 キヨ\n".encode()
IMPORT = f"{TOURNAMENT}/entries/import"
ARCHIVE = f"{TOURNAMENTS}/archive"
BARE = {
    ("delete", "/api/token"),
    ("post", IMPORT),
    ("post", ARCHIVE),
    ("post", f"{SITTING}/take-over"),
    ("post", f"{SITTING}/pin"),
    *((method, f"{SITTING}/link") for method in ("post", "delete")),
    *(("post", f"{TOURNAMENT}/{word}") for word in ("close", "reopen")),
}
OPERATIONS = sorted(BARE | REQUESTS.keys())


def test_every_operation_that_writes_is_asked() -> None:
    spelt = {
        name: route.replace("<int:", "{").replace("<slug:", "{").replace(">", "}")
        for name, _pattern, route in addresses()
    }
    found = {
        (method.lower(), spelt[name])
        for name, methods in MAY.items()
        for method in methods
        if name.startswith("api-") and method != "GET"
    }
    assert found == set(OPERATIONS)


class World:
    """A tournament with a table, a phone there that writes, one that does not, and its director."""

    def __init__(self) -> None:
        tournament = cast.make_tournament(accepting="second")
        self.sitting = cast.make_sitting(tournament)
        self.director = staff(cast.make_staff(tournament, "director", "director"))
        self.writer, self.second = phone(self.sitting), phone(self.sitting)
        self.pin = links.make_pin(self.sitting, by=SOMEBODY)

    def request(self, method: str, path: str) -> tuple[Program, str, Any, dict[str, str]]:
        """Return who asks what, so that something is stored."""
        tournament = self.sitting.session.tournament
        who, body, headers = self.director, REQUESTS.get((method, path)), {}
        match method, path:
            case "post", "/api/token":
                body = {"username": "director", "password": "director"}
            case "post", "/api/join":
                body = {"tournament": tournament.slug, "table": 1, "pin": self.pin}
            case "post", _ if path in {f"{ROUND}/accept", f"{SITTING}/take-over"}:
                who = self.second
                cast.record(self.sitting)
            case "put", _ if path == ROUND:
                cast.record(self.sitting)
            case "put", _:
                who = self.writer
            case "post", _ if path == f"{TOURNAMENT}/reopen":
                closing.close(tournament, by=SOMEBODY)
            case "post", _ if path == f"{TOURNAMENT}/sessions":
                body = {"tables": [[1, 2, 3, 4, 5, 6]], "number": 2}
        if method == "put":
            headers = {"Idempotency-Key": "key"}
        places = {"slug": tournament.slug, "sitting": self.sitting.pk, "number": 1, "deal": 1}
        places["entry"] = 1
        return who, path.format(**places), body, headers


def ask(world: World, method: str, path: str) -> Callable[[], HttpResponse]:
    """Return what sends a request: the same one, however often."""
    who, url, body, headers = world.request(method, path)
    if path not in {IMPORT, ARCHIVE}:
        return lambda: who.ask(method.upper(), url, body, **headers)
    headers = {"Authorization": f"Bearer {who.token}"}
    event = events.gone() if path == ARCHIVE else b""

    def upload() -> HttpResponse:
        answer: HttpResponse = who.client.post(  # type: ignore[assignment]
            url,
            {"file": SimpleUploadedFile("選手.csv", PEOPLE if path == IMPORT else event)},
            headers=headers,
        )
        return answer

    return upload


@pytest.mark.django_db(transaction=True)
@BOTH
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_whichever_statement_fails_it_is_answered_and_nothing_stored(
    method: str, path: str, *, for_good: bool
) -> None:
    send = ask(World(), method, path)

    def act() -> HttpResponse:
        answer = send()
        assert answer.status_code in {200, 201, 503}, answer.content
        return answer

    def check(answer: Any) -> None:
        assert isinstance(answer, HttpResponse), answer
        assert code(answer) == (503, "locked")

    assert each_statement_failing(act, check, for_good=for_good) >= 2
