"""The shorthand for a round: ``[dealer] kankei deals…``.

``1 24 94 160*d 97k``: seat 1 deals, seats 2 and 4 are kankei, who took 9 face cards against 4, then
all 16 as declared with diamonds as chosen trump, then 9 against 7 with clubs. Without a dealer, the
next one in turn deals. ``x`` at the end: time ran out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.kankei import KankeiGame
from tournaments.games.kankei.deal_shorthand import (
    CUT_OFF_MARKS,
    JUROKUS,
    deals_listed,
    deals_of,
    example_deals,
    format_deal,
    letters_of,
    read_deal,
)
from tournaments.paper_entry.line_shorthand import Unreadable, player_at, seat_digits, split_words


def read_line(
    line: str, game: KankeiGame, players: Sequence[str], dealer: str | None = None
) -> dict[str, Any]:
    """Parse a line into the facts of a round. Raises `Unreadable`.

    `players` are the entry numbers by seat. `dealer` is the dealer if the line names none.

    >>> import scoring
    >>> game = scoring.choose(scoring.get_rule_set("goninkan-association")).game
    >>> read_line("1 24 94 160* 97", game, "ABCDEF")
    {'dealer': 'A', 'kankei': ['B', 'D'],
     'deals': [{'kankei': 9, 'mukankei': 4},
               {'kankei': 16, 'mukankei': 0, 'declaration': 'juroku'},
               {'kankei': 9, 'mukankei': 7}]}
    >>> read_line("35 5-10", game, "ABCDEF", dealer="B")
    {'dealer': 'B', 'kankei': ['C', 'E'], 'deals': [{'kankei': 5, 'mukankei': 10}]}
    >>> read_line("35 94 59h", game, "ABCDEF")["deals"][1]
    {'kankei': 5, 'mukankei': 9, 'trump': 'hearts'}
    """
    words = split_words(line)
    facts: dict[str, Any] = {}
    if words and len(words[0]) == 1 and words[0].isdecimal():
        facts["dealer"] = player_at(words.pop(0), players)
    elif dealer is not None:
        facts["dealer"] = dealer
    if not words or not re.fullmatch(r"\d\d", words[0]):
        raise Unreadable(_("Begin with the seats of the two kankei, such as 24."))
    facts["kankei"] = [player_at(digit, players) for digit in words.pop(0)]
    if words and words[-1] in CUT_OFF_MARKS:
        words.pop()
        facts["cut_off"] = True
    facts["deals"] = [
        read_deal(word, game, number, player_count=len(players))
        for number, word in enumerate(words, 1)
    ]
    if facts["deals"] and "trump" in facts["deals"][0]:  # facts store it with the round
        facts["trump"] = facts["deals"][0].pop("trump")
    return facts


def format_line(facts: Mapping[str, Any], _game: KankeiGame, players: Sequence[str]) -> str:
    """Return a round in shorthand.

    >>> facts = {"dealer": "A", "trump": "hearts", "kankei": ["B", "D"]}
    >>> format_line(facts | {"deals": [{"kankei": 9, "mukankei": 4}]}, None, "ABCD")
    '1 24 94h'
    """
    deals = [dict(deal) for deal in facts["deals"]]
    if deals and "trump" in facts:
        deals[0]["trump"] = facts["trump"]
    words = [seat_digits([facts["dealer"]], players)] if facts.get("dealer") else []
    words.append(seat_digits(facts["kankei"], players))
    words += [format_deal(deal) for deal in deals]
    return " ".join(words + (["x"] if facts.get("cut_off") else []))


def help_context(game: KankeiGame, _player_count: int) -> dict[str, Any]:
    """Return an example line, what a star and which letters can mean, and whether time may run out.

    `starred` are pairs of a declaration and the deals in words.
    """
    return {
        "example": " ".join((*("1" if game.has_dealers else ""), "24", *example_deals(game))),
        "starred": [
            (declaration, deals_listed(deals))
            for declaration in JUROKUS
            if (deals := deals_of(declaration, game))
        ],
        "letters": letters_of(game).items(),
        "may_be_cut_off": game.may_be_cut_off,
    }
