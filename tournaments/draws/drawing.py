"""Draws a request: the public function of the package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tournaments.draws.groups import parts_of
from tournaments.draws.methods import Method
from tournaments.draws.plan import Schedule, plan_of
from tournaments.draws.quality import Quality, quality_of, quality_of_groups
from tournaments.draws.requests import InvalidRequest, Request
from tournaments.draws.search import Budget, Progress
from tournaments.draws.seats import arrange_seats

MOST_ATTEMPTS = 20  # choices of who sits out


@dataclass(frozen=True)
class Session:
    """A drawn session: the ids at each table, in seat order, and of the players who sit out."""

    tables: list[list[str]]
    sits_out: list[str]


@dataclass(frozen=True)
class Draw:
    """A legal draw.

    - `how`: how the schedule was found
    - `steps`: the steps of a search that was ended by time, by the request's steps or by
      `progress`; None if it ended by itself. The request with these `steps` gives the same draw.
    """

    request: Request
    sessions: list[Session]
    quality: Quality
    how: str
    steps: int | None

    def as_json(self) -> dict[str, Any]:
        return {
            "ok": True,
            "seed": self.request.seed,
            "method": self.request.method,
            "sessions": [
                {"tables": each.tables, "sits_out": each.sits_out} for each in self.sessions
            ],
            "quality": self.quality.as_json(),
            "how": self.how,
        } | ({} if self.steps is None else {"steps": self.steps})


def draw(
    request: Request,
    clock: Callable[[], float],
    progress: Progress = lambda _steps, _meetings: True,
) -> Draw:
    """Draw a valid request. The same request with the same seed gives the same draw.

    `clock` returns seconds, as `time.monotonic` does; the time counts unless the request has
    `steps`. `progress` is called with the steps so far and with a function that counts the meetings
    of the best schedule. It returns whether to go on; a search that is stopped returns its best
    schedule. Each group is drawn by itself, its tables follow those of the groups before it. Raises
    `InvalidRequest` if the players who are fixed and kept apart cannot be seated.
    """
    parts = parts_of(request)
    if len(parts) == 1:
        return _draw_part(request, clock, progress)
    drawn = []
    for part in parts:
        try:
            drawn.append(_draw_part(part.request, clock, progress))
        except InvalidRequest as invalid:
            raise InvalidRequest(list(map(part.with_overall_table, invalid.problems))) from None
    return _join_groups(request, drawn)


def _join_groups(request: Request, groups: Sequence[Draw]) -> Draw:
    """Return one draw of several groups.

    It has the `steps` of the request, if these ended a search and no search was ended otherwise.
    """
    steps_at_end = {each.steps for each in groups} - {None}
    return Draw(
        request,
        [
            Session(
                [table for each in sessions for table in each.tables],
                [name for each in sessions for name in each.sits_out],
            )
            for sessions in zip(*(each.sessions for each in groups), strict=True)
        ],
        quality_of_groups([each.quality for each in groups]),
        ", ".join(dict.fromkeys(each.how for each in groups)),
        request.steps if steps_at_end == {request.steps} else None,
    )


def _draw_part(request: Request, clock: Callable[[], float], progress: Progress) -> Draw:
    """Draw a request whose players are all of one group.

    If a schedule is impossible, other players sit out, for up to `MOST_ATTEMPTS` attempts.
    """
    rng = Random(request.seed)  # noqa: S311  a seed that anybody may know is the point
    budget = Budget(clock, request.seconds, request.steps, progress)
    attempts = 0
    while True:
        attempts += 1
        plan = plan_of(request, rng)
        try:
            schedule, how = Method(plan, rng, budget).draw()
            break
        except InvalidRequest:
            if attempts == MOST_ATTEMPTS or not any(plan.sit_outs):
                raise
    if request.method != "fixed":
        schedule = arrange_seats(schedule, plan.first_seats_before, rng)
    ids = [player.id for player in request.players]
    return Draw(
        request,
        _with_ids(schedule, ids),
        quality_of(plan, schedule),
        how,
        budget.steps if budget.ended else None,
    )


def _with_ids(schedule: Schedule, ids: list[str]) -> list[Session]:
    """Players who sit out are in the order of `ids`."""
    sessions = []
    for session in schedule:
        seated = {player for table in session for player in table}
        tables = [[ids[player] for player in table] for table in session]
        sessions.append(Session(tables, [name for i, name in enumerate(ids) if i not in seated]))
    return sessions
