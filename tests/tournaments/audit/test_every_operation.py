"""If a statement of an API operation fails: 503, nothing stored, and a retry succeeds.

The operations are those of the OpenAPI document. Every third statement fails: those of the service
that an operation calls fail one by one in `test_every_write.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse

from tests import cast, events, openapi_validation, series, stages
from tests.api import (
    REQUESTS,
    ROUND,
    SAME_PLAYERS,
    SCHEDULE,
    SESSION,
    SITTING,
    STAGE,
    TOURNAMENT,
    TOURNAMENTS,
    Program,
    code,
    example,
    phone,
    staff,
)
from tests.cast import SOMEBODY
from tests.database_failures import fail_each_statement
from tests.private_data import PRIVATE
from tournaments import archives
from tournaments.models import Tournament
from tournaments.queries import clocks as clock_queries
from tournaments.queries import exchanges
from tournaments.queries import presence as presence_queries
from tournaments.queries import schedules as schedule_queries
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.presence import Status
from tournaments.services import (
    accounts,
    clocks,
    closing,
    plans,
    presence,
    registrations,
    schedules,
    seating,
    sessions,
    substitutions,
    table_links,
)

PEOPLE = "氏名\n成田 キヨ\n".encode()
IMPORT = f"{TOURNAMENT}/entries/import"
ARCHIVE = f"{TOURNAMENTS}/archive"
REMOVE = f"{TOURNAMENT}/remove"
PRIVATE_DATA = f"{TOURNAMENT}/private-data"
APPLICATION = f"{TOURNAMENT}/register/{{key}}"
APPLICANTS_PLAYER = f"{TOURNAMENT}/registrations/{{registration}}/player"
APPLICANTS_CONTACTS = f"{TOURNAMENT}/registrations/contacts"
READING = {("post", f"{TOURNAMENT}/entries/preview")}  # stores nothing
OPERATIONS = sorted(
    (method, path)
    for path, operations in openapi_validation.document()["paths"].items()
    for method in operations
    if method != "get" and (method, path) not in READING
)
STEP = 3  # from one statement that fails to the next
# An import inserts the rows of one model after the other, each by the same code.
SIMILAR_STATEMENTS = {ARCHIVE: 15}

VERSIONED = {
    *(f"{SESSION}/{rest}" for rest in ("presence/restart", "clock/{act}", "exchange", "seats")),
    f"{SCHEDULE}/{{session}}",
    f"{TOURNAMENT}/plan",
}


class World:
    """A tournament with a table, its writer, another phone there, and the director."""

    def __init__(self) -> None:
        tournament = cast.make_tournament(accepting="second")
        self.sitting = cast.make_sitting(tournament)
        self.user = cast.make_staff(tournament, "director", "director")
        accounts.set_may_create_events(self.user, may=True, by=SOMEBODY)
        self.director = staff(self.user)
        self.writer, self.second = phone(self.sitting), phone(self.sitting)
        self.pin = table_links.make_pin(self.sitting, by=SOMEBODY)

    def about_an_account(self, path: str) -> tuple[Program, str, Any, dict[str, str]]:
        """Return client, URL, body and headers of an operation on an account."""
        if path == "/api/account/password":
            typed = {"password": "director", "new_password": "tsugaru-karuta-31"}
            return self.director, path, typed, {}
        if path == "/api/token":
            return self.director, path, {"username": "director", "password": "director"}, {}
        owner = staff(User.objects.create_superuser("owner", password="owner"))
        return owner, path.format(account=self.user.pk), {"active": False, "may_create": False}, {}

    def end(self, path: str) -> None:
        """End what the operation at this path takes up again."""
        if path == f"{SESSION}/resume":
            sessions.end_session(self.sitting.session, stopping=[1], by=SOMEBODY)
        else:
            closing.close(self.sitting.session.tournament, by=SOMEBODY)

    def mark_presence(self) -> int:
        """Return the version of the roll call."""
        entry = self.sitting.session.tournament.entries.get(number=1)
        presence.mark_presence(entry, 1, Status.PRESENT, seen_status=Status.EXPECTED, by=SOMEBODY)
        return presence_queries.marks_version(entry.tournament)

    def name_substitute(self, *, is_stored: bool) -> str:
        """Mark a player as absent, with a substitute if `is_stored`; return the query string."""
        entry = self.sitting.session.tournament.entries.get(number=1)
        seen = Status.EXPECTED
        presence.mark_presence(entry, 1, Status.ABSENT, seen_status=seen, by=SOMEBODY)
        if is_stored:
            substitutions.add_substitute(entry, 1, {"name": "山田 太郎"}, by=SOMEBODY)
        return "?substitute=7" if is_stored else ""

    def new_version(self, path: str) -> int | str:
        """Change what the operation at this path changes, and return its version."""
        if path == f"{SESSION}/presence/restart":
            return self.mark_presence()
        session = self.sitting.session
        if path == f"{SESSION}/exchange":
            one, other = session.tournament.entries.filter(number__in=[1, 2])
            return exchanges.plan_exchange(session, one, other).stamp
        if path == f"{SESSION}/seats":
            return seating.seats_version(session)
        if path.startswith(SCHEDULE):
            return self.plan_seats()
        if path == f"{TOURNAMENT}/plan":
            return plans.plan_version(session.tournament)
        clocks.set_clock(session, ClockSettings(3600), seen_version=0, by=SOMEBODY)
        return clock_queries.clock_version(session)

    def plan_seats(self) -> int:
        """Keep planned seats of sessions 2 and 3; return their version."""
        tournament = self.sitting.session.tournament
        facts = cast.drawn_facts(tournament, 2, sessions=2)
        schedules.store_schedule(tournament, 2, facts, seen_version=0, by=SOMEBODY)
        return schedule_queries.schedule_version(tournament)

    def make_series(self, method: str, path: str) -> dict[str, Any]:
        """Return the parameters of this path: a series of two tournaments."""
        cast.record(self.sitting)
        other = series.make_played("別の大会", 1, by=self.user)
        events = [self.sitting.session.tournament, other]
        made = series.make_series(*(events if method != "put" else []), owner=self.user)
        if path.endswith("/owners"):
            cast.make_user("owner")
        if "{link}" in path:
            series.link_first(made)
        link = made.same_players.first()
        return {"series": made.slug, "link": link.pk if link else 0}

    def make_stage(self, path: str) -> None:
        """Define a final, confirmed if this operation changes who goes on."""
        cast.record(self.sitting)
        tournament = self.sitting.session.tournament
        stage = stages.make_stage(tournament, wanted=stages.plan(stages.WINNERS))
        if path.endswith(("replace", "take-back")):
            stages.confirm(stage)

    def add_to_list(self, path: str) -> None:
        """Send the example of the operation that adds what this path names, if there is one."""
        added_to = path.rpartition("/")[0]
        if ("post", added_to) in REQUESTS:
            url = added_to.format(slug=self.sitting.session.tournament.slug)
            answer = self.director.post(url, example("post", added_to))
            assert answer.status_code == 201, answer.content

    def take_registrations(self, path: str) -> None:
        """Open registration, and store an application if the operation changes one."""
        tournament, is_automatic = self.sitting.session.tournament, path == APPLICANTS_PLAYER
        divisions = ("一般",) if path == f"{TOURNAMENT}/register" else ()
        cast.open_registration(tournament, is_automatic=is_automatic, divisions=divisions)
        if not divisions:
            row = cast.register(tournament)
        if path == APPLICANTS_CONTACTS:
            registrations.withdraw_application(row, by=SOMEBODY)

    def file_for(self, path: str) -> bytes:
        """Return the file to upload: a list of players, or an archive of a tournament."""
        if path == IMPORT:
            return PEOPLE
        if path == ARCHIVE:
            return events.gone()
        return archives.export_archive(self.sitting.session.tournament, with_private=False)

    def request(self, method: str, path: str) -> tuple[Program, str, Any, dict[str, str]]:
        """Return client, URL, body and headers of a request that stores something."""
        tournament = self.sitting.session.tournament
        if path in {"/api/account/password", "/api/accounts/{account}", "/api/token"}:
            return self.about_an_account(path)
        who, body, headers = self.director, example(method, path), {}
        match method, path:
            case "post", "/api/join":
                body = {"tournament": tournament.slug, "table": 1, "pin": self.pin}
            case "post", _ if path in {f"{ROUND}/accept", f"{SITTING}/take-over"}:
                who = self.second
                cast.record(self.sitting)
            case "put", _ if path == ROUND:
                cast.record(self.sitting)
            case "put", _ if path.startswith(ROUND):
                who = self.writer
            case _ if path in VERSIONED:
                body = (body or {}) | {"seen": self.new_version(path)}
            case "post", _ if path in {f"{TOURNAMENT}/reopen", f"{SESSION}/resume"}:
                self.end(path)
            case "post", _ if path == f"{TOURNAMENT}/sessions":
                body = {"tables": [[1, 2, 3, 4, 5, 6]], "number": 2}
        if method == "put":
            headers = {"Idempotency-Key": "key"}
        return who, path.format_map(self.places(method, path)), body, headers

    def places(self, method: str, path: str) -> dict[str, Any]:
        """Return the parameters of paths; a call or a stage is made if this one names it."""
        if path.startswith(STAGE) and method != "put":
            self.make_stage(path)
        if "/regist" in path and not path.endswith("/settings"):
            self.take_registrations(path)
        elif method == "delete" and path.startswith(f"{TOURNAMENT}/") and path != SESSION:
            self.add_to_list(path)
        places: defaultdict[str, Any] = defaultdict(lambda: 1)
        places |= {"slug": self.sitting.session.tournament.slug, "sitting": self.sitting.pk}
        places |= {"act": "start", "stage": 2, "key": "k" * 24}
        places |= {"session": 3} if path.startswith(SCHEDULE) else {}
        if "{series}" in path:
            places |= self.make_series(method, path)
        if "{call}" in path:
            places["call"] = cast.make_call(self.sitting).pk
        return places


def ask(world: World, method: str, path: str) -> Callable[[], HttpResponse]:
    """Return a function that sends the same request each time it is called."""
    who, url, body, headers = world.request(method, path)
    if path == f"{SITTING}/totals":
        world.sitting.session.tournament.sessions.update(totals_only=True)
    if path == f"{SITTING}/players":
        cast.make_entries(world.sitting.session.tournament, 1)
    if path.startswith(f"{SESSION}/substitutes/"):
        url += world.name_substitute(is_stored=method == "delete")
    if (method, path) == ("delete", SCHEDULE):
        url += f"?seen={world.plan_seats()}"
    if path == SAME_PLAYERS:
        ends = [
            {"tournament": each.slug, "player": 1}
            for each in Tournament.objects.filter(in_series__isnull=False)
        ]
        body = {"pairs": [{"first": ends[0], "second": ends[1]}]}
    if (method, path) == ("delete", PRIVATE_DATA):
        cast.make_entries(world.sitting.session.tournament, 1, **PRIVATE)
    if path not in {IMPORT, ARCHIVE, REMOVE}:
        return lambda: who.ask(method.upper(), url, body, **headers)
    headers = {"Authorization": f"Bearer {who.token}"}
    file = world.file_for(path)

    def upload() -> HttpResponse:
        answer: HttpResponse = who.client.post(  # type: ignore[assignment]
            url,
            {"file": SimpleUploadedFile("選手.csv", file)},
            headers=headers,
        )
        return answer

    return upload


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_failing_statement_is_answered_and_stores_nothing(method: str, path: str) -> None:
    """On PostgreSQL all later statements fail, too: none can fail alone there."""
    permanent = connection.vendor == "postgresql"
    send = ask(World(), method, path)

    def send_and_check() -> HttpResponse:
        answer = send()
        assert answer.status_code in {200, 201, 503}, answer.content
        return answer

    def check(answer: Any) -> None:
        assert isinstance(answer, HttpResponse), answer
        assert code(answer) == (503, "locked")

    step = SIMILAR_STATEMENTS.get(path, STEP)
    assert len(fail_each_statement(send_and_check, check, permanent=permanent, step=step)) >= 2
