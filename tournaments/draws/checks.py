"""Checks a request as a whole, after each of its parts: whether parts contradict each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scoring.problems import Problems
from scoring.translation import gettext_noop as _
from tournaments.draws.groups import check_groups, parts_of
from tournaments.draws.requests import MOST_SEATS, Request
from tournaments.draws.sizes import best_mix


def check(problems: Problems, request: Request) -> None:
    """The parts of `request` are valid by themselves."""
    if len(request.players) * request.sessions > MOST_SEATS:
        template = "That is too much at once: give at most {most} seats, players times sessions."
        problems.add("sessions", "sessions", template, most=MOST_SEATS)
        return
    parts = parts_of(request)
    if len(parts) == 1:
        _check_part(problems, request)
        return
    check_groups(problems, request, parts)
    if problems.count:
        return
    for part in parts:
        problems_of_part = Problems()
        _check_part(problems_of_part, part.request)
        for each in map(part.with_overall_table, problems_of_part.listed):
            problems.add(each.at, each.code, each.template, **each.params)


def _check_part(problems: Problems, request: Request) -> None:
    """The players of `request` are all of one group."""
    if request.method == "fixed":
        _check_movement(problems, request)
    else:
        mix = tuple(request.mix) or best_mix(len(request.players), request.sizes)
        _check_fixed(problems, request, mix)
        _check_apart(problems, request, mix)


def _check_movement(problems: Problems, request: Request) -> None:
    """Add the problems of the method `fixed`: a wrong number of sessions, tables not allowed."""
    if request.sessions != len(request.movement):
        template = "“movement” has {count} sessions, not {sessions}; correct “sessions”."
        params = {"count": len(request.movement), "sessions": request.sessions}
        problems.add("movement", "sessions", template, **params)
    for s, session in enumerate(request.movement):
        if request.mix and sorted(map(len, session)) != sorted(request.mix):
            template = "These tables are not those of “tables”; correct them."
            problems.add(f"movement[{s}]", "sizes", template)
        for t, table in enumerate(session):
            at = f"movement[{s}][{t}]"
            if not request.mix and len(table) not in request.sizes:
                problems.add(at, "sizes", "A table of {size} is not allowed.", size=len(table))
            _check_players(problems, request, at, t + 1, table)


def _check_players(
    problems: Problems, request: Request, at: str, number: int, table: Sequence[str]
) -> None:
    """Add a problem for each player, and each pair kept apart, who may not sit at this table.

    `number` is the table's number, from 1.
    """
    player_ids = {player.id for player in request.players}
    for i, name in enumerate(table):
        if name not in player_ids:
            template = "“{id}” is not among the players; correct or remove it."
            problems.add(f"{at}[{i}]", "unknown_player", template, id=name)
        elif request.fixed.get(name, number) != number:
            template = "“{id}” is fixed to table {table}; correct the movement."
            problems.add(f"{at}[{i}]", "fixed", template, id=name, table=request.fixed[name])
    for one, two in request.apart:
        if one in table and two in table:
            template = "“{one}” and “{two}” are kept apart; correct the movement."
            problems.add(at, "apart", template, one=one, two=two)


def _check_fixed(problems: Problems, request: Request, mix: tuple[int, ...]) -> None:
    """Add a problem for each fixed table that does not exist, and for each with too few seats.

    Fixed players may sit out, if the mix has fewer seats than there are players.
    """
    for name, table in request.fixed.items():
        if table > len(mix):
            template = _("“{id}” is fixed to table {table}, but the last table is {count}.")
            problems.add("fixed", "fixed", template, id=name, table=table, count=len(mix))
    sit_outs = len(request.players) - sum(mix)
    for table, count in sorted(Counter(request.fixed.values()).items()):
        if table <= len(mix) and count > mix[table - 1] + sit_outs:
            template = _("{count} players are fixed to table {table}, which has {size} seats.")
            params = {"count": count, "table": table, "size": mix[table - 1]}
            problems.add("fixed", "fixed", template, **params)


def _check_apart(problems: Problems, request: Request, mix: tuple[int, ...]) -> None:
    """Add a problem for each pair kept apart that is fixed to one table.

    Add one, too, if more players are kept apart from each other than there are tables.
    """
    sit_outs = len(request.players) - sum(mix)
    for one, two in request.apart:
        table = request.fixed.get(one)
        if table is not None and table == request.fixed.get(two):
            template = _("“{one}” and “{two}” are kept apart, but both fixed to table {table}.")
            problems.add("apart", "apart", template, one=one, two=two, table=table)
    clique = _clique(request)
    if len(clique) > len(mix) + sit_outs:
        template = _(
            "{count} players are to be kept apart from each other, more than there are tables "
            "({tables}): {ids}."
        )
        params = {"count": len(clique), "tables": len(mix), "ids": clique}
        problems.add("apart", "apart", template, **params)


def _clique(request: Request) -> list[str]:
    """Return players who are all kept apart from each other: many, but perhaps not the most."""
    apart: dict[str, set[str]] = {}
    for one, two in request.apart:
        apart.setdefault(one, set()).add(two)
        apart.setdefault(two, set()).add(one)
    order = sorted(apart, key=lambda name: (-len(apart[name]), name))
    best: list[str] = []
    for first in order[:200]:
        clique = [first]
        for name in order:
            if apart[name].issuperset(clique):
                clique.append(name)
        best = max(best, clique, key=len)
    return best
