"""Seats are planned within a stage: none for a final before it is known who plays in it."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scoring.stages.selection import AtLine, Quota
from tests import cast, stages
from tests.api import base, code, json_of, staff
from tests.cast import SOMEBODY
from tests.proposals import assign, propose
from tournaments import verification
from tournaments.models import Schedule, Session, Tournament
from tournaments.queries import schedules as schedule_queries
from tournaments.queries import stages as stage_queries
from tournaments.services import plans, publications, schedules, seating, sessions
from tournaments.services import stages as stage_services
from tournaments.services.play_offs import open_play_off
from tournaments.services.schedules import BeyondStage


@pytest.fixture
def page(tournament: Tournament) -> str:
    """The page of the planned seats; there are 12 players."""
    cast.make_entries(tournament, 12)
    return reverse("schedule", args=[tournament.slug])


def set_plan(tournament: Tournament, planned: int | None, *, final: bool) -> None:
    wanted = [stages.plan(stages.WINNERS, sessions_planned=1)] if final else []
    seen = plans.plan_version(tournament)
    plans.set_plan(tournament, planned, wanted, seen_version=seen, by=SOMEBODY)
    tournament.refresh_from_db()


def play(tournament: Tournament) -> Session:
    players = list(tournament.entries.all())
    session = seating.open_session(tournament, [players[:6], players[6:]], by=SOMEBODY)
    for sitting in session.sittings.all():
        cast.record(sitting)
    return sessions.end_session(session, stopping=[1, 2], by=SOMEBODY)


def keep(tournament: Tournament, number: int, count: int) -> Schedule:
    facts = cast.drawn_facts(tournament, number, sessions=count)
    seen = schedule_queries.schedule_version(tournament)
    return schedules.store_schedule(tournament, number, facts, seen_version=seen, by=SOMEBODY)


def numbers_planned(tournament: Tournament) -> list[int]:
    schedule = Schedule.objects.get(tournament=tournament)
    return [each.number for each in schedule_queries.planned_sessions(schedule)]


@pytest.mark.parametrize(
    ("planned", "final", "most"),
    [(3, True, 3), (3, False, 3), (None, True, 1), (None, False, None)],
)
def test_no_more_sessions_are_planned_than_the_stage_has(
    director: Client,
    tournament: Tournament,
    page: str,
    planned: int | None,
    most: int | None,
    *,
    final: bool,
) -> None:
    set_plan(tournament, planned, final=final)
    field = director.get(page).context["draw_form"]["sessions"]
    assert field.field.widget.attrs["max"] == (most or 20)
    if most is None:
        assert len(keep(tournament, 1, 5).seats) == 5
        return
    assert propose(director, page, out="", sessions=str(most + 1)).status_code == 422
    program, url = (
        staff(cast.make_staff(tournament, "program", "director")),
        f"{base(tournament)}/schedule",
    )
    answer = program.put(url, {"sessions": most + 1, "seen": 0})
    assert (code(answer), json_of(answer)["errors"][0]["at"]) == ((409, "beyond_plan"), "sessions")
    with pytest.raises(BeyondStage):
        keep(tournament, 1, most + 1)
    assert not Schedule.objects.exists()
    propose(director, page, out="", sessions=str(most))
    director.post(page, {"keep": "1"})
    assert numbers_planned(tournament) == [*range(1, most + 1)]


def test_nothing_is_drawn_once_the_sessions_of_the_stage_are_seated(
    director: Client, tournament: Tournament, page: str
) -> None:
    """Nor is an older proposal confirmed, which is no longer shown."""
    set_plan(tournament, 2, final=True)
    keep(tournament, 1, 2)
    play(tournament)
    propose(director, page, out="", sessions="1")
    set_plan(tournament, 1, final=True)
    shown = director.get(page)
    assert shown.context["draw"] is None
    assert "引き直す" not in shown.text
    assert "進出者を確定" in shown.text
    refused = director.post(page, {"out": "", "sessions": "1"})
    assert (refused.status_code, refused.context["draw"]) == (409, None)
    assert "今のステージの予定の回戦まで" in refused.text
    assert director.post(page, {"keep": "1"}).status_code == 409
    assert verification.is_consistent(tournament)


def test_seats_planned_before_the_plan_changed_are_not_those_of_the_final(
    client: Client, director: Client, tournament: Tournament, page: str
) -> None:
    keep(tournament, 1, 3)
    play(tournament)
    publications.set_shows_seats(tournament, shows=True, by=SOMEBODY)
    schedules.set_shows_schedule(tournament, shows=True, by=SOMEBODY)
    seats = reverse("seats", args=[tournament.slug])
    assert [each.number for each in client.get(seats).context["planned"]] == [2, 3]
    assert "ステージの回戦より多く" not in director.get(page).text
    set_plan(tournament, 1, final=True)

    def check_nothing_is_planned() -> None:
        assert client.get(seats).context["planned"] == []
        assert director.get(tournament.get_absolute_url()).context["planned_numbers"] <= {1}
        told = director.get(page)
        assert [each["number"] for each in told.context["planned"]] in ([], [1])
        assert "ステージの回戦より多く" in told.text
        assert "席の予定を取り消す" in told.text
        told = director.get(f"{base(tournament)}/schedule").json()
        assert [each["session"] for each in told["sessions"]] in ([], [1])

    check_nothing_is_planned()
    final = stages.confirm(tournament.stages.get())
    check_nothing_is_planned()
    shown = director.get(reverse("seat-session", args=[tournament.slug]))
    assert shown.context["planned"] is None
    stage_services.take_back_members(final, by=SOMEBODY)
    set_plan(tournament, 3, final=True)
    assert numbers_planned(tournament) == [1, 2, 3]


@pytest.mark.usefixtures("page")
def test_seats_of_a_stage_are_its_own_whatever_number_they_begin_with(
    tournament: Tournament,
) -> None:
    """A plan of either stage may begin with the number with which the final begins.

    Its seats may even be the same.
    """
    set_plan(tournament, 2, final=True)
    play(tournament)
    keep(tournament, 2, 1)
    final = stages.confirm(tournament.stages.get())  # before the planned session was seated
    assert numbers_planned(tournament) == []
    keep(tournament, 2, 1)
    assert numbers_planned(tournament) == [2]
    everybody = list(tournament.entries.all())
    tied = seating.PlayOffPlan([2, 4], rounds=1)
    play_off = open_play_off(tournament, tied, [everybody[:6]], number=2, by=SOMEBODY)
    assert numbers_planned(tournament) == [3]
    sessions.remove_session(play_off, by=SOMEBODY)
    stage_services.take_back_members(final, by=SOMEBODY)
    assert numbers_planned(tournament) == []
    stage_services.remove_stage(final, by=SOMEBODY)
    assert numbers_planned(tournament) == []
    keep(tournament, 2, 1)
    assert numbers_planned(tournament) == [2]


def test_who_was_replaced_in_the_final_is_not_called_off_the_list(
    director: Client, tournament: Tournament, page: str
) -> None:
    """Neither where seats are planned, nor where they are proposed."""
    six = stages.plan(Quota("", "", 6), at_line=AtLine.LOT)
    plans.set_plan(tournament, 1, [six], seen_version=0, by=SOMEBODY)
    play(tournament)
    final = stages.confirm(tournament.stages.get())
    propose(director, page, out="", sessions="1")
    kept = director.post(page, {"keep": "1"})
    assert kept.status_code == 302, kept.context["refusal"]
    seating_page = reverse("seat-session", args=[tournament.slug])
    proposed = propose(director, seating_page)
    leaving = proposed.context["tables"][0][0]
    following = stage_queries.next_in_line(final, leaving).rows[0].entry
    stage_services.replace_member(final, leaving, following, by=SOMEBODY)

    told = director.get(proposed.request["PATH_INFO"])
    assert told.context["proposal"].misfits.not_in_stage == [leaving]
    assert assign(director, proposed).status_code in {409, 422}
    planned = director.get(page)
    [session] = planned.context["planned"]
    assert session["line_up"].not_in_stage == [leaving]
    for text in (told.text, planned.text):
        assert "この回戦には出ません" in text
        assert "名簿にありません" not in text
    assert len(Session.objects.all()) == 1
    mended = director.post(proposed.request["PATH_INFO"], {"mend": "1"}, follow=True)
    assert assign(director, mended).status_code == 302
    [table] = seating.seating_of(Session.objects.latest("number"))
    assert following in table
    assert leaving not in table
