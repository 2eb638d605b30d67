"""The director's next step in every state of an event, as in the table of docs/desk.md."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings
from django.utils import timezone

from tournaments.models import Session, Tournament
from tournaments.queries.progress import Progress, SessionProgress, current_progress, next_step

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


class State(NamedTuple):
    """One state of an event."""

    closed: bool
    entries: int
    sessions: str
    showing: str
    unannounced: int


STATES = [
    State(*each)
    for each in product((False, True), (0, 5, 12), SESSIONS, SHOWING, (0, 3))
    if each[1] == 12 or each[2] == "none"  # whoever is seated stays entered
]


def expected(state: State) -> str:
    """Return the step of the only matching row of the table."""
    is_announced = state.showing == "published"
    has_changed = is_announced and state.unannounced > 0
    is_open, is_seatable = not state.closed, state.entries >= 6
    is_shown = state.showing != "staff"
    rows = [
        (state.closed and has_changed, "announce_again"),
        (state.closed and not has_changed, "closed"),
        (is_open and not is_seatable, "add_entries"),
        (
            is_open and is_seatable and state.sessions in {"none", "ended without a record"},
            "seat",
        ),
        (is_open and state.sessions in ON & NOT_BEGUN and not is_shown, "show"),
        (
            is_open
            and state.sessions in ON - TIMED_ON
            and (is_shown or state.sessions not in NOT_BEGUN),
            "play",
        ),
        (
            is_open
            and state.sessions in TIMED_ON
            and (is_shown or state.sessions not in NOT_BEGUN),
            "play_and_end",
        ),
        (is_open and state.sessions in OVER and not is_announced, "announce"),
        (is_open and state.sessions in OVER and has_changed, "announce_again"),
        (is_open and state.sessions in OVER and is_announced and not has_changed, "close"),
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


@pytest.mark.parametrize("state", STATES, ids=str)
def test_next_step_is_as_documented(state: State) -> None:
    tournament = Tournament(
        rule_set="goninkan-association",
        showing=state.showing,
        closed_at=timezone.now() if state.closed else None,
    )
    sessions = sessions_in(state, tournament)
    assert next_step(tournament, state.entries, sessions, state.unannounced) == expected(state)


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
