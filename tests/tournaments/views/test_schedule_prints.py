"""The planned seats on paper."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.cast import SOMEBODY
from tests.tournaments.printing import page_faults
from tournaments.models import Presence, Tournament
from tournaments.queries.schedules import movements, schedule_version
from tournaments.queries.seat_draws import Choices, draw_seats
from tournaments.services import entries, presence, schedules, seating
from tournaments.services.table_players import change_players


@pytest.mark.parametrize("name", ["schedule-list", "schedule-cards"])
def test_every_seat_is_printed(scorekeeper: Client, tournament: Tournament, name: str) -> None:
    assert scorekeeper.get(reverse(name, args=[tournament.slug])).status_code == 404
    people = cast.make_entries(tournament, 13)
    facts = cast.drawn_facts(tournament, 1, sessions=3)
    schedules.store_schedule(tournament, 1, facts, seen_version=0, by=SOMEBODY)
    seating.open_session(tournament, [people[:6], people[7:]], by=SOMEBODY)  # not as planned
    pdf = scorekeeper.get(reverse(name, args=[tournament.slug])).content
    text = page_faults.text_of(pdf)
    for words in (*("".join(each.name.split()) for each in people), "第3回戦"):
        assert words in text
    assert page_faults.faults_of(pdf) == []


@pytest.mark.parametrize("name", ["schedule-list", "schedule-cards"])
def test_sessions_seated_before_another_draw_of_the_rest_are_printed(
    scorekeeper: Client, tournament: Tournament, name: str
) -> None:
    people = cast.make_entries(tournament, 12)
    facts = cast.drawn_facts(tournament, 1, sessions=3)
    schedules.store_schedule(tournament, 1, facts, seen_version=0, by=SOMEBODY)
    for _ in range(2):
        seating.open_session(tournament, [people[:6], people[6:]], by=SOMEBODY)
    seen, facts = schedule_version(tournament), cast.drawn_facts(tournament, 3)
    schedule = schedules.store_schedule(tournament, 3, facts, seen_version=seen, by=SOMEBODY)
    printed = movements(schedule)
    assert (printed.sessions, printed.to_come) == ([1, 2, 3], [3])
    assert {each.entry: each.places for each in printed.players}[people[7]][2] == (2, 2)
    assert all(all(each.places.values()) for each in printed.players)
    text = page_faults.text_of(scorekeeper.get(reverse(name, args=[tournament.slug])).content)
    for words in ("第1回戦", "第2回戦", "第3回戦"):
        assert words in text


def test_finalists_have_their_seats_of_all_stages(
    scorekeeper: Client, tournament: Tournament
) -> None:
    people = cast.make_entries(tournament, 12)
    session = seating.open_session(tournament, [people[:6], people[6:]], by=SOMEBODY)
    for sitting in session.sittings.all():
        cast.record(sitting)
    facts = cast.drawn_facts(tournament, 2)
    schedules.store_schedule(tournament, 2, facts, seen_version=0, by=SOMEBODY)
    six = stages.plan(Quota("", "", 6), at_line=AtLine.LOT)
    final = stages.make_confirmed(tournament, six)
    page = reverse("schedule-list", args=[tournament.slug])
    assert scorekeeper.get(page).status_code == 404  # the seats were not those of the final
    members = {int(key) for group in final.read_members() for key in group.players}
    playing = [each for each in people if each.number in members]
    drawn = draw_seats(tournament, 2, playing, Choices("lot", separates_clubs=False, seed=1))
    assert drawn
    seen = schedule_version(tournament)
    schedule = schedules.store_schedule(tournament, 2, drawn.facts, seen_version=seen, by=SOMEBODY)
    printed = movements(schedule)
    assert (printed.sessions, printed.to_come) == ([1, 2], [2])
    assert {each.entry.number for each in printed.players} == members
    assert all(all(each.places.values()) for each in printed.players)
    assert scorekeeper.get(page).status_code == 200


def test_session_to_come_is_told_from_one_without_a_seat(
    scorekeeper: Client, tournament: Tournament
) -> None:
    people = cast.make_entries(tournament, 12)
    facts = cast.drawn_facts(tournament, 1, sessions=2)
    schedule = schedules.store_schedule(tournament, 1, facts, seen_version=0, by=SOMEBODY)
    [joiner] = entries.add_entries(tournament, [{"name": "古川 久美"}], by=SOMEBODY)
    # Neither has sat out in session 2: the joiner may get a seat, the other one has withdrawn.
    seating.open_session(tournament, [people[:6], [joiner, *people[7:]]], by=SOMEBODY)
    withdrawn, expected = Presence.Status.WITHDRAWN, Presence.Status.EXPECTED
    presence.mark_presence(people[0], 2, withdrawn, seen_status=expected, by=SOMEBODY)
    printed = movements(schedule)
    assert (printed.sessions, printed.to_come) == ([1, 2], [2])
    places = {each.entry: each.places for each in printed.players}
    assert places[people[0]] == {1: (1, 1), 2: None}
    assert places[joiner] == {1: (2, 1), 2: None}
    assert places[people[6]][1] is None
    cards = scorekeeper.get(reverse("schedule-cards", args=[tournament.slug])).content
    text = page_faults.text_of(cards)
    assert (text.count("席の予定なし"), text.count("着席せず")) == (2, 1)


@pytest.mark.parametrize("plays_on", [False, True], ids=["went home", "sat down elsewhere"])
@pytest.mark.parametrize("rounds", [0, 1])
def test_who_left_a_table_between_rounds_had_that_seat(
    scorekeeper: Client, tournament: Tournament, rounds: int, *, plays_on: bool
) -> None:
    people = cast.make_entries(tournament, 13)
    facts = cast.drawn_facts(tournament, 1, sessions=2)
    schedule = schedules.store_schedule(tournament, 1, facts, seen_version=0, by=SOMEBODY)
    session = seating.open_session(tournament, [people[:6], people[6:12]], by=SOMEBODY)
    leaver, joiner, goes_home = people[2], people[12], people[11]
    changed = [[*people[:2], *people[3:6], joiner]]
    if plays_on:
        changed.append([*people[6:11], leaver])
    for sitting, players in zip(session.sittings.order_by("number"), changed, strict=False):
        if rounds:
            cast.record(sitting)
        seen = cast.keys(sitting)
        change_players(sitting, players, seen_players=seen, seen_rounds=rounds, by=SOMEBODY)
    places = {each.entry: each.places[1] for each in movements(schedule).players}
    assert places[leaver] == ((2, 6) if plays_on else (1, 3) if rounds else None)
    assert places[goes_home] == ((2, 6) if rounds or not plays_on else None)
    assert (places[people[3]], places[joiner]) == ((1, 3), (1, 6))
    cards = scorekeeper.get(reverse("schedule-cards", args=[tournament.slug])).content
    assert page_faults.text_of(cards).count("着席せず") == (0 if rounds else 1)
