"""Simulates rounds of face-card games; stronger players win more often.

Most deals are plain wins and losses, some are skunks, few are juroku.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

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
from tournaments.game_kinds import SimulatedTable

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


def simulate(
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
    verdict = game.verdict(deal_number, *deal[:3])
    return isinstance(verdict, Verdict) and verdict.kankei_won


def _mean(strengths: Mapping[str, float], players: Sequence[str]) -> float:
    return sum(strengths[player] for player in players) / len(players)


def play_deal(rng: Random, game: KankeiGame, deal_number: int, advantage: float) -> scoring.Deal:
    """`advantage` multiplies the frequency of each deal the kankei win."""
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
    """An outcome without a declaration is legal."""
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
    """Return the face cards of the side that declared, or else won, and of the other side.

    `target` is that of the first of them.
    """
    enough = target + rng.choices((0, 1, 2), weights=(6, 3, 1))[0]
    match outcome:  # a missed call loses the deal; a missed juroku was declared by the winners
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


def as_recorded(facts: scoring.Round) -> list[dict[str, Any]]:
    """Return the facts after each deal.

    >>> as_recorded(scoring.Round(("2", "4"), (scoring.Deal(9, 5),), "1"))
    [{'dealer': '1', 'kankei': ['2', '4'], 'deals': [{'kankei': 9, 'mukankei': 5}]}]
    """
    deals = [_without_nones(deal._asdict()) for deal in facts.deals]
    document = {
        "dealer": facts.dealer,
        "trump": facts.trump,
        "kankei": list(facts.kankei),
        "cut_off": facts.cut_off or None,
    }
    return [
        _without_nones(document | {"deals": deals[:count]}) for count in range(1, len(deals) + 1)
    ]


def _without_nones(document: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if value is not None}
