"""Every hand of captured cards as data: what it scores, whatever was exposed.

A player's cards are of two kinds: those of one *suit* (the hearts), and the *singles* (pig, sheep,
ten). Each card is a bit, in the order in which the table lists it. Hands of the suit that the game
scores alike share a *row*; in a row, the singles and the exposed cards lead to the *lines*. So a
phone works out nothing but where to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import scoring
from scoring.variants.gong_zhu import EXPOSABLE, HEARTS, Captures, scoring_cards

Cards = frozenset[str]


def hands(rules: scoring.Rules, players: int) -> dict[str, Any]:
    """Return the table of every hand at a table of so many players, ready for JSON."""
    house = {item: n for item, n in rules.points.items() if n != rules.by_item[item].points}
    return _hands(rules.slug, tuple(rules.options.items()), tuple(house.items()), players)


@lru_cache(maxsize=8)  # the game is asked some thousand times
def _hands(
    slug: str,
    options: tuple[tuple[str, bool], ...],
    points: tuple[tuple[str, int], ...],
    count: int,
) -> dict[str, Any]:
    rules = scoring.get_rule_set(slug).choose(dict(options), dict(points))
    cards = scoring_cards(count)
    suit = [card for card in cards if card in HEARTS]
    singles = [card for card in cards if card not in HEARTS]
    items = [rule.item for rule in rules.rule_set.rules]
    suit_rows, examples = _rows(rules, count, suit)
    lines: dict[Any, int] = {}
    rows = [
        [
            lines.setdefault(
                tuple((items.index(item), points) for item, points in told), len(lines)
            )
            for more in subsets(singles)
            for exposed in subsets(EXPOSABLE)
            for told in [_lines(rules, count, example | more, exposed)]
        ]
        for example in examples
    ]
    return {
        "suit": suit,
        "singles": singles,
        "exposable": list(EXPOSABLE),
        "suit_rows": suit_rows,
        "rows": rows,
        "items": items,
        "lines": list(lines),
    }


def _rows(rules: scoring.Rules, count: int, suit: Sequence[str]) -> tuple[list[int], list[Cards]]:
    """Return the row of every hand of the suit, and one hand for each row.

    Alike are hands whose cards come to the same by themselves. None and all of them are like no
    other.
    """
    worth = {
        card: sum(points for _, points in _lines(rules, count, frozenset({card}), frozenset()))
        for card in suit
    }
    rows: dict[Any, int] = {}
    examples: list[Cards] = []
    suit_rows = []
    for cards in subsets(suit):
        is_like_no_other = len(cards) in {0, len(suit)}
        kind = sum(worth[card] for card in cards), len(cards) if is_like_no_other else None
        if kind not in rows:
            rows[kind] = len(rows)
            examples.append(cards)
        suit_rows.append(rows[kind])
    return suit_rows, examples


def subsets(cards: Sequence[str]) -> Iterable[Cards]:
    """Return every subset, by its number: the first card is its lowest bit.

    >>> [sorted(each) for each in subsets("ab")]
    [[], ['a'], ['b'], ['a', 'b']]
    """
    for number in range(2 ** len(cards)):
        yield frozenset(card for bit, card in enumerate(cards) if number >> bit & 1)


def _lines(rules: scoring.Rules, count: int, cards: Cards, exposed: Cards) -> list[tuple[str, int]]:
    """Return item and points of each line of a player who took these cards."""
    players = "ABCDE"[:count]
    score = rules.game.score_round(Captures({"A": cards}, exposed), players)
    return [(line.item, line.points) for line in score.lines]
