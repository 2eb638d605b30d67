"""What the engine says, in the reader's language: codes and English templates into sentences.

Message ids are the engine's own English; `{names}` in them are filled in after translation. Players
are told by name: `names` maps how records name them to what they are called.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

import scoring
from scoring.charts.parts import SUIT_SIGNS
from scoring.kankei import DECLARATIONS as DECLARED
from scoring.kankei import ITEM_NAMES
from scoring.problems import quoted
from tournaments.audit import THE_TABLE

SUITS = {
    "clubs": _("clubs"),
    "diamonds": _("diamonds"),
    "hearts": _("hearts"),
    "spades": _("spades"),
}
DECLARATIONS = {code: _(ITEM_NAMES[code]) for code in DECLARED}
SUIT_OF_LETTER = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def signed(points: int | None) -> str:
    """Return points as they are written everywhere: with their sign, a true minus, 0 without.

    >>> signed(3), signed(-3), signed(0), signed(None)
    ('+3', '−3', '0', '')
    """
    if points is None:
        return ""
    return f"{points:+d}".replace("-", "−") if points else "0"


def translated(text: str) -> str:
    """Return an English text of the engine in the reader's language.

    >>> translated("")
    ''
    """
    return gettext(text) if text else ""  # gettext("") is the head of the catalogue


def yes_or_no(choice: bool) -> str:
    """Return in a word whether something was chosen."""
    return gettext("yes") if choice else gettext("no")


def option_choice(option: scoring.Option, choice: scoring.Choice) -> str:
    """Return what was chosen of an option, worded to follow the option's own sentence."""
    if isinstance(choice, str):
        return translated(dict(option.named).get(choice, choice))
    on, off = gettext("yes,no").split(",")
    return on if choice else off


def suit_name(suit: str) -> str:
    """Return what a suit is called; anything else as it is."""
    return str(SUITS.get(suit, suit))


def declaration_name(declaration: str | None) -> str:
    """Return what a declaration is called, nothing where none was made."""
    return str(DECLARATIONS.get(declaration, declaration)) if declaration else ""


def split_card(card: str) -> tuple[str, str]:
    """Return the suit and the rank of a card, as records write it.

    >>> split_card("C10")
    ('clubs', '10')
    """
    return SUIT_OF_LETTER[card[0]], card[1:]


def suit_sign(suit: str) -> str:
    """Return the sign of a suit, nothing for anything else.

    >>> suit_sign("hearts"), suit_sign("")
    ('♥', '')
    """
    return next((SUIT_SIGNS[each] for each, name in SUIT_OF_LETTER.items() if name == suit), "")


def card_name(card: str) -> str:
    """Return a card as people write it; anything else as it is.

    >>> card_name("SQ"), card_name("A")
    ('♠Q', 'A')
    """
    return f"{SUIT_SIGNS[card[0]]}{card[1:]}" if len(card) > 1 and card[0] in SUIT_SIGNS else card


def who_name(who: str) -> str:
    """Return who did something, as people say it: a table is nobody's account.

    >>> who_name("director")
    'director'
    """
    table, _number, phone = who.partition(" #")
    if table != THE_TABLE:
        return who
    return (
        gettext("the table, phone %(number)s") % {"number": phone}
        if phone
        else gettext("the table")
    )


def listed(words: list[str]) -> str:
    """Return words as one list, parted as the reader's language parts them."""
    return pgettext("between the words of a list", ", ").join(words)


# How characters are written: from the right, or turning what stands beside them.
TURNING = {"R", "AL", "AN", "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
ISOLATE, END = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def isolated(name: str) -> str:
    """Return a name for the middle of a sentence: the words beside it keep their order.

    Only names with characters that could turn them get invisible marks; on a page, where a name is
    in an element of its own, `<bdi>` does the same.

    >>> isolated("成田 キヨ") == "成田 キヨ", len(isolated("evil\N{RIGHT-TO-LEFT OVERRIDE}"))
    (True, 7)
    """
    if not any(unicodedata.bidirectional(letter) in TURNING for letter in name):
        return name
    opened = ends = 0
    for letter in name:
        if unicodedata.bidirectional(letter) in {"LRI", "RLI", "FSI"}:
            opened += 1
        elif letter == END:
            opened, ends = max(opened - 1, 0), ends + (opened == 0)
    return ISOLATE * (1 + ends) + name + END * (1 + opened)


def owner_name(line: scoring.Line, names: Mapping[str, str]) -> str:
    """Return whose points a line's are: a player, a team, or nobody's in particular."""
    if line.player is not None:
        return names.get(line.player, line.player)
    if line.team is not None:
        return gettext("Team %(number)s") % {"number": line.team}
    return ""


def advice_sentence(advice: scoring.Advice, names: Mapping[str, str]) -> str:
    """Return what the table does next, as a sentence that names people."""
    people = {key: isolated(names.get(player, player)) for key, player in advice.players.items()}
    values = {key: _value(key, value, names) for key, value in advice.values.items()}
    return translated(advice.template).format(**people, **values)


def problem_sentence(problem: scoring.Problem, names: Mapping[str, str] | None = None) -> str:
    """Return what is wrong with a record and what to do, as a sentence that names people."""
    known = names or {}
    values = {key: _value(key, value, known) for key, value in problem.params.items()}
    if problem.code == "unknown_player":  # elsewhere `players` are numbers of players
        values["players"] = listed(
            [isolated(quoted(known.get(key, key))) for key in _words(values["players"])]
        )
    return translated(problem.template).format(**values)


def _value(key: str, value: Any, names: Mapping[str, str]) -> Any:
    """Return a value named in a sentence, in the reader's words."""
    if key == "points":
        return signed(value)
    if not isinstance(value, str):
        return value
    match key:
        case "trump" | "suit":
            return suit_name(value)
        case "suits":
            return listed([suit_name(suit) for suit in _words(value)])
        case "card":
            return card_name(value)
        case "cards":
            return listed([card_name(card) for card in _words(value)])
        case "declaration":
            return declaration_name(value)
        case "legal":
            return listed([declaration_name(declaration) for declaration in _words(value)])
        case "name":
            return isolated(quoted(names.get(value, value)))
        case _:
            return value


def _words(text: str) -> list[str]:
    return text.split(", ")
