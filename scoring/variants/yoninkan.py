"""Yoninkan for four: points by how the round ended, and fourteen bonuses (source 002)."""

from collections.abc import Mapping

from scoring.kankei import (
    DECLARATIONS,
    LAST_DEAL,
    KankeiGame,
    Verdict,
    chooser_customs,
    key_card_option,
    later_option,
    option,
    rule,
    void_rule,
)
from scoring.rules import Choice, Custom, Rules, RuleSet, Ruling
from scoring.sources import Text
from scoring.translation import gettext_noop as _

TEXT = Text("002", "ヨニンカンのルール")
KEY_CARD = TEXT.at("役のJ(ジャック)を持った人と、ジョーカーを持った人が関係グループになります")

# Deal: face cards that win it, for kankei and for mukankei (002, 10. 勝敗).
TARGETS = {1: (9, 8), 2: (8, 9), 3: (9, 8)}

# 002, 15: deal 1 has no bonuses but skunk, 16 and called 16 (①と⑦~⑩).
LEGAL = {1: ("juroku", "called_juroku"), 2: DECLARATIONS, 3: DECLARATIONS}

# ⑫ 逆16失敗(無関係グループの勝ち), beside 逆16失敗 ~ 関係グループ(64点加算), ⑥ and ⑭.
REVERSE_JUROKU_FAILED = _(
    "The text contradicts itself: condition ⑫ names the mukankei as winners, but the points go to "
    "the kankei, as with every other failed declaration of the mukankei (⑥, ⑭). Makiyaku follows "
    "the points: the kankei win the deal."
)

RULES = (
    rule("lost_in_deal_1", -2, TEXT.at("1戦目に関係グループが負けた場合 ~ 関係グループ(-2点)")),
    rule("lost_in_deal_2", 0, TEXT.at("2戦目に関係グループが負けた場合 ~ 関係グループ(0点)")),
    rule("lost_in_deal_3", +2, TEXT.at("3戦目に関係グループが負けた場合 ~ 関係グループ(+2点)")),
    rule("all_deals_won", +8, TEXT.at("3戦目に関係グループが勝った場合 ~ 関係グループ(+8点)")),
    rule("skunk", +2, TEXT.at("スコンク ~ 関係グループ(2点加算)")),
    rule("called_skunk", +8, TEXT.at("宣言スコンク ~ 関係グループ(8点加算)")),
    rule("called_skunk_missed", -16, TEXT.at("宣言スコンク失敗 ~ 関係グループ(-16点)"), voids=True),
    rule("reverse_skunk", -8, TEXT.at("逆スコンク ~ 関係グループ(-8点)"), voids=True),
    rule("called_reverse_skunk", -16, TEXT.at("宣言逆スコンク ~ 関係グループ(-16点)"), voids=True),
    rule(
        "called_reverse_skunk_missed", +32, TEXT.at("宣言逆スコンク失敗 ~ 関係グループ(32点加算)")
    ),
    rule("juroku", +16, TEXT.at("16 ~ 関係グループ(16点加算)"), name=_("Juroku (16)")),
    rule(
        "juroku_missed",
        -32,
        TEXT.at("16失敗 ~ 関係グループ(-32点)"),
        name=_("Juroku (16) failed"),
        voids=True,
    ),
    rule(
        "called_juroku",
        +32,
        TEXT.at("宣言16 ~ 関係グループ(32点加算)"),
        name=_("Called juroku (16)"),
    ),
    rule(
        "called_juroku_missed",
        -64,
        TEXT.at("宣言16失敗 ~ 関係グループ(-64点)"),
        name=_("Called juroku (16) failed"),
        voids=True,
    ),
    rule(
        "reverse_juroku",
        -32,
        TEXT.at("逆16 ~ 関係グループ(-32点)"),
        name=_("Reverse juroku (16)"),
        voids=True,
    ),
    rule(
        "reverse_juroku_missed",
        +64,
        TEXT.at("逆16失敗 ~ 関係グループ(64点加算)"),
        name=_("Reverse juroku (16) failed"),
        note=REVERSE_JUROKU_FAILED,
    ),
    rule(
        "called_reverse_juroku",
        -64,
        TEXT.at("宣言逆16 ~ 関係グループ(-64点)"),
        name=_("Called reverse juroku (16)"),
        voids=True,
    ),
    rule(
        "called_reverse_juroku_missed",
        +128,
        TEXT.at("宣言逆16失敗 ~ 関係グループ(128点加算)"),
        name=_("Called reverse juroku (16) failed"),
    ),
    void_rule("voided", TEXT.at("その他は、その回のゲームの獲得点数になります")),
)

OPTIONS = (
    option(
        "last_round_spades",
        default=True,
        source=TEXT.at("最後の第10ゲームの1戦目は、スペードを役にします"),
    ),
    later_option(
        "skunk_kept_with_juroku",
        default=False,
        source=TEXT.at("16 ~ 関係グループ(16点加算)"),
        is_our_reading=True,
    ),
    key_card_option(KEY_CARD),
)


def items(verdict: Verdict, deal_number: int, options: Mapping[str, Choice]) -> tuple[str, ...]:
    """Return the items that a deal scores: the way the round ended, and a bonus.

    A bonus of the mukankei replaces the round's score; a bonus of the kankei is added to it
    (002: 加算、減算は … 累積点数に対してなされます。その他は … 獲得点数になります).

    >>> items(Verdict("skunk", kankei_won=True), 3, {})
    ('all_deals_won', 'skunk')
    >>> items(Verdict("juroku_missed", kankei_won=False), 1, {})
    ('juroku_missed',)
    """
    if not verdict.kankei_won:
        return (f"lost_in_deal_{deal_number}",) if verdict.outcome == "lost" else (verdict.outcome,)
    ending = ("all_deals_won",) if deal_number == LAST_DEAL else ()
    if verdict.outcome == "juroku" and options["skunk_kept_with_juroku"]:
        return (*ending, "skunk", "juroku")
    return ending if verdict.outcome == "won" else (*ending, verdict.outcome)


# 002 has no dealer and draws no card: whoever holds an ace leads.
CUSTOMS = (
    Custom(
        "first_lead",
        _("The player with the ace of spades leads the first deal."),
        TEXT.at("スペードのA(ピン)が手札にある人から打ち出します"),
    ),
    Custom(
        "first_lead_spades",
        _("Where spades are trump, the player with the ace of clubs leads the first deal."),
        TEXT.at("第10ゲームはスペードが役なので、クラブのA(ピン)が手札にある人から打ち出します"),
    ),
    *chooser_customs(
        joker=TEXT.at("これらの札と自分の手札から役を決め、打ち出します"),
        key_card=TEXT.at("一戦目で役J(ジャック)を持っていた人が、役を判断します"),
    ),
)

RULINGS = (
    Ruling(
        _("A first deal in which the kankei take no face card is an ordinary loss."),
        TEXT.at("1戦目のとき、①と⑦~⑩以外のものは成立不可能です"),
    ),
    Ruling(
        _(
            "A called bonus scores its own points alone; those of the skunk, or of 16 without a "
            "call, are not added."
        ),
        TEXT.at("宣言16 ~ 関係グループ(32点加算)"),
    ),
    Ruling(
        _("A game cut off by the clock scores nothing, since points depend on how it ends."),
        TEXT.at("ゲームの回数は、時間制限のある大会などでは第10ゲームまでとしていますが"),
    ),
)


def game(rules: Rules) -> KankeiGame:
    """Return the game under these rules. Seats change before deal 2 (002, 8)."""
    return KankeiGame(
        rules,
        targets=TARGETS,
        targets_source=TEXT.at("1戦目 ~ 関係グループ(9枚)、無関係グループ(8枚)"),
        declarations=LEGAL,
        items=items,
        reverse_skunk_deals=(2, 3),
        seat_change_before=2,
        may_be_cut_off=False,
    )


RULE_SET = RuleSet(
    slug="yoninkan",
    title=_("Yoninkan"),
    about=_(
        "Two against two: nine face cards win the first deal. Points depend on how far a "
        "round got, "
        "with fourteen bonuses, many of them called in the first trick."
    ),
    in_short=_("Two against two, with fourteen bonuses."),
    edition="1",
    texts=(TEXT,),
    players=(4,),
    unit="ゲーム",
    rounds=10,
    options=OPTIONS,
    rules=RULES,
    game=game,
    customs=CUSTOMS,
    rulings=RULINGS,
)
