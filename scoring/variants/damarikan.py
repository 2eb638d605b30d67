"""Damarikan, the silent four-hand game: goninkan with calls in the first trick (source 000)."""

from collections.abc import Mapping

from scoring.kankei import (
    DECLARATIONS,
    KankeiGame,
    Verdict,
    goninkan_items,
    items_kept_with_missed_juroku,
    items_kept_with_reverse_juroku,
    items_kept_with_reverse_skunk,
    key_card_option,
    option,
    rule,
)
from scoring.rules import Choice, Rules, RuleSet, Ruling
from scoring.translation import gettext_noop as _
from scoring.variants import goninkan_classic as classic
from scoring.variants import yoninkan

TEXT = classic.TEXT

CALLS = tuple(declaration for declaration in DECLARATIONS if declaration.startswith("called_"))
MADE = TEXT.at("成功した時は2倍のボーナス点が得られます")
MISSED = TEXT.at("失敗した時のマイナス点は宣言で成功したときの2倍になります")

RULES = (
    *classic.RULES,
    rule("called_skunk", +2, MADE),
    rule("called_skunk_missed", -4, MISSED),
    rule("called_juroku", +16, MADE),
    rule("called_juroku_missed", -32, MISSED),
    rule("called_reverse_skunk_deal_1", -20, MADE),
    rule("called_reverse_skunk", -6, MADE, voids=True),
    rule("called_reverse_skunk_missed_deal_1", +40, MISSED),
    rule("called_reverse_skunk_missed", +12, MISSED),
    rule("called_reverse_juroku", -32, MADE, voids=True),
    rule("called_reverse_juroku_missed", +64, MISSED),
)

# The rank is missing in 000. 002, whose game is also called Damarikan, names the jack.
OPTIONS = (
    *classic.OPTIONS,
    option("missed_call_ends_deal", default=True, source=MISSED),
    key_card_option(yoninkan.KEY_CARD),
)


def items(verdict: Verdict, deal_number: int, options: Mapping[str, Choice]) -> tuple[str, ...]:
    """Return the items that a deal scores: those of goninkan, and the item of a call.

    The options of `goninkan_items` apply to calls, too.

    >>> items(Verdict("called_reverse_skunk_missed", kankei_won=True), 1, {})
    ('deal_won', 'called_reverse_skunk_missed_deal_1')
    """
    plain_items = goninkan_items(
        Verdict("won" if verdict.kankei_won else "lost", verdict.kankei_won), deal_number, options
    )
    match verdict.outcome:
        case "called_reverse_skunk" if deal_number == 1:
            return (
                *items_kept_with_reverse_skunk(plain_items, options),
                "called_reverse_skunk_deal_1",
            )
        case "called_juroku_missed" if not verdict.kankei_won:
            return (*items_kept_with_missed_juroku(plain_items, options), "called_juroku_missed")
        case "called_reverse_skunk_missed" if deal_number == 1:
            return (*plain_items, "called_reverse_skunk_missed_deal_1")
        case "called_reverse_juroku":
            return (*items_kept_with_reverse_juroku(plain_items, options), "called_reverse_juroku")
        case "called_reverse_skunk":
            return ("called_reverse_skunk",)
        case _:
            return goninkan_items(verdict, deal_number, options)


# Nobody may say who is kankei, and 000 does not say who leads the first deal.
CUSTOMS = (*classic.DEALERS, *classic.CHOOSERS)

RULINGS = (
    Ruling(
        _("Every call may be made in each deal, including those of all 16 in the first deal."),
        TEXT.at(
            "1トリック目には関係チームのプレイヤーは誰でも"
            "スコンクかじゅうろくの宣言を行うことができます"
        ),
    ),
    Ruling(
        _(
            "The points of a call are added to the deal’s own, unless the same feat without a "
            "call replaces these. A called juroku never also scores the skunk."
        ),
        TEXT.at("プレイの成功・失敗の点数はそれとは別につきますが"),
    ),
    Ruling(
        _(
            "Kankei who sit side by side change places before the second deal, since in the first "
            "nobody may say who is kankei."
        ),
        TEXT.at("それを宣言してはいけません"),
    ),
    *classic.RULINGS,
)


def game(rules: Rules) -> KankeiGame:
    """Return the game. Partners are secret in deal 1, so seats change before deal 2."""
    return KankeiGame(
        rules,
        targets=classic.TARGETS,
        targets_source=classic.TEXT.at("1戦目の関係チームの目的は、絵札を9枚以上取ること"),
        declarations={deal: (*legal, *CALLS) for deal, legal in classic.DECLARATIONS.items()},
        items=items,
        seat_change_before=2,
    )


RULE_SET = RuleSet(
    slug="damarikan",
    title=_("Damarikan"),
    about=_(
        "Two against two: nine face cards win the first deal, and points are as in "
        "goninkan. Calls made in the first trick count double."
    ),
    in_short=_("Two against two; calls made in the first trick count double."),
    edition="1",
    texts=(TEXT, classic.ASSOCIATION, yoninkan.TEXT),
    players=(4,),
    unit="ラウンド",
    rounds=10,
    options=OPTIONS,
    rules=RULES,
    game=game,
    customs=CUSTOMS,
    rulings=RULINGS,
)
