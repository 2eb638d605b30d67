"""Play-offs (決定戦): who may play places off, at which tables."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from itertools import combinations_with_replacement

from scoring.ranking.tie_breaks import PLAY_OFF
from tournaments import draws
from tournaments.models import Entry, TieDecision
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.standings import Standing


def open_ties(rows: Sequence[Standing], facts: RankingFacts) -> list[list[Standing]]:
    """Return who may play off a place, in order: those who share one, and no play-off parts.

    Where a play-off is chosen before other steps, they are those equal in the steps before it.
    Those who share no place since a decision was made on them are not among them.
    """
    found = _not_parted_by_play_offs(rows, [step.code for step in facts.steps])
    return [group for group in found if not _is_decided(group, facts.decisions)]


def _is_decided(group: Sequence[Standing], decisions: Sequence[TieDecision]) -> bool:
    """Return whether these players share no place, and a decision in force was made on them."""
    shares = any(row.place and row.place.tied for row in group)
    return not shares and bool(decided_among([row.entry.number for row in group], decisions))


def decided_among(players: Collection[int], decisions: Sequence[TieDecision]) -> list[TieDecision]:
    """Return those decisions that put two or more of these players in order, by number."""
    return [each for each in decisions if len(set(players).intersection(each.order)) > 1]


def _not_parted_by_play_offs(
    rows: Sequence[Standing], codes: Sequence[str]
) -> list[list[Standing]]:
    """Return who is equal in all steps, or in those before a play-off that they did not play."""
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
    players: Sequence[Entry], sizes: Sequence[int], seed: int, history: Sequence[draws.Tables]
) -> tuple[list[list[Entry]], draws.Draw]:
    """Return tables of these sizes, together as many seats as players, and the draw of a lot.

    `history` are the tables of earlier sessions: who meets again is counted by them.
    """
    by_key = {entry.key: entry for entry in players}
    request = draws.Request(
        players=[draws.Player(key, entry.club) for key, entry in by_key.items()],
        tables=sizes,
        method="lot",
        history=history,
        clubs=False,
        seed=seed,
        steps=1,
    )
    draws.read_request(draws.as_document(request))  # what is stored can be drawn again
    drawn = draws.draw(request, time.monotonic)
    [seated] = drawn.sessions
    return [[by_key[key] for key in table] for table in seated.tables], drawn
