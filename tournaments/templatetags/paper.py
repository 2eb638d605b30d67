"""How the printed forms write what a chart says, and how large a name."""

import re
import unicodedata
from collections.abc import Sequence

from django import template
from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html_join
from django.utils.safestring import SafeString

from scoring.charts import Label
from tournaments.i18n import sentences

register = template.Library()

# Words of the game, which a narrow column does not break in two.
WORDS = re.compile(
    "(じゅうろく|スコンク|はずし|失敗|宣言|(?:無)?関係組?|変圧器|オープン|合計|十六|零封|宣告|失败)"
)

# From how many ems on a name is set smaller: in one line, in a smaller one, in two, three and four.
SIZES = ("", "is-medium", "is-long", "is-longest", "is-tiny")
SEAT_NAME = (4.2, 5.4, 10.6, 20.5)
CARD_NAME = (8, 10.5, 24, 46)
SHEET_EVENT = (19, 24, 54, 120)
CHART_EVENT = (24, 30, 74, 150)
CARD_EVENT = (21, 27, 72, 72)


@register.filter
def words(label: Label | None) -> str:
    """`{{ heading.name|words }}`: a chart's words in the reader's language, suits and all."""
    if label is None:
        return ""
    params = {key: _written(value) for key, value in label.params.items()}
    return sentences.translated(label.template).format(**params)


def _written(value: Label | str | int) -> str:
    if isinstance(value, Label):
        return words(value)
    return str(value).replace("-", "−") if isinstance(value, int) else value


@register.filter
def unbroken(text: str | Promise) -> SafeString:
    """`{{ heading.name|words|unbroken }}`: lines end between the words of the game, not in them."""
    parts = WORDS.split(str(text))
    return format_html_join(
        "", "{}", ((_as_word(part) if i % 2 else part,) for i, part in enumerate(parts))
    )


def _as_word(part: str) -> SafeString:
    return SafeString(f'<span class="word">{conditional_escape(part)}</span>')


@register.filter
def suit_sign(suit: str) -> str:
    """`{{ line.trump|suit_sign }}`: ♥."""
    return sentences.suit_sign(suit)


@register.filter
def card_sign(card: str) -> str:
    """`{{ "SQ"|card_sign }}`: ♠Q."""
    return sentences.card_name(card)


@register.filter
def seat_name_size(name: str) -> str:
    """`{{ seat.name|seat_name_size }}`: under which class a name fits its column."""
    return _size(name, SEAT_NAME)


@register.filter
def card_name_size(name: str) -> str:
    """`{{ entry.name|card_name_size }}`: the same on a table's card."""
    return _size(name, CARD_NAME)


@register.filter
def sheet_event_size(event: object) -> str:
    """`{{ sheet.tournament|sheet_event_size }}`: the same of an event, on a score sheet."""
    return _size(str(event), SHEET_EVENT)


@register.filter
def chart_event_size(event: object) -> str:
    """`{{ tournament|chart_event_size }}`: the same at the head of a chart."""
    return _size(str(event), CHART_EVENT)


@register.filter
def card_event_size(event: object) -> str:
    """`{{ tournament|card_event_size }}`: the same on a table's card."""
    return _size(str(event), CARD_EVENT)


def _size(text: str, rooms: Sequence[float]) -> str:
    """Return the class of the first size in which a text fits.

    >>> _size("成田 キヨ", SEAT_NAME), _size("Екатерина Вознесенская", SEAT_NAME)
    ('is-medium', 'is-longest')
    """
    width = sum(map(_ems, text))
    return SIZES[sum(width > room for room in rooms)]


def _ems(sign: str) -> float:
    """Return about how wide a sign is, in ems: a kanji is one, letters are narrower."""
    if unicodedata.east_asian_width(sign) in "WF":
        return 1.0
    if sign.isupper() or sign in "mwMW@%ЖжШшЩщЮюЫыФф":
        return 0.72
    return 0.0 if unicodedata.combining(sign) else 0.58
