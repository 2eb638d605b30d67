"""Planned seats: sessions drawn together, kept, changed, proposed when they come, and dropped."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from tests import cast
from tests.api import base, code, director_of, json_of
from tests.cast import SOMEBODY
from tests.proposals import assign, propose
from tournaments import archives, draws, verification
from tournaments.models import Draw, Schedule, Session, Tournament
from tournaments.queries import schedules as schedule_queries
from tournaments.queries.presence import Status
from tournaments.queries.schedules import PlannedPlace
from tournaments.services import (
    entries,
    presence,
    publications,
    schedules,
    seating,
    sessions,
    substitutions,
)


@pytest.fixture
def planned(tournament: Tournament) -> Schedule:
    """Two planned sessions of 24 players at tables of six."""
    cast.make_entries(tournament, 24)
    facts = cast.drawn_facts(tournament, 1, sessions=2)
    return schedules.store_schedule(tournament, 1, facts, seen_version=0, by=SOMEBODY)


def address(tournament: Tournament, name: str = "schedule", *more: object) -> str:
    return reverse(name, args=[tournament.slug, *more])


def seated(number: int) -> list[list[str]]:
    return [
        [entry.key for entry in table]
        for table in seating.seating_of(Session.objects.get(number=number))
    ]


def mark(tournament: Tournament, number: int, status: Status) -> None:
    entry = tournament.entries.get(number=number)
    presence.mark_presence(entry, 1, status, seen_status=Status.EXPECTED, by=SOMEBODY)


def test_sessions_drawn_together_are_kept(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 24)
    page = propose(director, address(tournament), out="", sessions="3")
    drawn = page.context["draw"]
    assert len(drawn.sessions) == 3
    assert director.get(address(tournament)).context["draw"].drawn == drawn.drawn
    for _ in range(2):  # a double click
        assert director.post(address(tournament), {"keep": "1"}).status_code == 302
    kept = Schedule.objects.get()
    assert kept.seats == [each["tables"] for each in drawn.facts["answer"]["sessions"]]
    request = json.loads(director.get(address(tournament, "schedule-draw")).content)
    assert draws.draw(draws.read_request(request), lambda: 0.0).as_json() == kept.answer
    assert verification.is_consistent(tournament)


def test_draw_made_before_somebody_elses_is_not_kept(director: Client, planned: Schedule) -> None:
    page = address(planned.tournament)
    for _ in range(2):
        propose(director, page, out="", sessions="3")
    assert director.post(page, {"keep": "1"}).status_code == 302
    kept = Schedule.objects.get().seats
    assert kept != planned.seats
    assert director.post(page, {"keep": "2"}).status_code == 409
    assert director.post(page, {"keep": "x"}).status_code == 422
    assert Schedule.objects.get().seats == kept


def test_same_draw_is_stored_once(planned: Schedule) -> None:
    tournament = planned.tournament
    facts, seen = cast.drawn_facts(tournament, 1, sessions=2), 0  # sent twice
    again = schedules.store_schedule(tournament, 1, facts, seen_version=seen, by=SOMEBODY)
    assert again == planned
    assert schedule_queries.count_versions(tournament) == 1


def test_only_seats_of_players_are_planned_from_the_next_session_on(planned: Schedule) -> None:
    tournament = planned.tournament
    seen = schedule_queries.schedule_version(tournament)
    facts = cast.drawn_facts(tournament, 1)
    with pytest.raises(seating.NotSeatedBefore):
        schedules.store_schedule(tournament, 2, facts, seen_version=seen, by=SOMEBODY)
    tournament.entries.get(number=24).delete()
    with pytest.raises(seating.SeatingConflict):
        schedules.store_schedule(tournament, 1, facts, seen_version=seen, by=SOMEBODY)


def test_each_session_is_seated_as_planned(director: Client, planned: Schedule) -> None:
    tournament = planned.tournament
    for number in (1, 2):
        page = propose(director, address(tournament, "seat-session"))
        assert not page.context["planned"].line_up.is_stale
        assign(director, page)
        assert seated(number) == planned.seats[number - 1]
        session = Session.objects.get(number=number)
        assert Draw.objects.get(session=session).nth == number
        assert "変更あり" not in director.get(session.get_absolute_url()).text
        sessions.end_session(session, stopping=[1, 2, 3, 4], by=SOMEBODY)
    assert verification.is_consistent(tournament)


def test_plan_follows_the_roll_call(director: Client, planned: Schedule) -> None:
    tournament, first = planned.tournament, planned.seats[0][0][0]
    mark(tournament, int(first), Status.LATE)
    page = propose(director, address(tournament, "seat-session"))
    assert [entry.key for entry in page.context["planned"].line_up.away] == [first]
    assign(director, page)
    seats, tables = planned.seats[0], seated(1)
    joining = tables[0][0]
    assert joining in seats[-1]  # the other five of the last table sit out
    assert tables == [[joining, *seats[0][1:]], *seats[1:-1]]


def test_planned_seats_without_a_table_are_not_offered(director: Client, planned: Schedule) -> None:
    tournament, seats = planned.tournament, planned.seats[0]
    staying = {table[0] for table in seats} | {seats[0][1]}
    for entry in tournament.entries.exclude(number__in=staying):
        presence.mark_presence(entry, 1, Status.ABSENT, seen_status=Status.EXPECTED, by=SOMEBODY)
    page = director.get(address(tournament, "seat-session"))
    assert page.context["planned"].tables == []
    assert "どれも成り立ちません" in page.text
    assert "予定の席を案にする" not in page.text
    refused = propose(director, address(tournament, "seat-session"), new="1")
    assert refused.status_code == 422
    assert "5人全員は着席できません" in refused.text


def test_substitute_takes_the_planned_seat(director: Client, planned: Schedule) -> None:
    tournament, first = planned.tournament, planned.seats[0][0][0]
    mark(tournament, int(first), Status.ABSENT)
    absent = tournament.entries.get(number=int(first))
    substitutions.add_substitute(absent, 1, {"name": "山田 太郎"}, by=SOMEBODY)
    page = propose(director, address(tournament, "seat-session"))
    [(one, other)] = page.context["planned"].line_up.replacements
    assert (one.key, other.number) == (first, 25)
    assign(director, page)
    assert seated(1) == [["25", *planned.seats[0][0][1:]], *planned.seats[0][1:]]


def test_rest_is_drawn_anew_without_who_left(director: Client, planned: Schedule) -> None:
    tournament = planned.tournament
    mark(tournament, 7, Status.WITHDRAWN)
    page = propose(director, address(tournament))
    assert len(page.context["draw"].drawn.request.players) == 23
    assert len(page.context["draw"].sessions) == 4


@pytest.mark.parametrize("sessions", [1, 2])
@pytest.mark.parametrize("status", [Status.LATE, Status.ABSENT, Status.WITHDRAWN])
@pytest.mark.parametrize("stead", ["nobody", "substitute", "player"])
def test_only_who_is_away_from_all_sessions_is_left_out_of_their_draw(
    director: Client, tournament: Tournament, sessions: int, status: Status, stead: str
) -> None:
    """Who is late, or plays for somebody, is late and does so in the first session only."""
    Tournament.objects.filter(pk=tournament.pk).update(sessions_planned=sessions)
    people = cast.make_entries(tournament, 14)
    tournament.entries.update(club="")  # nothing more for the draw to search for
    away = people[2]
    mark(tournament, away.number, status)
    if stead != "nobody":
        person = people[13] if stead == "player" else {"name": "山田 太郎"}
        substitutions.add_substitute(away, 1, person, by=SOMEBODY)
    plans = address(tournament)
    is_late_in_one = status == Status.LATE and sessions > 1
    out = [] if is_late_in_one else ["3"]
    if stead == "substitute" and sessions > 1:
        out.append("15")
    assert director.get(plans).context["draw_form"]["out"].value().split() == out
    page = propose(director, plans)
    drawn = {each.id for each in page.context["draw"].drawn.request.players}
    assert drawn == {entry.key for entry in tournament.entries.all()}.difference(out)
    page = propose(director, plans, keep=str(page.context["proposal"]["row"].number))
    planned = page.context["planned"]
    assert [each["number"] for each in planned] == list(range(1, sessions + 1))
    stale = {each["number"] for each in planned if each["line_up"].is_stale}
    assert stale <= ({1} if sessions > 1 else set())
    page = propose(director, address(tournament, "seat-session"))
    seated = [entry.key for table in page.context["tables"] for entry in table]
    assert len(seated) == len({*seated}) == 12
    assert "3" not in seated


def test_players_who_sit_out_do_so_in_all_sessions_drawn_together(
    director: Client, tournament: Tournament
) -> None:
    cast.make_entries(tournament, 13)
    form = director.get(address(tournament))
    assert "抽選するどの回戦でも席に着かない選手" in form.text
    assert "この回戦で席に着かない選手" not in form.text
    one_session = director.get(address(tournament, "seat-session"))
    assert "この回戦で席に着かない選手" in one_session.text
    drawn = propose(director, address(tournament), out="7", sessions="2").context["draw"]
    for session in drawn.sessions:
        assert 7 not in {entry.number for table in session.tables for entry in table}


def test_planned_seats_are_changed_on_the_board(director: Client, planned: Schedule) -> None:
    tournament = planned.tournament
    page = director.get(address(tournament, "planned-seats", 2))
    form = dict(page.context["form"].initial)
    lines = form["tables"].splitlines()
    one, other = (line.split() for line in lines[:2])
    one[0], other[0] = other[0], one[0]
    form |= {"tables": "\n".join([" ".join(one), " ".join(other), *lines[2:]]), "seen": 0}
    assert director.post(address(tournament, "planned-seats", 2), form).status_code == 409
    form["seen"] = page.context["seen"]
    assert director.post(address(tournament, "planned-seats", 2), form).status_code == 302
    [_first, second] = schedule_queries.planned_sessions(Schedule.objects.get())
    assert (second.seats[0], second.changed) == (one, 2)
    assert verification.is_consistent(tournament)


def test_planned_seats_are_dropped(director: Client, planned: Schedule) -> None:
    version = schedule_queries.schedule_version(planned.tournament)
    form = {"drop": "1", "seen": version}
    assert director.post(address(planned.tournament), form).status_code == 302
    assert not Schedule.objects.exists()


def test_seats_to_come_are_not_public(client: Client, director: Client, planned: Schedule) -> None:
    tournament = planned.tournament
    seating.open_session(
        tournament,
        [list(tournament.entries.filter(number__in=table)) for table in planned.seats[0]],
        by=SOMEBODY,
        draw={"request": planned.request, "answer": planned.answer},
    )
    Tournament.objects.update(showing=Tournament.Showing.LIVE)
    draw = reverse("draw-file", args=[tournament.slug, 1])
    assert (client.get(draw).status_code, director.get(draw).status_code) == (404, 200)
    page = reverse("seats", args=[tournament.slug])
    told = f"{base(tournament)}/seats"
    assert "予定" not in client.get(page).text
    assert client.get(told).json()["planned"] == []
    director.post(address(tournament), {"show": "1", "shown": "1"})
    assert "予定" in client.get(page).text
    assert [each["session"] for each in client.get(told).json()["planned"]] == [2]
    assert verification.is_consistent(tournament)
    other, seen = cast.drawn_facts(tournament, 2), schedule_queries.schedule_version(tournament)
    schedules.store_schedule(tournament, 2, other, seen_version=seen, by=SOMEBODY)  # shown, too
    assert Schedule.objects.get().is_shown
    assert verification.is_consistent(tournament)
    Tournament.objects.update(closed_at=tournament.created_at)
    assert "予定" not in client.get(page).text
    Tournament.objects.update(closed_at=None)
    director.post(address(tournament), {"show": "1"})
    assert "予定" not in client.get(page).text
    assert verification.is_consistent(tournament)


def test_planned_seats_are_shown_before_anybody_is_seated(
    client: Client, planned: Schedule
) -> None:
    tournament = planned.tournament
    publications.set_shows_seats(tournament, shows=True, by=SOMEBODY)
    page = reverse("seats", args=[tournament.slug])
    assert page not in client.get("/").text
    program = director_of(tournament)
    told = program.put(f"{base(tournament)}/seats", {"shown": True, "planned": True})
    assert json_of(told) | {"state_version": 0} == {
        "shown": True,
        "planned": True,
        "state_version": 0,
    }
    assert page in client.get("/").text
    found = client.get(page).context["seats"]
    assert [len(each.planned) for each in found] == [2] * 24
    archive = archives.export_archive(tournament, with_private=True)
    version = schedule_queries.schedule_version(tournament)
    schedules.delete_schedule(tournament, seen_version=version, by=SOMEBODY)
    told = program.put(f"{base(tournament)}/seats", {"shown": True, "planned": False})
    assert (json_of(told)["shown"], json_of(told)["planned"]) == (True, False)
    refused = program.put(f"{base(tournament)}/seats", {"shown": False, "planned": True})
    assert code(refused) == (409, "not_planned")
    tournament.refresh_from_db()
    assert tournament.shows_seats
    Tournament.objects.update(slug="old-one")
    again = archives.import_archive(archive, by=SOMEBODY)
    assert Schedule.objects.get(tournament=again).is_shown


def test_only_who_plays_has_a_planned_seat(
    client: Client, director: Client, planned: Schedule
) -> None:
    tournament = planned.tournament
    assert "予定と出場者が違います" not in director.get(address(tournament)).text
    gone, late, absent = (int(key) for key in planned.seats[0][0][:3])
    mark(tournament, gone, Status.WITHDRAWN)
    mark(tournament, late, Status.LATE)  # in session 1 only
    mark(tournament, absent, Status.ABSENT)
    replaced = tournament.entries.get(number=absent)
    substitutions.add_substitute(replaced, 1, {"name": "山田 太郎"}, by=SOMEBODY)  # number 25
    entries.add_entries(tournament, [{"name": "古川 久美"}], by=SOMEBODY)
    publications.set_shows_seats(tournament, shows=True, by=SOMEBODY)
    schedules.set_shows_schedule(tournament, shows=True, by=SOMEBODY)

    page = client.get(address(tournament, "seats"))
    places = {each.entry.number: list(each.planned) for each in page.context["seats"]}
    assert places[gone] == places[absent] == []
    [second] = places[late]
    assert second.session == 2
    assert second.table
    assert places[25] == [PlannedPlace(1, 1, 3)]
    assert places[26] == [PlannedPlace(1, is_new=True), PlannedPlace(2, is_new=True)]
    assert "席の予定なし" not in page.text
    assert page.text.count("席の予定はまだありません") == 1
    assert {each.entry.number for each in page.context["seats"] if not each.is_listed} == {
        *(gone, absent)
    }
    for told in (
        client.get(f"{base(tournament)}/seats").json()["planned"],
        director.get(f"{base(tournament)}/schedule").json()["sessions"],
    ):
        not_playing = [set(each["not_playing"]) for each in told]
        assert not_playing == [{gone, late, absent}, {gone, absent}]

    text = director.get(address(tournament)).text
    assert text.count("予定と出場者が違います") == 2
    assert text.count("出場しません") == 4  # who is replaced stands beside the substitute
    assert text.count("追加で出場します") == 2

    [table, *others] = planned.seats[1]
    seats = [[tournament.entries.get(number=key) for key in each] for each in others]
    joined = [tournament.entries.get(number=key) for key in [*table[:-1], 26]]
    seen = schedule_queries.schedule_version(tournament)
    schedules.change_planned_seats(tournament, 2, [joined, *seats], seen_version=seen, by=SOMEBODY)
    changed = client.get(address(tournament, "seats"))
    places = {each.entry.number: list(each.planned) for each in changed.context["seats"]}
    assert places[26] == [PlannedPlace(1, is_new=True), PlannedPlace(2, 1, 6)]
    assert changed.text.count("席の予定なし") == 1
    assert "席の予定はまだありません" not in changed.text


def test_who_withdrew_is_not_said_to_sit_out(director: Client, tournament: Tournament) -> None:
    cast.make_entries(tournament, 13)
    facts = cast.drawn_facts(tournament, 1)
    planned = schedules.store_schedule(tournament, 1, facts, seen_version=0, by=SOMEBODY)
    [out] = facts["answer"]["sessions"][0]["sits_out"]
    assert "抜け番：" in director.get(address(tournament)).text
    mark(tournament, int(out), Status.WITHDRAWN)
    assert "抜け番：" not in director.get(address(tournament)).text
    [session] = schedule_queries.sessions_to_come(planned)
    assert out not in schedule_queries.places_in([session])


def test_seated_session_is_not_listed_with_its_planned_seats(
    director: Client, planned: Schedule
) -> None:
    tournament = planned.tournament
    mark(tournament, 10, Status.WITHDRAWN)
    assign(director, propose(director, address(tournament, "seat-session")))
    page = director.get(address(tournament))
    first, second = page.context["planned"]
    assert (first["is_open"], first["tables"]) == (True, [])
    assert [len(table) for table in second["tables"]] == [6, 6, 6, 6]
    assert page.text.count('class="sitting-players') == 4
    assert f'href="{Session.objects.get().get_absolute_url()}"' in page.text


@pytest.mark.parametrize("instead", ["drawn", "by hand", "as planned"])
def test_record_of_the_draw_is_that_of_the_sessions_named(
    director: Client, tournament: Tournament, instead: str
) -> None:
    """A seated session may have been drawn again alone, or seated by hand."""
    cast.make_entries(tournament, 13)
    facts = cast.drawn_facts(tournament, 1, sessions=2)
    schedules.store_schedule(tournament, 1, facts, seen_version=0, by=SOMEBODY)
    told = "席の抽選の記録です"
    assert f"第1回戦、第2回戦の{told}" in director.get(address(tournament)).text
    assert "抽選による抜け番" not in director.get(address(tournament)).text  # of which session?

    def seat(number: int) -> None:
        page = address(tournament, "seat-session")
        if instead == "by hand":
            tables = list(tournament.entries.all())
            seating.open_session(tournament, [tables[:6], tables[6:12]], by=SOMEBODY)
        else:
            new = {"new": "1"} if instead == "drawn" else {}
            assign(director, propose(director, page, **new))
        sessions.end_session(Session.objects.get(number=number), stopping=[1, 2], by=SOMEBODY)

    for number, others in ((1, "第2回戦"), (2, "")):
        seat(number)
        text = director.get(address(tournament)).text
        named = "第1回戦、第2回戦" if instead == "as planned" else others
        assert (f"{named}の{told}" in text) == bool(named)
        assert ("抽選の記録" in text) == bool(named)
        assert "席の予定を取り消す" in text


def test_stage_confirmed_since_ends_the_plan(planned: Schedule) -> None:
    stage = planned.tournament.stages.create(number=2, name="決勝", quotas=[], first_session=2)
    assert [each.number for each in schedule_queries.planned_sessions(planned)] == [1]
    stage.delete()


def test_program_plans_and_seats(tournament: Tournament) -> None:
    cast.make_entries(tournament, 24)
    program, url = director_of(tournament), f"{base(tournament)}/schedule"
    assert json_of(program.ask("get", url)) == {"version": 0, "sessions": [], "draw": None}
    told = json_of(program.put(url, {"sessions": 2, "seed": 5, "seen": 0}))
    assert [each["session"] for each in told["sessions"]] == [1, 2]
    stale = program.put(url, {"sessions": 2, "seed": 6, "seen": 0})
    assert code(stale) == (409, "seats_changed")
    body = {"planned": True, "pins": False}
    session = json_of(program.post(f"{base(tournament)}/sessions", body))
    tables = [[seat["number"] for seat in each["seats"]] for each in session["sittings"]]
    assert tables == told["sessions"][0]["tables"]
    mark(tournament, 3, Status.WITHDRAWN)
    answer = program.post(f"{base(tournament)}/sessions", body)
    assert code(answer) == (409, "planned_stale")
    assert json_of(program.ask("delete", f"{url}?seen={told['version']}"))["sessions"] == []
    assert code(program.post(f"{base(tournament)}/sessions", body)) == (409, "not_planned")
