"""Every quotation of the source texts has translations."""

from django.utils import translation

import scoring
from scoring.registry import RULE_SETS
from tournaments.i18n import quotations


def quoted() -> set[str]:
    cited: set[scoring.Source] = set()
    for rule_set in RULE_SETS:
        cited |= {rule.source for rule in rule_set.rules}
        cited |= {option.source for option in rule_set.options}
        cited |= {custom.source for custom in rule_set.customs}
        cited |= {ruling.source for ruling in rule_set.rulings}
    return {source.words for source in cited}


def test_every_quotation_is_translated() -> None:
    missing = sorted(quoted() - set(quotations.TRANSLATIONS))
    assert not missing, f"Add translations of {missing} to tournaments/i18n/quotations.py."


def test_quotations_have_no_translation_in_japanese() -> None:
    words = "スコンクの点数はつきません"
    with translation.override("ja"):
        assert not quotations.translation_of(words)
    with translation.override("en"):
        assert quotations.translation_of(words) == "the skunk is not scored"
    with translation.override("zh-hans"):
        assert quotations.translation_of(words) == "不计零封的分数"
