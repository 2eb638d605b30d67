"""The plan of an event: its stages with their sessions, from the first stage to the awards.

It is not stored but derived from the rows: `Tournament.sessions_planned`, the stages and the seated
sessions. Everything that asks how many sessions are to come, or to which stage a session belongs,
reads it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tournaments.models import Stage, Tournament


class PlannedStage(NamedTuple):
    """A stage of the plan.

    - `number`, `name`: those of the row; the first stage is 1 and has no name
    - `planned`: the planned number of sessions; None: as many as are seated, but at least one
    - `first_session`: the number of its first session (`Stage.opening_session`); None until it is
      confirmed who goes on
    - `seated`: the numbers of its sessions that count for the plan; see `progress.counts_for_plan`
    """

    number: int
    name: str
    planned: int | None
    first_session: int | None
    seated: tuple[int, ...] = ()
    row: Stage | None = None  # None for the first stage

    @property
    def is_confirmed(self) -> bool:
        """Return whether it is known who plays in it, as always in the first stage."""
        return self.first_session is not None

    @property
    def left(self) -> int:
        """Return how many of its sessions are still to be seated."""
        return max(0, (self.planned or 1) - len(self.seated))


class Plan(NamedTuple):
    """The stages in order. Those after `current` are not confirmed.

    >>> stage = PlannedStage(1, "", planned=2, first_session=1)
    >>> final = PlannedStage(2, "Final", planned=1, first_session=None)
    >>> for seated in ((), (1, 2)):
    ...     plan = Plan((stage._replace(seated=seated), final))
    ...     print(plan.next, plan.sessions_left, [each.name for each in plan.to_come])
    session 3 ['', '', 'Final']
    confirm_stage 1 ['Final']
    """

    stages: tuple[PlannedStage, ...]

    @property
    def current(self) -> PlannedStage:
        """Return the last confirmed stage, to which the next session belongs."""
        return [each for each in self.stages if each.is_confirmed][-1]

    @property
    def following(self) -> PlannedStage | None:
        return next((each for each in self.stages if not each.is_confirmed), None)

    @property
    def next(self) -> str:
        """Return what the plan has next, once no session is on.

        `session`: one of the current stage; `confirm_stage`: who goes on to `following`; `awards`.
        """
        if self.current.left:
            return "session"
        return "confirm_stage" if self.following else "awards"

    @property
    def is_stage_full(self) -> bool:
        """Return whether all sessions that were planned for the current stage are seated.

        Another one is an extra session, which the director has to ask for.
        """
        return self.current.planned is not None and not self.current.left

    @property
    def most_to_draw(self) -> int | None:
        """Return how many sessions can be drawn together: those left in the current stage.

        None if their number is open: none is planned, and no stage follows.
        """
        is_open = self.current.planned is None and self.following is None
        return None if is_open else self.current.left

    @property
    def needs_choice(self) -> bool:
        """Return whether to ask what is next, instead of seating one more session."""
        return self.is_stage_full or self.next == "confirm_stage"

    @property
    def to_come(self) -> tuple[PlannedStage, ...]:
        ahead = self.stages[self.stages.index(self.current) :]
        return tuple(stage for stage in ahead for _session in range(stage.left))

    @property
    def sessions_left(self) -> int:
        return len(self.to_come)

    @property
    def has_stages(self) -> bool:
        return len(self.stages) > 1

    def stage_of(self, session: int) -> PlannedStage:
        """Return the stage of a session by its number, seated or the next to be seated."""
        starts = [each.first_session for each in self.stages if each.first_session is not None]
        return self.stages[bisect_right(starts, session) - 1]


def plan_of(tournament: Tournament, stages: Iterable[Stage], sessions: Sequence[int]) -> Plan:
    """Return the plan. `stages` are those after the first, in order.

    `sessions` are the numbers of the seated sessions that count for the plan, in order.
    """
    planned = [
        PlannedStage(1, "", tournament.sessions_planned, 1),
        *(
            PlannedStage(
                row.number,
                row.name,
                row.sessions_planned,
                row.opening_session(tournament.play_off_numbers) if row.is_confirmed else None,
                row=row,
            )
            for row in stages
        ),
    ]
    starts = [each.first_session for each in planned if each.first_session is not None]
    ends = [*starts[1:], None]
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        own = (each for each in sessions if each >= start and (end is None or each < end))
        planned[index] = planned[index]._replace(seated=tuple(own))
    return Plan(tuple(planned))
