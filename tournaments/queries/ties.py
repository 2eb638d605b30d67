"""Ties (同順位): players whose order is open, and the tie-breaks in which they are equal."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import scoring
from scoring.ranking.contest import CODES_ABOUT_STAGES, CODES_NEEDING_ROUNDS
from scoring.ranking.tie_breaks import DECISION, LOT, PLAY_OFF
from scoring.stages.places import stage_of_play_off
from tournaments.models import Entry, TieDecision
from tournaments.queries.events import Event
from tournaments.queries.play_offs import decisions_among, open_ties
from tournaments.queries.progress import SessionProgress, progress_of_sheets
from tournaments.queries.ranking_facts import RankingFacts
from tournaments.queries.sheets import Sheet
from tournaments.queries.stages import stage_standings
from tournaments.queries.standings import Standing


class Tie(NamedTuple):
    """Players whose order is open; `rank` is the best rank among them.

    - `compared`: the codes of the steps in which the players are equal, with that of play-offs for
      each that is over
    - `unrecorded`: the codes of the steps that need rounds, if only totals of some are recorded
    - `totals_of`: the numbers of the sessions with those totals
    - `has_rounds`: rounds of some of the players are recorded
    - `former`: the decisions in force on two or more of them, to be taken back before a new one
    - `is_shared`: some of them share a place; else later steps separate all of them unless they
      play off, and neither a decision nor a lot would change their order
    """

    rank: int
    players: list[Entry]
    compared: tuple[str, ...]
    unrecorded: tuple[str, ...] = ()
    totals_of: tuple[int, ...] = ()
    has_rounds: bool = True
    is_shared: bool = True
    former: Sequence[TieDecision] = ()


def ties_of(rows: Sequence[Standing], facts: RankingFacts) -> list[Tie]:
    """Return the ties of `open_ties`, each with the steps that compared its players."""
    sheets_by_player: defaultdict[str, list[Sheet]] = defaultdict(list)
    for sheet in facts.counting_sheets:
        for player in sheet.players:
            sheets_by_player[player].append(sheet)
    return [_tie(tied, facts, sheets_by_player) for tied in open_ties(rows, facts)]


def decided_players(event: Event) -> set[str]:
    """Return the keys of the players whom a decision or a lot ranks, in any stage."""
    facts = event.ranking_facts
    lists = [event.standings, *(each.rows for each in stage_standings(facts))]
    rulings = [index for index, step in enumerate(facts.steps) if step in {DECISION, LOT}]
    return {
        row.entry.key
        for rows in lists
        for row in rows
        if row.place and any(row.place.values[index] is not None for index in rulings)
    }


def _tie(
    tied: Sequence[Standing], facts: RankingFacts, sheets_by_player: Mapping[str, list[Sheet]]
) -> Tie:
    """All players have a place."""
    players = [row.entry for row in tied]
    sessions = _sessions_of(tied[0].decided_stage, facts)
    sheets = [
        sheet
        for entry in players
        for sheet in sheets_by_player[entry.key]
        if sheet.sitting.session.number in sessions
    ]
    with_totals = {each.sitting.session.number for each in sheets if each.typed_totals}
    compared = _steps_compared(tied, facts)
    unrecorded = [code for code in compared if with_totals and code in CODES_NEEDING_ROUNDS]
    places = [row.place for row in tied if row.place]
    return Tie(
        rank=places[0].rank or 0,
        players=players,
        compared=tuple(code for code in compared if code not in unrecorded),
        unrecorded=tuple(unrecorded),
        totals_of=tuple(sorted(with_totals)),
        has_rounds=any(each.rounds for each in sheets),
        is_shared=any(place.tied for place in places),
        former=decisions_among(
            [entry.number for entry in players], facts.decisions, tied[0].decided_stage
        ),
    )


def _sessions_of(stage: int, facts: RankingFacts) -> range:
    """Return the numbers of the sessions of a stage that has begun; 1 is the first stage."""
    starts = [1, *(each.first_session for each in facts.played_stages), sys.maxsize]
    return range(starts[stage - 1], starts[stage])


def _steps_compared(tied: Sequence[Standing], facts: RankingFacts) -> list[str]:
    """Return the codes of the steps that apply to these players and find them equal.

    A play-off that is not over is not among them: its next round may separate the players.
    """
    codes = [step.code for i, step in enumerate(facts.steps) if _is_compared(tied, i, facts)]
    over = _play_offs_over([row.entry.key for row in tied], tied[0].decided_stage, facts)
    for _unfinished in range(codes.count(PLAY_OFF.code) - over):
        codes.remove(PLAY_OFF.code)
    return codes


def _play_offs_over(tied: Sequence[str], stage: int, facts: RankingFacts) -> int:
    """Return the number of play-offs of a stage that are over and left these players equal."""
    sheets: defaultdict[int, list[Sheet]] = defaultdict(list)
    for sheet in facts.sheets:
        sheets[sheet.sitting.session.number].append(sheet)
    return sum(
        {*tied} <= each.points.keys()
        and len({each.points[player] for player in tied}) == 1
        and stage_of_play_off(each, facts.contest, facts.played_stages) == stage
        and SessionProgress(
            sheets[each.session][0].sitting.session, progress_of_sheets(sheets[each.session])
        ).is_over
        for each in facts.play_offs
    )


def _is_compared(tied: Sequence[Standing], index: int, facts: RankingFacts) -> bool:
    """Return whether the step at this index applies to these players and finds them equal.

    Steps about stages do not apply before a later stage is confirmed.
    """
    step: scoring.TieBreak = facts.steps[index]
    if step.code in CODES_ABOUT_STAGES and not facts.played_stages:
        return False
    values = {row.place.values[index] for row in tied if row.place}
    return len(values) == 1 and (step.compare is None or None not in values)
