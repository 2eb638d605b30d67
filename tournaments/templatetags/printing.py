"""For the printed forms: labels of charts, suits, sizes of names, and what fonts are missing."""

import re

from django import template
from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html_join
from django.utils.safestring import SafeString

from scoring.charts import Label
from tournaments.i18n import sentences
from tournaments.printing import installed_fonts, names, vertical

register = template.Library()

# Words of the game, not to be broken in a narrow column, and signs of suits.
WORDS = re.compile(
    "([♠♥♦♣]|じゅうろく|スコンク|はずし|失敗|宣言|(?:無)?関係組?|変圧器|オープン|合計|十六|零封|宣告|失败)"
)

# The CSS classes of names by size: one line, one smaller line, two lines, three lines, four lines.
SIZE_CLASSES = ("", "is-medium", "is-long", "is-longest", "is-tiny")
# The widths in ems above which a text takes the next class, by where it stands.
SIZES = {
    "card_name": (8, 10.5, 24, 46),
    "sheet_event": (19, 24, 54, 120),
    "chart_event": (24, 30, 74, 150),
    "card_event": (21, 27, 72, 72),
    "badge_name": (7, 10.2, 14, 20.4),
    "badge_text": (17, 23.5, 60, 60),
    "badge_line": (20.5, 28, 34.5, 80),
    "award_name": (12, 16),
    "list_event": (30, 40, 88),
    "movement_event": (26, 34),
    "movement_row": (9.2, 12),
    "movement_name": (12, 17, 46, 90),
    "poster": (14.5, 40, 82),
}
# Of a certificate in columns: the height of a text in points, and how many columns there may be in
# each size.
ON_CERTIFICATE: dict[str, tuple[int, dict[int, int]]] = {
    "title": (425, {54: 1}),
    "honour": (425, {30: 1, 24: 1, 18: 1, 13: 2}),
    "name": (340, {44: 1, 34: 1, 25: 1, 18: 1, 14: 1, 11: 2}),
    "text": (425, {22: 4, 17: 6, 13: 9}),
    "day": (400, {18: 1}),
    "by": (400, {24: 1, 18: 1, 12: 2}),
}
MOVEMENT_LINES = names.NameSize("is-long", 11.2, 40)


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
def movement_row_lines(name: str) -> str:
    """`{{ entry.name|movement_row_lines }}`: in lines of whole words, as far as they are shorter.

    >>> movement_row_lines("ニコライ・アレクサンドロヴィッチ").split()
    ['ニコライ・', 'アレクサンドロヴィッチ']
    """
    return "\n".join(names.lines_of(name, MOVEMENT_LINES))


@register.filter
def columns(text: str, place: str) -> list[vertical.Column]:
    """`{{ certificate.name|columns:"name" }}`: the columns of a text on a certificate."""
    height, sizes = ON_CERTIFICATE[place]
    return vertical.columns(text, height, sizes)


@register.filter
def size_class(text: object, place: str) -> str:
    """`{{ entry.name|size_class:"badge_name" }}`: the CSS class of the size in which a text fits.

    >>> size_class("成田 キヨ", "card_name"), size_class("Екатерина Вознесенская", "card_name")
    ('', 'is-long')
    """
    width = names.ems(str(text))
    return SIZE_CLASSES[sum(width > room for room in SIZES[place])]
