"""The run sheet (進行表): the steps of the day, which of them are done, and which is next.

It is not stored but derived from the recorded facts. To *announce* is to publish the results.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from tournaments.models import Entry, Tournament
from tournaments.queries import clocks, stages
from tournaments.queries.events import Event
from tournaments.queries.plan import Plan, PlannedStage
from tournaments.queries.presence import RollCall, competing, joined_later
from tournaments.queries.progress import SessionProgress, current_progress, unfinished_progress
from tournaments.queries.publications import showing
from tournaments.queries.sheets import Sheet

PLAYING = frozenset({"show", "play", "play_and_end", "end"})  # next steps while a session is on


class Step(NamedTuple):
    """A step of a session. `state` is `done`, `next`, `open` (possible now) or `later`."""

    code: str
    state: str


class SessionSteps(NamedTuple):
    """A session of the day and its steps in order; `seated` is None before it has seats.

    `opens_stage`: it is the first session of its stage, apart from play-offs.
    """

    number: int
    stage: PlannedStage
    seated: SessionProgress | None
    steps: tuple[Step, ...]
    opens_stage: bool = False
    unfinished: tuple[int, ...] = ()  # numbers of the tables that the session waits for

    @property
    def is_over(self) -> bool:
        """Return whether all planned rounds are played or the desk ended the session."""
        return self.seated is not None and self.seated.is_over

    @property
    def is_play_off(self) -> bool:
        return self.seated is not None and self.seated.session.is_play_off

    @property
    def is_named_by_stage(self) -> bool:
        """Return whether it decides in its stage; a play-off after the first stage may not."""
        return not (self.is_play_off and self.stage.number > 1)

    def is_of(self, stage: PlannedStage) -> bool:
        """Return whether it is a session of this stage, other than a play-off."""
        return self.stage.number == stage.number and not self.is_play_off

    @property
    def is_at_hand(self) -> bool:
        return any(step.state in {"next", "open"} for step in self.steps)


class StageState(NamedTuple):
    """A stage of the plan, and the numbers of its first and last session, without play-offs.

    The sessions are seated or to come. `state` is `done`, `next` (it is on, or next) or `later`, as
    in `Step`.
    """

    stage: PlannedStage
    first: int
    last: int
    state: str


class RunSheet(NamedTuple):
    """The day: the code of the next step, as returned by `next_step`, and the sessions.

    `roll` is the roll call of the latest session that is not over, or else of the next one.
    """

    next_step: str
    plan: Plan
    sessions: tuple[SessionSteps, ...]
    next_number: int  # the number that the next seated session will have
    roll: RollCall
    is_announced: bool = False  # the current results are published

    @property
    def are_all_seated(self) -> bool:
        """Return whether sessions are planned, and all of all stages are seated."""
        return self.plan.is_stage_full and self.plan.following is None

    @property
    def missing_members(self) -> list[Entry]:
        """Return the members to replace before the next session; see `stages.missing_members`."""
        stage = self.plan.current.row
        if stage is None or self.next_step not in {"call_roll", "seat"}:
            return []
        return stages.missing_members(stage, self.roll)

    @property
    def stages(self) -> list[StageState]:
        """Return the stages in order, each with its sessions; stages without one are left out."""
        numbers = [
            (stage, [each.number for each in self.sessions if each.is_of(stage)])
            for stage in self.plan.stages
        ]
        return [
            StageState(stage, of_stage[0], of_stage[-1], self._state_of(stage))
            for stage, of_stage in numbers
            if of_stage
        ]

    def _state_of(self, stage: PlannedStage) -> str:
        at_hand = self._stage_at_hand
        if stage == at_hand:
            return "next"
        if at_hand is None or stage.number < at_hand.number or self._is_played(stage):
            return "done"
        return "later"

    def _is_played(self, stage: PlannedStage) -> bool:
        """Return whether its sessions are over, though one of an earlier stage may go on again."""
        return not stage.left and all(each.is_over for each in self.sessions if each.is_of(stage))

    @property
    def _stage_at_hand(self) -> PlannedStage | None:
        """Return the stage that is played or next; None if all are played.

        A stage that is played may come before the current one, whose players are known already.
        """
        for each in self.sessions:
            if Step("play", "next") in each.steps:
                return each.stage
        if self.is_all_played:
            return None
        is_confirming = self.next_step == "confirm_stage"
        return self.plan.following if is_confirming else self.plan.current

    @property
    def calls_roll(self) -> bool:
        """Return whether to offer the roll call `roll`.

        It is not offered for a play-off, for a session that is not planned, and before the members
        of the next stage are confirmed.
        """
        seated = next((each for each in self.sessions if each.number == self.roll.session), None)
        if seated is None or seated.seated is None:
            return not self.plan.needs_choice
        return not seated.is_play_off

    @property
    def is_on(self) -> bool:
        return self.next_step in PLAYING

    @property
    def has_begun(self) -> bool:
        on = (each.seated for each in self.sessions if each.seated and not each.is_over)
        return any(seated.progress.has_begun for seated in on)

    @property
    def is_all_played(self) -> bool:
        """Return whether all sessions are over and no further one is planned."""
        return self.next_step in {"announce", "announce_again", "close", "closed"}


class Day(NamedTuple):
    tournament: Tournament
    entries: int  # number of players
    sessions: Sequence[SessionProgress]
    plan: Plan
    unannounced: int  # number of changes since the last publication
    roll: RollCall
    is_time_up: bool = False  # the clock of the session that is on has run down
    joined: Collection[str] = ()  # keys of players added since the session of `roll` was seated

    @property
    def unchecked(self) -> list[Entry]:
        """Return the players whom the roll call has not reached."""
        return [each for each in competing(self.roll.unchecked) if each.key not in self.joined]

    @property
    def still_expected(self) -> int:
        """Return the number of players who are still expected in the roll call.

        0 if earlier sessions were seated without a roll call: this event calls no roll.
        """
        return 0 if self.sessions and not self.roll.has_begun else len(self.unchecked)

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

    The plan says what follows once no session is on: `Plan.next`. A session does not end by itself
    when its time is up. A table in docs/desk.md says the same in sentences.

    >>> from tournaments.queries.plan import plan_of
    >>> event = Tournament(rule_set="goninkan-association")
    >>> roll, plan = RollCall(1, {}), plan_of(event, [], [])
    >>> [next_step(Day(event, entries, [], plan, 0, roll)) for entries in (0, 5, 12)]
    ['add_entries', 'add_entries', 'seat']
    """
    sessions = day.sessions
    is_published = day.tournament.showing == Tournament.Showing.PUBLISHED
    has_changed = is_published and day.unannounced > 0
    is_closed = day.tournament.closed_at is not None
    has_begun = any(each.progress.has_begun for each in sessions)
    playing = current_progress(sessions)
    are_seats_hidden = not has_begun and not day.tournament.has_public_seats
    is_stage_next = day.plan.next == "confirm_stage"
    is_session_next = day.plan.next == "session"
    rows = (
        (is_closed and has_changed, "announce_again"),
        (is_closed, "closed"),
        (not sessions and day.entries < min(day.tournament.table_sizes), "add_entries"),
        (playing and are_seats_hidden, "show"),
        (playing and day.is_time_up, "end"),
        (playing and playing.progress.planned is not None, "play"),
        (playing, "play_and_end"),
        (is_stage_next, "confirm_stage"),
        (is_session_next and day.still_expected, "call_roll"),
        (is_session_next, "seat"),
        (has_changed, "announce_again"),
        (is_published, "close"),
        (True, "announce"),
    )
    return next(step for applies, step in rows if applies)


def run_sheet(day: Day, sheets: Sequence[Sheet]) -> RunSheet:
    """`sheets` must include those of the session that is on."""
    step = next_step(day)
    seated = [each.session.number for each in day.sessions]
    stage_by_number = {number: day.plan.stage_of(number) for number in seated}
    if day.tournament.closed_at is None:
        stage_by_number |= dict(enumerate(day.plan.to_come, len(seated) + 1))
    return RunSheet(
        step,
        day.plan,
        tuple(_session_steps(day, step, each, sheets) for each in stage_by_number.items()),
        next_number=len(seated) + 1,
        roll=day.roll,
        is_announced=day.is_announced,
    )


def day_of(event: Event, now: datetime) -> Day:
    """Return the facts for the run sheet of an event; `now` is compared with its clock."""
    tournament, sessions = event.tournament, event.sessions
    publication = showing.shown_publication(tournament)
    playing, unfinished = current_progress(sessions), unfinished_progress(sessions)
    number = unfinished[-1].session.number if unfinished else len(sessions) + 1
    clock = clocks.clock_of(playing.session) if playing and not event.publication else None
    roll = stages.roll_call_of(tournament, number, None if event.publication else event.entries)
    return Day(
        tournament,
        len(event.players),
        sessions,
        event.plan,
        showing.changes_since(publication).count() if publication else 0,
        roll,
        clocks.is_time_up(clock, now),
        joined_later(tournament, number) if unfinished and roll.unchecked else (),
    )


def _session_steps(
    day: Day, next_code: str, numbered: tuple[int, PlannedStage], sheets: Sequence[Sheet]
) -> SessionSteps:
    """Return the steps of a session, `numbered` with its stage.

    `next_code` is the code of the next step. Only the next session to be seated has steps before it
    is seated.
    """
    number, stage = numbered
    seated = next((each for each in day.sessions if each.session.number == number), None)
    if seated is None:
        is_next = number == len(day.sessions) + 1 and day.tournament.closed_at is None
        opens_stage = number == len(day.sessions) + 1 + day.plan.to_come.index(stage)
        steps = _steps_before(day, next_code) if is_next else ()
        return SessionSteps(number, stage, None, steps, opens_stage and not stage.seated)
    call_roll = Step("call_roll", "done" if day.is_roll_called else "open")
    # The roll call at hand is that of one session: that of others may not have been called.
    is_at_hand = number == day.roll.session and not seated.session.is_play_off
    steps_before = [call_roll] if is_at_hand else []
    all_steps = [*steps_before, Step("seat", "done"), *_steps_of_play(day, next_code, seated)]
    unfinished = () if seated.is_over else _tables_waited_for(sheets, number)
    return SessionSteps(
        number, stage, seated, tuple(all_steps), number in stage.seated[:1], unfinished
    )


def _steps_before(day: Day, next_code: str) -> tuple[Step, ...]:
    """Return the steps of the session that is seated next.

    It cannot be called or seated before it is confirmed who plays in it.
    """
    is_possible = next_code != "add_entries" and current_progress(day.sessions) is None
    needs_members = day.plan.next == "confirm_stage"
    call_or_seat = "open" if is_possible and not needs_members else "later"
    confirm = "next" if next_code == "confirm_stage" else "open" if is_possible else "later"
    return (
        *([Step("confirm_stage", confirm)] if needs_members else ()),
        Step(
            "call_roll",
            _state_of(
                next_code,
                "call_roll",
                is_done=day.is_roll_called and not needs_members,
                otherwise=call_or_seat,
            ),
        ),
        Step("seat", _state_of(next_code, "seat", is_done=False, otherwise=call_or_seat)),
        *(Step(code, "later") for code in ("play", "announce")),
    )


def _steps_of_play(day: Day, next_code: str, seated: SessionProgress) -> tuple[Step, ...]:
    """Return the steps `play` and `announce` of a seated session.

    A session that is over has `announce` only if it is the last one and no session is on; and, if
    another session follows, only if the results are announced as they are. Interim results can be
    published then, but that is no step of the day.
    """
    playing = current_progress(day.sessions)
    is_on = playing is not None and playing.session.number == seated.session.number
    if not seated.is_over:
        is_next = is_on and next_code in PLAYING
        return (Step("play", "next" if is_next else "open"), Step("announce", "later"))
    if playing is not None or seated.session.number != day.sessions[-1].session.number:
        return (Step("play", "done"),)
    is_followed = next_code in {"confirm_stage", "call_roll", "seat"}
    if is_followed and not day.is_announced:
        return (Step("play", "done"),)
    is_next = next_code in {"announce", "announce_again"}
    otherwise = "next" if is_next else "open"
    return (Step("play", "done"), Step("announce", "done" if day.is_announced else otherwise))


def _state_of(next_code: str, code: str, *, is_done: bool, otherwise: str) -> str:
    """`next_code` is the code of the next step."""
    if next_code == code:
        return "next"
    return "done" if is_done else otherwise


def _tables_waited_for(sheets: Sequence[Sheet], number: int) -> tuple[int, ...]:
    waited_for = (
        each.sitting.shown_number
        for each in sheets
        if each.sitting.session.number == number and each.is_waited_for
    )
    return tuple(sorted(waited_for))
