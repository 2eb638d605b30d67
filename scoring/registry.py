"""The list of all rule sets. A new one is added to `RULE_SETS`."""

from scoring.errors import UnknownRuleSet
from scoring.rules import RuleSet
from scoring.sources import Source, Text
from scoring.variants import (
    damarikan,
    gong_zhu,
    goninkan_association,
    goninkan_classic,
    goninkan_nakayoshi,
    gouji,
    yoninkan,
)

RULE_SETS: tuple[RuleSet, ...] = (
    goninkan_association.RULE_SET,
    goninkan_classic.RULE_SET,
    goninkan_nakayoshi.RULE_SET,
    damarikan.RULE_SET,
    yoninkan.RULE_SET,
    gong_zhu.RULE_SET,
    gouji.RULE_SET,
)

_BY_SLUG = {rule_set.slug: rule_set for rule_set in RULE_SETS}
_TEXTS = {text.number: text for rule_set in RULE_SETS for text in rule_set.texts}


def get_rule_set(slug: str) -> RuleSet:
    """Raises `UnknownRuleSet`."""
    try:
        return _BY_SLUG[slug]
    except KeyError:
        raise UnknownRuleSet(slug) from None


def text_of(source: Source) -> Text:
    """Return the text that a source cites.

    >>> text_of(Source("004", "够级")).cited
    '『ゴウジー(够级)』(赤桐、2009年)'
    """
    return _TEXTS[source.text]
