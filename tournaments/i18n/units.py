"""The word for a round, which depends on the rule set: round or deal; 役, ラウンド or ゲーム.

In Gong Zhu and Gouji each round is one deal and is called a deal. In Japanese each rule set uses
the word of its own rule text (`RuleSet.unit`). Texts with that word are translated by this module.
"""

from __future__ import annotations

from django.utils.translation import (
    gettext,
    gettext_noop,
    ngettext,
    pgettext_lazy,
)
from django.utils.translation import gettext_lazy as _

import scoring
from tournaments.i18n.sentences import in_own_unit, listed, translated
from tournaments.models import Sitting

MOST_PROPOSED = 18  # the highest number of rounds that is proposed

# Texts about rounds, and the texts that replace them where each round is one deal.
TEXTS_ABOUT_DEALS = {
    gettext_noop("Round"): pgettext_lazy("a round of one deal", "Deal"),
    gettext_noop("Rounds"): pgettext_lazy("rounds of one deal", "Deals"),
    gettext_noop("Number of rounds"): _("Number of deals"),
    gettext_noop("Round %(number)s"): pgettext_lazy("a round of one deal", "Deal %(number)s"),
    gettext_noop("round %(number)s"): pgettext_lazy("a round of one deal", "deal %(number)s"),
    gettext_noop("Rounds won"): _("Deals won"),
    gettext_noop("Best round"): _("Best deal"),
    gettext_noop("Worst round"): _("Worst deal"),
    gettext_noop("%(done)s of %(planned)s rounds"): _("%(done)s of %(planned)s deals"),
    gettext_noop("rounds: %(done)s (%(planned)s planned)"): _(
        "deals: %(done)s (%(planned)s planned)"
    ),
    gettext_noop("No round has been recorded yet."): _("No deal has been recorded yet."),
    gettext_noop("Points outside the rounds"): _("Points outside the deals"),
    gettext_noop("The total after each round. The tables below have the same figures."): _(
        "The total after each deal. The tables below have the same figures."
    ),
    gettext_noop("Points by round"): _("Points by deal"),
    gettext_noop("Rounds per session"): _("Deals per session"),
    gettext_noop("Rounds counted"): _("Deals counted"),
    gettext_noop("Rounds under way"): _("Deals under way"),
    gettext_noop("%(steps)s (over recorded rounds alone: %(further)s)"): _(
        "%(steps)s (over recorded deals alone: %(further)s)"
    ),
    gettext_noop(
        "How many rounds every table plays before everybody is seated again. Leave blank to "
        "play until time runs out."
    ): _(
        "How many deals every table plays before everybody is seated again. Leave blank to "
        "play until time runs out."
    ),
}


def unit_words(text: str, rules: scoring.Rules) -> str:
    """Translate an English text about rounds, with the rule set's word for a round.

    `text` is a key of `TEXTS_ABOUT_DEALS`, or any text of `scoring`.
    """
    if rules.game.rounds_are_deals and text in TEXTS_ABOUT_DEALS:
        return str(TEXTS_ABOUT_DEALS[text])
    return in_own_unit(translated(text), rules)


def round_title(number: int, of: scoring.Rules | Sitting) -> str:
    """Return the title of a round, such as "Round 3".

    With its sitting, rounds that others played at the table before are counted, too; with rules
    alone, `number` must count them already.
    """
    shown, rules = _numbered(number, of)
    return unit_words("Round %(number)s", rules) % {"number": shown}


def round_in_sentence(number: int, of: scoring.Rules | Sitting) -> str:
    """Return the title of a round as in `round_title`, for use inside a sentence: "round 3"."""
    shown, rules = _numbered(number, of)
    return unit_words("round %(number)s", rules) % {"number": shown}


def _numbered(number: int, of: scoring.Rules | Sitting) -> tuple[int, scoring.Rules]:
    if isinstance(of, Sitting):
        return of.rounds_before + number, of.session.tournament.rules
    return number, of


def rounds_counted(count: int, rules: scoring.Rules) -> str:
    """Return a text such as "3 rounds counted"."""
    if rules.game.rounds_are_deals:
        words = ngettext("%(counted)s deal counted", "%(counted)s deals counted", count)
    else:
        words = in_own_unit(
            ngettext("%(counted)s round counted", "%(counted)s rounds counted", count), rules
        )
    return words % {"counted": count}


def rounds_recorded(count: int, planned_rounds: int | None, rules: scoring.Rules) -> str:
    """Return a text such as "3 of 9 rounds", or "3 rounds recorded" without a planned number.

    Where the number was lowered after more had been played, "rounds: 3 (2 planned)".
    """
    if planned_rounds is not None and count > planned_rounds:
        words = unit_words("rounds: %(done)s (%(planned)s planned)", rules)
    elif planned_rounds is not None:
        words = unit_words("%(done)s of %(planned)s rounds", rules)
    elif rules.game.rounds_are_deals:
        words = ngettext("%(recorded)s deal recorded", "%(recorded)s deals recorded", count)
    else:
        words = in_own_unit(
            ngettext("%(recorded)s round recorded", "%(recorded)s rounds recorded", count), rules
        )
    return words % {"done": count, "recorded": count, "planned": planned_rounds}


def proposed_rounds_sentence(rules: scoring.Rules) -> str:
    """Return a sentence with the numbers of rounds that complete a cycle of trumps.

    Empty if the rule set does not require whole cycles.
    """
    if not rules.rule_set.trump_cycle:
        return ""
    words = gettext(
        "We suggest full cycles of ♣, ♦ and ♥: %(numbers)s rounds, or one more if the last round "
        "is in spades."
    )
    words = in_own_unit(words, rules)
    without_spades = scoring.choose(rules.rule_set, {"last_round_spades": False})
    return words % {"numbers": _numbers_listed(without_spades.proposed_rounds(MOST_PROPOSED))}


def broken_cycle_warning(rules: scoring.Rules, rounds: int | None) -> str:
    """Return a warning if this number of rounds ends within a cycle of trumps (♣, ♦, ♥), or ""."""
    if not rules.breaks_trump_cycle(rounds):
        return ""
    words = gettext(
        "A session of %(rounds)s ends in the middle of a cycle of ♣, ♦ and ♥. We suggest "
        "%(numbers)s rounds; the number can be changed in the settings."
    )
    words = in_own_unit(words, rules)
    return words % {
        "rounds": rounds,
        "numbers": _numbers_listed(rules.proposed_rounds(MOST_PROPOSED)),
    }


def _numbers_listed(numbers: tuple[int, ...]) -> str:
    return listed([str(number) for number in numbers])
