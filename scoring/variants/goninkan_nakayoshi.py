"""Goninkan as Nakayoshi-mura plays it: eight face cards win the first deal (source 000)."""

from scoring.kankei import KankeiGame, goninkan_items
from scoring.rules import Rules, RuleSet, Ruling
from scoring.translation import gettext_noop as _
from scoring.variants import goninkan_classic as classic

TEXT = classic.TEXT

# なかよし村では、1戦目は関係チームが絵札8枚取れば成功
TARGETS = classic.TARGETS | {1: (8, 9)}

# スコンクとなるのは … 絵札を9枚取った場合
SKUNK_FROM = {1: 9}

RULINGS = (
    Ruling(
        _(
            "In the first deal the kankei win with eight face cards, but a skunk needs nine: a "
            "table that stops at eight scores none."
        ),
        TEXT.at("スコンクとなるのは、無関係チームに1枚も絵札を取らさないで絵札を9枚取った場合です"),
    ),
    *classic.RULINGS,
)


def game(rules: Rules) -> KankeiGame:
    """Return the game of `goninkan_classic` with other numbers in deal 1."""
    return KankeiGame(
        rules,
        targets=TARGETS,
        targets_source=TEXT.at("1戦目は関係チームが絵札8枚取れば成功としています"),
        declarations=classic.DECLARATIONS,
        items=goninkan_items,
        skunk_from=SKUNK_FROM,
    )


RULE_SET = RuleSet(
    slug="goninkan-nakayoshi",
    title=_("Goninkan, Nakayoshi-mura rules"),
    about=_(
        "Like the common rules, with one difference: eight face cards win the first deal, "
        "and nine are needed for a skunk in it."
    ),
    in_short=_("Like the common rules, but eight face cards win the first deal."),
    edition="1",
    texts=(TEXT, classic.ASSOCIATION),
    players=(5, 6),
    unit="ラウンド",
    rounds=10,
    options=classic.OPTIONS,
    rules=classic.RULES,
    game=game,
    customs=classic.CUSTOMS,
    rulings=RULINGS,
)
