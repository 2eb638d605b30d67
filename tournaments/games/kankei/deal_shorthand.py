"""The shorthand for one deal of a face-card game: counts, declaration, chosen trump.

``94``: the kankei took 9 face cards, the mukankei 4. ``160*h``: all 16, declared; hearts are trump.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.kankei import DECLARATIONS, FACE_CARDS, KankeiGame, Verdict
from tournaments.i18n import sentences
from tournaments.paper_entry.line_shorthand import Unreadable

# Declarations after the counts: a letter, or a star and a digit. A star alone means juroku or
# reverse juroku, whichever the counts allow.
LETTERS = dict(
    zip(
        "jrscvw",
        ("juroku", "reverse_juroku", *(d for d in DECLARATIONS if d.startswith("called_"))),
        strict=True,
    )
)
DECLARATIONS_BY_STAR = {f"*{i}": declaration for i, declaration in enumerate(LETTERS.values(), 1)}

# At the end of a line: time ran out.
CUT_OFF_MARKS = ("x", "/")

# What a star alone may mean.
JUROKUS = ("juroku", "reverse_juroku")

# The chosen trump: a letter not used by a declaration (k for clubs, p for spades), or for number
# pads a slash and the suit's position on the printed sheet.
SUIT_LETTERS = {"k": "clubs", "d": "diamonds", "h": "hearts", "p": "spades"}
SUITS = SUIT_LETTERS | {f"/{i}": suit for i, suit in enumerate(SUIT_LETTERS.values(), 1)}

MARK = re.compile(r"\*[1-6]?|/[1-4]|[a-z]")
DEAL = re.compile(rf"(\d{{2,4}}|\d{{1,2}}-\d{{1,2}})((?:{MARK.pattern})*)")


def read_deal(
    word: str, game: KankeiGame, deal_number: int = 1, player_count: int = 6
) -> dict[str, Any]:
    """Parse a word into a deal's facts: both counts, and the declaration and the chosen trump.

    `declaration` and `trump` are left out of the facts if the word has none. `_split_counts` tells
    how counts without a dash are split. Raises `Unreadable`.

    >>> import scoring
    >>> game = scoring.choose(scoring.get_rule_set("goninkan-association")).game
    >>> read_deal("103", game), read_deal("412", game), read_deal("0110", game)
    ({'kankei': 10, 'mukankei': 3}, {'kankei': 4, 'mukankei': 12}, {'kankei': 1, 'mukankei': 10})
    >>> read_deal("160*h", game, 2)
    {'kankei': 16, 'mukankei': 0, 'declaration': 'juroku', 'trump': 'hearts'}
    >>> read_deal("94/3", game, 2) == read_deal("94h", game, 2)
    True
    >>> read_deal("115", game)
    {'kankei': 11, 'mukankei': 5}
    >>> read_deal("110", game)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
        ...
    tournaments.paper_entry.line_shorthand.Unreadable: “110” can be read in two ways: …
    """
    deal_word = word.rstrip("".join(CUT_OFF_MARKS))
    if game.may_be_cut_off and word != deal_word and DEAL.fullmatch(deal_word):
        raise Unreadable(
            _("“%(word)s”: enter a space before the mark that time ran out, as in “%(example)s”."),
            word=word,
            example=f"{deal_word} {CUT_OFF_MARKS[0]}",
        )
    match = DEAL.fullmatch(word)
    if match is None:
        raise Unreadable(
            _(
                "“%(word)s” is not a deal: type both counts and, right after them, what was "
                "declared and the chosen trump, as in %(example)s."
            ),
            word=word,
            example=" ".join(example_deals(game)),
        )
    kankei, mukankei = _split_counts(match[1], game, deal_number, player_count)
    deal: dict[str, Any] = {"kankei": kankei, "mukankei": mukankei}
    for mark in MARK.findall(match[2]):
        key = "trump" if mark in SUITS else "declaration"
        if key in deal:
            raise Unreadable(_("“%(word)s” has a suit or a declaration twice."), word=word)
        deal[key] = SUITS.get(mark) or _read_declaration(mark, game, deal_number, deal)
    return deal


def example_deals(game: KankeiGame) -> tuple[str, str, str]:
    """Return the words of three deals: one of counts, one also declared if legal, with trumps.

    >>> import scoring
    >>> example_deals(scoring.choose(scoring.get_rule_set("goninkan-association")).game)
    ('94', '160*d', '97k')
    """
    return "94", "160*d" if "juroku" in game.declarations.get(2, ()) else "96d", "97k"


def format_deal(deal: Mapping[str, Any]) -> str:
    """Return a deal's facts as a word that `read_deal` parses.

    >>> format_deal({"kankei": 16, "mukankei": 0, "declaration": "juroku", "trump": "hearts"})
    '16-0jh'
    """
    counts = f"{deal['kankei']}{deal['mukankei']}"
    if len(counts) > 2:
        counts = f"{deal['kankei']}-{deal['mukankei']}"
    letter_by_declaration = {declaration: letter for letter, declaration in LETTERS.items()}
    letter_by_suit = {suit: letter for letter, suit in SUIT_LETTERS.items()}
    declaration, suit = deal.get("declaration", ""), deal.get("trump", "")
    return counts + letter_by_declaration.get(declaration, "") + letter_by_suit.get(suit, "")


def _split_counts(
    digits: str, game: KankeiGame, deal_number: int, player_count: int
) -> tuple[int, int]:
    """Split digits into the kankei's and the mukankei's count. Raises `Unreadable`.

    Two and four digits are split in the middle. Three digits can be split in two ways: counts at
    which play can have stopped are preferred, and counts of more than the 16 face cards are
    refused.
    """
    if "-" in digits:
        kankei, _dash, mukankei = digits.partition("-")
        return int(kankei), int(mukankei)
    if len(digits) != 3:
        half = len(digits) // 2
        return int(digits[:half]), int(digits[half:])
    splits = [(digits[:1], digits[1:]), (digits[:2], digits[2:])]
    possible = [
        (int(kankei), int(mukankei))
        for kankei, mukankei in splits
        if all(str(int(count)) == count for count in (kankei, mukankei))  # no leading zero
        and int(kankei) + int(mukankei) <= FACE_CARDS
    ]
    decided = [
        counts for counts in possible if game.may_stop_at(deal_number, *counts, player_count)
    ]
    if len(possible) == 1 or len(decided) == 1:
        return (decided or possible)[0]
    if possible:
        raise Unreadable(
            _("“%(word)s” can be read in two ways: type %(one)s or %(other)s."),
            word=digits,
            one=f"{digits[:2]}-{digits[2]}",
            other=f"{digits[0]}-{digits[1:]}",
        )
    raise Unreadable(
        _("“%(word)s”: both counts together are more than the sixteen face cards."), word=digits
    )


def _read_declaration(
    mark: str, game: KankeiGame, deal_number: int, deal: Mapping[str, Any]
) -> str:
    """Return the declaration that a mark stands for in a deal. Raises `Unreadable`.

    A star alone stands for juroku or reverse juroku, whichever the deal's counts allow.
    """
    declaration = LETTERS.get(mark) or DECLARATIONS_BY_STAR.get(mark)
    if declaration:
        return declaration
    if mark != "*":
        letters, suits = " ".join(letters_of(game)), " ".join(SUIT_LETTERS)
        words = (
            _("“%(word)s” is neither a declaration (%(letters)s, or *) nor a suit (%(suits)s).")
            if letters
            else _("“%(word)s” is not a suit (%(suits)s).")
        )
        raise Unreadable(words, word=mark, letters=letters, suits=suits)
    for candidate in JUROKUS:
        if deal_number in _deals_allowing(candidate, game, deal):
            return candidate
    for candidate in JUROKUS:
        if deals := _deals_allowing(candidate, game, deal):
            raise Unreadable(
                _(
                    "By these rules “%(declaration)s” can be declared only in %(deals)s, not in "
                    "deal %(number)s: leave the * out."
                ),
                declaration=sentences.declaration_name(candidate, game.rules),
                deals=deals_listed(deals),
                number=deal_number,
            )
    raise Unreadable(_("* stands for juroku or reverse juroku, and neither fits these counts."))


def letters_of(game: KankeiGame) -> dict[str, str]:
    """Return the letters of the declarations that the rules have, each with its declaration."""
    return {letter: each for letter, each in LETTERS.items() if deals_of(each, game)}


def deals_of(declaration: str, game: KankeiGame) -> list[int]:
    """Return the numbers of the deals in which the rules allow a declaration.

    >>> import scoring
    >>> deals_of("juroku", scoring.choose(scoring.get_rule_set("goninkan-association")).game)
    [2, 3]
    """
    return [number for number, legal in game.declarations.items() if declaration in legal]


def deals_listed(deals: Sequence[int]) -> str:
    """Return the numbers of deals as one text in the active language: “deal 2, deal 3”."""
    return sentences.listed([gettext("deal %(number)s") % {"number": deal} for deal in deals])


def _deals_allowing(declaration: str, game: KankeiGame, deal: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the deals in which a declaration is legal with the counts of `deal`."""
    return [
        number
        for number in deals_of(declaration, game)
        if isinstance(game.verdict(number, deal["kankei"], deal["mukankei"], declaration), Verdict)
    ]
