"""The run sheet (進行表): the steps of the day, what is done of them, and which is next.

Nothing of it is stored: every step is done when the facts say so.
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

PLAYING = frozenset({"show", "play", "play_and_end", "end"})  # steps while a session is on


class Step(NamedTuple):
    """A step of a session. `state` is `done`, `next`, `open` (may be done now) or `later`."""

    code: str
    state: str


class SessionSteps(NamedTuple):
    """A session of the day, seated or to come, and its steps in order."""

    number: int
    seated: SessionProgress | None
    steps: tuple[Step, ...]
    unfinished: tuple[int, ...] = ()  # numbers of the tables that are waited for

    @property
    def is_over(self) -> bool:
        """Return whether it was played to its end, or ended."""
        return self.seated is not None and self.seated.is_over

    @property
    def is_at_hand(self) -> bool:
        """Return whether something of it can be done now."""
        return any(step.state in {"next", "open"} for step in self.steps)


class RunSheet(NamedTuple):
    """The day: the code of the next step, as `next_step` gives it, and the steps of each session.

    `roll` is the roll call of the session that is on, or of the next one. `are_all_seated` says
    that a number of sessions is planned, and that the last of them is seated.
    """

    next_step: str
    sessions: tuple[SessionSteps, ...]
    next_number: int  # of the session that would be seated next
    roll: RollCall
    are_all_seated: bool = False
    is_announced: bool = False  # as it is now

    @property
    def is_on(self) -> bool:
        """Return whether a session is on."""
        return self.next_step in PLAYING

    @property
    def is_all_played(self) -> bool:
        """Return whether no further session is known to follow."""
        return self.next_step in {"announce", "announce_again", "close", "closed"}


class Day(NamedTuple):
    """What the run sheet is made of: `unannounced` changes since the last publication.

    `is_time_up` tells whether the clock of the session that is on has run down.
    """

    tournament: Tournament
    entries: int
    sessions: Sequence[SessionProgress]
    unannounced: int
    roll: RollCall
    is_time_up: bool = False
    unconfirmed: Sequence[int] = ()  # numbers of the stages for which nobody goes on yet, in order
    last_stage_from: int = 0  # the first session of the last stage that is confirmed
    stage_names: Mapping[int, str] = MappingProxyType({})  # of those, by their first session

    @property
    def planned(self) -> int:
        """Return how many sessions are planned at least, play-offs beside those planned."""
        play_offs = [each.session.number for each in self.sessions if each.session.is_play_off]
        planned, of_stage = self.tournament.sessions_planned or 0, self.last_stage_from
        in_stage = [number for number in play_offs if number >= of_stage]
        return max(
            planned + len(play_offs) if planned else 0,
            of_stage + len(in_stage) if of_stage else 0,
        )

    @property
    def uncalled(self) -> int:
        """Return how many players the roll call of the next session waits for.

        Where the first session was seated without one, nobody: this event calls no roll.
        """
        if self.sessions and not self.roll.has_begun:
            return 0
        return self.roll.counts[Status.EXPECTED]

    @property
    def is_announced(self) -> bool:
        """Return whether everybody sees the results as they are now, in a publication."""
        return self.tournament.showing == Tournament.Showing.PUBLISHED and not self.unannounced

    @property
    def is_called(self) -> bool:
        """Return whether the roll was called for this session, not only for an earlier one."""
        return self.roll.has_begun and not self.uncalled and not self.roll.is_carried_over


def next_step(
    tournament: Tournament,
    entries: int,
    sessions: Sequence[SessionProgress],
    unannounced: int,
    *,
    uncalled: int = 0,
    is_time_up: bool = False,
    unconfirmed: int = 0,
    planned: int = 0,
) -> str:
    """Return the director's next step, as the code of the first row that applies.

    ================================================================ =======================
    state                                                            step
    ================================================================ =======================
    closed; announced, and changed since                             ``announce_again``
    closed                                                           ``closed``
    no player, or fewer than sit at a table                          ``add_entries``
    a session is on, nothing recorded in any, seats are not public   ``show``
    a session is on, and its clock has run down                      ``end``
    a session is on, and so many rounds are planned                  ``play``
    a session is on until the desk ends it                           ``play_and_end``
    before a stage, or after all planned; announced, changed since   ``announce_again``
    stages wait for who goes on, as many as sessions are left        ``confirm_stage``
    fewer sessions than planned, or nothing recorded in any:
      the roll call of the next session waits for somebody           ``call_roll``
      it waits for nobody                                            ``seat``
    all are over; not announced                                      ``announce``
    all are over; announced                                          ``close``
    ================================================================ =======================

    `entries` is the number of players, `unannounced` that of changes since the last publication,
    `uncalled` that of the players whom the roll call of the next session waits for, `unconfirmed`
    that of the stages for which it is not settled who goes on, `planned` that of the sessions
    planned. Time that is up ends nothing by itself.

    >>> event = Tournament(rule_set="goninkan-association")
    >>> [next_step(event, entries, [], 0) for entries in (0, 5, 12)]
    ['add_entries', 'add_entries', 'seat']
    >>> next_step(event, 12, [], 0, uncalled=3)
    'call_roll'
    """
    is_announced = tournament.showing == Tournament.Showing.PUBLISHED
    has_changed = is_announced and unannounced > 0
    if tournament.closed_at is not None:
        return "announce_again" if has_changed else "closed"
    if entries < min(tournament.table_sizes) and not sessions:
        return "add_entries"
    has_begun = any(each.progress.has_begun for each in sessions)
    if playing := current_progress(sessions):
        if not has_begun and not tournament.has_public_seats:
            return "show"
        if is_time_up:
            return "end"
        return "play" if playing.progress.planned is not None else "play_and_end"
    is_stage_next = has_begun and unconfirmed > 0 and len(sessions) + unconfirmed >= planned
    follows = not has_begun or (len(sessions) < planned and not is_stage_next)
    if has_changed and not follows:
        return "announce_again"
    if is_stage_next:
        return "confirm_stage"
    if follows:
        return "call_roll" if uncalled else "seat"
    return "close" if is_announced else "announce"


def run_sheet(day: Day, sheets: Sequence[Sheet]) -> RunSheet:
    """Return the run sheet; `sheets` are those of all tables, or of the session that is on."""
    step = next_step(
        day.tournament,
        day.entries,
        day.sessions,
        day.unannounced,
        uncalled=day.uncalled,
        is_time_up=day.is_time_up,
        unconfirmed=len(day.unconfirmed),
        planned=day.planned,
    )
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
    """Return what the run sheet of an event is made of."""
    found, sessions = event.tournament, event.sessions
    announced = publications.shown_publication(found)
    playing = current_progress(sessions)
    number = playing.session.number if playing else len(sessions) + 1
    clock = clocks.clock_of(playing.session) if playing and not event.publication else None
    planned = list(found.stages.values_list("number", "first_session", "name"))
    names = {first: name for _stage, first, name in planned if first is not None}
    return Day(
        found,
        len(event.entries),
        sessions,
        publications.changes_since(announced).count() if announced else 0,
        presence.roll_call(found, number, stages.players_of_session(found, number)),
        clocks.is_time_up(clock, now),
        [stage for stage, first, _name in planned if first is None],
        last_stage_from=max(names, default=0),
        stage_names=names,
    )


def _session_steps(day: Day, step: str, number: int, sheets: Sequence[Sheet]) -> SessionSteps:
    """Return the steps of one session, by its number."""
    seated = next((each for each in day.sessions if each.session.number == number), None)
    if seated is None:
        is_next = number == len(day.sessions) + 1 and day.tournament.closed_at is None
        return SessionSteps(number, None, _steps_before(day, step) if is_next else ())
    is_called = seated.is_over or day.is_called
    called = Step("call_roll", "done" if is_called else "open")
    before = [] if seated.session.is_play_off else [called]
    steps = [*before, Step("seat", "done"), *_steps_of_play(day, step, seated)]
    unfinished = () if seated.is_over else _unfinished(sheets, number)
    return SessionSteps(number, seated, tuple(steps), unfinished)


def _steps_before(day: Day, step: str) -> tuple[Step, ...]:
    """Return the steps up to the seats, of the session that is seated next."""
    is_called = day.is_called
    is_free = step != "add_entries" and current_progress(day.sessions) is None
    open_or_later = "open" if is_free else "later"
    confirm = _state(step, "confirm_stage", is_done=False, otherwise=open_or_later)
    return (
        *([Step("confirm_stage", confirm)] if day.unconfirmed and day.sessions else ()),
        Step("call_roll", _state(step, "call_roll", is_done=is_called, otherwise=open_or_later)),
        Step("seat", _state(step, "seat", is_done=False, otherwise=open_or_later)),
        *(Step(code, "later") for code in ("play", "announce")),
    )


def _steps_of_play(day: Day, step: str, seated: SessionProgress) -> tuple[Step, ...]:
    """Return the steps from play to the announcement of a session that is seated."""
    playing = current_progress(day.sessions)
    is_on = playing is not None and playing.session.number == seated.session.number
    if not seated.is_over:
        is_next = is_on and step in PLAYING
        return (Step("play", "next" if is_next else "open"), Step("announce", "later"))
    if playing is not None or seated.session.number != day.sessions[-1].session.number:
        return (Step("play", "done"),)
    # Where sessions follow, results so far may be announced, but it is no step of the day.
    follows = step in {"confirm_stage", "call_roll", "seat"}
    is_next = step in {"announce", "announce_again"}
    announce = "done" if day.is_announced else "next" if is_next else "later" if follows else "open"
    return (Step("play", "done"), Step("announce", announce))


def _state(step: str, code: str, *, is_done: bool, otherwise: str) -> str:
    if step == code:
        return "next"
    return "done" if is_done else otherwise


def _unfinished(sheets: Sequence[Sheet], number: int) -> tuple[int, ...]:
    """Return the numbers of a session's tables that are waited for."""
    return tuple(
        each.sitting.number
        for each in sheets
        if each.sitting.session.number == number and each.is_waited_for
    )
