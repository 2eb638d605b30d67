"""The part of a face-card game's playbook that its phones look up: every deal and what follows.

The game is called for every possible deal, declaration, count of face cards, course of a round and
seat change, and the results are stored for look-up. Sentences are in the active language.

*Cells* are indexes of outcomes, by the kankei's (row) and the mukankei's (column) face cards. An
*outcome* is one way a deal can end, or the reason why it is invalid. A *path* is the sequence of
the indexes of the outcomes of a round's deals so far, such as ``"0.3"``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from scoring.kankei import FACE_CARDS, LAST_DEAL, TRUMPS, Deal, ImpossibleDeal, KankeiGame, Round
from scoring.seats import DEALER_SITS_OUT_AT, to_the_right
from tournaments.game_kinds import TableShape
from tournaments.i18n import sentences

# Trumps are listed for this many rounds, because a sitting may play more than are planned.
ROUNDS_WITH_TRUMPS = 200


class _DealTable(NamedTuple):
    """The outcomes of a round's first, second or third deal.

    `cells` has, by declaration (empty for none), the index of the outcome for each number of the
    kankei's (row) and the mukankei's (column) face cards.
    """

    cells: dict[str, list[list[int]]]
    outcomes: list[_Outcome]


class _Outcome(NamedTuple):
    """One way a deal can end: a deal with this outcome, and the outcome's JSON for the phone."""

    deal: Deal
    content: dict[str, Any]


def playbook(game: KankeiGame, table: TableShape) -> dict[str, Any]:
    """Return the part of a playbook that only face-card games have, as JSON.

    This module's docstring describes `cells`, `outcomes` and `paths`. Seats are numbered from 0.
    """
    seats = table.seats
    tables = [_deal_table(game, number) for number in range(1, LAST_DEAL + 1)]
    first = table.rounds_before + 1
    return {
        "face_cards": FACE_CARDS,
        "trumps": [
            game.trump(number, table.planned_rounds)
            for number in range(first, first + ROUNDS_WITH_TRUMPS)
        ],
        "point_factors": _point_factors(game, seats),
        "dealer_sits_out": table.player_count == DEALER_SITS_OUT_AT,
        "seat_change_before": game.seat_change_before,
        "may_be_cut_off": game.may_be_cut_off,
        "next_dealer": [int(to_the_right(seats, dealer)) for dealer in seats]
        if game.has_dealers
        else [],
        "first_leads": {trump: _first_lead(game, trump) for trump in TRUMPS},
        "seat_changes": dict(_seat_changes(game, seats)),
        "deals": [
            {"cells": table.cells, "outcomes": [outcome.content for outcome in table.outcomes]}
            for table in tables
        ],
        "paths": dict(_paths(game, [table.outcomes for table in tables], path=(), deals=())),
    }


def _first_lead(game: KankeiGame, trump: str) -> str:
    """Return the sentence on who leads a first deal with this trump; empty if the text has none."""
    advice = game.first_lead_advice(trump)
    return " ".join(sentences.advice_sentence(each, {}, game.rules) for each in advice)


def _point_factors(game: KankeiGame, seats: Sequence[str]) -> dict[str, int]:
    """Return by role: 1 if a player gets the kankei's points of a round, -1 if their opposite.

    >>> import scoring
    >>> _point_factors(scoring.choose(scoring.get_rule_set("goninkan-association")).game, "ABCDEF")
    {'kankei': 1, 'dealer': 1, 'mukankei': -1}
    """
    kankei, mukankei, *_others, dealer = seats
    facts = Round(kankei=(kankei, seats[2]), deals=(), dealer=dealer)
    side = game.kankei_side(facts, seats)
    roles = {"kankei": kankei, "dealer": dealer, "mukankei": mukankei}
    return {role: 1 if player in side else -1 for role, player in roles.items()}


def _deal_table(game: KankeiGame, deal_number: int) -> _DealTable:
    indexes: dict[Any, int] = {}  # key of an outcome (see `_judge`): index of the outcome
    outcomes: list[_Outcome] = []

    def outcome_index(deal: Deal) -> int:
        """Return the index of the deal's outcome; a new outcome is added."""
        key, content = _judge(game, deal_number, deal)
        if key not in indexes:
            indexes[key] = len(outcomes)
            outcomes.append(_Outcome(deal, content))
        return indexes[key]

    cells = {
        declaration or "": [
            [
                outcome_index(Deal(kankei, mukankei, declaration))
                for mukankei in range(FACE_CARDS + 1 - kankei)
            ]
            for kankei in range(FACE_CARDS + 1)
        ]
        for declaration in (None, *game.declarations[deal_number])
    }
    return _DealTable(cells, outcomes)


def _judge(game: KankeiGame, deal_number: int, deal: Deal) -> tuple[Any, dict[str, Any]]:
    """Return the outcome of a deal as a key, equal for equal outcomes, and as JSON.

    The JSON of an impossible deal has the `problem` in words, and its `field`.
    """
    counts_and_declaration = deal[:3]  # without the trump
    verdict = game.verdict(deal_number, *counts_and_declaration)
    if isinstance(verdict, ImpossibleDeal):
        words = sentences.translated(verdict.template).format(**verdict.params)
        problem: dict[str, Any] = {"field": verdict.field, "problem": words}
        return tuple(problem.values()), problem
    content = {"won": verdict.kankei_won, "outcome": verdict.outcome}
    return (*verdict, game.deal_lines(deal_number, *counts_and_declaration)), content


def _paths(
    game: KankeiGame,
    outcomes: list[list[_Outcome]],
    path: tuple[int, ...],
    deals: tuple[Deal, ...],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every path that continues `path`, such as ``"0.3"``, with its JSON.

    `outcomes` are those of each deal, `deals` the examples of the outcomes on `path`. The JSON has
    the `lines` that the last deal adds, whether the round is `over`, and, if the round can be cut
    off there, the lines (`cut_off`) that this adds.
    """
    before = game.lines(deals)
    for i, outcome in enumerate(outcomes[len(deals)]):
        if "problem" in outcome.content:
            continue
        played, longer = (*deals, outcome.deal), (*path, i)
        lines = game.lines(played)
        content: dict[str, Any] = {
            "lines": [(line.deal, line.item, line.points) for line in lines[len(before) :]],
            "over": game.is_complete(Round(kankei=("", ""), deals=played)),
        }
        if not content["over"] and game.may_be_cut_off:
            added = game.lines(played, cut_off=True)[len(lines) :]
            content["cut_off"] = [(line.deal, line.item, line.points) for line in added]
        yield ".".join(map(str, longer)), content
        if not content["over"]:
            yield from _paths(game, outcomes, path=longer, deals=played)


def _seat_changes(game: KankeiGame, seats: Sequence[str]) -> Iterator[tuple[str, list[int]]]:
    """Yield seats of dealer and kankei with the two seats whose players then change places.

    For example ``("5:0,4", [0, 1])``: dealer, colon, kankei; numbered from 0. The dealer is left
    out if dealers do not sit out. Kankei who need not change places are not included.
    """
    dealer_sits_out = len(seats) == DEALER_SITS_OUT_AT
    for dealer in seats if dealer_sits_out else ("",):
        for kankei in combinations([seat for seat in seats if seat != dealer], 2):
            change = game.seat_change(seats, kankei, dealer or None)
            if change:
                yield f"{dealer}:{','.join(kankei)}", [int(change.mover), int(change.other)]
