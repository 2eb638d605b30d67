"""The playbook document: a table's rules as JSON, so that a phone can judge deals without network.

The game is called for every possible deal, declaration, count of face cards, course of a round and
seat change, and the results are stored for look-up. Sentences are in the active language.

*Cells* are indexes of outcomes, by the kankei's (row) and the mukankei's (column) face cards. An
*outcome* is one way a deal can end, or the reason why it is invalid. A *path* is the sequence of
the indexes of the outcomes of a round's deals so far, such as ``"0.3"``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any, NamedTuple

from django.utils.translation import get_language

import scoring
from scoring.kankei import FACE_CARDS, LAST_DEAL, TRUMPS, Deal, ImpossibleDeal, KankeiGame, Round
from scoring.problems import Problems
from scoring.seats import DEALER_SITS_OUT_AT, to_the_right
from scoring.variants.gong_zhu import GongZhuGame
from scoring.variants.gouji import Finish, GoujiGame
from tournaments.i18n import quotations, sentences
from tournaments.playbook.advice import next_after_captures, next_after_finish
from tournaments.playbook.captures import hand_scores

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


def playbook(
    rules: scoring.Rules,
    player_count: int,
    planned_rounds: int | None,
    *,
    rounds_before: int = 0,
    partners: bool = False,
) -> dict[str, Any]:
    """Return the playbook, as JSON, of a table with this number of players. Do not change it.

    `planned_rounds` is None if it is not fixed, and contains the `rounds_before`, which others have
    played at the table. `partners`: pairs play together. Cached, since all tables of a session have
    the same.
    """
    return _playbook(
        rules, player_count, planned_rounds, rounds_before, get_language(), partners=partners
    )


@lru_cache(maxsize=16)  # each takes 6 to 540 kB of memory
def _playbook(
    rules: scoring.Rules,
    player_count: int,
    planned_rounds: int | None,
    rounds_before: int,
    _language: str | None,
    *,
    partners: bool,
) -> dict[str, Any]:
    """Return a new playbook. The active language is a key of the cache."""
    content: dict[str, Any] = {
        "kind": rules.game.kind,
        "fingerprint": rules.fingerprint,
        "items": {
            rule.item: {
                "name": sentences.translated(rule.meaning),
                **({"note": sentences.translated(rule.note)} if rule.note else {}),
                "source": {
                    "text": scoring.text_of(rule.source).cited,
                    "words": rule.source.words,
                    "translation": quotations.translation_of(rule.source.words),
                },
            }
            for rule in rules.rule_set.rules
        },
    }
    if isinstance(rules.game, KankeiGame):
        return content | _kankei_content(rules.game, player_count, planned_rounds, rounds_before)
    if isinstance(rules.game, GoujiGame):
        finishes = {"finishes": _finishes(rules.game), "usual_teams": _usual_teams(rules.game)}
        return content | finishes | {"next": next_after_finish(rules.game)}
    assert isinstance(rules.game, GongZhuGame)  # noqa: S101  there is no other kind of game
    ending = _ending(rules.game, player_count, partners=partners)
    next_deal = next_after_captures(rules.game, player_count)
    sides = rules.game.sides(_seats_as_players(player_count), partners)
    return content | {
        "hands": hand_scores(rules, player_count),
        "ending": ending,
        "sides": _seat_numbers(sides),
        "next": next_deal,
    }


def _ending(game: GongZhuGame, player_count: int, *, partners: bool) -> dict[str, Any]:
    """Return the total that ends a game of Gong Zhu, and the groups of seats, from 0, that count.

    The game ends when the total of any group reaches the limit.
    """
    watched = game.limited_groups(_seats_as_players(player_count), partners)
    return {"limit": game.limit, "watched": _seat_numbers(watched)}


def _seat_numbers(groups: Iterable[Iterable[str]]) -> list[list[int]]:
    """Return groups of players as groups of seats, from 0."""
    return [[int(seat) for seat in group] for group in groups]


def _kankei_content(
    game: KankeiGame, player_count: int, planned_rounds: int | None, rounds_before: int
) -> dict[str, Any]:
    """Return the part of a playbook that only face-card games have, as JSON.

    This module's docstring describes `cells`, `outcomes` and `paths`. Seats are numbered from 0.
    """
    tables = [_deal_table(game, number) for number in range(1, LAST_DEAL + 1)]
    seats = _seats_as_players(player_count)
    round_numbers = range(rounds_before + 1, rounds_before + ROUNDS_WITH_TRUMPS + 1)
    return {
        "face_cards": FACE_CARDS,
        "trumps": [game.trump(number, planned_rounds) for number in round_numbers],
        "point_factors": _point_factors(game, player_count),
        "dealer_sits_out": player_count == DEALER_SITS_OUT_AT,
        "seat_change_before": game.seat_change_before,
        "may_be_cut_off": game.may_be_cut_off,
        "next_dealer": [int(to_the_right(seats, dealer)) for dealer in seats]
        if game.has_dealers
        else [],
        "first_leads": {trump: _first_lead(game, trump) for trump in TRUMPS},
        "seat_changes": dict(_seat_changes(game, player_count)),
        "deals": [
            {"cells": table.cells, "outcomes": [outcome.content for outcome in table.outcomes]}
            for table in tables
        ],
        "paths": dict(_paths(game, [table.outcomes for table in tables], path=(), deals=())),
    }


def _first_lead(game: KankeiGame, trump: str) -> str:
    """Return the sentence on who leads a first deal with this trump; empty if the text has none."""
    advice = game.first_lead_advice(trump)
    return " ".join(sentences.advice_sentence(each, {}) for each in advice)


def _seats_as_players(player_count: int) -> tuple[str, ...]:
    """Return names of players for the game: the seats in playing order, "0", "1" and so on."""
    return tuple(map(str, range(player_count)))


def _point_factors(game: KankeiGame, player_count: int) -> dict[str, int]:
    """Return by role: 1 if a player gets the kankei's points of a round, -1 if their opposite.

    >>> _point_factors(scoring.choose(scoring.get_rule_set("goninkan-association")).game, 6)
    {'kankei': 1, 'dealer': 1, 'mukankei': -1}
    """
    kankei, mukankei, *_others, dealer = seats = _seats_as_players(player_count)
    facts = Round(kankei=(kankei, seats[2]), deals=(), dealer=dealer)
    side = game.kankei_side(facts, seats)
    roles = {"kankei": kankei, "dealer": dealer, "mukankei": mukankei}
    return {role: 1 if player in side else -1 for role, player in roles.items()}


def _deal_table(game: KankeiGame, deal_number: int) -> _DealTable:
    """Return the outcomes of a round's first, second or third deal."""
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


def _seat_changes(game: KankeiGame, player_count: int) -> Iterator[tuple[str, list[int]]]:
    """Yield seats of dealer and kankei with the two seats whose players then change places.

    For example ``("5:0,4", [0, 1])``: dealer, colon, kankei; numbered from 0. The dealer is left
    out if dealers do not sit out. Kankei who need not change places are not included.
    """
    seats = _seats_as_players(player_count)
    dealer_sits_out = player_count == DEALER_SITS_OUT_AT
    for dealer in seats if dealer_sits_out else ("",):
        for kankei in combinations([seat for seat in seats if seat != dealer], 2):
            change = game.seat_change(seats, kankei, dealer or None)
            if change:
                yield f"{dealer}:{','.join(kankei)}", [int(change.mover), int(change.other)]


def _finishes(game: GoujiGame) -> dict[str, dict[str, Any]]:
    """Return the score of every order of going out, by the teams in order, such as ``"112212"``."""
    players, teams = tuple("ABCDEF"), (tuple("ACE"), tuple("BDF"))
    by_teams: dict[str, dict[str, Any]] = {}
    for order in permutations(players):
        key = "".join("1" if player in teams[0] else "2" for player in order)
        if key not in by_teams:
            facts = Finish(order, teams)
            score = game.score_round(facts, players)
            lines = [(line.team, line.item, line.points) for line in score.lines]
            swept = game.is_sweep(facts)
            by_teams[key] = {"lines": lines, "teams": score.teams, "swept": swept}
    return by_teams


def _usual_teams(game: GoujiGame) -> list[list[int]]:
    """Return the seats, from 0, of the two teams if the facts of a deal do not name teams."""
    seats = _seats_as_players(6)
    facts = game.read_round(Problems(), at="", data={"finish": list(seats)}, players=seats)
    assert facts is not None  # noqa: S101  for mypy: these facts are valid
    return [[int(seat) for seat in team] for team in facts.teams]
