"""Gong Zhu (拱猪) for four or five, scored by captured cards (source 003)."""

from scoring.rules import Custom, Option, Rule, RuleSet, Ruling
from scoring.sources import Text
from scoring.translation import gettext_noop as _
from scoring.variants.gong_zhu.facts import (
    ACE_OF_HEARTS,
    EXPOSABLE,
    HEARTS,
    PIG,
    SHEEP,
    TEN,
    Captures,
    scoring_cards,
)
from scoring.variants.gong_zhu.game import HEART_RULES, GongZhuGame

__all__ = [
    "ACE_OF_HEARTS",
    "EXPOSABLE",
    "HEARTS",
    "HEART_RULES",
    "PIG",
    "RULE_SET",
    "SHEEP",
    "TEN",
    "Captures",
    "GongZhuGame",
    "scoring_cards",
]

TEXT = Text("003", "ゴンジュー(拱猪)", "赤桐", 2018)


def penalty(item: str, points: int, meaning: str, words: str) -> Rule:
    """Return a rule whose points are never positive; `words` are cited from the text."""
    return Rule(item, points, meaning, TEXT.at(words), lowest=-999, highest=0)


def bonus(item: str, points: int, meaning: str, words: str) -> Rule:
    """Return a rule whose points are never negative; `words` are cited from the text."""
    return Rule(item, points, meaning, TEXT.at(words), lowest=0, highest=999)


def derived(item: str, meaning: str, words: str) -> Rule:
    """Return a rule whose points follow from other rules, so that no house rule sets them."""
    return Rule(item, 0, meaning, TEXT.at(words), lowest=0, highest=0)


RULES = (
    derived("hearts", _("Hearts"), "トリックで取ったカードについて、次の点数がつきます"),
    penalty("heart_ace", -50, _("Ace of hearts"), "［♥A］ -50点"),
    penalty("heart_king", -40, _("King of hearts"), "［♥K］ -40点"),
    penalty("heart_queen", -30, _("Queen of hearts"), "［♥Q］ -30点"),
    penalty("heart_jack", -20, _("Jack of hearts"), "［♥J］ -20点"),
    penalty("heart_spot", -10, _("Each heart from 10 to 5"), "［♥10］ -10点"),
    bonus("all_hearts", 200, _("All the hearts"), "ハートの全点数-200点が+200点に変わります"),
    derived(
        "hearts_exposed",
        _("Ace of hearts exposed"),
        "すべてのハートの点数(他のプレイヤーの分も)が2倍になります",
    ),
    penalty("pig", -100, _("Pig"), "(豚) -100点"),
    derived("pig_turned", _("Pig, with all the hearts"), "-100点から+100点に変わります"),
    derived("pig_exposed", _("Pig exposed"), "このカードの点数が-200点になります"),
    bonus("sheep", 100, _("Sheep"), "(羊) +100点"),
    derived("sheep_exposed", _("Sheep exposed"), "このカードの点数が+200点になります"),
    derived("ten_doubles", _("Transformer (ten of clubs)"), "合計点数が2倍になります"),
    bonus("ten_alone", 50, _("Transformer (ten of clubs) alone"), "+50点の得点になります"),
    derived(
        "ten_exposed", _("Transformer (ten of clubs) exposed"), "このカードの効果が更に2倍されます"
    ),
    Rule(
        "game_end",
        -1000,
        _("A total that ends the game"),
        TEXT.at("誰かの累計の罰点が1000点かそれ以上になれば、ゲーム終了です"),
        lowest=-9999,
        highest=-1,
    ),
)

OPTIONS = (
    Option(
        "all_hearts_with_ten_300",
        False,
        _("With all the hearts, the ten of clubs turns their 200 points into 300, not 400"),
        TEXT.at("［♣10］も取っていれば、ハートの全点数は200点の2倍でなく300点になる"),
        halved=("all_hearts",),
    ),
    Option(
        "pig_turns_with_all_cards",
        False,
        _(
            "The pig becomes positive only for a player who takes the sheep and the ten of clubs "
            "with all the hearts"
        ),
        TEXT.at("［♠Q］も取っていたら、この点数も-100点から+100点に変わります"),
        added_later=True,
    ),
    Option(
        "five_without",
        "H2",
        _("Cards removed from the pack with five players"),
        TEXT.at("5人のときだけは、クラブとハートの［2］を抜いた50枚を使います"),
        named=(("H2", _("♥2 and ♣2")), ("D2", _("♦2 and ♣2"))),
        added_later=True,
    ),
    Option(
        "partners_end_by_total",
        False,
        _("In partnerships a pair’s total ends the game, not a player’s"),
        TEXT.at("誰かの累計の罰点が1000点かそれ以上になれば、ゲーム終了です"),
        added_later=True,
    ),
)

CUSTOMS = (
    Custom("anybody_deals", _("Anybody may deal."), TEXT.at("誰が配ってもかまいません")),
    Custom(
        "two_of_spades_leads",
        _("The player with the two of spades leads the first deal."),
        TEXT.at("最初のディールで最初にリードするのは"),
    ),
    Custom(
        "leads",
        _("{leader} took the pig and leads the next deal."),
        TEXT.at(
            "次回のディールからは、前回のディールで［♠Q］を取ったプレイヤーが最初にリードします"
        ),
        meaning=_("The player who took the pig leads the next deal."),
    ),
)

RULINGS = (
    Ruling(
        _("Totals belong to players: a player who takes over a seat starts at 0."),
        TEXT.at("誰かの累計の罰点が1000点かそれ以上になれば、ゲーム終了です"),
    ),
    Ruling(
        _("With five players, “all the hearts” means those in their pack."),
        TEXT.at("5人のときだけは、クラブとハートの［2］を抜いた50枚を使います"),
    ),
)

RULE_SET = RuleSet(
    slug="gong-zhu",
    title=_("Gong Zhu"),
    about=_("What counts is who took the pig, the sheep, the hearts and the ten of clubs."),
    in_short=_("Take the sheep, avoid the pig."),
    edition="1",
    texts=(TEXT,),
    players=(4, 5),
    unit="ディール",
    rounds=None,
    options=OPTIONS,
    rules=RULES,
    game=GongZhuGame,
    customs=CUSTOMS,
    rulings=RULINGS,
    partnership_players=(4,),
    usual_size=min,  # 4人の個人戦が普通です
)
