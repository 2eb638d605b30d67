"""Simulates rounds, with one small simulator for each kind of game.

Most deals are plain wins and losses, some are skunks, few are juroku; stronger players win more
often. Simulators return facts as the frozen types of `scoring`; `as_json` converts them to JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

import scoring
from scoring.kankei import (
    DECLARATIONS,
    FACE_CARDS,
    KANKEI_DECLARATIONS,
    LAST_DEAL,
    TRUMPS,
    KankeiGame,
    Verdict,
)
from scoring.seats import DEALER_SITS_OUT_AT
from scoring.variants.gong_zhu import EXPOSABLE, PIG, SHEEP, scoring_cards

# The strength of each player, by entry key; 1 is the average.
Strengths = Mapping[str, float]

# Relative frequencies of the outcomes of deals, of which a rule set may allow only some.
KANKEI_WINS = {
    "won": 520,
    "skunk": 48,
    "juroku": 9,
    "reverse_juroku_missed": 1,
    "called_skunk": 9,
    "called_juroku": 2,
    "called_reverse_skunk_missed": 2,
}
KANKEI_LOSES = {
    "lost": 390,
    "reverse_skunk": 9,
    "juroku_missed": 6,
    "reverse_juroku": 1,
    "called_skunk_missed": 6,
    "called_juroku_missed": 2,
    "called_reverse_skunk": 2,
}


class SimulatedTable(NamedTuple):
    """The players of a table, and how many rounds they are to play."""

    players: tuple[str, ...]  # keys of entries, in seat order
    strengths: Strengths
    planned_rounds: int | None


def play_round(
    rng: Random, rules: scoring.Rules, rounds: Sequence[Any], table: SimulatedTable
) -> Any:
    """Return the facts of the round that follows `rounds`, in any game."""
    game = rules.game
    if isinstance(game, KankeiGame):
        return play_kankei(rng, game, rounds, table)
    return (play_captures if game.kind == "captures" else play_finish)(rng, table)


# Face cards by side


def play_kankei(
    rng: Random, game: KankeiGame, rounds: Sequence[scoring.Round], table: SimulatedTable
) -> scoring.Round:
    """Return the next round; the first dealer, if the game has any, is random."""
    players, strengths, planned_rounds = table
    state = game.state_after(rounds, players, planned_rounds)
    dealer = state.dealer or (rng.choice(players) if game.has_dealers else None)
    sits_out = dealer if len(players) == DEALER_SITS_OUT_AT else None
    playing = [player for player in players if player != sits_out]
    kankei = tuple(sorted(rng.sample(playing, 2), key=playing.index))
    advantage = _mean(strengths, kankei) / _mean(strengths, playing)
    deals: list[scoring.Deal] = []
    for number in range(1, LAST_DEAL + 1):
        deals.append(play_deal(rng, game, number, advantage))
        if not _kankei_won(game, number, deals[-1]):
            break
    return scoring.Round(kankei, tuple(deals), dealer=dealer, trump=state.trump)


def _kankei_won(game: KankeiGame, deal_number: int, deal: scoring.Deal) -> bool:
    """Return whether the kankei won this deal of a round."""
    verdict = game.verdict(deal_number, *deal[:3])
    return isinstance(verdict, Verdict) and verdict.kankei_won


def _mean(strengths: Strengths, players: Sequence[str]) -> float:
    """Return the mean strength of the players."""
    return sum(strengths[player] for player in players) / len(players)


def play_deal(rng: Random, game: KankeiGame, deal_number: int, advantage: float) -> scoring.Deal:
    """Return a random deal. `advantage` multiplies the frequency of each deal the kankei win."""
    weights = {code: weight * advantage for code, weight in KANKEI_WINS.items()} | KANKEI_LOSES
    legal = [outcome for outcome in weights if _is_legal(game, deal_number, outcome)]
    outcome = rng.choices(legal, [weights[each] for each in legal])[0]
    kankei, mukankei = random_counts(rng, game.targets[deal_number], outcome)
    trump = rng.choice(TRUMPS) if deal_number > 1 else None
    return scoring.Deal(kankei, mukankei, declaration_of(outcome), trump)


def declaration_of(outcome: str) -> str | None:
    """Return the declaration of which this is the outcome, made or missed; None if there is none.

    >>> declaration_of("juroku_missed"), declaration_of("lost")
    ('juroku', None)
    """
    declaration = outcome.removesuffix("_missed")
    return declaration if declaration in DECLARATIONS else None


def _is_legal(game: KankeiGame, deal_number: int, outcome: str) -> bool:
    """Return whether the declaration of an outcome, if it has one, is legal in this deal."""
    declaration = declaration_of(outcome)
    return declaration is None or declaration in game.declarations[deal_number]


def random_counts(rng: Random, targets: tuple[int, int], outcome: str) -> tuple[int, int]:
    """Return random face cards of the kankei and of the mukankei with which a deal has an outcome.

    `targets` are the face cards with which each side wins. A trick may contain several, so the
    winner often has more than the target.
    """
    declaration = declaration_of(outcome) or ""
    if outcome in {"won", "skunk"} or declaration in KANKEI_DECLARATIONS:
        return _counts_of_sides(rng, *targets, outcome)
    mukankei, kankei = _counts_of_sides(rng, *targets[::-1], outcome)
    return kankei, mukankei


def _counts_of_sides(rng: Random, target: int, other_target: int, outcome: str) -> tuple[int, int]:
    """Return the face cards of the side that declared, or else won, and of the other side."""
    enough = target + rng.choices((0, 1, 2), weights=(6, 3, 1))[0]
    match outcome:
        case "won" | "lost":
            most = min(other_target - 1, FACE_CARDS - enough)
            return enough, round(rng.triangular(1, most, most))
        case "called_juroku_missed" | "called_skunk_missed" | "called_reverse_skunk_missed":
            return rng.randint(2, target - 1), rng.randint(1, 2)
        case "juroku_missed" | "reverse_juroku_missed":
            return rng.randint(target, FACE_CARDS - 2), rng.randint(1, 2)
        case _:
            is_juroku = (declaration_of(outcome) or "").endswith("juroku")
            return FACE_CARDS if is_juroku else enough, 0


# Cards by player


def play_captures(rng: Random, table: SimulatedTable) -> scoring.Captures:
    """Return the facts of a Gong Zhu deal.

    Few players take most hearts. Weak players often take the pig (♠Q), strong ones the sheep (♦J).
    """
    players, strengths, _planned_rounds = table
    captured: dict[str, set[str]] = {player: set() for player in players}
    luck = [rng.expovariate(strengths[player]) for player in players]
    for card in scoring_cards(len(players)):
        if card == PIG:
            weights = [1 / strengths[player] for player in players]
        elif card == SHEEP:
            weights = [strengths[player] for player in players]
        else:
            weights = luck
        captured[rng.choices(players, weights)[0]].add(card)
    return scoring.Captures(
        {player: frozenset(cards) for player, cards in captured.items()},
        frozenset(card for card in EXPOSABLE if rng.random() < 0.15),
    )


# Who finished when


def play_finish(rng: Random, table: SimulatedTable) -> scoring.Finish:
    """Return the facts of a Gouji deal: the order of going out, and teams of every other seat."""
    players, strengths, _planned_rounds = table
    pace = {player: rng.expovariate(strengths[player]) for player in players}
    order = tuple(sorted(players, key=pace.__getitem__))
    return scoring.Finish(order, (tuple(players[::2]), tuple(players[1::2])))


# What tables get wrong


class Mistake(NamedTuple):
    """A round that is first recorded with wrong facts; `falsify` makes them of the right facts."""

    round_number: int
    falsify: Callable[[Random, scoring.Rules, scoring.Round, Sequence[str]], scoring.Round]
    reason: str  # given with the correction


def wrong_kankei(
    rng: Random, _rules: scoring.Rules, facts: scoring.Round, players: Sequence[str]
) -> scoring.Round:
    """Return the round with one of the two kankei replaced by another player."""
    others = [player for player in players if player not in (*facts.kankei, facts.dealer)]
    kankei = sorted((facts.kankei[0], rng.choice(others)), key=players.index)
    return facts._replace(kankei=tuple(kankei))


def wrong_count(
    rng: Random, rules: scoring.Rules, facts: scoring.Round, _players: Sequence[str]
) -> scoring.Round:
    """Return the round with wrong face cards in its last deal, which the same side wins."""
    game, deal_number, right = rules.game, len(facts.deals), facts.deals[-1]
    assert isinstance(game, KankeiGame)  # noqa: S101  only face-card games have such rounds
    outcome = "won" if _kankei_won(game, deal_number, right) else "lost"
    wrong = right
    while (wrong.kankei, wrong.mukankei) == (right.kankei, right.mukankei):
        kankei, mukankei = random_counts(rng, game.targets[deal_number], outcome)
        wrong = scoring.Deal(kankei, mukankei, trump=right.trump)
    return facts._replace(deals=(*facts.deals[:-1], wrong))


# Frozen facts as a table records them


def as_json(facts: Any) -> dict[str, Any]:
    """Return a round's facts as the forms record them.

    >>> as_json(scoring.Round(("2", "4"), (scoring.Deal(9, 5),), "1", "clubs"))
    {'dealer': '1', 'trump': 'clubs', 'kankei': ['2', '4'], 'deals': [{'kankei': 9, 'mukankei': 5}]}
    """
    match facts:
        case scoring.Round():
            document = {
                "dealer": facts.dealer,
                "trump": facts.trump,
                "kankei": list(facts.kankei),
                "deals": [_without_nones(deal._asdict()) for deal in facts.deals],
                "cut_off": facts.cut_off or None,
            }
            return _without_nones(document)
        case scoring.Captures():
            in_order = scoring_cards(4).index  # with four, every scoring card is in play
            captured = {
                player: sorted(cards, key=in_order)
                for player, cards in facts.captured.items()
                if cards
            }
            return {"captured": captured, "exposed": sorted(facts.exposed)}
        case _:
            return {"finish": list(facts.order)}


def _without_nones(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the document without the keys whose value is None."""
    return {key: value for key, value in document.items() if value is not None}
