"""Draws a request: the public function of the package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tournaments.draws.groups import parts_of
from tournaments.draws.methods import Method
from tournaments.draws.plan import Schedule, plan_of
from tournaments.draws.quality import Quality, joined, quality_of
from tournaments.draws.requests import InvalidRequest, Request
from tournaments.draws.search import Budget, Progress
from tournaments.draws.seats import arrange_seats

MOST_ATTEMPTS = 20  # to choose who sits out


@dataclass(frozen=True)
class Session:
    """A drawn session: ids in seat order, table by table, and who sits out."""

    tables: list[list[str]]
    sits_out: list[str]


@dataclass(frozen=True)
class Draw:
    """A legal draw. `steps` is given where the search was ended: asked for, they repeat it."""

    request: Request
    sessions: list[Session]
    quality: Quality
    how: str
    steps: int | None

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of the answer."""
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

    `clock` gives seconds, as `time.monotonic` does; it is read unless the request has `steps`.
    `progress` is told the steps so far, and what counts the meetings of the best schedule; it
    answers whether to go on: a search that is stopped gives its best. Each group is drawn by
    itself, and their tables follow each other. Raises `InvalidRequest` if the players who are
    fixed and kept apart cannot be seated.
    """
    parts = parts_of(request)
    if len(parts) == 1:
        return _draw_part(request, clock, progress)
    drawn = []
    for part in parts:
        try:
            drawn.append(_draw_part(part.request, clock, progress))
        except InvalidRequest as invalid:
            raise InvalidRequest(list(map(part.placed, invalid.problems))) from None
    return _joined(request, drawn)


def _joined(request: Request, groups: Sequence[Draw]) -> Draw:
    """Return one draw of several groups. It has `steps` if with them it can be repeated."""
    ended = {each.steps for each in groups} - {None}
    return Draw(
        request,
        [
            Session(
                [table for each in sessions for table in each.tables],
                [name for each in sessions for name in each.sits_out],
            )
            for sessions in zip(*(each.sessions for each in groups), strict=True)
        ],
        joined([each.quality for each in groups]),
        ", ".join(dict.fromkeys(each.how for each in groups)),
        request.steps if ended == {request.steps} else None,
    )


def _draw_part(request: Request, clock: Callable[[], float], progress: Progress) -> Draw:
    """Draw the request of one group."""
    rng = Random(request.seed)  # noqa: S311  a seed that anybody may know is the point
    budget = Budget(clock, request.seconds, request.steps, progress)
    for attempt in range(1, MOST_ATTEMPTS + 1):
        plan = plan_of(request, rng)
        try:
            schedule, how = Method(plan, rng, budget).draw()
            break
        except InvalidRequest:  # perhaps others have to sit out
            if attempt == MOST_ATTEMPTS or not any(plan.sit_outs):
                raise
    if request.method != "fixed":
        schedule = arrange_seats(schedule, plan.first_seats_before, rng)
    ids = [player.id for player in request.players]
    return Draw(
        request,
        _in_ids(schedule, ids),
        quality_of(plan, schedule),
        how,
        budget.steps if budget.ended else None,
    )


def _in_ids(schedule: Schedule, ids: list[str]) -> list[Session]:
    """Return the sessions with ids for numbers; who sits out is told in the request's order."""
    sessions = []
    for session in schedule:
        seated = {player for table in session for player in table}
        tables = [[ids[player] for player in table] for table in session]
        sessions.append(Session(tables, [name for i, name in enumerate(ids) if i not in seated]))
    return sessions
