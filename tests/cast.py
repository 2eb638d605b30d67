"""Factories for tests: tournaments, tables, rounds, accounts and browsers."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

import scoring
from scoring.variants.gong_zhu.game import GongZhuGame
from tournaments.audit import THE_TABLE, Actor
from tournaments.models import (
    Call,
    Disagreement,
    Entry,
    Membership,
    Presence,
    Registration,
    Round,
    Session,
    Sitting,
    Tournament,
)
from tournaments.models.registration_settings import RegistrationSettings
from tournaments.models.registrations import REGISTRATION_FIELDS
from tournaments.queries import clocks as clock_queries
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.events import Event
from tournaments.queries.registrations import code_of
from tournaments.queries.seat_draws import Choices, draw_seats
from tournaments.queries.standings import Standing
from tournaments.services import (
    accounts,
    clocks,
    entries,
    registrations,
    rounds,
    seating,
    tournaments,
    versions,
)

SOMEBODY = Actor(None, "somebody")
AT_THE_TABLE = Actor(None, THE_TABLE)
NAMES = (
    *("成田 キヨ", "工藤 正", "対馬 ハル", "葛西 実"),
    *("三上 ユキ", "木村 勇", "福士 トメ", "一戸 茂"),
)


def make_tournament(
    rule_set: str = "goninkan-association", *, published: bool = False, **fields: Any
) -> Tournament:
    """Return a tournament with this rule set, of ten rounds if the game has a usual number."""
    rounds = 10 if scoring.get_rule_set(rule_set).rounds else None
    usual = {"name": "新春大会", "rounds_per_session": rounds}
    showing = Tournament.Showing.LIVE if published else Tournament.Showing.STAFF
    return Tournament.objects.create(rule_set=rule_set, showing=showing, **(usual | fields))


def make_entries(tournament: Tournament, count: int, **of_the_first: Any) -> list[Entry]:
    """Add players, each with a club and a class; `of_the_first` are more fields of the first."""
    names = [f"{NAMES[i % len(NAMES)]}{i // len(NAMES) or ''}" for i in range(count)]
    people = [{"name": name, "club": "なかよし村", "division": "一般"} for name in names]
    people[:1] = [person | of_the_first for person in people[:1]]
    return entries.add_entries(tournament, people, by=SOMEBODY)


def applicant(name: str = "山田 太郎", **fields: str) -> dict[str, str]:
    known = {"name": name, "contact": "090-0000-0000"}
    return {**dict.fromkeys(REGISTRATION_FIELDS, ""), **known, **fields}


def open_registration(tournament: Tournament, **fields: Any) -> None:
    wanted = RegistrationSettings(**{"is_open": True, **fields})
    seen = versions.registration_version(tournament)
    registrations.set_registration(tournament, wanted, seen_version=seen, by=SOMEBODY)


def register(tournament: Tournament, key: str = "k", **fields: str) -> Registration:
    """Return an application made with the organiser's code; the link's key is `key`, repeated."""
    person = applicant(**fields)
    return registrations.register(
        tournament, person, key=(key * 24)[:24], by=SOMEBODY, code=code_of(tournament)
    )


def make_sitting(
    tournament: Tournament | None = None, players: int | None = None, *, drawn: bool = False
) -> Sitting:
    """Return a table of new players, the only one in a new session; `drawn` stores a draw."""
    tournament = tournament or make_tournament()
    count = players or max(scoring.get_rule_set(tournament.rule_set).players)
    seated = make_entries(tournament, count)
    draw = drawn_facts(tournament, seating.next_session_number(tournament)) if drawn else None
    session = seating.open_session(tournament, [seated], by=SOMEBODY, draw=draw)
    return session.sittings.get()


def make_session(tournament: Tournament, tables: int) -> Session:
    """Return a new session with this number of tables, each of six new players."""
    players = make_entries(tournament, 6 * tables)
    seated = [players[first : first + 6] for first in range(0, len(players), 6)]
    return seating.open_session(tournament, seated, by=SOMEBODY)


def seat_who_left(tournament: Tournament, numbers: Sequence[int]) -> Session:
    """Seat a table as the first session; who is marked as away has been marked since."""
    entries = [tournament.entries.get(number=number) for number in numbers]
    marks = Presence.objects.filter(entry__in=entries, session_number=1)
    since = list(marks.values("entry_id", "session_number", "status"))
    marks.delete()
    session = seating.open_session(tournament, [entries], by=SOMEBODY)
    Presence.objects.bulk_create(Presence(**each) for each in since)
    return session


def start_club_table() -> Sitting:
    """Return a club table without rounds, as anybody can start it."""
    rules = scoring.choose(scoring.get_rule_set("yoninkan"))
    tonight = Tournament(name="今夜の一卓")
    return tournaments.start_table(tonight, rules, NAMES[:4], by=AT_THE_TABLE)


def drawn_facts(tournament: Tournament, number: int, sessions: int = 1) -> dict[str, Any]:
    """Return a draw by lot of everybody from a session on, as it is stored."""
    everybody = list(tournament.entries.all())
    choices = Choices("lot", separates_clubs=False, seed=1, sessions=sessions)
    drawn = draw_seats(tournament, number, everybody, choices)
    assert drawn
    return drawn.facts


def keys(sitting: Sitting) -> list[str]:
    """Return the keys of a table's players in records, in seat order."""
    return [seat.entry.key for seat in sitting.seats.select_related("entry")]


def plain_round(sitting: Sitting) -> dict[str, Any]:
    """Return the facts of a finished round of this table's game."""
    players = keys(sitting)
    rules = sitting.session.tournament.rules
    match rules.game.kind:
        case "kankei":
            return {
                "dealer": players[-1],
                "kankei": [players[0], players[2]],
                "deals": [{"kankei": 5, "mukankei": 9}],
            }
        case "captures":
            cards = GongZhuGame(rules).scoring_cards(len(players))
            return {"captured": {players[0]: list(cards)}}
        case "finish":
            return {"finish": players}


def record(
    sitting: Sitting,
    facts: Mapping[str, Any] | None = None,
    *,
    number: int = 1,
    seen: int = 0,
    by: Actor = SOMEBODY,
    reason: str = "",
) -> Round:
    """Record a round, by default a plain one."""
    facts = facts or plain_round(sitting)
    return rounds.record_round(sitting, number, facts, seen_version=seen, by=by, reason=reason)


def make_call(sitting: Sitting, words: str = "", kind: str = "director") -> Call:
    return Call.objects.create(sitting=sitting, kind=kind, words=words)


def make_disagreement(
    sitting: Sitting, facts: Mapping[str, Any] | None = None, number: int = 1
) -> Disagreement:
    """Create a dispute of a round, by default with the facts of a plain one."""
    facts = dict(facts or plain_round(sitting))
    return Disagreement.objects.create(sitting=sitting, number=number, facts=facts)


def start_clock(session: Session, settings: ClockSettings) -> None:
    clocks.set_clock(session, settings, seen_version=0, by=SOMEBODY)
    seen = clock_queries.clock_version(session)
    clocks.run_clock(session, clocks.ClockAction.START, seen_version=seen, by=SOMEBODY)


def make_user(name: str) -> User:
    """Create an account whose password is its name."""
    return User.objects.create_user(name, password=name)


def make_creator(name: str) -> User:
    user = make_user(name)
    accounts.set_may_create_events(user, may=True, by=SOMEBODY)
    return User.objects.get(pk=user.pk)  # with the right as the database has it


def make_staff(tournament: Tournament, name: str, role: str = "scorekeeper") -> User:
    user = make_user(name)
    Membership.objects.create(tournament=tournament, user=user, role=role)
    return user


def browser_of(user: User) -> Client:
    """Return a browser with the session that a log-in leaves.

    `Client.force_login` makes two, changes the second, and takes four times as long.
    """
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    return client


def in_english(client: Client) -> Client:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    return client


def standings_for(tournament: Tournament) -> list[Standing]:
    return Event(tournament).standings


def audit_kinds(sitting: Sitting) -> list[str]:
    return list(
        sitting.session.tournament.audit_entries.order_by("number").values_list("kind", flat=True)
    )


def code_of_app(user: User) -> str:
    """Return the next code of the app that is an account's second factor, whatever the time is."""
    device = TOTPDevice.objects.get(user=user)
    TOTPDevice.objects.update(last_t=-1)  # as if the next 30 seconds had begun
    code = TOTP(device.bin_key, drift=device.drift)
    code.time = time.time()
    return f"{code.token():06d}"
