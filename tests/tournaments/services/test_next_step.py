"""The director's next step in every state of an event, as in the table of docs/desk.md."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings
from django.utils import timezone

from tournaments.models import Entry, Session, Stage, Tournament
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.progress import (
    Progress,
    SessionProgress,
    current_progress,
    plan_with,
    unfinished_progress,
)
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
    "first goes on, second begun": [(BEGUN, False), (BEGUN, False)],
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


PLANNED = {"none": None, "one": 1, "three": 3}  # sessions of the first stage


FINAL = Stage(number=2, name="決勝", sessions_planned=1)


class State(NamedTuple):
    """One state of an event; `still_expected` players are unmarked in the next roll call."""

    closed: bool
    entries: int
    sessions: str
    showing: str
    unannounced: int
    planned: str = "none"
    still_expected: int = 0
    is_time_up: bool = False
    has_final: bool = False  # of one session; it is not confirmed who goes on


STATES = [
    State(*each)
    for each in product(
        (False, True),
        (0, 5, 12),
        SESSIONS,
        SHOWING,
        (0, 3),
        PLANNED,
        (0, 4),
        (False, True),
        (False, True),
    )
    if each[1] == 12 or each[2] == "none"  # whoever is seated stays entered
]


def expected(state: State) -> str:
    """Return the step of the only matching row of the table."""
    is_announced = state.showing == "published"
    has_changed = is_announced and state.unannounced > 0
    is_open, is_seatable = not state.closed, state.entries >= 6
    is_shown = state.showing != "staff"
    is_over, is_timed = state.sessions in OVER, state.sessions in TIMED_ON
    left = left_in_first_stage(state)
    is_on = is_open and state.sessions in ON
    is_seen = is_shown or state.sessions not in NOT_BEGUN
    is_between = is_open and is_seatable and not is_on
    goes_on = is_between and left == 0 and state.has_final
    seats = is_between and left > 0
    ends = is_open and is_over and left == 0 and not state.has_final
    rows = [
        (state.closed and has_changed, "announce_again"),
        (state.closed and not has_changed, "closed"),
        (is_open and not is_seatable, "add_entries"),
        (is_on and not is_seen, "show"),
        (is_on and is_seen and state.is_time_up, "end"),
        (is_on and is_seen and not state.is_time_up and not is_timed, "play"),
        (is_on and is_seen and not state.is_time_up and is_timed, "play_and_end"),
        (goes_on, "confirm_stage"),
        (seats and state.still_expected > 0, "call_roll"),
        (seats and state.still_expected == 0, "seat"),
        (ends and has_changed, "announce_again"),
        (ends and not is_announced, "announce"),
        (ends and is_announced and not has_changed, "close"),
    ]
    (step,) = [step for fits, step in rows if fits]
    return step


def left_in_first_stage(state: State) -> int:
    """Return the number of sessions still to be seated; one without a record does not count."""
    seated = 0 if state.sessions == "ended without a record" else len(SESSIONS[state.sessions])
    return max(0, (PLANNED[state.planned] or 1) - seated)


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


def day_in(state: State) -> Day:
    """Return the day in a state; where somebody is still_expected, the others are present."""
    tournament = tournament_in(state)
    sessions = sessions_in(state, tournament)
    waiting = [Status.EXPECTED] * state.still_expected
    statuses = waiting + [Status.PRESENT] * (state.entries - state.still_expected)
    unfinished = unfinished_progress(sessions)
    number = unfinished[-1].session.number if unfinished else len(sessions) + 1
    roll = RollCall(number, {Entry(pk=pk): status for pk, status in enumerate(statuses, 1)})
    stages = [FINAL] if state.has_final else []
    plan = plan_with(tournament, stages, sessions)
    return Day(tournament, state.entries, sessions, plan, state.unannounced, roll, state.is_time_up)


@pytest.fixture(scope="module")
def days() -> dict[State, Day]:
    """The day in every state: to build them takes longer than what the tests do with them."""
    return {state: day_in(state) for state in STATES}


@pytest.fixture(scope="module")
def sheets(days: dict[State, Day]) -> dict[State, RunSheet]:
    """The run sheet of every day."""
    return {state: run_sheet(day, []) for state, day in days.items()}


def test_next_step_is_as_documented(days: dict[State, Day]) -> None:
    for state, day in days.items():
        assert next_step(day) == expected(state), state


STEP_IN_SHEET = {
    **dict.fromkeys(("show", "play", "play_and_end", "end"), "play"),
    **dict.fromkeys(("announce", "announce_again"), "announce"),
    "call_roll": "call_roll",
    "seat": "seat",
    "confirm_stage": "confirm_stage",
}


def test_play_off_is_none_of_the_planned_sessions() -> None:
    day = day_in(State(False, 12, "both over", "live", 0, planned="three"))
    day.sessions[1].session.tied = [1, 2]
    day = day._replace(plan=plan_with(day.tournament, [], day.sessions))
    sheet = run_sheet(day, [])
    assert (sheet.next_step, len(sheet.sessions)) == ("seat", 4)
    assert "call_roll" not in {step.code for step in sheet.sessions[1].steps}


def test_roll_call_is_done_only_where_it_is_known_to_be_called(
    days: dict[State, Day], sheets: dict[State, RunSheet]
) -> None:
    """Not of sessions that are over, since events without a roll call have some, too."""
    for state, sheet in sheets.items():
        for session in sheet.sessions:
            states = [step.state for step in session.steps if step.code == "call_roll"]
            assert not (session.is_over and states), state
            assert "done" not in states or days[state].roll.has_begun, state


def life_day(played: str, final_from: int | None, showing: str) -> Day:
    """Return the day of an event with 3 sessions and a final of 1.

    `played` has a letter for each session: seated, begun, over (`s`, `b`, `o`), begun without a
    planned number of rounds (`t`), a play-off that is over (`p`), or ended without a record (`x`).
    """
    tournament = Tournament(
        rule_set="goninkan-association", sessions_planned=3, showing=showing, shows_seats=True
    )
    progress = {"s": SEATED, "b": BEGUN, "o": COMPLETE, "t": TIMED, "p": COMPLETE, "x": SEATED}
    sessions = [
        SessionProgress(
            Session(
                tournament=tournament,
                number=number,
                tied=[1, 2] if letter == "p" else None,
                ended_at=timezone.now() if letter == "x" else None,
            ),
            progress[letter],
        )
        for number, letter in enumerate(played, 1)
    ]
    final = Stage(number=2, name="決勝", sessions_planned=1, first_session=final_from)
    final.members = [] if final_from else None
    tournament.play_off_numbers = [each.session.number for each in sessions if each.session.tied]
    plan = plan_with(tournament, [final], sessions)
    return Day(tournament, 12, sessions, plan, 0, RollCall(len(sessions) + 1, {}))


@pytest.mark.parametrize(
    ("played", "final_from", "showing", "next_code", "stages"),
    [
        ("", None, "staff", "seat", "next later"),
        ("s", None, "staff", "play", "next later"),
        ("b", None, "staff", "play", "next later"),
        ("o", None, "staff", "seat", "next later"),
        ("ox", None, "staff", "seat", "next later"),  # the second counts for nothing
        ("oo", None, "live", "seat", "next later"),
        ("ooo", None, "staff", "confirm_stage", "done next"),
        ("oxoo", None, "published", "confirm_stage", "done next"),
        ("ooob", None, "staff", "play", "next later"),  # an extra session, or a play-off
        ("ooop", None, "staff", "confirm_stage", "done next"),
        ("oop", None, "staff", "seat", "next later"),
        ("ooo", 4, "staff", "seat", "done next"),
        ("ooop", 5, "staff", "seat", "done next"),
        ("ooop", 4, "staff", "seat", "done next"),  # confirmed before the play-off
        ("oob", 4, "staff", "play", "next later"),  # confirmed while the qualifying is played
        ("ooos", 4, "staff", "play", "done next"),
        ("oooo", 4, "staff", "announce", "done done"),
        ("oooop", 4, "staff", "announce", "done done"),  # a play-off for third place
        ("oooob", 4, "live", "play", "done next"),
        ("oooo", 4, "published", "close", "done done"),
        ("tt", 2, "staff", "play_and_end", "done next"),  # the first ended when the final began
        ("oo", 3, "staff", "seat", "done next"),  # the director has cut the qualifying short
    ],
)
def test_no_state_of_an_event_leads_past_its_final(
    played: str, final_from: int | None, showing: str, next_code: str, stages: str
) -> None:
    sheet = run_sheet(life_day(played, final_from, showing), [])
    assert (sheet.next_step, " ".join(each.state for each in sheet.stages)) == (next_code, stages)
    if next_code == "confirm_stage":
        assert sheet.plan.needs_choice


@pytest.mark.parametrize(
    ("played", "stages", "opening"),
    [
        ("ooop", "1 1 1 1 2", 5),
        ("ooopp", "1 1 1 1 1 2", 6),
        ("ooopo", "1 1 1 1 2", 5),
        ("ooopop", "1 1 1 1 2 2", 5),
        ("ooooop", "1 1 1 2 2 2", 4),
    ],
)
def test_play_off_belongs_to_the_stage_of_the_session_before_it(
    played: str, stages: str, opening: int
) -> None:
    sheet = run_sheet(life_day(played, 4, "staff"), [])
    assert " ".join(str(each.stage.number) for each in sheet.sessions) == stages
    assert [each.number for each in sheet.sessions if each.opens_stage] == [1, opening]


def test_all_of_the_plan_is_listed_from_the_start() -> None:
    sheet = run_sheet(life_day("", None, "staff"), [])
    listed = [(each.stage.name, each.first, each.last) for each in sheet.stages]
    assert listed == [("", 1, 3), ("決勝", 4, 4)]
    assert [part.number for part in sheet.sessions if part.opens_stage] == [1, 4]
    # Nobody is called or seated before it is confirmed who plays.
    waiting = run_sheet(life_day("ooo", None, "staff"), []).sessions[-1]
    assert [(step.code, step.state) for step in waiting.steps] == [
        ("confirm_stage", "next"),
        *((code, "later") for code in ("call_roll", "seat", "play", "announce")),
    ]


def test_announcing_is_offered_first_only_after_the_last_planned_session(
    sheets: dict[State, RunSheet],
) -> None:
    for state, sheet in sheets.items():
        is_planned = state.planned != "none"
        wanted = is_planned and left_in_first_stage(state) == 0
        assert sheet.are_all_seated == (wanted and not state.has_final), state
        if sheet.next_step in {"seat", "call_roll"}:
            assert not sheet.is_all_played
            assert not any(part.is_at_hand for part in sheet.sessions if part.is_over), state


def test_run_sheet_marks_the_next_step_once(sheets: dict[State, RunSheet]) -> None:
    """A step before all sessions or after them need not be marked."""
    for state, sheet in sheets.items():
        marked = [
            step.code for part in sheet.sessions for step in part.steps if step.state == "next"
        ]
        is_last_of_day = state.closed or sheet.next_step in {"add_entries", "close"}
        if is_last_of_day and not marked:
            continue
        assert marked == [STEP_IN_SHEET[sheet.next_step]], state


def test_run_sheet_lists_every_planned_session_in_order(sheets: dict[State, RunSheet]) -> None:
    for state, sheet in sheets.items():
        seated = len(SESSIONS[state.sessions])
        numbers = [part.number for part in sheet.sessions]
        assert numbers == list(range(1, len(numbers) + 1)), state
        to_come = 0 if state.closed else left_in_first_stage(state) + state.has_final
        assert len(numbers) == seated + to_come, state
        assert [part.seated is not None for part in sheet.sessions[:seated]] == [True] * seated


BESIDE = {"call_roll", "confirm_stage"}  # may wait while the steps after them are taken


def test_steps_of_a_session_are_done_in_order(sheets: dict[State, RunSheet]) -> None:
    """Nothing is done after a step that is next or later."""
    for state, sheet in sheets.items():
        for part in sheet.sessions:
            states = [step.state for step in part.steps if step.code not in BESIDE]
            assert states == sorted(states, key=["done", "next", "open", "later"].index), state


@pytest.mark.parametrize("name", SESSIONS)
def test_current_session_is_an_unfinished_one_that_has_begun(name: str) -> None:
    state = State(closed=False, entries=12, sessions=name, showing="live", unannounced=0)
    playing = current_progress(sessions_in(state, Tournament(rule_set="goninkan-association")))
    assert (playing is not None) == (name in ON)
    if name.startswith("first goes on"):
        assert playing is not None
        assert playing.session.number == (2 if name.endswith("begun") else 1)


def test_results_are_to_be_announced_in_the_sheet_only_where_that_comes_next(
    sheets: dict[State, RunSheet],
) -> None:
    """While more sessions follow, changes since interim results, as of the plan, are no step."""
    for state, sheet in sheets.items():
        over = [part for part in sheet.sessions if part.is_over]
        states = {step.state for part in over for step in part.steps if step.code == "announce"}
        assert "later" not in states, state
        if not sheet.is_all_played:
            assert states <= {"done"}, state


def test_overview_has_a_section_for_every_step() -> None:
    template = Path(settings.BASE_DIR, "templates", "tournament.html").read_text(encoding="utf-8")
    assert [
        step for step in {expected(state) for state in STATES} if f'== "{step}" %}}' not in template
    ] == []
