"""Groups of players (A決勝, B決勝): each group is drawn by itself, and their tables are joined."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from scoring.problems import Problem, Problems
from scoring.translation import gettext_noop as _
from tournaments.draws.requests import Player, Request
from tournaments.draws.sizes import best_mix


class Part(NamedTuple):
    """The request of one group. `tables_before` is the number of tables of the groups before it."""

    request: Request
    tables_before: int

    def with_overall_table(self, problem: Problem) -> Problem:
        """Return a problem with its table's number among all groups; unchanged without a table."""
        if "table" not in problem.params:
            return problem
        table = int(str(problem.params["table"])) + self.tables_before
        params = {**problem.params, "table": table}
        return Problem(problem.at, problem.code, problem.template, params)


def parts_of(request: Request) -> list[Part]:
    """Return a request for each group, in the order of the groups' first players.

    If all players are of one group, that is the request itself. The seeds of the groups count up
    from the request's. A player who is fixed to a table of another group gets a table number that
    the own group does not have: `check_groups` adds a problem for it.
    """
    groups: dict[str, list[Player]] = {}
    for player in request.players:
        groups.setdefault(player.group, []).append(player)
    if len(groups) == 1:
        return [Part(request, 0)]
    parts: list[Part] = []
    tables_before = 0
    for number, players in enumerate(groups.values()):
        ids = {player.id for player in players}
        part = replace(
            request,
            players=players,
            seed=request.seed + number,
            apart=[pair for pair in request.apart if ids.issuperset(pair)],
            fixed={
                name: table - tables_before for name, table in request.fixed.items() if name in ids
            },
        )
        parts.append(Part(part, tables_before))
        tables_before += len(best_mix(len(players), request.sizes))
    return parts


def check_groups(problems: Problems, request: Request, parts: list[Part]) -> None:
    """Add the problems of several groups: meaningless keys, missing steps, wrong fixed tables."""
    for key, value in (("tables", request.mix), ("movement", request.movement)):
        if value:
            template = "“{key}” is not read where players have groups; remove one of the two."
            problems.add(key, "unknown_key", template, key=key)
    if request.steps is None:
        template = "Players have groups: give “steps”, so many are searched for each."
        problems.add("steps", "missing", template)
    for part in () if problems.count else parts:
        _check_group(problems, part)


def _check_group(problems: Problems, part: Part) -> None:
    """Add a problem if the group fills no table, and for each player fixed to another's table."""
    group, count = part.request.players[0].group, len(part.request.players)
    mix = best_mix(count, part.request.sizes)
    if not mix:
        template = _("The players of group “{group}” ({count}) do not fill a table.")
        problems.add("players", "sizes", template, count=count, group=group)
        return
    first, last = part.tables_before + 1, part.tables_before + len(mix)
    for name, table in part.request.fixed.items():
        if not 1 <= table <= len(mix):
            template = _(
                "“{id}” is fixed to table {table}; the tables of group “{group}” are "
                "{first} to {last}."
            )
            params = {"id": name, "table": table + part.tables_before, "group": group}
            problems.add("fixed", "fixed", template, **params, first=first, last=last)
