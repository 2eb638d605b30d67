"""Tournaments over HTTP: setting them up, who plays and who sits where, and how they stand."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from itertools import groupby
from typing import Annotated, Any

from django.contrib.auth import password_validation
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Field, File, Form, Query, Router
from ninja.files import UploadedFile
from pydantic import StrictBool, StrictInt

import scoring
from tournaments import backups
from tournaments.access import rights
from tournaments.api import answers, asking, documents
from tournaments.api.joining import link_as_json
from tournaments.api.paging import page_of
from tournaments.api.refusals import Invalid, Refused, problems_as_json
from tournaments.api.rounds import Strict
from tournaments.audit import actors
from tournaments.edge.numbers import HIGHEST
from tournaments.edge.programs import reply
from tournaments.facts import registration, seating
from tournaments.facts.sheets import SeatedTable, tables_of
from tournaments.files import entry_files
from tournaments.files.entry_files import MOST_ENTRIES
from tournaments.models import Entry, Membership, Session, Tournament
from tournaments.phones import links, pins
from tournaments.results import publications, standings

router = Router(tags=["tournaments"])

MOST_ROUNDS = 99
MOST_TOURNAMENTS = 1000  # listed in one answer
MOST_ACTS = 10_000  # likewise: what an event of four hundred players leaves in a day
Name = Annotated[str, Field(min_length=1, max_length=200)]
Short = Annotated[str, Field(max_length=200)]


class TournamentIn(Strict):
    """A tournament, and what its rules leave open: only what differs from the text."""

    name: Name
    rule_set: Short
    options: dict[str, StrictBool] = Field(default_factory=dict)
    points: dict[str, StrictInt] = Field(default_factory=dict)
    held_on: date | None = None
    venue: Short = ""
    rounds_per_session: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
    partners: StrictBool = False
    accepting: Tournament.Accepting = Tournament.Accepting.OFF
    published: StrictBool = False


class EntryIn(Strict):
    """A player. The last three are private: only the tournament's staff ever sees them."""

    name: Name
    club: Short = ""
    division: Annotated[str, Field(max_length=100)] = ""
    contact: Short = ""
    birth_year: Annotated[StrictInt, Field(ge=1900, le=2100)] | None = None
    notes: Annotated[str, Field(max_length=2000)] = ""


class EntriesIn(Strict):
    """Players, in the order in which they get their numbers."""

    entries: Annotated[list[EntryIn], Field(min_length=1, max_length=MOST_ENTRIES)]


class SessionIn(Strict):
    """Who sits where: the numbers of each table's players, in seat order. Without: a draw.

    `number` is the session meant, so that none is seated twice.
    """

    tables: list[list[StrictInt]] | None = None
    number: Annotated[StrictInt, Field(ge=1)] | None = None
    pins: StrictBool = True


class StaffIn(Strict):
    """An account, and what it does in the tournament: a new one, or without `password` any."""

    username: Annotated[str, Field(min_length=1, max_length=150, pattern=r"^[\w.@+-]+$")]
    password: Annotated[str, Field(max_length=1000)] | None = None
    role: Membership.Role = Membership.Role.SCOREKEEPER


# Tournaments


@router.get(
    "/tournaments",
    url_name="api-tournaments",
    response={200: answers.TournamentsOut, 404: answers.RefusalOut, 422: answers.RefusalOut},
)
def tournaments(
    request: HttpRequest,
    after: Annotated[str, Query(max_length=40, pattern=r"^[-\w]*$")] = "",
    limit: Annotated[int, Query(ge=1, le=MOST_TOURNAMENTS)] = MOST_TOURNAMENTS,
) -> HttpResponse:
    """List the tournaments that are published, and one's own, the newest first."""
    found = rights.tournaments_of(request)
    if after:
        last = found.filter(slug=after).first()
        if last is None:
            raise Refused(404, "not_found", at="after")
        same_day = Q(held_on=last.held_on, pk__lt=last.pk)
        found = found.filter(Q(held_on__lt=last.held_on) | same_day)
    some, following = page_of(request, found, limit, lambda each: each.slug)
    announced = rights.announced_to(request, some)
    shown = (announced[each.pk].tournament if each.pk in announced else each for each in some)
    listed = [documents.tournament_as_json(each) for each in shown]
    return reply({"tournaments": listed, "next": following})


@router.post("/tournaments", url_name="api-tournaments", response={201: answers.NewTournamentOut})
def create_tournament(request: HttpRequest, payload: TournamentIn) -> HttpResponse:
    """Create a tournament, directed by whoever creates it."""
    user, by = asking.user_of(request), rights.actor(request)
    rules = _chosen(payload)
    partners = payload.partners and bool(rules.rule_set.partners_of)
    if payload.partners != partners:
        raise Refused(422, "table_size", at="partners")
    tournament = Tournament(
        name=payload.name,
        held_on=payload.held_on or timezone.localdate(),
        venue=payload.venue,
        rule_set=rules.slug,
        rounds_per_session=payload.rounds_per_session or rules.rule_set.rounds,
        partners=partners,
        accepting=payload.accepting,
    )
    with transaction.atomic():
        registration.create_tournament(tournament, rules, by=by)
        if payload.published:  # there is nothing to announce yet
            publications.show_live(tournament, by=by)
        role = rights.role_in(request, tournament)  # read before it counts: 503 stores nothing
    document = documents.tournament_as_json(tournament)
    return reply({**document, "role": role, "by": str(user)}, 201)


def _chosen(payload: TournamentIn) -> scoring.Rules:
    """Return the rules with the choices made, or refuse what cannot be chosen."""
    try:
        return scoring.get_rule_set(payload.rule_set).choose(payload.options, payload.points)
    except scoring.UnknownRuleSet:
        problem = {"at": "rule_set", "code": "unknown_ruleset"}
        known = ", ".join(rule_set.slug for rule_set in scoring.RULE_SETS)
        raise Invalid([{**problem, "message": f"Choose one of {known}."}]) from None
    except scoring.BadChoice as bad:
        raise Invalid(problems_as_json(bad.problems, {})) from None


@router.get(
    "/tournaments/{slug:slug}", url_name="api-tournament", response=answers.OwnTournamentOut
)
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell a tournament and its rules."""
    found = asking.event_of(request).tournament
    role = rights.role_in(request, found)
    return reply({**documents.tournament_as_json(found), "role": role})


@router.post(
    "/tournaments/{slug:slug}/staff",
    url_name="api-staff",
    response={201: answers.StaffOut, 409: answers.ConflictOut},
)
def add_staff(request: HttpRequest, slug: str, payload: StaffIn) -> HttpResponse:
    """Make an account for a member of the staff; without a password, add one that there is."""
    found, name = asking.tournament_of(request), _account_name(payload.username)
    if payload.password is None:
        _add_to_staff(request, found, name, payload.role)
    else:
        _open_account(request, found, name, payload.password, payload.role)
    return reply({"username": name, "role": payload.role, "tournament": slug}, 201)


def _add_to_staff(request: HttpRequest, tournament: Tournament, name: str, role: str) -> None:
    user = User.objects.filter(username=name).first()
    if user is None:
        raise Refused(422, "no_account", at="username")
    try:
        registration.give_role(tournament, user, role, by=rights.actor(request))
    except registration.AlreadyOnStaff as there:
        raise Refused(409, there.code, at="username") from None


def _open_account(
    request: HttpRequest, tournament: Tournament, name: str, password: str, role: str
) -> None:
    try:
        password_validation.validate_password(password, User(username=name))
    except ValidationError:
        raise Refused(422, "weak_password", at="password") from None
    try:
        registration.open_account(tournament, name, password, role, by=rights.actor(request))
    except IntegrityError:
        raise Refused(409, "name_taken", at="username") from None


def _account_name(typed: str) -> str:
    """Return a name as accounts keep it, or refuse it."""
    try:
        return registration.account_name(typed)
    except ValidationError as bad:
        is_reserved = any(each.code == actors.RESERVED for each in bad.error_list)
        raise Refused(422, actors.RESERVED if is_reserved else "range", at="username") from None


# Players


@router.get("/tournaments/{slug:slug}/entries", url_name="api-entries", response=answers.EntriesOut)
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """List the players by number; to the tournament's staff with their private fields."""
    event = asking.event_of(request)
    is_staff = event.publication is None and rights.role_in(request, event.tournament) is not None
    as_json = documents.entry_for_staff if is_staff else documents.entry_as_json
    return reply({"entries": [as_json(entry) for entry in event.entries]})


@router.post(
    "/tournaments/{slug:slug}/entries",
    url_name="api-entries",
    response={201: answers.AddedOut, 409: answers.ConflictOut},
)
def add_entries(request: HttpRequest, slug: str, payload: EntriesIn) -> HttpResponse:
    """Add players; they get the next numbers, in this order."""
    people = [entry.dict() for entry in payload.entries]
    blank = [i for i, person in enumerate(people) if not person["name"].strip()]
    if blank:
        raise Refused(422, "missing", at=f"entries[{blank[0]}].name")
    return _add(request, asking.tournament_of(request), people)


@router.post(
    "/tournaments/{slug:slug}/entries/import",
    url_name="api-import-entries",
    response={201: answers.AddedOut, 409: answers.ConflictOut},
)
def import_entries(
    request: HttpRequest,
    slug: str,
    file: Annotated[UploadedFile, File()],
    encoding: Annotated[str, Form()] = "",
) -> HttpResponse:
    """Add the players of a CSV or Excel file, every line exactly as it stands, or none."""
    found = asking.tournament_of(request)
    try:
        if (file.size or 0) > entry_files.LARGEST:
            raise Refused(413, "too_large", at="file")
        people = entry_files.read_entries(file.read(), encoding.lower())
        backups.take(backups.Reason.BEFORE_IMPORT, who=rights.actor(request).who)
        return _add(request, found, people)
    except entry_files.BadFile as bad:
        errors = [
            {"at": f"line {each.line}" if each.line else "", "code": each.code}
            | {"message": each.message}
            for each in bad.problems[:1000]
        ]
        raise Invalid(errors) from None


def _add(
    request: HttpRequest, tournament: Tournament, people: Sequence[dict[str, Any]]
) -> HttpResponse:
    try:
        added = registration.add_entries(tournament, people, by=rights.actor(request))
    except registration.TooManyEntries as refused:
        raise Refused(422, refused.code, at="entries") from None
    return reply({"entries": [documents.entry_for_staff(entry) for entry in added]}, 201)


# Sessions


@router.get(
    "/tournaments/{slug:slug}/sessions", url_name="api-sessions", response=answers.SessionsOut
)
def sessions(request: HttpRequest, slug: str) -> HttpResponse:
    """List the sessions and who sits where; to the staff with the tables' links."""
    event = asking.event_of(request)
    is_staff = event.publication is None and rights.role_in(request, event.tournament) is not None
    by_session = groupby(event.tables, lambda table: table.sitting.session)
    listed = [
        _session(request, each, list(tables), {}, is_staff=is_staff) for each, tables in by_session
    ]
    return reply({"sessions": listed})


@router.post(
    "/tournaments/{slug:slug}/sessions",
    url_name="api-sessions",
    response={201: answers.SessionOut, 409: answers.ConflictOut},
)
def seat_session(request: HttpRequest, slug: str, payload: SessionIn) -> HttpResponse:
    """Seat the next session. The tables' PINs are told this once."""
    found, by = asking.tournament_of(request), rights.actor(request)
    tables = _tables(found, payload)
    drawn = [pins.draw() for _ in tables] if payload.pins else []  # before anybody waits for us
    try:
        with transaction.atomic():
            session = registration.open_session(found, tables, by=by, number=payload.number)
            told = {
                each.pk: links.make_pin(each, by=by, pin=pin)
                for each, pin in zip(session.sittings.all(), drawn, strict=False)
            }
            seated = tables_of(session.sittings.all())
            document = _session(request, session, seated, told, is_staff=True)
    except registration.AlreadySeated as seated:
        raise Refused(409, seated.code, at="number") from None
    except registration.NotSeatedBefore as early:
        raise Refused(422, early.code, at="number") from None
    return reply(document, 201)


def _tables(tournament: Tournament, payload: SessionIn) -> list[list[Entry]]:
    """Return who sits where, as asked or drawn, or refuse what cannot be seated."""
    by_number = {entry.number: entry for entry in tournament.entries.all()}
    if payload.tables is None:
        entries = list(by_number.values())
        tables = seating.draw(entries, tournament.table_sizes, random.SystemRandom())
        if not tables:
            raise Refused(422, "table_size", at="tables")
        return tables
    seen: set[int] = set()
    for t, numbers in enumerate(payload.tables):
        if len(numbers) not in tournament.table_sizes:
            raise Refused(422, "table_size", at=f"tables[{t}]")
        for s, number in enumerate(numbers):
            if number not in by_number:
                raise Refused(422, "no_entry", at=f"tables[{t}][{s}]")
            if number in seen:
                raise Refused(422, "seated_twice", at=f"tables[{t}][{s}]")
            seen.add(number)
    if not payload.tables:
        raise Refused(422, "missing", at="tables")
    return [[by_number[number] for number in numbers] for numbers in payload.tables]


def _session(
    request: HttpRequest,
    session: Session,
    tables: Sequence[SeatedTable],
    told: dict[int, str],
    *,
    is_staff: bool,
) -> dict[str, Any]:
    sittings = [_sitting(request, each, told, is_staff) for each in tables]
    return {"number": session.number, "sittings": sittings}


def _sitting(
    request: HttpRequest, table: SeatedTable, told: dict[int, str], is_staff: bool
) -> dict[str, Any]:
    sitting = table.sitting
    document = {
        "id": sitting.pk,
        "table": sitting.number,
        "seats": documents.seats_as_json(table.entries),
    }
    if is_staff:
        document |= link_as_json(request, sitting)
    if sitting.pk in told:
        document["pin"] = told[sitting.pk]
    return document


# How it stands


@router.get(
    "/tournaments/{slug:slug}/standings", url_name="api-standings", response=answers.StandingsOut
)
def standings_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Tell everybody's place, from the facts in force at this moment, or as last announced."""
    event = asking.event_of(request)
    tally = standings.tally_of(event.sheets)
    announced = event.publication
    return reply(
        {
            "tournament": event.tournament.slug,
            "fingerprint": event.tournament.rules.fingerprint,
            "publication": documents.publication_as_json(announced) if announced else None,
            "rounds_counted": tally.counted,
            "rounds_under_way": tally.under_way,
            "standings": [documents.standing_as_json(row) for row in event.standings],
        }
    )


@router.get(
    "/tournaments/{slug:slug}/audit",
    url_name="api-audit",
    response={200: answers.TrailOut, 422: answers.RefusalOut},
)
def audit_trail(
    request: HttpRequest,
    slug: str,
    after: Annotated[int, Query(ge=0, le=HIGHEST)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_ACTS)] = MOST_ACTS,
) -> HttpResponse:
    """Tell the acts in order: who, when, what, before and after, and why."""
    acts = asking.tournament_of(request).acts.filter(number__gt=after).order_by("number")
    some, following = page_of(request, acts, limit, lambda act: act.number)
    return reply({"acts": [documents.act_as_json(act) for act in some], "next": following})
