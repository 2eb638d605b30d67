"""Checks a request whose parts are right by themselves: can everything in it be kept together?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scoring.problems import Problems
from scoring.translation import gettext_noop as _
from tournaments.draws.groups import check_groups, parts_of
from tournaments.draws.requests import MOST_SEATS, Request
from tournaments.draws.sizes import best_mix


def check(problems: Problems, request: Request) -> None:
    """Add what is wrong with the request as a whole."""
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
        found = Problems()
        _check_part(found, part.request)
        for each in map(part.placed, found.listed):
            problems.add(each.at, each.code, each.template, **each.params)


def _check_part(problems: Problems, request: Request) -> None:
    """Add what is wrong with the request of one group."""
    if request.method == "fixed":
        _check_movement(problems, request)
    else:
        mix = tuple(request.tables) or best_mix(len(request.players), request.sizes)
        _check_fixed(problems, request, mix)
        _check_apart(problems, request, mix)


def _check_movement(problems: Problems, request: Request) -> None:
    """Add problems of sessions that are missing, and of tables that may not be in a movement."""
    if request.sessions != len(request.movement):
        template = "“movement” has {count} sessions, not {sessions}; correct “sessions”."
        params = {"count": len(request.movement), "sessions": request.sessions}
        problems.add("movement", "sessions", template, **params)
    for s, session in enumerate(request.movement):
        if request.tables and sorted(map(len, session)) != sorted(request.tables):
            template = "These tables are not those of “tables”; correct them."
            problems.add(f"movement[{s}]", "sizes", template)
        for t, table in enumerate(session):
            at = f"movement[{s}][{t}]"
            if not request.tables and len(table) not in request.sizes:
                problems.add(at, "sizes", "A table of {size} is not allowed.", size=len(table))
            _check_players(problems, request, at, t + 1, table)


def _check_players(
    problems: Problems, request: Request, at: str, number: int, table: Sequence[str]
) -> None:
    """Add a problem for each player at a movement's table who may not sit there."""
    known = {player.id for player in request.players}
    for i, name in enumerate(table):
        if name not in known:
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
    """Add problems of tables that do not exist, or have fewer seats than are fixed to them."""
    for name, table in request.fixed.items():
        if table > len(mix):
            template = _("“{id}” is fixed to table {table}, but there are {count} tables.")
            problems.add("fixed", "fixed", template, id=name, table=table, count=len(mix))
    away = len(request.players) - sum(mix)
    for table, count in sorted(Counter(request.fixed.values()).items()):
        if table <= len(mix) and count > mix[table - 1] + away:
            template = _("{count} players are fixed to table {table}, which has {size} seats.")
            params = {"count": count, "table": table, "size": mix[table - 1]}
            problems.add("fixed", "fixed", template, **params)


def _check_apart(problems: Problems, request: Request, mix: tuple[int, ...]) -> None:
    """Add problems of pairs fixed to one table, and of more players than there are tables."""
    away = len(request.players) - sum(mix)
    for one, two in request.apart:
        table = request.fixed.get(one)
        if table is not None and table == request.fixed.get(two):
            template = _("“{one}” and “{two}” are kept apart, but both fixed to table {table}.")
            problems.add("apart", "apart", template, one=one, two=two, table=table)
    clique = _clique(request)
    if len(clique) > len(mix) + away:
        template = _(
            "{count} players are all kept apart from each other, at {tables} tables: {ids}."
        )
        params = {"count": len(clique), "tables": len(mix), "ids": clique}
        problems.add("apart", "apart", template, **params)


def _clique(request: Request) -> list[str]:
    """Return players who are all kept apart from each other: many, not always the most."""
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
