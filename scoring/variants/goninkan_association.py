"""Goninkan for six, as the Goshogawara association plays it (source 001)."""

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

TEXT = Text("001", "ゴニンカンの遊び方(五所川原)")

# Deal: face cards that win it, for kankei and for mukankei (001's table 関係勝枚数, 無関係勝枚数).
TARGETS = {1: (9, 8), 2: (8, 9), 3: (9, 8)}

DECLARATIONS = {1: (), 2: ("juroku", "reverse_juroku"), 3: ("juroku", "reverse_juroku")}

RULES = (
    rule("deal_won", +1, TEXT.at("+1 点")),
    rule("deal_lost", -1, TEXT.at("-1 点")),
    rule("third_deal", +1, TEXT.at("+1+1+1+ボーナス1 =+4点")),
    rule("skunk", +1, TEXT.at("各回戦の得点にスコンクボーナス得点の+1点が与えられ")),
    rule("juroku", +8, TEXT.at("関係組の得点は特別ボーナス+8点が与えられ")),
    rule("juroku_missed", -16, TEXT.at("関係組の得点はペナルティーボーナスの-16点が記録され")),
    rule("reverse_skunk_deal_1", -10, TEXT.at("特別マイナスボーナスとして−10点が記録され")),
    rule(
        "reverse_skunk",
        -3,
        TEXT.at("1、2戦目までの得点が消滅し、関係組に−3点が記録され"),
        voids=True,
    ),
    rule(
        "reverse_juroku",
        -16,
        TEXT.at("関係組にはマイナスボーナスの-16点が記録され"),
        voids=True,
    ),
    rule("reverse_juroku_missed", +32, TEXT.at("関係組には+32点が加算される")),
    void_rule("voided", TEXT.at("1、2戦目までの得点が消滅し")),
    void_rule("cut_off_void", TEXT.at("時間の制限内"), unless="cut_off_round_scores"),
)

OPTIONS = (
    option(
        "reverse_skunk_deal1_flat",
        default=True,
        source=TEXT.at("関係組の得点は特別マイナスボーナスとして−10点が記録され"),
    ),
    option(
        "skunk_kept_with_juroku",
        default=True,
        source=TEXT.at(
            "スコンクボーナス+1点と“じゅうろく”ボーナス+8点が加算され合計得点は+13点となる"
        ),
    ),
    option(
        "last_round_spades",
        default=False,
        source=TEXT.at("クラブ、ダイヤ、ハートの順にて一回りとし"),
    ),
    option("cut_off_round_scores", default=True, source=TEXT.at("何回か(時間の制限内)繰り返す")),
    later_option(
        "missed_juroku_flat",
        default=False,
        source=TEXT.at("関係組の得点はペナルティーボーナスの-16点が記録され"),
        is_our_reading=True,
    ),
    later_option(
        "reverse_juroku_voids",
        default=True,
        source=TEXT.at("関係組にはマイナスボーナスの-16点が記録され"),
        is_our_reading=True,
    ),
    later_option(
        "reverse_juroku_loses_deal",
        default=False,
        source=TEXT.at("関係組にはマイナスボーナスの-16点が記録され"),
        is_our_reading=True,
    ),
)


CUSTOMS = (
    *dealer_customs(
        first=TEXT.at("数の最小の人が最初の配り役(まき役)となる"),
        following=TEXT.at("配り役はその種類毎交代(右隣へ移る)"),
    ),
    kankei_agree_custom(TEXT.at("最小限の会話で打ち出しを決め第1戦目がスタートする")),
    *chooser_customs(
        joker=TEXT.at("ジョーカーを持っていた人が検討し<役>を決め、カードを打ち出してスタートする"),
        key_card=TEXT.at(
            "A(エース)を持っていた人が検討し、<役>を決め、カードを打ち出してスタートする"
        ),
    ),
)

RULINGS = (
    Ruling(
        _("We suggest nine rounds: clubs, diamonds and hearts three times each."),
        TEXT.at("クラブ、ダイヤ、ハートの順にて一回りとし"),
    ),
)


def game(rules: Rules) -> KankeiGame:
    return KankeiGame(
        rules,
        targets=TARGETS,
        targets_source=TEXT.at("絵札を9枚集め勝った場合"),
        declarations=DECLARATIONS,
        items=goninkan_items,
    )


RULE_SET = RuleSet(
    slug="goninkan-association",
    title=_("Goninkan, association rules"),
    about=_(
        "As played by the association in Goshogawara: nine face cards win the first deal. A "
        "successful juroku also scores the skunk, a reverse skunk in the first deal is −10 in "
        "all, and there is no round with spades as trump."
    ),
    in_short=_("The association’s rules: nine face cards (A K Q J) win the first deal."),
    edition="1",
    texts=(TEXT,),
    players=(6,),
    unit="役",
    rounds=9,
    options=OPTIONS,
    rules=RULES,
    game=game,
    customs=CUSTOMS,
    rulings=RULINGS,
    trump_cycle=3,
)
