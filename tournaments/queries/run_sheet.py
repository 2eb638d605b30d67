"""The run sheet (進行表): the steps of the day, which of them are done, and which is next.

It is not stored but derived from the recorded facts. To *announce* is to publish the results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from tournaments.models import Tournament
from tournaments.queries import clocks, presence, publications, stages
from tournaments.queries.events import Event
from tournaments.queries.presence import RollCall, Status
from tournaments.queries.progress import SessionProgress, current_progress
from tournaments.queries.sheets import Sheet

PLAYING = frozenset({"show", "play", "play_and_end", "end"})  # next steps while a session is on


class Step(NamedTuple):
    """A step of a session. `state` is `done`, `next`, `open` (possible now) or `later`."""

    code: str
    state: str


class SessionSteps(NamedTuple):
    """A session of the day and its steps in order; `seated` is None before it has seats."""

    number: int
    seated: SessionProgress | None
    steps: tuple[Step, ...]
    unfinished: tuple[int, ...] = ()  # numbers of the tables that the session waits for

    @property
    def is_over(self) -> bool:
        """Return whether all planned rounds are played or the desk ended the session."""
        return self.seated is not None and self.seated.is_over

    @property
    def is_at_hand(self) -> bool:
        """Return whether one of its steps is next or possible now."""
        return any(step.state in {"next", "open"} for step in self.steps)


class RunSheet(NamedTuple):
    """The day: the code of the next step, as returned by `next_step`, and the sessions.

    `roll` is the roll call of the session that is on, or else of the next one. `are_all_seated`: a
    number of sessions is planned, and all of them are seated.
    """

    next_step: str
    sessions: tuple[SessionSteps, ...]
    next_number: int  # the number that the next seated session will have
    roll: RollCall
    are_all_seated: bool = False
    is_announced: bool = False  # the current results are published

    @property
    def is_on(self) -> bool:
        """Return whether a session is on."""
        return self.next_step in PLAYING

    @property
    def is_all_played(self) -> bool:
        """Return whether all sessions are over and no further one is planned."""
        return self.next_step in {"announce", "announce_again", "close", "closed"}


class Day(NamedTuple):
    """The facts from which the run sheet is derived."""

    tournament: Tournament
    entries: int  # number of players
    sessions: Sequence[SessionProgress]
    unannounced: int  # number of changes since the last publication
    roll: RollCall
    is_time_up: bool = False  # the clock of the session that is on has run down
    unconfirmed: Sequence[int] = ()  # numbers of the stages that are not confirmed, in order
    last_stage_from: int = 0  # number of the first session of the last confirmed stage
    stage_names: Mapping[int, str] = MappingProxyType({})  # of confirmed stages, by first session

    @property
    def planned(self) -> int:
        """Return the number of sessions that are planned at least; seated play-offs are added.

        A confirmed stage has at least one session. 0 if nothing is planned.
        """
        play_offs = [each.session.number for each in self.sessions if each.session.is_play_off]
        planned, stage_start = self.tournament.sessions_planned or 0, self.last_stage_from
        play_offs_in_stage = [number for number in play_offs if number >= stage_start]
        return max(
            planned + len(play_offs) if planned else 0,
            stage_start + len(play_offs_in_stage) if stage_start else 0,
        )

    @property
    def still_expected(self) -> int:
        """Return the number of players who are still expected in the roll call.

        0 if earlier sessions were seated without a roll call: this event calls no roll.
        """
        if self.sessions and not self.roll.has_begun:
            return 0
        return self.roll.counts[Status.EXPECTED]

    @property
    def is_announced(self) -> bool:
        """Return whether the public sees the current results, in a publication."""
        return self.tournament.showing == Tournament.Showing.PUBLISHED and not self.unannounced

    @property
    def is_roll_called(self) -> bool:
        """Return whether the roll call of this very session is complete."""
        return self.roll.has_begun and not self.still_expected and not self.roll.is_carried_over


def next_step(day: Day) -> str:
    """Return the code of the director's next step: that of the first row that applies.

    An ordinary session is next if fewer are seated than planned, or if nothing is recorded in any.
    A stage is next if as many stages are unconfirmed as sessions are left. A session does not end
    by itself when its time is up. A table in docs/desk.md says the same in sentences.

    >>> event = Tournament(rule_set="goninkan-association")
    >>> roll = RollCall(1, {})
    >>> [next_step(Day(event, entries, [], 0, roll)) for entries in (0, 5, 12)]
    ['add_entries', 'add_entries', 'seat']
    """
    sessions, seated = day.sessions, len(day.sessions)
    is_published = day.tournament.showing == Tournament.Showing.PUBLISHED
    has_changed = is_published and day.unannounced > 0
    is_closed = day.tournament.closed_at is not None
    has_begun = any(each.progress.has_begun for each in sessions)
    playing = current_progress(sessions)
    are_seats_hidden = not has_begun and not day.tournament.has_public_seats
    stages = len(day.unconfirmed)
    is_stage_next = has_begun and stages > 0 and seated + stages >= day.planned
    is_session_next = not has_begun or (seated < day.planned and not is_stage_next)
    rows = (
        (is_closed and has_changed, "announce_again"),
        (is_closed, "closed"),
        (not sessions and day.entries < min(day.tournament.table_sizes), "add_entries"),
        (playing and are_seats_hidden, "show"),
        (playing and day.is_time_up, "end"),
        (playing and playing.progress.planned is not None, "play"),
        (playing, "play_and_end"),
        (has_changed and not is_session_next, "announce_again"),
        (is_stage_next, "confirm_stage"),
        (is_session_next and day.still_expected, "call_roll"),
        (is_session_next, "seat"),
        (is_published, "close"),
        (True, "announce"),
    )
    return next(step for applies, step in rows if applies)


def run_sheet(day: Day, sheets: Sequence[Sheet]) -> RunSheet:
    """Return the run sheet. `sheets` must include those of the session that is on."""
    step = next_step(day)
    last = max(len(day.sessions), day.planned)
    if step in {"confirm_stage", "call_roll", "seat"}:
        last = max(last, len(day.sessions) + 1)
    numbers = range(1, last + 1)
    return RunSheet(
        step,
        tuple(_session_steps(day, step, number, sheets) for number in numbers),
        next_number=len(day.sessions) + 1,
        roll=day.roll,
        are_all_seated=0 < day.planned <= len(day.sessions) and not day.unconfirmed,
        is_announced=day.is_announced,
    )


def day_of(event: Event, now: datetime) -> Day:
    """Return the facts for the run sheet of an event; `now` is compared with its clock."""
    tournament, sessions = event.tournament, event.sessions
    publication = publications.shown_publication(tournament)
    playing = current_progress(sessions)
    number = playing.session.number if playing else len(sessions) + 1
    clock = clocks.clock_of(playing.session) if playing and not event.publication else None
    stage_rows = list(tournament.stages.values_list("number", "first_session", "name"))
    names = {first: name for _stage, first, name in stage_rows if first is not None}
    return Day(
        tournament,
        len(event.entries),
        sessions,
        publications.changes_since(publication).count() if publication else 0,
        presence.roll_call(tournament, number, stages.players_of_session(tournament, number)),
        clocks.is_time_up(clock, now),
        [stage for stage, first, _name in stage_rows if first is None],
        last_stage_from=max(names, default=0),
        stage_names=names,
    )


def _session_steps(day: Day, next_code: str, number: int, sheets: Sequence[Sheet]) -> SessionSteps:
    """Return the steps of session number `number`; `next_code` is the code of the next step.

    Only the next session to be seated has steps before it is seated.
    """
    seated = next((each for each in day.sessions if each.session.number == number), None)
    if seated is None:
        is_next = number == len(day.sessions) + 1 and day.tournament.closed_at is None
        return SessionSteps(number, None, _steps_before(day, next_code) if is_next else ())
    is_roll_called = seated.is_over or day.is_roll_called
    call_roll = Step("call_roll", "done" if is_roll_called else "open")
    steps_before = [] if seated.session.is_play_off else [call_roll]
    steps = [*steps_before, Step("seat", "done"), *_steps_of_play(day, next_code, seated)]
    unfinished = () if seated.is_over else _tables_waited_for(sheets, number)
    return SessionSteps(number, seated, tuple(steps), unfinished)


def _steps_before(day: Day, next_code: str) -> tuple[Step, ...]:
    """Return the steps of the session that is seated next."""
    is_possible = next_code != "add_entries" and current_progress(day.sessions) is None
    open_or_later = "open" if is_possible else "later"
    confirm = _state_of(next_code, "confirm_stage", is_done=False, otherwise=open_or_later)
    return (
        *([Step("confirm_stage", confirm)] if day.unconfirmed and day.sessions else ()),
        Step(
            "call_roll",
            _state_of(next_code, "call_roll", is_done=day.is_roll_called, otherwise=open_or_later),
        ),
        Step("seat", _state_of(next_code, "seat", is_done=False, otherwise=open_or_later)),
        *(Step(code, "later") for code in ("play", "announce")),
    )


def _steps_of_play(day: Day, next_code: str, seated: SessionProgress) -> tuple[Step, ...]:
    """Return the steps `play` and `announce` of a seated session.

    A session that is over has `announce` only if it is the last one and no session is on.
    """
    playing = current_progress(day.sessions)
    is_on = playing is not None and playing.session.number == seated.session.number
    if not seated.is_over:
        is_next = is_on and next_code in PLAYING
        return (Step("play", "next" if is_next else "open"), Step("announce", "later"))
    if playing is not None or seated.session.number != day.sessions[-1].session.number:
        return (Step("play", "done"),)
    # If another session follows, interim results can be published, but that is no step of the day.
    is_followed = next_code in {"confirm_stage", "call_roll", "seat"}
    is_next = next_code in {"announce", "announce_again"}
    if day.is_announced:
        state = "done"
    elif is_next:
        state = "next"
    else:
        state = "later" if is_followed else "open"
    return (Step("play", "done"), Step("announce", state))


def _state_of(next_code: str, code: str, *, is_done: bool, otherwise: str) -> str:
    """Return the state of the step `code`; `next_code` is the code of the next step."""
    if next_code == code:
        return "next"
    return "done" if is_done else otherwise


def _tables_waited_for(sheets: Sequence[Sheet], number: int) -> tuple[int, ...]:
    """Return the numbers of the tables that session number `number` waits for."""
    return tuple(
        each.sitting.number
        for each in sheets
        if each.sitting.session.number == number and each.is_waited_for
    )
