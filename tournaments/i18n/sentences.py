"""Translating the codes and English templates of `scoring` into the active language.

Message ids are the English texts of `scoring`; `{parameters}` are filled in after translation.
`names` maps entry numbers, as records have them, to players' names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, gettext, pgettext
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.charts.parts import SUIT_SIGNS
from scoring.kankei import DECLARATIONS as DECLARED
from scoring.kankei import ITEM_NAMES
from scoring.problems import truncated
from tournaments.audit import AN_APPLICANT, OWN_REASONS, THE_SERVER, THE_TABLE

SUITS = {
    "clubs": _("clubs"),
    "diamonds": _("diamonds"),
    "hearts": _("hearts"),
    "spades": _("spades"),
}
DECLARATIONS = {code: _(ITEM_NAMES[code]) for code in DECLARED}
# 役 in the sense of a round in the Japanese catalogue: not in 配り役, 決め役, まき役 or 役割.
UNIT_IN_CATALOGUE = re.compile("(?<!配り)(?<!決め)(?<!まき)役(?!割)")
SUIT_OF_LETTER = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def signed(points: int | None) -> str:
    """Return points with their sign and a true minus; 0 has no sign, None is an empty text.

    >>> signed(3), signed(-3), signed(0), signed(None)
    ('+3', '−3', '0', '')
    """
    if points is None:
        return ""
    return f"{points:+d}".replace("-", "−") if points else "0"


def translated(text: str) -> str:
    """Return an English text of `scoring` in the active language.

    >>> translated("")
    ''
    """
    return gettext(text) if text else ""  # gettext("") is the head of the catalogue


def in_own_unit(words: str, rules: scoring.Rules) -> str:
    """Replace 役 by the rule set's own word for a round if the active language is Japanese."""
    if get_language() != "ja":
        return words
    return UNIT_IN_CATALOGUE.sub(rules.rule_set.unit, words)


def yes_or_no(choice: bool) -> str:
    return gettext("yes") if choice else gettext("no")


def option_choice(option: scoring.Option, choice: scoring.Choice) -> str:
    """Return the chosen value of an option, as text to follow the option's meaning."""
    if isinstance(choice, str):
        return translated(dict(option.named).get(choice, choice))
    on, off = gettext("yes,no").split(",")  # as in Django's filter `yesno`
    return on if choice else off


def suit_name(suit: str) -> str:
    """Return the name of a suit; any other text is returned unchanged."""
    return str(SUITS.get(suit, suit))


def declaration_name(declaration: str | None, rules: scoring.Rules | None = None) -> str:
    """Return the name of a declaration, which is that of its item in these rules.

    Empty for None, an unknown code unchanged.
    """
    if not declaration:
        return ""
    rule = rules.by_item.get(declaration) if rules else None
    return translated(rule.meaning) if rule else str(DECLARATIONS.get(declaration, declaration))


def split_card(card: str) -> tuple[str, str]:
    """Return suit and rank of a card in the notation of records.

    >>> split_card("C10")
    ('clubs', '10')
    """
    return SUIT_OF_LETTER[card[0]], card[1:]


def suit_sign(suit: str) -> str:
    """Return the sign of a suit; empty for any other text.

    >>> suit_sign("hearts"), suit_sign("")
    ('♥', '')
    """
    return next((SUIT_SIGNS[letter] for letter, name in SUIT_OF_LETTER.items() if name == suit), "")


def card_name(card: str) -> str:
    """Return a card with the sign of its suit; any other text is returned unchanged.

    >>> card_name("SQ"), card_name("A")
    ('♠Q', 'A')
    """
    return f"{SUIT_SIGNS[card[0]]}{card[1:]}" if len(card) > 1 and card[0] in SUIT_SIGNS else card


def reason_words(reason: str) -> str:
    """Return the reason of an audit entry: as it was typed, or in words if it is the program's."""
    return gettext(reason) if reason in OWN_REASONS else reason


def who_name(who: str) -> str:
    """Return the actor of an audit entry in words: table, applicant, server or user name.

    >>> who_name("director")
    'director'
    """
    if who == AN_APPLICANT:
        return gettext("an applicant")
    if who == THE_SERVER:
        return gettext("the server, by itself")
    table, _number, phone = who.partition(" #")
    if table != THE_TABLE:
        return who
    return (
        gettext("the table, phone %(number)s") % {"number": phone}
        if phone
        else gettext("the table")
    )


def listed(words: list[str]) -> str:
    """Join words with the separator of the active language."""
    return pgettext("between the words of a list", ", ").join(words)


# Unicode bidirectional classes that can change the order of neighbouring text.
TURNING = {"R", "AL", "AN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def isolated(name: str) -> str:
    """Return a name wrapped in Unicode isolates, so that it cannot reorder the text around it.

    Names without right-to-left or control characters are returned unchanged. On pages, `<bdi>`
    does the same.

    >>> isolated("成田 キヨ") == "成田 キヨ", len(isolated("evil\N{RIGHT-TO-LEFT OVERRIDE}"))
    (True, 7)
    """
    if not any(unicodedata.bidirectional(letter) in TURNING for letter in name):
        return name
    unclosed = stray_ends = 0  # isolates that the name opens, and ends of isolates it did not open
    for letter in name:
        if unicodedata.bidirectional(letter) in {"LRI", "RLI", "FSI"}:
            unclosed += 1
        elif letter == END:
            unclosed, stray_ends = max(unclosed - 1, 0), stray_ends + (unclosed == 0)
    return ISOLATE * (1 + stray_ends) + name + END * (1 + unclosed)


def owner_name(line: scoring.Line, names: Mapping[str, str]) -> str:
    """Return the player or team that a line belongs to; empty for lines of the kankei."""
    if line.player is not None:
        return names.get(line.player, line.player)
    if line.team is not None:
        return gettext("Team %(number)s") % {"number": line.team}
    return ""


def advice_sentence(advice: scoring.Advice, names: Mapping[str, str], rules: scoring.Rules) -> str:
    people = {key: isolated(names.get(player, player)) for key, player in advice.players.items()}
    values = {key: _translated_parameter(key, value, names) for key, value in advice.values.items()}
    return in_own_unit(translated(advice.template), rules).format(**people, **values)


def problem_sentence(
    problem: scoring.Problem,
    names: Mapping[str, str] | None = None,
    rules: scoring.Rules | None = None,
) -> str:
    """`rules` are those of a record; other problems name no round."""
    names = names or {}
    values = {
        key: _translated_parameter(key, value, names, rules)
        for key, value in problem.params.items()
    }
    if problem.code == "unknown_player":  # in other problems `players` is a count
        values["players"] = listed(
            [isolated(truncated(names.get(key, key))) for key in _split_list(values["players"])]
        )
    template = translated(problem.template)
    return (in_own_unit(template, rules) if rules else template).format(**values)


def _translated_parameter(
    key: str, value: Any, names: Mapping[str, str], rules: scoring.Rules | None = None
) -> Any:
    """The parameter's name determines what its value is, such as a suit or cards."""
    if key == "points":
        return signed(value)
    if not isinstance(value, str):
        return value
    match key:
        case "trump" | "suit":
            return suit_name(value)
        case "suits":
            return listed([suit_name(suit) for suit in _split_list(value)])
        case "card":
            return card_name(value)
        case "cards":
            return listed([card_name(card) for card in _split_list(value)])
        case "declaration":
            return declaration_name(value, rules)
        case "legal":
            return listed([declaration_name(each, rules) for each in _split_list(value)])
        case "name":
            return isolated(truncated(names.get(value, value)))
        case _:
            return value


def _split_list(text: str) -> list[str]:
    """Split codes that `Problems.add` has joined with commas."""
    return text.split(", ")
