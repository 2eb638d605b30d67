"""Goninkan for five or six, as commonly played (source 000)."""

from scoring.kankei import (
    KankeiGame,
    chooser_customs,
    dealer_customs,
    goninkan_items,
    kankei_agree_custom,
    later_option,
    option,
    rule,
    void_rule,
)
from scoring.rules import Rules, RuleSet, Ruling
from scoring.sources import Text
from scoring.translation import gettext_noop as _
from scoring.variants import goninkan_association

TEXT = Text("000", "ゴニンカン", "赤桐", 2023)
ASSOCIATION = goninkan_association.TEXT

# Deal: face cards that win it, for kankei and for mukankei.
TARGETS = {1: (9, 8), 2: (8, 9), 3: (9, 8)}

DECLARATIONS = {1: (), 2: ("juroku", "reverse_juroku"), 3: ("juroku", "reverse_juroku")}

RULES = (
    rule("deal_won", +1, TEXT.at("その各プレイヤーがプラス1点となり")),
    rule("deal_lost", -1, TEXT.at("失敗した場合は、関係チームがマイナス1点")),
    rule("third_deal", +1, TEXT.at("さらにプラス1点のボーナス点となります")),
    rule("skunk", +1, TEXT.at("絵札の必要枚数に達した場合、1点のボーナス点となります")),
    rule("juroku", +8, TEXT.at("成功した時は8点のボーナスとなり")),
    rule("juroku_missed", -16, TEXT.at("失敗時には無関係チームに16点のボーナスとなります")),
    rule(
        "reverse_skunk_deal_1",
        -10,
        TEXT.at("1戦目でこれを行なったら、無関係チームは10点のボーナス点となります"),
    ),
    rule(
        "reverse_skunk",
        -3,
        TEXT.at("そのディールの成功・失敗の点数もなく、無関係チームが3点となります"),
        voids=True,
    ),
    rule(
        "reverse_juroku",
        -16,
        TEXT.at("そのディールの成功・失敗の点数もなく、無関係チームが16点となります"),
        voids=True,
    ),
    rule("reverse_juroku_missed", +32, TEXT.at("失敗時には関係チームに32点のボーナスとなります")),
    void_rule("voided", TEXT.at("1、2戦目の得点はすべて無効となり")),
    void_rule("cut_off_void", ASSOCIATION.at("時間の制限内"), unless="cut_off_round_scores"),
)

OPTIONS = (
    option(
        "reverse_skunk_deal1_flat",
        default=False,
        source=TEXT.at("1戦目でこれを行なったら、無関係チームは10点のボーナス点となります"),
    ),
    option("skunk_kept_with_juroku", default=False, source=TEXT.at("スコンクの点数はつきません")),
    option(
        "last_round_spades",
        default=True,
        source=TEXT.at("最後のラウンドの時には、スペードが切札になります"),
    ),
    option(
        "cut_off_round_scores", default=True, source=ASSOCIATION.at("何回か(時間の制限内)繰り返す")
    ),
    later_option(
        "missed_juroku_flat",
        default=False,
        source=TEXT.at("プレイの成功・失敗の点数はそれとは別につきますが"),
    ),
    later_option(
        "reverse_juroku_voids",
        default=True,
        source=TEXT.at("成功した時は、1、2戦目の得点はすべて無効となり"),
    ),
    later_option(
        "reverse_juroku_loses_deal",
        default=False,
        source=TEXT.at("そのディールの成功・失敗の点数もなく、無関係チームが16点となります"),
    ),
)


DEALERS = dealer_customs(
    first=TEXT.at("最初のディーラーはドローして最も弱いカードを引いたプレイヤーがなります"),
    following=TEXT.at("ディーラーが右隣に交替して、1戦目から行います"),
)
CHOOSERS = chooser_customs(
    joker=TEXT.at("前ディールでジョーカーを持っていたプレイヤーが最初のリードを行い"),
    key_card=TEXT.at("切札のスートを決め、最初のリードを行います"),
)
CUSTOMS = (
    *DEALERS,
    kankei_agree_custom(TEXT.at("どちらが最初のリードを行うかを決めます")),
    *CHOOSERS,
)

KANKEI_CANNOT_WIN = Ruling(
    _("The mukankei win a deal once the kankei can no longer reach their number of face cards."),
    TEXT.at("関係チームを失敗させる必要枚数に達した場合です"),
)
TEN_ROUNDS = Ruling(
    _("We suggest ten rounds: clubs, diamonds and hearts three times each, then spades."),
    TEXT.at("このゲームはゲームの前に決めて置いたラウンド数をプレイします"),
)
RULINGS = (KANKEI_CANNOT_WIN, TEN_ROUNDS)


def game(rules: Rules) -> KankeiGame:
    return KankeiGame(
        rules,
        targets=TARGETS,
        targets_source=TEXT.at("1戦目の関係チームの目的は、絵札を9枚以上取ること"),
        declarations=DECLARATIONS,
        items=goninkan_items,
    )


RULE_SET = RuleSet(
    slug="goninkan-classic",
    title=_("Goninkan, common rules"),
    about=_(
        "As commonly played: nine face cards win the first deal. A successful juroku does not "
        "also score the skunk, a reverse skunk in the first deal is −10 in addition to the lost "
        "deal’s −1, and spades are trump in the last round."
    ),
    in_short=_("The common rules: nine face cards (A K Q J) win the first deal."),
    edition="1",
    texts=(TEXT, ASSOCIATION),
    players=(5, 6),
    unit="ラウンド",
    rounds=10,
    options=OPTIONS,
    rules=RULES,
    game=game,
    customs=CUSTOMS,
    rulings=RULINGS,
)
