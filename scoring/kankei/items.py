"""Items and options of the face-card games: their names, and the items of each outcome.

Each variant defines the points and the source of its items.
"""

from __future__ import annotations

from collections.abc import Mapping

from scoring.kankei.facts import LAST_DEAL
from scoring.kankei.judging import Verdict
from scoring.rules import Choice, Option, Rule
from scoring.sources import Source
from scoring.translation import gettext_noop as _


def won_items(deal_number: int) -> tuple[str, ...]:
    """Return the items of a deal that the kankei won without a bonus."""
    return ("deal_won", "third_deal") if deal_number == LAST_DEAL else ("deal_won",)


def goninkan_items(
    verdict: Verdict, deal_number: int, options: Mapping[str, Choice]
) -> tuple[str, ...]:
    """Return the items that a deal scores in goninkan; calls have items in `damarikan` only.

    Plain items are those of the deal won or lost. Most outcomes score one item in addition, some
    replace the plain items.

    >>> import scoring
    >>> rule_set = scoring.get_rule_set("goninkan-classic")
    >>> choices = scoring.choose(rule_set, {"skunk_kept_with_juroku": True}).options
    >>> goninkan_items(Verdict("juroku", kankei_won=True), 2, choices)
    ('deal_won', 'skunk', 'juroku')
    >>> goninkan_items(Verdict("reverse_skunk", kankei_won=False), 1, choices)
    ('deal_lost', 'reverse_skunk_deal_1')
    """
    plain_items = won_items(deal_number) if verdict.kankei_won else ("deal_lost",)
    match verdict.outcome:
        case "won" | "lost":
            return plain_items
        case "juroku" if options["skunk_kept_with_juroku"]:
            return (*plain_items, "skunk", "juroku")
        case "juroku_missed":
            return (*items_kept_with_missed_juroku(plain_items, options), "juroku_missed")
        case "reverse_skunk" if deal_number == 1:
            return (*items_kept_with_reverse_skunk(plain_items, options), "reverse_skunk_deal_1")
        case "reverse_juroku":
            return (*items_kept_with_reverse_juroku(plain_items, options), "reverse_juroku")
        case "reverse_skunk":
            return ("reverse_skunk",)
        case outcome:
            return (*plain_items, outcome)


def items_kept_with_missed_juroku(
    plain_items: tuple[str, ...], options: Mapping[str, Choice]
) -> tuple[str, ...]:
    """Return the plain items that count besides a missed juroku.

    None of them count with the option `missed_juroku_flat`, otherwise all.
    """
    return () if options["missed_juroku_flat"] else plain_items


def items_kept_with_reverse_skunk(
    plain_items: tuple[str, ...], options: Mapping[str, Choice]
) -> tuple[str, ...]:
    """Return the plain items that count besides a reverse skunk in deal 1.

    None of them count with the option `reverse_skunk_deal1_flat`, otherwise all.
    """
    return () if options["reverse_skunk_deal1_flat"] else plain_items


def items_kept_with_reverse_juroku(
    plain_items: tuple[str, ...], options: Mapping[str, Choice]
) -> tuple[str, ...]:
    """Return the plain items that count besides a made reverse juroku.

    All count with the option `reverse_juroku_loses_deal`, unless the round is void; otherwise none.
    """
    is_void = options["reverse_juroku_voids"]
    return plain_items if options["reverse_juroku_loses_deal"] and not is_void else ()


ITEM_NAMES = {
    "deal_won": _("Deal won"),
    "deal_lost": _("Deal lost"),
    "third_deal": _("Third-deal bonus"),
    "lost_in_deal_1": _("Lost in deal 1"),
    "lost_in_deal_2": _("Lost in deal 2"),
    "lost_in_deal_3": _("Lost in deal 3"),
    "all_deals_won": _("All three deals won"),
    "skunk": _("Skunk"),
    "juroku": _("Juroku"),
    "juroku_missed": _("Juroku failed"),
    "reverse_skunk_deal_1": _("Reverse skunk in deal 1"),
    "reverse_skunk": _("Reverse skunk"),
    "reverse_juroku": _("Reverse juroku"),
    "reverse_juroku_missed": _("Reverse juroku failed"),
    "called_skunk": _("Called skunk"),
    "called_skunk_missed": _("Called skunk failed"),
    "called_juroku": _("Called juroku"),
    "called_juroku_missed": _("Called juroku failed"),
    "called_reverse_skunk_deal_1": _("Called reverse skunk in deal 1"),
    "called_reverse_skunk": _("Called reverse skunk"),
    "called_reverse_skunk_missed_deal_1": _("Called reverse skunk failed in deal 1"),
    "called_reverse_skunk_missed": _("Called reverse skunk failed"),
    "called_reverse_juroku": _("Called reverse juroku"),
    "called_reverse_juroku_missed": _("Called reverse juroku failed"),
    "voided": _("Earlier deals void"),
    "cut_off_void": _("Cut off: does not count"),
}

OPTION_MEANINGS = {
    "reverse_skunk_deal1_flat": _(
        "A reverse skunk in deal 1 scores its points instead of the lost deal’s, not in addition "
        "to them"
    ),
    "skunk_kept_with_juroku": _("A successful juroku also scores the skunk"),
    "missed_juroku_flat": _(
        "A failed juroku scores its points instead of the lost deal’s, not in addition to them"
    ),
    "reverse_juroku_voids": _(
        "A successful reverse juroku cancels the earlier deals’ points; otherwise it is added to "
        "them and replaces the lost deal’s"
    ),
    "reverse_juroku_loses_deal": _(
        "If a successful reverse juroku is added to the earlier deals’ points, the lost deal’s "
        "count as well"
    ),
    "key_card": _("The trump that, with the joker, makes its holder kankei"),
    "last_round_spades": _("Spades are trump in the first deal of the last round"),
    "cut_off_round_scores": _("A round cut off by the clock scores what it had earned so far"),
    "missed_call_ends_deal": _("A failed call ends the deal at once, and loses it"),
}


def rule(
    item: str,
    points: int,
    source: Source,
    *,
    voids: bool = False,
    name: str | None = None,
    note: str = "",
) -> Rule:
    """Return the rule of an item; `points` are each kankei player's.

    A house rule cannot change the sign of the points. `name` replaces the name in `ITEM_NAMES`.

    >>> rules = [rule("skunk", points, Source("001", "")) for points in (-1, 0, 1)]
    >>> [(rule.lowest, rule.highest) for rule in rules]
    [(-999, 0), (-999, 999), (0, 999)]
    """
    return Rule(
        item,
        points,
        name or ITEM_NAMES[item],
        source,
        lowest=0 if points > 0 else -999,
        highest=0 if points < 0 else 999,
        voids=voids,
        note=note,
    )


def void_rule(item: str, source: Source, unless: str = "") -> Rule:
    """Return the rule of a line that cancels earlier points, which no house rule can change.

    >>> rule = void_rule("voided", Source("001", ""))
    >>> (rule.lowest, rule.points, rule.highest)
    (0, 0, 0)
    """
    return Rule(item, 0, ITEM_NAMES[item], source, lowest=0, highest=0, unless=unless)


# The values of the option `key_card`.
KEY_CARDS = (("J", _("Jack")), ("A", _("Ace")))

# Options whose default no text states.
OUR_READINGS = {"cut_off_round_scores", "missed_call_ends_deal"}


def option(name: str, default: bool, source: Source) -> Option:
    """Return one of the options in `OPTION_MEANINGS`, with the default that the source supports.

    >>> source = Source("001", "時間の制限内")
    >>> option("cut_off_round_scores", default=True, source=source).is_our_reading
    True
    """
    return Option(name, default, OPTION_MEANINGS[name], source, is_our_reading=name in OUR_READINGS)


def later_option(
    name: str, default: bool, source: Source, *, is_our_reading: bool = False
) -> Option:
    """Return an option that was added after events were played under the rule set.

    >>> added = later_option("missed_juroku_flat", default=False, source=Source("001", ""))
    >>> added.added_later, added.is_our_reading
    (True, False)
    """
    meaning = OPTION_MEANINGS[name]
    return Option(name, default, meaning, source, is_our_reading=is_our_reading, added_later=True)


def key_card_option(source: Source) -> Option:
    """Return the option of the key card, by default the jack of trumps. It affects no points."""
    meaning = OPTION_MEANINGS["key_card"]
    return Option(
        "key_card",
        default="J",
        meaning=meaning,
        source=source,
        named=KEY_CARDS,
        added_later=True,
    )
