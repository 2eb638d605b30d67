"""For the printed forms: labels of charts, suits, sizes of names, and what fonts are missing."""

import re
from collections.abc import Sequence

from django import template
from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html_join
from django.utils.safestring import SafeString

from scoring.charts import Label
from tournaments.i18n import sentences
from tournaments.printing import installed_fonts, names

register = template.Library()

# Words of the game, not to be broken in a narrow column, and signs of suits.
WORDS = re.compile(
    "([♠♥♦♣]|じゅうろく|スコンク|はずし|失敗|宣言|(?:無)?関係組?|変圧器|オープン|合計|十六|零封|宣告|失败)"
)

# The CSS classes of names by size: one line, one smaller line, two lines, three lines, four lines.
# Below, the widths in ems above which a name takes the next class.
SIZE_CLASSES = ("", "is-medium", "is-long", "is-longest", "is-tiny")
CARD_NAME = (8, 10.5, 24, 46)
SHEET_EVENT = (19, 24, 54, 120)
CHART_EVENT = (24, 30, 74, 150)
CARD_EVENT = (21, 27, 72, 72)
BADGE_NAME = (7, 10.2, 14, 20.4)
BADGE_TEXT = (17, 23.5, 60, 60)
BADGE_LINE = (20.5, 28, 34.5, 80)
AWARD_NAME = (12, 16)
LIST_EVENT = (30, 40, 88)
MOVEMENT_EVENT = (26, 34)
MOVEMENT_ROW = (9.2, 12)
MOVEMENT_LINES = names.NameSize("is-long", 11.2, 40)
MOVEMENT_NAME = (12, 17, 46, 90)
POSTER = (14.5, 40, 82)


@register.simple_tag
def missing_fonts() -> str | Promise:
    """`{% missing_fonts as remedy %}`: what to install if any language lacks fonts, else empty."""
    return installed_fonts.REMEDY if installed_fonts.languages_without_font() else ""


@register.filter("label")
def label_text(label: Label | None) -> str:
    """`{{ heading.name|label }}`: a label of a chart in the reader's language."""
    if label is None:
        return ""
    params = {key: _translated_parameter(value) for key, value in label.params.items()}
    return sentences.translated(label.template).format(**params)


def _translated_parameter(value: Label | str | int) -> str:
    """Return a parameter of a label as text: labels are translated, numbers get a true minus."""
    if isinstance(value, Label):
        return label_text(value)
    return str(value).replace("-", "−") if isinstance(value, int) else value


@register.filter
def unbroken(text: str | Promise) -> SafeString:
    """`{{ heading.name|label|unbroken }}`: words of the game are not broken, suits are larger."""
    parts = WORDS.split(str(text))
    return format_html_join(
        "", "{}", ((_as_word(part) if i % 2 else part,) for i, part in enumerate(parts))
    )


def _as_word(part: str) -> SafeString:
    """Return a word as HTML that is not broken into lines, or a suit that is larger."""
    css = "suit" if part in "♠♥♦♣" else "word"
    return SafeString(f'<span class="{css}">{conditional_escape(part)}</span>')


@register.filter
def suit_sign(suit: str) -> str:
    """`{{ line.trump|suit_sign }}`: ♥."""
    return sentences.suit_sign(suit)


@register.filter
def card_sign(card: str) -> str:
    """`{{ "SQ"|card_sign }}`: ♠Q."""
    return sentences.card_name(card)


@register.filter
def name_size(name: str, size: names.NameSize) -> names.NameSize:
    """`{{ seat.name|name_size:sheet.name_size }}`: the size of a name on a score sheet."""
    return names.own_size(name, size)


@register.filter
def name_lines(name: str, size: names.NameSize) -> list[str]:
    """`{{ seat.name|name_lines:size }}`: the lines of a name on a score sheet."""
    return names.lines_of(name, size)


@register.filter
def card_name_size(name: str) -> str:
    """`{{ entry.name|card_name_size }}`: its CSS class on a table card."""
    return _size_class(name, CARD_NAME)


@register.filter
def sheet_event_size(event: object) -> str:
    """`{{ sheet.tournament|sheet_event_size }}`: its CSS class on a score sheet."""
    return _size_class(str(event), SHEET_EVENT)


@register.filter
def chart_event_size(event: object) -> str:
    """`{{ tournament|chart_event_size }}`: its CSS class on a chart."""
    return _size_class(str(event), CHART_EVENT)


@register.filter
def card_event_size(event: object) -> str:
    """`{{ tournament|card_event_size }}`: its CSS class on a table card."""
    return _size_class(str(event), CARD_EVENT)


@register.filter
def badge_name_size(name: str) -> str:
    """`{{ entry.name|badge_name_size }}`: its CSS class on a name card."""
    return _size_class(name, BADGE_NAME)


@register.filter
def badge_text_size(text: object) -> str:
    """`{{ entry.reading|badge_text_size }}`: the CSS class of small print on a name card."""
    return _size_class(str(text), BADGE_TEXT)


@register.filter
def badge_line_size(text: str) -> str:
    """`{{ card.belongs|badge_line_size }}`: the CSS class of a line across a name card."""
    return _size_class(text, BADGE_LINE)


@register.filter
def award_name_size(name: str) -> str:
    """`{{ entry.name|award_name_size }}`: its CSS class on the award list; the longest wrap."""
    return _size_class(name, AWARD_NAME)


@register.filter
def list_event_size(event: object) -> str:
    """`{{ tournament|list_event_size }}`: its CSS class at the head of a list."""
    return _size_class(str(event), LIST_EVENT)


@register.filter
def movement_event_size(event: object) -> str:
    """`{{ tournament|movement_event_size }}`: its CSS class on a card of planned seats."""
    return _size_class(str(event), MOVEMENT_EVENT)


@register.filter
def movement_name_size(name: str) -> str:
    """`{{ entry.name|movement_name_size }}`: its CSS class on a card of planned seats."""
    return _size_class(name, MOVEMENT_NAME)


@register.filter
def movement_row_size(name: str) -> str:
    """`{{ entry.name|movement_row_size }}`: its CSS class on the list of planned seats."""
    return _size_class(name, MOVEMENT_ROW)


@register.filter
def movement_row_lines(name: str) -> str:
    """`{{ entry.name|movement_row_lines }}`: in lines of whole words, as far as they are shorter.

    >>> movement_row_lines("ニコライ・アレクサンドロヴィッチ").split()
    ['ニコライ・', 'アレクサンドロヴィッチ']
    """
    return "\n".join(names.lines_of(name, MOVEMENT_LINES))


@register.filter
def poster_size(text: object) -> str:
    """`{{ tournament|poster_size }}`: the CSS class of a text on a poster, where all wrap."""
    return _size_class(str(text), POSTER)


def _size_class(text: str, limits: Sequence[float]) -> str:
    """Return the CSS class of the first size in which a text fits; `limits` are widths in ems.

    >>> _size_class("成田 キヨ", CARD_NAME), _size_class("Екатерина Вознесенская", CARD_NAME)
    ('', 'is-long')
    """
    width = names.ems(text)
    return SIZE_CLASSES[sum(width > room for room in limits)]
