"""Writes about sessions: seats, planned seats, stages, clocks."""

from __future__ import annotations

from tests import cast, stages
from tests.cast import SOMEBODY
from tests.tournaments.audit.examples.registry import Write, example
from tournaments.models import SeatProposal, Session, Sitting, Stage, Tournament
from tournaments.queries import clocks as clock_queries
from tournaments.queries import schedules as schedule_queries
from tournaments.queries.clocks import ClockSettings
from tournaments.queries.seat_proposals import Purpose, read
from tournaments.services import (
    clock_jumps,
    clocks,
    phones,
    plans,
    play_offs,
    schedules,
    seat_proposals,
    seating,
    sessions,
)
from tournaments.services import stages as stages_service


@example("services.seating.open_session")
def session(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    tables = [list(tournament.entries.all())]
    return lambda: seating.open_session(tournament, tables, by=SOMEBODY)


@example("services.seating.open_session: drawn")
def drawn_session(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    tables, facts = [list(tournament.entries.all())], cast.drawn_facts(tournament, 2)
    return lambda: seating.open_session(tournament, tables, by=SOMEBODY, draw=facts)


@example("services.play_offs.open_play_off")
def play_off(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    plan, tables = seating.PlayOffPlan([2, 1], rounds=1), [list(tournament.entries.all())]
    return lambda: play_offs.open_play_off(tournament, plan, tables, number=2, by=SOMEBODY)


@example("services.seating.reseat: drawn")
def session_drawn_again(sitting: Sitting) -> Write:
    tournament, seen = sitting.session.tournament, seating.seats_version(sitting.session)
    tables, facts = [list(tournament.entries.all())[::-1]], cast.drawn_facts(tournament, 1)
    return lambda: seating.reseat(
        sitting.session, tables, seen_version=seen, by=SOMEBODY, draw=facts
    )


@example("services.seating.reseat")
def reseated_session(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    cast.make_entries(tournament, 6)
    everybody = list(tournament.entries.all())
    tables, seen = [everybody[6:], everybody[:6]], seating.seats_version(sitting.session)
    return lambda: seating.reseat(sitting.session, tables, seen_version=seen, by=SOMEBODY)


@example("services.seating.reseat: fewer")
def reseated_with_fewer_tables(sitting: Sitting) -> Write:
    reseated_session(sitting)()
    phones.join(sitting.session.sittings.get(number=2).token)
    tables = [[seat.entry for seat in sitting.seats.all()]]
    seen = seating.seats_version(sitting.session)
    return lambda: seating.reseat(sitting.session, tables, seen_version=seen, by=SOMEBODY)


def proposed(tournament: Tournament, purpose: Purpose) -> SeatProposal:
    """Propose seats of session 2, or a plan of it and the next one."""
    facts = cast.drawn_facts(tournament, 2, sessions=2 if purpose == Purpose.PLAN else 1)
    drawn = [each["tables"] for each in facts["answer"]["sessions"]]
    return seat_proposals.propose(
        tournament,
        purpose,
        2,
        drawn if purpose == Purpose.PLAN else drawn[0],
        basis=seat_proposals.basis_of(tournament, 2),
        by=SOMEBODY,
        draw=facts,
    )


@example("services.seat_proposals.propose")
def proposed_seats(sitting: Sitting) -> Write:
    return lambda: proposed(sitting.session.tournament, Purpose.SEAT)


@example("services.seat_proposals.change")
def changed_proposal(sitting: Sitting) -> Write:
    row = proposed(sitting.session.tournament, Purpose.SEAT)
    seats, seen = [table[::-1] for table in row.seats], read(row).digest
    return lambda: seat_proposals.change(row, seats, seen=seen, by=SOMEBODY)


@example("services.seat_proposals.confirm")
def confirmed_proposal(sitting: Sitting) -> Write:
    row = proposed(sitting.session.tournament, Purpose.SEAT)
    return lambda: seat_proposals.confirm(row, row.seats, seen=read(row).digest, by=SOMEBODY)


@example("services.seat_proposals.confirm_plan")
def confirmed_plan(sitting: Sitting) -> Write:
    row = proposed(sitting.session.tournament, Purpose.PLAN)
    return lambda: seat_proposals.confirm_plan(row, by=SOMEBODY)


def keep_schedule(tournament: Tournament) -> None:
    facts = cast.drawn_facts(tournament, 2, sessions=2)
    schedules.store_schedule(tournament, 2, facts, seen_version=0, by=SOMEBODY)


@example("services.schedules.store_schedule")
def planned_seats(sitting: Sitting) -> Write:
    return lambda: keep_schedule(sitting.session.tournament)


@example("services.schedules.change_planned_seats")
def planned_seats_changed(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    keep_schedule(tournament)
    tables, seen = [list(tournament.entries.all())], schedule_queries.schedule_version(tournament)
    return lambda: schedules.change_planned_seats(
        tournament, 3, tables, seen_version=seen, by=SOMEBODY
    )


@example("services.schedules.set_shows_schedule")
def shown_schedule(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    keep_schedule(tournament)
    return lambda: schedules.set_shows_schedule(tournament, shows=True, by=SOMEBODY)


@example("services.schedules.delete_schedule")
def planned_seats_dropped(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    keep_schedule(tournament)
    seen = schedule_queries.schedule_version(tournament)
    return lambda: schedules.delete_schedule(tournament, seen_version=seen, by=SOMEBODY)


@example("services.sessions.end_session")
def ended_session(sitting: Sitting) -> Write:
    pk = sitting.session_id
    return lambda: sessions.end_session(Session.objects.get(pk=pk), stopping=[1], by=SOMEBODY)


@example("services.sessions.resume_session")
def resumed_session(sitting: Sitting) -> Write:
    sessions.end_session(sitting.session, stopping=[1], by=SOMEBODY)
    pk = sitting.session_id
    return lambda: sessions.resume_session(Session.objects.get(pk=pk), by=SOMEBODY)


@example("services.sessions.remove_session")
def removed_session(sitting: Sitting) -> Write:
    phones.join(sitting.token)
    pk = sitting.session_id
    return lambda: sessions.remove_session(Session.objects.get(pk=pk), by=SOMEBODY)


@example("services.clocks.set_clock")
def set_clock(sitting: Sitting) -> Write:
    wanted = ClockSettings(3600, 300, {"1": 120})
    return lambda: clocks.set_clock(sitting.session, wanted, seen_version=0, by=SOMEBODY)


@example("services.clock_jumps.tell")
def clock_jumped(sitting: Sitting) -> Write:
    return lambda: clock_jumps.tell(sitting.session.tournament, -600)


@example("services.clocks.run_clock")
def started_clock(sitting: Sitting) -> Write:
    set_clock(sitting)()
    return lambda: run_clock(sitting, clocks.ClockAction.START)


def run_clock(sitting: Sitting, act: clocks.ClockAction) -> None:
    seen = clock_queries.clock_version(sitting.session)
    clocks.run_clock(sitting.session, act, seen_version=seen, by=SOMEBODY)


@example("services.clocks.run_clock: paused")
def paused_clock(sitting: Sitting) -> Write:
    started_clock(sitting)()
    return lambda: run_clock(sitting, clocks.ClockAction.PAUSE)


@example("services.clocks.run_clock: resumed")
def resumed_clock(sitting: Sitting) -> Write:
    paused_clock(sitting)()
    return lambda: run_clock(sitting, clocks.ClockAction.RESUME)


@example("services.clocks.run_clock: reset")
def reset_clock(sitting: Sitting) -> Write:
    resumed_clock(sitting)()
    return lambda: run_clock(sitting, clocks.ClockAction.RESET)


@example("services.stages.set_stage")
def defined_stage(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    return lambda: stages.make_stage(tournament)


@example("services.stages.define_stages")
def stages_defined(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    stages.make_stage(tournament)
    stages.make_stage(tournament, 3)
    wanted = [stages.plan(name="A")]
    return lambda: stages_service.define_stages(tournament, wanted, by=SOMEBODY)


@example("services.stages.set_sessions_planned")
def sessions_of_a_stage(sitting: Sitting) -> Write:
    cast.record(sitting)
    stage = stages.make_confirmed(sitting.session.tournament, stages.plan(stages.WINNERS))
    return lambda: stages_service.set_sessions_planned(stage, 2, by=SOMEBODY)


@example("services.plans.set_plan")
def plan(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    seen, wanted = plans.plan_version(tournament), [stages.plan()]
    return lambda: plans.set_plan(tournament, 3, wanted, seen_version=seen, by=SOMEBODY)


@example("services.plans.add_session")
def session_more(sitting: Sitting) -> Write:
    tournament = sitting.session.tournament
    seen = plans.plan_version(tournament)
    plans.set_plan(tournament, 1, seen_version=seen, by=SOMEBODY)
    return lambda: plans.add_session(tournament, by=SOMEBODY)


@example("services.stages.remove_stage")
def removed_stage(sitting: Sitting) -> Write:
    pk = stages.make_stage(sitting.session.tournament).pk
    return lambda: stages_service.remove_stage(Stage.objects.get(pk=pk), by=SOMEBODY)


@example("services.stages.confirm_members")
def confirmed_members(sitting: Sitting) -> Write:
    cast.record(sitting)
    wanted = stages.plan(stages.WINNERS)
    pk = stages.make_stage(sitting.session.tournament, wanted=wanted).pk
    return lambda: stages.confirm(Stage.objects.get(pk=pk))


@example("services.stages.take_back_members")
def taken_back_members(sitting: Sitting) -> Write:
    cast.record(sitting)
    pk = stages.make_confirmed(sitting.session.tournament, stages.plan(stages.WINNERS)).pk
    return lambda: stages_service.take_back_members(Stage.objects.get(pk=pk), by=SOMEBODY)


@example("services.stages.replace_member")
def replaced_member(sitting: Sitting) -> Write:
    cast.record(sitting)
    stage = stages.make_confirmed(sitting.session.tournament, stages.plan(stages.WINNERS))
    leaving, following = (stage.tournament.entries.get(number=number) for number in (2, 1))
    return lambda: stages_service.replace_member(stage, leaving, following, by=SOMEBODY)
