"""The plan: sessions and stages set together, and no session seated beyond it unasked."""

from __future__ import annotations

import pytest

from tests import cast, stages
from tests.cast import SOMEBODY
from tournaments import verification
from tournaments.models import Session, Tournament
from tournaments.queries.progress import current_plan
from tournaments.services import closing, plans, seating, sessions
from tournaments.services.play_offs import open_play_off
from tournaments.services.stages import StageConfirmed, StagePlan

pytestmark = pytest.mark.django_db


def set_plan(tournament: Tournament, planned: int | None, *wanted: StagePlan) -> None:
    seen = plans.plan_version(tournament)
    plans.set_plan(tournament, planned, wanted, seen_version=seen, by=SOMEBODY)
    tournament.refresh_from_db()


def play(tournament: Tournament) -> Session:
    """Seat one session of everybody, record a round at each table, and end it."""
    cast.make_entries(tournament, max(0, 6 - tournament.entries.count()))
    session = seating.open_session(tournament, [list(tournament.entries.all())[:6]], by=SOMEBODY)
    cast.record(session.sittings.get())
    return sessions.end_session(session, stopping=[1], by=SOMEBODY)


def steps(tournament: Tournament) -> tuple[str, int]:
    plan = current_plan(tournament)
    return plan.next, plan.sessions_left


def test_no_session_is_seated_beyond_the_plan_unasked(tournament: Tournament) -> None:
    set_plan(tournament, 2, stages.plan(stages.WINNERS))
    assert steps(tournament) == ("session", 3)  # a final of unplanned length is one session
    play(tournament)
    play(tournament)
    assert steps(tournament) == ("confirm_stage", 1)
    with pytest.raises(seating.BeyondPlan):
        play(tournament)
    everybody = [list(tournament.entries.all())]
    tied = seating.PlayOffPlan([2, 4], rounds=1)
    play_off = open_play_off(tournament, tied, everybody, number=3, by=SOMEBODY)
    sessions.remove_session(play_off, by=SOMEBODY)
    for _ in range(2):  # a double click
        plans.add_session(tournament, by=SOMEBODY)
    tournament.refresh_from_db()
    assert (tournament.sessions_planned, steps(tournament)) == (3, ("session", 2))
    play(tournament)
    stages.confirm(tournament.stages.get())
    assert steps(tournament) == ("session", 1)
    assert verification.verify(tournament) == []


def test_more_sessions_can_be_planned_for_a_confirmed_stage(tournament: Tournament) -> None:
    cast.make_entries(tournament, 6)
    set_plan(tournament, 1, stages.plan(stages.WINNERS, sessions_planned=1))
    play(tournament)
    final = stages.confirm(tournament.stages.get())
    play(tournament)
    assert steps(tournament) == ("awards", 0)
    plans.add_session(tournament, by=SOMEBODY)
    final.refresh_from_db()
    assert (final.sessions_planned, final.is_confirmed) == (2, True)
    assert steps(tournament) == ("session", 1)
    assert verification.verify(tournament) == []
    with pytest.raises(StageConfirmed):
        set_plan(tournament, 3, stages.plan())
    seen = plans.plan_version(tournament)
    plans.set_plan(tournament, 4, seen_version=seen, by=SOMEBODY)
    final.refresh_from_db()
    assert (final.sessions_planned, Tournament.objects.get().sessions_planned) == (4, 1)


def test_tournament_without_a_plan_goes_on_as_long_as_it_likes(tournament: Tournament) -> None:
    for _ in range(3):
        play(tournament)
    assert steps(tournament) == ("awards", 0)


def test_stale_plan_and_a_closed_tournament_are_refused(tournament: Tournament) -> None:
    seen = plans.plan_version(tournament)
    set_plan(tournament, 3, stages.plan(), stages.plan(name="A"))
    with pytest.raises(plans.PlanChanged):
        plans.set_plan(tournament, 2, [], seen_version=seen, by=SOMEBODY)
    set_plan(tournament, 3)
    assert not tournament.stages.exists()
    assert verification.verify(tournament) == []
    closing.close(tournament, by=SOMEBODY)
    with pytest.raises(closing.EventClosed):
        set_plan(tournament, 2)
