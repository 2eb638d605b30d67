"""Play-offs (決定戦): who may play places off, at which tables."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import combinations_with_replacement

from scoring.ranking.tie_breaks import PLAY_OFF, TieBreak
from tournaments import draws
from tournaments.models import Entry
from tournaments.queries.standings import Standing


def open_ties(rows: Sequence[Standing], steps: Sequence[TieBreak]) -> list[list[Standing]]:
    """Return who may play off a place, in order: those who share one, and no play-off parts.

    Where a play-off is chosen before other steps, they are those equal in the steps before it.
    """
    codes = [step.code for step in steps]
    if PLAY_OFF.code not in codes:
        return _equal_in(set(codes), codes, rows)
    at = codes.index(PLAY_OFF.code)
    found: list[list[Standing]] = []
    for group in _equal_in(set(codes[:at]), codes, rows):
        has_played = all(row.place and row.place.values[at] is not None for row in group)
        found += _equal_in(set(codes), codes, group) if has_played else [group]
    return found


def _equal_in(
    deciding: set[str], codes: Sequence[str], rows: Sequence[Standing]
) -> list[list[Standing]]:
    """Return the players with a rank who are equal in these of all steps, two or more each."""
    groups: list[list[Standing]] = []
    for row in rows:
        if row.place is None or row.place.rank is None:
            continue
        separated = row.place.separated_by
        is_equal = separated is None or (separated in codes and separated not in deciding)
        if groups and is_equal:
            groups[-1].append(row)
        else:
            groups.append([row])
    return [group for group in groups if len(group) > 1]


def tables_for(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of the fewest tables that seat so many, with the fewest seats to fill.

    >>> [tables_for(players, (5, 6)) for players in (2, 6, 7, 13)]
    [(5,), (6,), (5, 5), (5, 5, 5)]
    """
    fewest = -(-players // max(sizes))
    mixes = combinations_with_replacement(sorted(sizes), fewest)
    return min((mix for mix in mixes if sum(mix) >= players), key=sum)


def drawn_by_lot(
    players: Sequence[Entry], sizes: Sequence[int], seed: int
) -> tuple[list[list[Entry]], draws.Draw]:
    """Return tables of these sizes, together as many seats as players, and the draw of a lot."""
    by_key = {entry.key: entry for entry in players}
    request = draws.Request(
        players=[draws.Player(key, entry.club) for key, entry in by_key.items()],
        tables=sizes,
        method="lot",
        clubs=False,
        seed=seed,
        steps=1,
    )
    draws.read_request(draws.as_document(request))  # what is stored can be drawn again
    drawn = draws.draw(request, time.monotonic)
    [seated] = drawn.sessions
    return [[by_key[key] for key in table] for table in seated.tables], drawn
