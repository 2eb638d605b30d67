"""Events of thousands of players, whose rows are stored at once, in the phases of their day."""

from __future__ import annotations

from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.visiting import World, cookies_of, read_to_end
from tournaments.models import (
    Adjustment,
    Entry,
    Presence,
    Registration,
    Round,
    Series,
    Session,
    Sitting,
    Substitution,
    TieDecision,
    Tournament,
)
from tournaments.queries.presence import Status
from tournaments.queries.seat_proposals import Purpose
from tournaments.queries.seated_tables import with_seats
from tournaments.services import (
    adjustments,
    entries,
    play_offs,
    publications,
    schedules,
    seat_proposals,
    seating,
    series,
    sessions,
)
from tournaments.services.seating import PlayOffPlan

SEATED = 6
DEALS = [{"kankei": 9, "mukankei": 4}, {"kankei": 5, "mukankei": 9}]
JUROKU = {"kankei": 16, "mukankei": 0, "declaration": "juroku"}
MOST_BYTES = 300_000  # of a page
ROLES = ("owner", "table", "anonymous")


def make_large_world(players: int, *, rounds: int = 4) -> World:
    """Create an event of this many players with teams, stages, rulings, marks and applications.

    Its first session is over, a play-off was played, and the third session is being played.
    """
    with transaction.atomic():
        tournament = cast.make_tournament(
            name=f"世界大会 {players}", published=True, sessions_planned=4, shows_seats=True
        )
        everybody = _enter(tournament, players)
        first = _seat(tournament, everybody)
        _play(first, rounds)
        _rule(tournament, everybody)
        publications.publish(tournament, by=SOMEBODY)
        publications.show_live(tournament, by=SOMEBODY)
        tied = PlayOffPlan([each.number for each in everybody[:6]], rounds=1)
        play_off = play_offs.open_play_off(tournament, tied, [everybody[:6]], number=2, by=SOMEBODY)
        _play(play_off, 1)
        stages.make_stage(tournament, wanted=_finals(players))
        _apply(tournament, players)
        on = _seat(tournament, everybody[1:] + everybody[:1])
        _play(on, rounds // 2)
        _mark(everybody, 4)
        return _world(on)


def end_the_session(world: World) -> None:
    """End the session that is being played, after which seats can be drawn and proposed."""
    session = world.sitting.session
    stopping = [each.number for each in session.sittings.all()]
    sessions.end_session(session, stopping=stopping, by=SOMEBODY)


def propose_seats(world: World, seats: Any = None) -> None:
    """Plan and propose the seats of the next session."""
    tournament = world.tournament
    number = seating.next_session_number(tournament)
    facts = cast.drawn_facts(tournament, number)
    planned = schedules.store_schedule(tournament, number, facts, seen_version=0, by=SOMEBODY)
    basis = seat_proposals.basis_of(tournament, number)
    seat_proposals.propose(
        tournament, Purpose.SEAT, number, planned.seats[0], basis=basis, by=SOMEBODY
    )


def confirm_the_stage(world: World) -> None:
    """Confirm who advances to the second stage, after all sessions of the first."""
    Tournament.objects.filter(pk=world.tournament.pk).update(sessions_planned=2)
    stages.confirm(world.tournament.stages.get(number=2))


def faults(world: World, role: str, names: list[str]) -> list[str]:
    """Return what is wrong with the answers to these addresses, as `_faults_of` does."""
    browser = world.browser(role)
    return [fault for name in names for fault in _faults_of(browser, world.url(name))]


def _faults_of(browser: Client, url: str) -> list[str]:
    """Return what is wrong with the answer: a failure, or a page that is too large."""
    answer = browser.get(url)
    read_to_end(answer)
    faults = [f"{url}: {answer.status_code}"] if answer.status_code >= 500 else []
    is_page = answer.headers.get("Content-Type", "").startswith("text/html")
    if is_page and len(answer.content) > MOST_BYTES:
        faults.append(f"{url}: {len(answer.content):,} bytes")
    return faults


def _enter(tournament: Tournament, players: int) -> list[Entry]:
    """Each six players in a row are of one club; those of every tenth table form a team."""
    people = [
        {
            "name": f"{cast.NAMES[i % len(cast.NAMES)]}{i}",
            "reading": "つしま はる",
            "club": f"{i // SEATED}番村",
            "division": "有段者" if i % 5 == 0 else "一般",
            "team": f"組{i // SEATED}",
            "contact": "090-0000-0000",
        }
        for i in range(players)
    ]
    return entries.add_entries(tournament, people, by=SOMEBODY)


def _seat(tournament: Tournament, everybody: list[Entry]) -> Session:
    tables = [everybody[i : i + SEATED] for i in range(0, len(everybody), SEATED)]
    return seating.open_session(tournament, tables, by=SOMEBODY)


def _play(session: Session, rounds: int) -> None:
    """Store rounds of all tables, whose points differ little, so that many players are tied."""
    sittings = list(with_seats(session.sittings.all()))
    Round.objects.bulk_create(
        Round(sitting=sitting, number=number, version=1, facts=_facts(sitting, number))
        for sitting in sittings
        for number in range(1, rounds + 1)
    )


def _facts(sitting: Sitting, number: int) -> dict[str, Any]:
    players = [seat.entry.key for seat in sitting.seats.all()]
    dice = Random(f"{players[0]} {number}")  # noqa: S311  the same ones every time
    dealer = (number - 1) % SEATED
    return {
        "dealer": players[dealer],
        "kankei": [players[(dealer + 1) % SEATED], players[(dealer + 3) % SEATED]],
        "deals": [DEALS[0], dice.choice([DEALS[0], JUROKU]), dice.choice(DEALS)],
    }


def _rule(tournament: Tournament, everybody: list[Entry]) -> None:
    """Give a penalty to each twentieth player, one to a team, and decide two orders."""
    Adjustment.objects.bulk_create(
        Adjustment(
            tournament=tournament, number=i, entry=entry, points=-1, reason="遅刻", who="desk"
        )
        for i, entry in enumerate(everybody[::20], 1)
    )
    number = len(everybody[::20]) + 1
    adjustments.adjust_points(tournament, number, "組1", -5, by=SOMEBODY, reason="遅刻")
    TieDecision.objects.bulk_create(
        TieDecision(
            tournament=tournament,
            number=i,
            order=[each.number for each in everybody[6 * i : 6 * i + 2]],
            stage=1,
            reason="裁定",
            who="desk",
        )
        for i in (1, 2)
    )


def _finals(players: int) -> Any:
    """A final by class for a third of the players."""
    quotas = [Quota("A決勝", "", players // 6), Quota("B決勝", "一般", players // 6)]
    return stages.plan(*quotas, at_line=AtLine.LOT, sessions_planned=2)


def _apply(tournament: Tournament, players: int) -> None:
    """Store as many applications as there are players, a third of which wait for approval."""
    cast.open_registration(tournament)
    cast.register(tournament)
    states = ("approved", "waiting", "pending")
    Registration.objects.bulk_create(
        Registration(
            tournament=tournament,
            number=i,
            name=f"申込 {i}",
            club="なかよし村",
            division="一般",
            reading="もうしこみ",
            contact="090-0000-0000",
            state=states[i % 3],
            player=i if i % 3 == 0 else None,
            digest=f"{i:064x}",
        )
        for i in range(2, players)
    )


def _mark(everybody: list[Entry], session: int) -> None:
    """Mark most players for a session, and name substitutes for some absent ones."""
    statuses = [Status.PRESENT] * 7 + [Status.LATE, Status.ABSENT, Status.EXPECTED]
    Presence.objects.bulk_create(
        Presence(entry=entry, session_number=session, status=statuses[i % 10])
        for i, entry in enumerate(everybody)
        if statuses[i % 10] != Status.EXPECTED
    )
    Substitution.objects.bulk_create(
        Substitution(entry=everybody[i], substitute=everybody[i + 1], session_number=session)
        for i in range(8, len(everybody) - 1, 100)
    )


def _world(session: Session) -> World:
    tournament = session.tournament
    sitting = session.sittings.order_by("number")[0]
    cast.make_staff(tournament, "director", "director")
    cast.make_user("elsewhere")
    User.objects.create_superuser("owner")
    played = series.create_series(Series(name="年間シリーズ"), by=SOMEBODY)
    series.add_event(played, tournament, by=SOMEBODY)
    call, disagreement = cast.make_call(sitting), cast.make_disagreement(sitting)
    cookies = {role: cookies_of(role, sitting) for role in ROLES}
    return World(sitting, sitting, call, disagreement, played, cookies)
