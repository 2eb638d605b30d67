"""How the printed forms write what a chart says."""

import re

from django import template
from django.utils.functional import Promise
from django.utils.html import conditional_escape, format_html_join
from django.utils.safestring import SafeString

from scoring.charts import Label
from tournaments.wording import sentences

register = template.Library()

# Words of the game, which a narrow column does not break in two.
WORDS = re.compile(
    "(じゅうろく|スコンク|はずし|失敗|宣言|(?:無)?関係組?|変圧器|オープン|合計|十六|零封|宣告|失败)"
)


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
