"""What people count while they play: rounds of up to three deals, or single deals.

Records know rounds only. Where each of them is one deal (Gong Zhu, Gouji), people call it that, and
in Japanese each rule set calls a round what its texts do (役, ラウンド, ゲーム). Every word for a
round is chosen here; a sentence that does not come through here is worded without it.
"""

from __future__ import annotations

import re

from django.utils.translation import (
    get_language,
    gettext,
    gettext_noop,
    ngettext,
    pgettext_lazy,
)
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.i18n.sentences import translated

MOST_PROPOSED = 18  # rounds: two days of play

# What is said of rounds, and what is said instead where they are deals.
OF_DEALS = {
    gettext_noop("Round"): pgettext_lazy("a round of one deal", "Deal"),
    gettext_noop("Rounds"): pgettext_lazy("rounds of one deal", "Deals"),
    gettext_noop("Round %(number)s"): pgettext_lazy("a round of one deal", "Deal %(number)s"),
    gettext_noop("round %(number)s"): pgettext_lazy("a round of one deal", "deal %(number)s"),
    gettext_noop("Rounds won"): _("Deals won"),
    gettext_noop("Best round"): _("Best deal"),
    gettext_noop("Worst round"): _("Worst deal"),
    gettext_noop("%(done)s of %(planned)s rounds"): _("%(done)s of %(planned)s deals"),
    gettext_noop("all rounds recorded"): _("all deals recorded"),
    gettext_noop("Points by round"): _("Points by deal"),
    gettext_noop("Rounds per session"): _("Deals per session"),
    gettext_noop("Rounds counted"): _("Deals counted"),
    gettext_noop("Rounds under way"): _("Deals under way"),
    gettext_noop(
        "How many rounds every table plays before everybody is seated anew. "
        "Empty: until time runs out."
    ): _(
        "How many deals every table plays before everybody is seated anew. "
        "Empty: until time runs out."
    ),
}


# 役 in the Japanese catalogue where it is a round, not part of 配り役, 決め役, まき役 or 役割.
UNIT_IN_CATALOGUE = re.compile("(?<!配り)(?<!決め)(?<!まき)役(?!割)")


def are_deals(rules: scoring.Rules) -> bool:
    """Return whether each round is one deal."""
    return rules.game.kind != "kankei"


def unit_words(text: str, rules: scoring.Rules) -> str:
    """Return an English text in the reader's language; where rounds are deals, it says deals."""
    if are_deals(rules) and text in OF_DEALS:
        return str(OF_DEALS[text])
    return in_own_unit(translated(text), rules)


def in_own_unit(words: str, rules: scoring.Rules) -> str:
    """Return translated words with the rule set's own Japanese word for a round."""
    if get_language() != "ja":
        return words
    return UNIT_IN_CATALOGUE.sub(rules.rule_set.unit, words)


def round_title(number: int, rules: scoring.Rules) -> str:
    """Return what a round is called."""
    return unit_words("Round %(number)s", rules) % {"number": number}


def round_in_sentence(number: int, rules: scoring.Rules) -> str:
    """Return the same inside a sentence, where English has no capital."""
    return unit_words("round %(number)s", rules) % {"number": number}


def rounds_counted(count: int, rules: scoring.Rules) -> str:
    """Return in words how many rounds count."""
    if are_deals(rules):
        words = ngettext("%(counted)s deal counted", "%(counted)s deals counted", count)
    else:
        words = in_own_unit(
            ngettext("%(counted)s round counted", "%(counted)s rounds counted", count), rules
        )
    return words % {"counted": count}


def rounds_recorded(count: int, planned: int | None, rules: scoring.Rules) -> str:
    """Return in words how many rounds are recorded, of how many where that is fixed."""
    if planned is not None:
        words = unit_words("%(done)s of %(planned)s rounds", rules)
    elif are_deals(rules):
        words = ngettext("%(recorded)s deal recorded", "%(recorded)s deals recorded", count)
    else:
        words = in_own_unit(
            ngettext("%(recorded)s round recorded", "%(recorded)s rounds recorded", count), rules
        )
    return words % {"done": count, "recorded": count, "planned": planned}


def proposed_rounds(rules: scoring.Rules) -> str:
    """Return which numbers of rounds the text proposes; nothing where any number will do."""
    if not rules.rule_set.whole_turn:
        return ""
    words = gettext(
        "Proposed are whole turns of ♣, ♦ and ♥: %(numbers)s rounds. "
        "Where the last round is in spades, one more."
    )
    turns = scoring.choose(rules.rule_set, {"last_round_spades": False}).proposed_rounds(
        MOST_PROPOSED
    )
    return words % {"numbers": _numbers(turns)}


def broken_turn(rules: scoring.Rules, rounds: int | None) -> str:
    """Return a word of warning about so many rounds, where they end within a turn of trumps."""
    if not rules.breaks_a_turn(rounds):
        return ""
    words = gettext(
        "%(rounds)s rounds end within a turn of ♣, ♦ and ♥. Proposed are %(numbers)s rounds; "
        "the number can be changed in the settings."
    )
    return words % {"rounds": rounds, "numbers": _numbers(rules.proposed_rounds(MOST_PROPOSED))}


def _numbers(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))
