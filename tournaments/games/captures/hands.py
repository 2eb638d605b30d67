"""The score of every hand of captured cards in Gong Zhu, as a table for the phone.

A hand has two parts: cards of the *suit* (hearts), and the *singles* (pig, sheep, ten). Each part
is a bit mask, in the order in which the document lists the cards. Parts of the suit with the same
effect share a *row*; combinations of singles and exposed cards with the same effect, a *column*.
The cell of a row and a column is the index of a *score*: a list of indexes of lines. A line is an
item and its points.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import scoring
from scoring.variants.gong_zhu import EXPOSABLE, HEARTS, GongZhuGame

Cards = frozenset[str]
Line = tuple[str, int]  # item, points


def hand_scores(rules: scoring.Rules, player_count: int) -> dict[str, Any]:
    """Return the table of the scores of all hands under these rules, as JSON, cached.

    This module's docstring describes the table.
    """
    house_points = {
        item: points
        for item, points in rules.points.items()
        if points != rules.by_item[item].points
    }
    return _cached_hand_scores(
        slug=rules.slug,
        options=tuple(rules.options.items()),
        house_points=tuple(house_points.items()),
        player_count=player_count,
    )


@lru_cache(maxsize=8)  # thousands of hands are scored; `Rules` cannot be hashed
def _cached_hand_scores(
    slug: str,
    options: tuple[tuple[str, scoring.Choice], ...],
    house_points: tuple[tuple[str, int], ...],
    player_count: int,
) -> dict[str, Any]:
    """Return the table of hands under the rule set with this slug, options and house points.

    `house_points` are those that differ from the rule set. The phone finds the score of a hand by
    the row of its hearts and the column of its other cards and the exposed cards.
    """
    rules = scoring.choose(scoring.get_rule_set(slug), dict(options), dict(house_points))
    game = rules.game
    assert isinstance(game, GongZhuGame)  # noqa: S101  only this game has hands
    cards = game.scoring_cards(player_count)
    suit = [card for card in cards if card in HEARTS]
    singles = [card for card in cards if card not in HEARTS]
    suit_rows, examples = _suit_rows(game, player_count, suit)
    scores = Scores(game, player_count)
    combinations = [
        (taken, exposed) for taken in subsets(singles) for exposed in subsets(EXPOSABLE)
    ]
    rows = [
        [scores.index_of(example | taken, exposed) for taken, exposed in combinations]
        for example in examples
    ]
    columns = list(zip(*rows, strict=True))
    column_indexes = {column: i for i, column in enumerate(dict.fromkeys(columns))}  # distinct
    return {
        "suit": suit,
        "singles": singles,
        "exposable": list(EXPOSABLE),
        "suit_rows": suit_rows,
        "columns": [column_indexes[column] for column in columns],
        "rows": list(zip(*column_indexes, strict=True)),  # only with distinct columns
        "scores": list(scores.indexes),
        "lines": list(scores.lines),
    }


class Scores:
    """The distinct scores and lines of hands, numbered in the order in which they are added."""

    def __init__(self, game: GongZhuGame, player_count: int) -> None:
        self.game = game
        self.player_count = player_count
        self.lines: dict[Line, int] = {}  # the index of each line
        self.indexes: dict[tuple[int, ...], int] = {}  # the index of each score

    def index_of(self, cards: Cards, exposed: Cards) -> int:
        """Return the index of the score of these cards; a new score is added."""
        score = tuple(
            self.lines.setdefault(line, len(self.lines))
            for line in _score_lines(self.game, self.player_count, cards, exposed)
        )
        return self.indexes.setdefault(score, len(self.indexes))


def _suit_rows(
    game: GongZhuGame, player_count: int, suit: Sequence[str]
) -> tuple[list[int], list[Cards]]:
    """Return the row of every subset of the suit, by bit mask, and an example subset for each row.

    Subsets share a row if their cards have the same sum of points. The empty subset and the whole
    suit have rows of their own.
    """
    worth = {
        card: sum(
            points
            for _item, points in _score_lines(
                game, player_count, cards=frozenset({card}), exposed=frozenset()
            )
        )
        for card in suit
    }
    rows: dict[Any, int] = {}
    examples: list[Cards] = []
    suit_rows = []
    for cards in subsets(suit):
        is_special = len(cards) in {0, len(suit)}
        kind = sum(worth[card] for card in cards), len(cards) if is_special else None
        if kind not in rows:
            rows[kind] = len(rows)
            examples.append(cards)
        suit_rows.append(rows[kind])
    return suit_rows, examples


def subsets(cards: Sequence[str]) -> Iterable[Cards]:
    """Yield all subsets in the order of their bit masks; the first card is the lowest bit.

    >>> [sorted(each) for each in subsets("ab")]
    [[], ['a'], ['b'], ['a', 'b']]
    """
    for number in range(2 ** len(cards)):
        yield frozenset(card for bit, card in enumerate(cards) if number >> bit & 1)


def _score_lines(game: GongZhuGame, player_count: int, cards: Cards, exposed: Cards) -> list[Line]:
    """Return item and points of each score line of a player who took these cards."""
    has_all_hearts = cards >= game.hearts(player_count)
    lines = game.player_lines("", cards, exposed, has_all_hearts=has_all_hearts)
    return [(line.item, line.points) for line in lines]
