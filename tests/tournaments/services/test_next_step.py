"""The director's next step in every state of an event, as in the table of docs/desk.md."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings
from django.utils import timezone

from tournaments.models import Entry, Session, Tournament
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.progress import Progress, SessionProgress, current_progress
from tournaments.queries.run_sheet import Day, RunSheet, next_step, run_sheet

SEATED = Progress(tables=2, recorded=0, planned=20)
BEGUN = Progress(tables=2, recorded=0, planned=20, under_way=1)
COMPLETE = Progress(tables=2, recorded=20, planned=20)
TIMED_SEATED = Progress(tables=2, recorded=0, planned=None)
TIMED = Progress(tables=2, recorded=7, planned=None)

# Of each session: its progress, and whether the desk has ended it.
SESSIONS = {
    "none": [],
    "seated": [(SEATED, False)],
    "timed seated": [(TIMED_SEATED, False)],
    "begun": [(BEGUN, False)],
    "timed begun": [(TIMED, False)],
    "complete": [(COMPLETE, False)],
    "cut short": [(BEGUN, True)],
    "timed ended": [(TIMED, True)],
    "ended without a record": [(SEATED, True)],
    "second seated": [(COMPLETE, False), (SEATED, False)],
    "second seated after a timed one": [(TIMED, False), (TIMED_SEATED, False)],
    "first goes on, second seated": [(BEGUN, False), (SEATED, False)],
    "first goes on, second complete": [(BEGUN, False), (COMPLETE, False)],
    "second timed": [(COMPLETE, False), (TIMED, False)],
    "both over": [(TIMED, False), (COMPLETE, False)],
    "both ended": [(TIMED, True), (BEGUN, True)],
}
NOT_BEGUN = {"seated", "timed seated", "ended without a record"}
OVER = {"complete", "cut short", "timed ended", "both over", "both ended"}
TIMED_ON = {
    *("timed seated", "timed begun", "second seated after a timed one"),
    "second timed",
}
ON = {*SESSIONS} - {"none", "ended without a record"} - OVER
SHOWING = ("staff", "live", "published")


PLANNED = {"none": None, "one": 1, "three": 3}  # sessions


class State(NamedTuple):
    """One state of an event; `still_expected` players are waited for in the next roll call."""

    closed: bool
    entries: int
    sessions: str
    showing: str
    unannounced: int
    planned: str = "none"
    still_expected: int = 0
    is_time_up: bool = False
    unconfirmed: int = 0  # stages


STATES = [
    State(*each)
    for each in product(
        (False, True), (0, 5, 12), SESSIONS, SHOWING, (0, 3), PLANNED, (0, 4), (False, True), (0, 1)
    )
    if each[1] == 12 or each[2] == "none"  # whoever is seated stays entered
]


def expected(state: State) -> str:
    """Return the step of the only matching row of the table."""
    is_announced = state.showing == "published"
    has_changed = is_announced and state.unannounced > 0
    is_open, is_seatable = not state.closed, state.entries >= 6
    is_shown = state.showing != "staff"
    is_first = state.sessions in {"none", "ended without a record"}
    is_over, is_timed = state.sessions in OVER, state.sessions in TIMED_ON
    wants_more = len(SESSIONS[state.sessions]) < (PLANNED[state.planned] or 0)
    left = (PLANNED[state.planned] or 0) - len(SESSIONS[state.sessions])
    is_on = is_open and state.sessions in ON
    is_seen = is_shown or state.sessions not in NOT_BEGUN
    goes_on = is_over and left <= state.unconfirmed > 0  # a stage is next
    seats = is_open and is_seatable and (is_first or (is_over and wants_more and not goes_on))
    ends = is_open and is_over and not wants_more and not goes_on
    rows = [
        (state.closed and has_changed, "announce_again"),
        (state.closed and not has_changed, "closed"),
        (is_open and not is_seatable, "add_entries"),
        (is_on and not is_seen, "show"),
        (is_on and is_seen and state.is_time_up, "end"),
        (is_on and is_seen and not state.is_time_up and not is_timed, "play"),
        (is_on and is_seen and not state.is_time_up and is_timed, "play_and_end"),
        (is_open and is_over and has_changed and (goes_on or not wants_more), "announce_again"),
        (is_open and goes_on and not has_changed, "confirm_stage"),
        (seats and state.still_expected > 0, "call_roll"),
        (seats and state.still_expected == 0, "seat"),
        (ends and not is_announced, "announce"),
        (ends and is_announced and not has_changed, "close"),
    ]
    (step,) = [step for fits, step in rows if fits]
    return step


def sessions_in(state: State, tournament: Tournament) -> list[SessionProgress]:
    ended = timezone.now()
    return [
        SessionProgress(
            Session(tournament=tournament, number=number, ended_at=ended if has_ended else None),
            progress,
        )
        for number, (progress, has_ended) in enumerate(SESSIONS[state.sessions], 1)
    ]


def tournament_in(state: State) -> Tournament:
    return Tournament(
        rule_set="goninkan-association",
        showing=state.showing,
        closed_at=timezone.now() if state.closed else None,
        sessions_planned=PLANNED[state.planned],
    )


def test_next_step_is_as_documented() -> None:
    for state in STATES:
        assert next_step(day_in(state)) == expected(state), state


def day_in(state: State) -> Day:
    """Return the day in a state; where somebody is still_expected, the others are present."""
    tournament = tournament_in(state)
    sessions = sessions_in(state, tournament)
    waiting = [Status.EXPECTED] * state.still_expected
    statuses = waiting + [Status.PRESENT] * (state.entries - state.still_expected)
    roll = RollCall(1, {Entry(pk=pk): status for pk, status in enumerate(statuses, 1)})
    stages = range(2, 2 + state.unconfirmed)
    return Day(
        tournament, state.entries, sessions, state.unannounced, roll, state.is_time_up, stages
    )


def sheet_in(state: State) -> RunSheet:
    return run_sheet(day_in(state), [])


STEP_IN_SHEET = {
    **dict.fromkeys(("show", "play", "play_and_end", "end"), "play"),
    **dict.fromkeys(("announce", "announce_again"), "announce"),
    "call_roll": "call_roll",
    "seat": "seat",
    "confirm_stage": "confirm_stage",
}


def test_final_that_is_confirmed_is_seated_though_it_was_not_planned() -> None:
    state = State(False, 12, "complete", "live", 0)
    day = day_in(state)
    assert run_sheet(day, []).next_step == "announce"
    assert run_sheet(day._replace(last_stage_from=2), []).next_step == "seat"


def test_play_off_is_none_of_the_planned_sessions() -> None:
    day = day_in(State(False, 12, "both over", "live", 0, planned="three"))
    day.sessions[1].session.tied = [1, 2]
    sheet = run_sheet(day, [])
    assert (sheet.next_step, len(sheet.sessions)) == ("seat", 4)
    assert "call_roll" not in {step.code for step in sheet.sessions[1].steps}
    day.tournament.sessions_planned = None
    assert run_sheet(day, []).next_step == "announce"
    assert run_sheet(day._replace(last_stage_from=2), []).next_step == "seat"  # the final itself


def test_announcing_is_offered_first_only_after_the_last_planned_session() -> None:
    for state in STATES:
        sheet, seated = sheet_in(state), len(SESSIONS[state.sessions])
        wanted = (PLANNED[state.planned] or 0) > 0 and seated >= (PLANNED[state.planned] or 0)
        assert sheet.are_all_seated == (wanted and not state.unconfirmed), state
        if sheet.next_step in {"seat", "call_roll"}:
            assert not sheet.is_all_played
            assert not any(part.is_at_hand for part in sheet.sessions if part.is_over), state


def test_run_sheet_marks_the_next_step_once() -> None:
    """Unless it is one before all sessions or after them."""
    for state in STATES:
        sheet = sheet_in(state)
        marked = [
            step.code for part in sheet.sessions for step in part.steps if step.state == "next"
        ]
        is_last_of_day = state.closed or sheet.next_step in {"add_entries", "close"}
        if is_last_of_day and not marked:
            continue
        assert marked == [STEP_IN_SHEET[sheet.next_step]], state


def test_run_sheet_lists_every_planned_session_in_order() -> None:
    for state in STATES:
        sheet, seated = sheet_in(state), len(SESSIONS[state.sessions])
        numbers = [part.number for part in sheet.sessions]
        assert numbers == list(range(1, len(numbers) + 1)), state
        is_next = sheet.next_step in {"seat", "call_roll", "confirm_stage"}
        assert len(numbers) == max(seated + is_next, PLANNED[state.planned] or 0), state
        assert [part.seated is not None for part in sheet.sessions[:seated]] == [True] * seated


BESIDE = {"call_roll", "confirm_stage"}  # may wait while the steps after them are taken


def test_steps_of_a_session_are_done_in_order() -> None:
    """Nothing is done after a step that is next or later."""
    for state in STATES:
        for part in sheet_in(state).sessions:
            states = [step.state for step in part.steps if step.code not in BESIDE]
            assert states == sorted(states, key=["done", "next", "open", "later"].index), state


@pytest.mark.parametrize("name", SESSIONS)
def test_current_session_is_the_first_unfinished_one(name: str) -> None:
    state = State(closed=False, entries=12, sessions=name, showing="live", unannounced=0)
    playing = current_progress(sessions_in(state, Tournament(rule_set="goninkan-association")))
    assert (playing is not None) == (name in ON)
    if name.startswith("first goes on"):
        assert playing is not None
        assert playing.session.number == 1


def test_overview_has_a_section_for_every_step() -> None:
    template = Path(settings.BASE_DIR, "templates", "tournament.html").read_text(encoding="utf-8")
    assert [
        step for step in {expected(state) for state in STATES} if f'== "{step}" %}}' not in template
    ] == []
