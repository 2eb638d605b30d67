"""Groups of players (A決勝, B決勝): each is drawn by itself, and their tables are put together."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from scoring.problems import Problem, Problems
from scoring.translation import gettext_noop as _
from tournaments.draws.requests import Player, Request
from tournaments.draws.sizes import best_mix


class Part(NamedTuple):
    """The request of one group; `before` counts the tables of the groups before it."""

    request: Request
    before: int

    def placed(self, problem: Problem) -> Problem:
        """Return a problem of this part with the number that its table has in the whole."""
        if "table" not in problem.params:
            return problem
        params = {**problem.params, "table": int(str(problem.params["table"])) + self.before}
        return Problem(problem.at, problem.code, problem.template, params)


def parts_of(request: Request) -> list[Part]:
    """Return a request for each group, in the order of their first players.

    Where all are of one group, the request itself. The seeds count up from the request's. Whoever
    is fixed to a table of another group has a number there that no table has: see `check_groups`.
    """
    groups: dict[str, list[Player]] = {}
    for player in request.players:
        groups.setdefault(player.group, []).append(player)
    if len(groups) == 1:
        return [Part(request, 0)]
    parts: list[Part] = []
    before = 0
    for number, players in enumerate(groups.values()):
        ids = {player.id for player in players}
        part = replace(
            request,
            players=players,
            seed=request.seed + number,
            apart=[pair for pair in request.apart if ids.issuperset(pair)],
            fixed={name: table - before for name, table in request.fixed.items() if name in ids},
        )
        parts.append(Part(part, before))
        before += len(best_mix(len(players), request.sizes))
    return parts


def check_groups(problems: Problems, request: Request, parts: list[Part]) -> None:
    """Add what is wrong with a request of several groups, apart from each group by itself."""
    for key in ("tables", "movement"):
        if getattr(request, key):
            template = "“{key}” is not read where players have groups; remove one of the two."
            problems.add(key, "unknown_key", template, key=key)
    if request.steps is None:
        template = "Players have groups: give “steps”, so many are searched for each."
        problems.add("steps", "missing", template)
    for part in () if problems.count else parts:
        _check_group(problems, part)


def _check_group(problems: Problems, part: Part) -> None:
    """Add a problem of a group that fills no table, and of players fixed to another's table."""
    group, count = part.request.players[0].group, len(part.request.players)
    mix = best_mix(count, part.request.sizes)
    if not mix:
        template = _("{count} players of group “{group}” do not fill a table.")
        problems.add("players", "sizes", template, count=count, group=group)
        return
    first, last = part.before + 1, part.before + len(mix)
    for name, table in part.request.fixed.items():
        if not 1 <= table <= len(mix):
            template = _(
                "“{id}” is fixed to table {table}; the tables of group “{group}” are "
                "{first} to {last}."
            )
            params = {"id": name, "table": table + part.before, "group": group}
            problems.add("fixed", "fixed", template, **params, first=first, last=last)
