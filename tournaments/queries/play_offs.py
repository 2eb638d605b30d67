"""Play-offs (決定戦): the ties that may be played off, and the tables for a play-off."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations_with_replacement

from scoring.ranking.tie_breaks import PLAY_OFF
from scoring.stages.places import places_by_stage, stage_decided
from tournaments import draws
from tournaments.models import Entry, Session, TieDecision, Tournament
from tournaments.queries.presence import Status, competing, marked_roll_call
from tournaments.queries.progress import SessionProgress
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.seat_draws import EarlierSeats, one_spelling_of_clubs
from tournaments.queries.standings import Standing


def open_ties(rows: Sequence[Standing], facts: RankingFacts) -> list[list[Standing]]:
    """Return the groups of players who may play off their order, in the order of the standings.

    A group shares a place. If play-offs are a step before others, a group is equal in the steps
    before and has not played one yet. Groups whose order a decision has settled are left out.
    """
    groups = _tied_groups(rows, [step.code for step in facts.steps])
    return [group for group in groups if not _is_decided(group, facts.decisions)]


def _is_decided(group: Sequence[Standing], decisions: Iterable[TieDecision]) -> bool:
    """Return whether no players of a group share a place, and a decision puts some in order."""
    is_shared = any(row.place and row.place.tied for row in group)
    numbers = [row.entry.number for row in group]
    return not is_shared and bool(decisions_among(numbers, decisions, group[0].decided_stage))


def decisions_among(
    players: Collection[int], decisions: Iterable[TieDecision], stage: int
) -> list[TieDecision]:
    """Return the decisions that put two or more of these players in order, in this stage.

    `players` are entry numbers.
    """
    return [
        each
        for each in decisions
        if each.stage in {None, stage} and len(set(players).intersection(each.order)) > 1
    ]


def stage_of_tie(players: Collection[int], facts: RankingFacts) -> int:
    """Return the number of the stage that decides between these players (entry numbers) by now."""
    by_stage = places_by_stage(facts.contest, facts.played_stages)
    return stage_decided([str(number) for number in players], by_stage)


def _tied_groups(rows: Sequence[Standing], codes: Sequence[str]) -> list[list[Standing]]:
    """Return the groups of players who are tied; `codes` are those of the steps, in order.

    They are equal in all steps. If play-offs are a step, a group that is equal in the steps before
    it is tied until all its players have played one.
    """
    if PLAY_OFF.code not in codes:
        return _groups_equal_in(rows, codes, steps=set(codes))
    index = codes.index(PLAY_OFF.code)
    tied: list[list[Standing]] = []
    for group in _groups_equal_in(rows, codes, steps=set(codes[:index])):
        has_played = all(row.place and row.place.values[index] is not None for row in group)
        tied += _groups_equal_in(group, codes, steps=set(codes)) if has_played else [group]
    return tied


def _groups_equal_in(
    rows: Sequence[Standing], codes: Sequence[str], *, steps: set[str]
) -> list[list[Standing]]:
    """Return the groups of neighbouring players whom none of `steps` separates, two or more each.

    `codes` are all steps of the ranking; players separated by another code, such as a stage, are
    not equal. Players without a rank are left out.
    """
    groups: list[list[Standing]] = []
    for row in rows:
        if row.place is None or row.place.rank is None:
            continue
        separated = row.place.separated_by
        is_equal = separated is None or (separated in codes and separated not in steps)
        if groups and is_equal:
            groups[-1].append(row)
        else:
            groups.append([row])
    return [group for group in groups if len(group) > 1]


def play_off_on(sessions: Iterable[SessionProgress], players: Collection[int]) -> Session | None:
    """Return the play-off of all these players (entry numbers) that is not over, if any."""
    return next(
        (
            each.session
            for each in sessions
            if set(players) <= set(each.session.tied or ()) and not each.is_over
        ),
        None,
    )


def late_or_absent(
    tournament: Tournament, session: int, players: Collection[Entry]
) -> dict[Entry, Status]:
    """Return who of these players is so by the roll call of a session, seated or the next one.

    Substitutes, who are absent until they replace somebody, are left out.
    """
    statuses = marked_roll_call(tournament, session, competing(players)).statuses
    return {
        who: status for who, status in statuses.items() if status in {Status.LATE, Status.ABSENT}
    }


def table_sizes_for(players: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of the fewest tables for this number of players, with the fewest seats left.

    `sizes` are the allowed sizes.

    >>> [table_sizes_for(players, (5, 6)) for players in (2, 6, 7, 13)]
    [(5,), (6,), (5, 5), (5, 5, 5)]
    """
    fewest = -(-players // max(sizes))
    mixes = combinations_with_replacement(sorted(sizes), fewest)
    return min((mix for mix in mixes if sum(mix) >= players), key=sum)


def draw_by_lot(
    players: Sequence[Entry], sizes: Sequence[int], seed: int, earlier: EarlierSeats
) -> tuple[list[list[Entry]], draws.Draw]:
    """Draw tables by lot; return them and the whole draw, which counts who meets again.

    `sizes` are the sizes of the tables, with as many seats as there are players.
    """
    by_key = {entry.key: entry for entry in players}
    request = draws.Request(
        players=[draws.Player(*each) for each in one_spelling_of_clubs(players).items()],
        mix=sizes,
        method="lot",
        history=earlier.tables,
        met=earlier.met,
        clubs=False,
        seed=seed,
        steps=1,
    )
    draws.read_request(draws.as_document(request))  # raises if it cannot be stored and read again
    drawn = draws.draw(request, time.monotonic)
    [seated] = drawn.sessions
    return [[by_key[key] for key in table] for table in seated.tables], drawn
